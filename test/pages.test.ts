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

it('ARCHITECTURE.md is short enough to be read', () => {
  expect(readFileSync('ARCHITECTURE.md', 'utf8').split('\n').length).toBeLessThanOrEqual(150);
});
