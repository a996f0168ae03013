/** A page in Chinese says what its English sister says: the same parts, lines to type, names and numbers. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statuses } from '../../src/money/item.ts';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';
import { commandIn } from './page-lines.ts';

/** README.zh-CN.md and the first steps are no translations of a page. */
const pairs = globSync('docs/*.zh-CN.md')
  .map((chinese) => chinese.replaceAll('\\', '/'))
  .map((chinese) => [chinese, chinese.replace('.zh-CN', '')] as const)
  .filter(([, english]) => existsSync(english));

const fence = /^```\w*\n([\s\S]*?)^```$/gm;
const calls = /(?<![\w-])batch(?:-video)? (?=[a-z])/;

/** Each block as its commands; one that only shows something as ''. */
function blocksOf(text: string): string[] {
  return [...text.matchAll(fence)].map(([, body = '']) =>
    body
      .split('\n')
      .map(commandIn)
      .filter((line) => calls.test(line))
      .join('\n'),
  );
}

const prose = (text: string): string => text.replace(fence, '');
const code = /`([^`\n]+)`/g;

/** The code in the sentences, each once; statuses as the terminal calls them in Chinese. */
function spansOf(text: string): string[] {
  const { status } = phrasesOf('zh');
  const named = new Map<string, string>(statuses.map((name) => [name, status[name]]));
  const spans = [...prose(text).matchAll(code)].map(([, span = '']) => named.get(span) ?? span);
  return [...new Set(spans)].filter((span) => span !== 'npx batch').sort();
}

/** How the page is built: headings by their level, entries of lists, and tables by their cells. */
function shapeOf(text: string): string[] {
  return prose(text)
    .split('\n')
    .flatMap((line) => {
      const [start = ''] = /^(?:#+|-|\d+\.)(?= )|^\|/.exec(line) ?? [];
      return start === '|' ? [`| ${line.split('|').length}`] : start === '' ? [] : [start];
    });
}

/** The numbers of the sentences and tables. */
function numbersOf(text: string): string[] {
  const said = prose(text)
    .replace(code, '')
    .replace(/\]\([^)]*\)/g, ']');
  return (said.match(/\d[\d.,]*\d|\d/g) ?? []).sort();
}

/** Where the links lead, without the languages: a page in Chinese may lead to sisters, whose headings are Chinese. */
function linksOf(text: string): string[] {
  const targets = [...prose(text).matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  return targets.map((target) => target.replace('.zh-CN', '').replace(/#.*/, '')).sort();
}

it('there are pages in Chinese', () => {
  expect(pairs.length).toBeGreaterThanOrEqual(4);
});

it.each(globSync(['*.zh-CN.md', 'docs/*.zh-CN.md', 'src/page/words-zh.ts']))(
  '%s calls an attempt as the messages do',
  (path) => {
    expect(readFileSync(path, 'utf8')).not.toMatch(/次提交|提交次数/);
  },
);

describe.each(pairs)('%s', (chinesePage, englishPage) => {
  const [chinese, english] = [readFileSync(chinesePage, 'utf8'), readFileSync(englishPage, 'utf8')];

  it.each([
    ['headings, lists and tables', shapeOf],
    ['blocks and commands', blocksOf],
    ['names in code', spansOf],
    ['numbers', numbersOf],
    ['links', linksOf],
  ])('has the %s of its English sister', (_, of) => {
    expect(of(chinese)).toEqual(of(english));
  });

  it('leads to its sister and is led to by it, by README.zh-CN.md and by the first steps', () => {
    const name = posix.basename(chinesePage);
    expect(chinese).toContain(`[English](${posix.basename(englishPage)})`);
    expect(english).toContain(`[简体中文](${name})`);
    expect(readFileSync('README.zh-CN.md', 'utf8')).toContain(`](docs/${name})`);
    expect(readFileSync('docs/first-steps.zh-CN.md', 'utf8')).toContain(`](${name})`);
  });

  it('leads to pages in Chinese where there are some', () => {
    const targets = [...chinese.matchAll(/\]\((?!https?:)([^)#]+\.md)/g)].map(([, target = '']) => target);
    const better = targets.filter(
      (target) =>
        target !== posix.basename(englishPage) && existsSync(`docs/${target.replace(/\.md$/, '.zh-CN.md')}`),
    );
    expect(better).toEqual([]);
  });
});
