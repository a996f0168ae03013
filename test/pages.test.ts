/** What the pages name is there: files of the code, other pages, and the headings that links lead to. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = globSync(['*.md', 'docs/*.md']).map((path) => path.replaceAll('\\', '/'));

/** Everything but blocks of code, where `#` starts a comment. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
}

/** What a link to a heading ends with, by the rules of GitHub. */
function anchorsOf(page: string): string[] {
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('%s', (page) => {
  it('names only paths that exist', () => {
    const named = [...proseOf(page).matchAll(/`((?:src|test|docs|jobs|samples|bench)\/[\w./-]*)`/g)];
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  });

  it('has only links that lead somewhere', () => {
    const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const dead = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});

it.each(['README.md', 'README.zh-CN.md', 'docs/excel.md', 'docs/edited-files.md'])(
  '%s has the one way to send corrected rows',
  (page) => {
    const told = readFileSync(page, 'utf8').match(/batch run videos\/failed\.(csv|xlsx).*/g) ?? [];
    expect(told.length).toBeGreaterThan(0);
    for (const line of told) expect(line).toMatch(/^batch run \S+ --rerun-changed/);
  },
);

describe('docs/on-several-machines.md', () => {
  const page = readFileSync('docs/on-several-machines.md', 'utf8');
  const sections = page.split(/^(?=##+ )/m).filter((section) => /^### |<!-- played/.test(section));

  it.each(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]))(
    'promises under "%s" what tests play',
    (_, section) => {
      const played = [...section.matchAll(/<!-- played by (\S+): (.+) -->/g)];
      expect(played).not.toEqual([]);
      for (const [, path = '', test = ''] of played) expect(readFileSync(path, 'utf8')).toContain(test);
    },
  );
});

it('samples/README.md lists each sample, and there is one of each kind of file that the README names', () => {
  const files = globSync('samples/*.*').filter((path) => !/README|clip\./.test(path));
  const listed = readFileSync('samples/README.md', 'utf8');
  for (const file of files) expect(listed).toContain(`| \`${posix.basename(file)}\` |`);
  expect(new Set(files.map((file) => posix.extname(file)))).toEqual(
    new Set(['.csv', '.jsonl', '.xlsx', '.parquet']),
  );
});

it('ARCHITECTURE.md is short enough to be read', () => {
  expect(readFileSync('ARCHITECTURE.md', 'utf8').split('\n').length).toBeLessThanOrEqual(150);
});

describe('the three stories of ARCHITECTURE.md', () => {
  const page = readFileSync('ARCHITECTURE.md', 'utf8');
  const [, section = ''] = /^## Three stories\n([\s\S]*?)^## /m.exec(page) ?? [];
  const stories = section
    .split('\n\n')
    .filter((paragraph) => paragraph.startsWith('**'))
    .map((paragraph) => {
      const [, name = '', count = ''] = /^\*\*(.+?)\*\* \((\d+)\)/s.exec(paragraph) ?? [];
      return [
        name,
        Number(count),
        [...paragraph.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path),
      ] as const;
    });
  const importsOf = (file: string): string[] =>
    [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)].map(([, path = '']) =>
      posix.join(posix.dirname(file), path),
    );
  const imports = new Map(globSync('src/**/*.ts').map((file) => [file, importsOf(file)]));
  /** One imports the other, a third puts both together, or both hand over through one interface. */
  const isLinked = (one: string, other: string): boolean =>
    imports.get(one)?.includes(other) === true ||
    imports.get(other)?.includes(one) === true ||
    [...imports.values()].some((imported) => imported.includes(one) && imported.includes(other)) ||
    imports.get(one)?.some((file) => isInterface(file) && imports.get(other)?.includes(file)) === true;
  const isInterface = (file: string): boolean => /^src\/(ports|store\/.+|runner\/entry)\.ts$/.test(file);

  it('are told in seven, twelve and fourteen files', () => {
    expect(stories.map(([, count]) => count)).toEqual([7, 12, 14]);
    for (const [, count, files] of stories) expect(new Set(files).size).toBe(count);
  });

  it.each(stories)('%s: every file has to do with another one of them', (_, __, files) => {
    const reached = new Set(files.slice(0, 1));
    for (const file of reached) for (const other of files) if (isLinked(file, other)) reached.add(other);
    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });
});
