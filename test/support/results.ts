/**
 * What a run of the tests leaves behind: one plain line of counts, the names of what was skipped, so that nothing is left out silently, and
 * the seconds of each file, when it was played last, under `node_modules/.cache/test-seconds/`. The night, which is read in the morning, ends with a table of its files.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestModule } from 'vitest/node';
import { isNightly, nightSeed } from './nightly.ts';

const cache = 'node_modules/.cache/test-seconds';

interface FileResult {
  readonly file: string;
  readonly project: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}

export default class Results {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.map(resultOf).sort((a, b) => b.seconds - a.seconds);
    for (const project of new Set(results.map((result) => result.project))) writeSeconds(project, results);
    if (isNightly) process.stdout.write(tableOf(results));
    for (const module of modules)
      for (const test of module.children.allTests('skipped'))
        process.stdout.write(`SKIPPED: ${module.relativeModuleId}: ${test.fullName}\n`);
    const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
      results.reduce((total, result) => total + result[of], 0);
    process.stdout.write(
      `\ntests: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`,
    );
  }
}

function resultOf(module: TestModule): FileResult {
  const count = (state: 'passed' | 'failed' | 'skipped'): number =>
    [...module.children.allTests(state)].length;
  const { collectDuration, duration } = module.diagnostic();
  const failed = count('failed');
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    passed: count('passed'),
    // A file that cannot be loaded, or whose preparation fails, has no test that says so.
    failed: failed === 0 && !module.ok() ? 1 : failed,
    skipped: count('skipped'),
    seconds: Math.round((collectDuration + duration) / 100) / 10,
  };
}

/** How long each file of a project took when it was played last, by its path. */
export function readSeconds(project: string): Map<string, number> {
  const path = `${cache}/${project}.tsv`;
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  return new Map(
    lines.map((line) => line.split('\t')).map(([seconds, file = '']) => [file, Number(seconds)]),
  );
}

/** A file that is played alone leaves the seconds of the others. */
function writeSeconds(project: string, results: readonly FileResult[]): void {
  mkdirSync(cache, { recursive: true });
  const known = readSeconds(project);
  for (const { file, seconds } of results.filter((each) => each.project === project))
    known.set(file, seconds);
  const lines = [...known].filter(([file]) => existsSync(file)).sort(([, a], [, b]) => b - a);
  writeFileSync(
    `${cache}/${project}.tsv`,
    lines.map(([file, seconds]) => `${seconds.toFixed(1)}\t${file}\n`).join(''),
  );
}

/** The failed files first, then the slowest. */
function tableOf(results: readonly FileResult[]): string {
  const rows = [...results].sort((a, b) => b.failed - a.failed).map(rowOf);
  return `\n| file | passed | failed | seconds | again |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`;
}

function rowOf({ file, passed, failed, seconds }: FileResult): string {
  const again = failed > 0 ? `\`BATCH_TEST_NIGHT=${nightSeed} npm run night -- ${file}\`` : nightSeed;
  return `| ${file} | ${passed} | ${failed} | ${seconds.toFixed(0)} | ${again} |\n`;
}
