import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixed } from '../src/money/policy.ts';
import { phrasesOf } from '../src/terminal/phrases/phrases.ts';

const readme = readFileSync('README.md', 'utf8');

/** What stands between two markers of the README. */
function section(name: string): string {
  return readme.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0]?.trim() ?? '';
}

function help(): string {
  return execFileSync(process.execPath, ['src/cli.ts', '--help'], { encoding: 'utf8' }).trim();
}

describe('the README', () => {
  it('shows the help that the program prints', () => {
    expect(section('help')).toBe(['```', help(), '```'].join('\n'));
  });

  it('has two lines to copy, and the second is the one that decides', () => {
    const first = readme.split('\n## ')[0] ?? '';
    const lines = [...first.matchAll(/^```\n([\s\S]*?)\n```$/gm)].map(([, line]) => line);
    expect(lines).toEqual([
      'npm ci && npx batch run samples/questions.csv --simulate --out videos/rehearsal',
      'npm ci && npm test',
    ]);
    expect(readFileSync('.ci/run', 'utf8')).toContain(`'${lines[1]}'`);
  });

  it('says before what it is asked on a terminal, and so does the page about decisions', () => {
    const rows = fixed.confirmAboveRows;
    expect(readme).toContain(`more than ${rows} rows, or any row that has its video already`);
    expect(readFileSync('docs/steering.md', 'utf8')).toContain(`without a question: ${rows} rows or fewer`);
  });

  it.each([
    ['When something breaks', '`batch doctor`', 'docs/service.md#what-you-need'],
    ['What a run leaves', 'a random sample', 'docs/reviewing.md#how-good-are-the-others'],
    ['More', '`batch status --json`', 'docs/columns.md#what-is-written'],
    ['More', '`--reuse videos`', 'docs/what-it-will-cost.md#what-is-there-already'],
  ])('leads under "%s" to %s', (heading, name, link) => {
    const [, text = ''] = new RegExp(`^## ${heading}\\n([\\s\\S]*?)^## `, 'm').exec(readme) ?? [];
    expect(text).toContain(name);
    expect(text).toContain(`](${link})`);
  });

  it('gives a reason for each runtime dependency', () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const table = readme.split('Runtime dependencies')[1] ?? '';
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      expect(table).toContain(name);
  });
});

describe.each(['README.zh-CN.md', 'docs/first-steps.zh-CN.md'])('%s', (path) => {
  const chinese = readFileSync(path, 'utf8');

  it('names commands and options that there are', () => {
    const options = readFileSync('docs/options.md', 'utf8');
    const commands = new Set([...chinese.matchAll(/\bbatch ([a-z]+)/g)].map(([, command]) => command));
    const flags = new Set([...chinese.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag));
    expect(commands.size).toBeGreaterThan(4);
    expect(flags.size).toBeGreaterThan(5);
    for (const command of commands)
      expect(options, command).toMatch(new RegExp(`^### .*\\bbatch ${command}\\b`, 'm'));
    for (const flag of flags) expect(flag === '--help' || options.includes(flag), flag).toBe(true);
  });

  it('names each command as it works in the checkout, and page and marks as they are called there', () => {
    expect(chinese.match(/(?<!npx )(?<=^|[`：]) *batch [a-z].*/gm)).toBeNull();
    expect(chinese).toContain('`b` 差');
    expect(chinese.match(/batch view(?! --open).*/g)).toBeNull();
    expect(chinese).toContain('$env:BATCH_BASE_URL = ');
  });

  it('calls the statuses as the terminal does', () => {
    const { status } = phrasesOf('zh');
    for (const name of [
      'completed',
      'failed',
      'rejected',
      'invalid',
      'uncertain',
      'undelivered',
      'lost',
    ] as const)
      expect(chinese).toContain(`\`${status[name]}\``);
  });
});

it('the first steps in Chinese show what the check prints', () => {
  const page = readFileSync('docs/first-steps.zh-CN.md', 'utf8');
  const [, shown] = /<!-- check -->\n```\n([\s\S]*?)```\n<!-- \/check -->/.exec(page) ?? [];
  const args = ['src/cli.ts', 'check', 'samples/chinese-gb18030.csv', '--out', 'nowhere', '--lang', 'zh'];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })).toBe(shown);
});
