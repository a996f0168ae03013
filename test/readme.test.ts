import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

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

  it('gives a reason for each runtime dependency', () => {
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const table = readme.split('Runtime dependencies')[1] ?? '';
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      expect(table).toContain(name);
  });
});

it('the README in Chinese names commands and options that there are', () => {
  const chinese = readFileSync('README.zh-CN.md', 'utf8');
  const options = readFileSync('docs/options.md', 'utf8');
  const commands = [...chinese.matchAll(/\bbatch ([a-z]+)/g)].map(([, command]) => command);
  const flags = [...chinese.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag);
  expect(new Set(commands).size).toBeGreaterThan(8);
  for (const command of new Set(commands))
    expect(options, command).toMatch(new RegExp(`^### .*\\bbatch ${command}\\b`, 'm'));
  for (const flag of new Set(flags)) expect(options).toContain(flag);
});
