/** The workflows of GitHub: each calls its script, with as few rights as that needs. */

import { globSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';

const workflows = globSync('.github/workflows/*').map((path) => path.replaceAll('\\', '/'));
const scripts: Readonly<Record<string, string>> = { 'ci.yml': '.ci/run', 'night.yml': '.ci/night' };

it('there is one for each script that a change or a night has to pass', () => {
  expect(workflows.map((path) => basename(path)).sort()).toEqual(Object.keys(scripts));
});

describe.each(workflows)('%s', (path) => {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  /** What stands under a key of the first column. */
  const under = (key: string): string[] => {
    const from = lines.indexOf(`${key}:`) + 1;
    const length = lines.slice(from).findIndex((line) => !line.startsWith(' '));
    return from === 0 ? [] : lines.slice(from, length < 0 ? undefined : from + length);
  };

  it('is lines of keys and values, by twos of blanks and without tabs', () => {
    const script = lines.findIndex((line) => line.endsWith(' run: |'));
    for (const line of script < 0 ? lines : lines.slice(0, script))
      expect(line).toMatch(/^(?: {2})*(?:- )?(?:[\w-]+:(?: \S.*)?|cron: '[\d* ]+')$/);
    const keys = lines.filter((line) => /^\w/.test(line)).map((line) => line.replace(/:.*/, ''));
    expect(keys).toEqual(['name', 'on', 'permissions', 'concurrency', 'jobs']);
  });

  it('calls its script, which can be carried out', () => {
    const script = scripts[basename(path)] ?? '';
    expect(lines.some((line) => new RegExp(`^ +(?:- run: )?${script}(?: \\$\\w+)?$`).test(line))).toBe(true);
    expect(statSync(script).mode & 0o111).toBe(0o111);
  });

  it('may only read, has an end, and takes no action but by the hash of its commit', () => {
    expect(under('permissions')).toEqual(['  contents: read']);
    expect(under('concurrency').join()).toContain('group:');
    expect(under('jobs').some((line) => /^ {4}timeout-minutes: \d+$/.test(line))).toBe(true);
    const actions = lines.filter((line) => line.includes('uses:'));
    expect(actions).not.toEqual([]);
    for (const line of actions) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('makes nothing that somebody typed a part of a script', () => {
    const script = text.slice(text.lastIndexOf(' run: '));
    expect(script).not.toContain('${{');
  });
});
