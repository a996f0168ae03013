import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blockCount, chapters, waysOf } from './support/page.ts';

describe('the page of what each way to die costs', () => {
  it('has a file of proofs for each chapter, and a chapter for each file', () => {
    const files = readdirSync(import.meta.dirname).flatMap(
      (name) => /^(.*)\.(?:proof|night)\.ts$/.exec(name)?.[1] ?? [],
    );
    const named = chapters.map((chapter) => chapter.toLowerCase().replaceAll(' ', '-'));
    expect(named.sort()).toEqual(files.sort());
  });

  it('says of each way what is to be seen or typed', () => {
    for (const chapter of chapters)
      for (const [heading, steps] of waysOf(chapter)) expect(steps.length, heading).toBeGreaterThan(0);
  });

  it('has no block that is not tested', () => {
    const steps = chapters.flatMap((chapter) => [...waysOf(chapter).values()].flat());
    expect(steps).toHaveLength(blockCount);
  });

  it('is named in the README', () => {
    const isNamed = readFileSync('README.md', 'utf8').includes('(docs/what-each-way-to-die-costs.md)');
    expect(isNamed).toBe(true);
  });
});
