/** The lines of the pages and of the help that call the program, and the blocks that show something else. */

import { globSync, readFileSync } from 'node:fs';
import { commands } from '../../src/cli/command-list.ts';

const pages: readonly string[] = ['README.md', 'README.zh-CN.md', ...globSync('docs/*.md').sort()];

/** A line that calls the program, as a reader would type it. */
export interface PageLine {
  readonly page: string;
  readonly line: string;
}

/** A block of a page that holds no line to type. */
export interface PageBlock {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const call = /(?<![\w-])batch(?:-video)? (?=[A-Za-z-])/;
const calls = (text: string): boolean => call.test(text);

/** Code of a page: fenced blocks, and spans of its prose and tables. */
function codeOf(page: string): { blocks: readonly PageBlock[]; spans: readonly string[] } {
  // The help is compared as a whole where it is shown.
  const text = readFileSync(page, 'utf8').replace(/<!-- help -->[\s\S]*<!-- \/help -->/, '');
  const fence = /^```(\w*)\n([\s\S]*?)^```$/gm;
  const blocks = [...text.matchAll(fence)].map(([, language = '', body = '']) => ({
    page,
    language,
    text: body,
  }));
  const spans = [...text.replace(fence, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) =>
    span.replaceAll('\\|', '|'),
  );
  return { blocks, spans };
}

/** The command in a line, without what stands around it: what a run proposes, a unit of systemd, a time of cron. */
export function commandIn(line: string): string {
  const around = [
    /^(?:Next|Then): (.*?)(?: {3,}.*)?$/,
    /^ +\d+ \w+ +".*?" +(batch .*)$/,
    /^ExecStart(?:Pre)?=(.*)$/,
    /^[\d*]+ [\d*]+ \* \* \* (.*)$/,
    /^call (.*)$/,
  ];
  const found = around.map((one) => one.exec(line)?.[1]).find((one) => one !== undefined);
  return (found ?? line)
    .replace(/ +# .*$/, '')
    .replaceAll('npx batch ', 'batch ')
    .trim();
}

/** The examples of the help. */
function exampleLines(): PageLine[] {
  return commands.flatMap(({ name, examples }) =>
    examples.map(([line]) => ({ page: `the help of ${name}`, line: `batch ${line}` })),
  );
}

/** Every line of the pages and of the help that calls the program, each once. */
export function linesToType(): PageLine[] {
  const lines = new Map(exampleLines().map((example) => [example.line, example]));
  for (const page of pages) {
    const { blocks, spans } = codeOf(page);
    for (const code of [...blocks.flatMap(({ text }) => text.split('\n')), ...spans]) {
      const line = commandIn(code);
      if (calls(line) && !lines.has(line)) lines.set(line, { page, line });
    }
  }
  return [...lines.values()];
}

/** Every block that calls the program nowhere. */
export function otherBlocks(): PageBlock[] {
  return pages
    .flatMap((page) => codeOf(page).blocks)
    .filter(({ text }) => !text.split('\n').some((line) => calls(commandIn(line))));
}

/** What `<!-- NAME -->` marks on a page, without its fence. */
export function blockStarting(page: string, start: string): string {
  const found = codeOf(page).blocks.find(({ text }) => text.startsWith(start));
  if (found === undefined) throw new Error(`${page} has no block that starts with ${start}`);
  return found.text;
}
