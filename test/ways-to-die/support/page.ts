/** The page "What each way to die costs", as data: what it shows and tells to type is what the tests do. */

import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../../docs/what-each-way-to-die-costs.md', import.meta.url), 'utf8');

/** A block of the page: the last lines that the program says, or the lines to type next. */
export interface Step {
  readonly kind: 'see' | 'type';
  readonly lines: readonly string[];
}

/** How many blocks the page has, of whatever kind. */
export const blockCount = text.split('\n').filter((line) => line.startsWith('```')).length / 2;

/** Headings of the chapters, in order. */
export const chapters: readonly string[] = sections(text, '## ').map(([heading]) => heading);

/** The ways of one chapter, in order: heading and steps. */
export function waysOf(chapter: string): ReadonlyMap<string, readonly Step[]> {
  const [, body = ''] = sections(text, '## ').find(([heading]) => heading === chapter) ?? [];
  return new Map(sections(body, '### ').map(([heading, told]) => [heading, stepsOf(told)]));
}

function sections(body: string, mark: string): [heading: string, body: string][] {
  const [, ...parts] = `\n${body}`.split(`\n${mark}`);
  return parts.map((part) => {
    const [heading = '', ...rest] = part.split('\n');
    return [heading, rest.join('\n')];
  });
}

function stepsOf(told: string): Step[] {
  const block = /^\*\*You (see|type)\*\*[^\n]*\n\n```\n([\s\S]*?)\n```$/gm;
  return [...told.matchAll(block)].map(([, kind, lines = '']) => ({
    kind: kind === 'see' ? 'see' : 'type',
    lines: lines.split('\n'),
  }));
}
