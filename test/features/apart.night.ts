/** A feature is a part that can be taken out: what is left without it is whole. */

import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What others need, and for what. A line less is one more part that can be taken out. */
const needed: Readonly<Record<string, string>> = {
  hooks: 'run: whoever follows a session hears its events',
  import:
    'run, library: a run begins with a file; audit, report, resolve, retry: they read what a user wrote into a table',
  inspect: 'run, verify: videos are looked into at the end; doctor: whether it can be done here',
  resolve: 'audit: what it proposes is the table that `batch resolve` takes',
  reuse: 'import, run, check, retry, view: rows whose video is known are not paid for',
  review: 'retry: marked rows are named',
  run: 'check, fleet, library, resolve, retry, steering, verify, view: they end in a session, or say what to type next',
  view: 'steering: `batch stop` ends with the status of the run',
};

const features = globSync('*', { cwd: 'src/features' }).sort();

/** The program without the feature: its folder is gone, and its commands load nothing. */
function takeOut(feature: string, folder: string): void {
  cpSync('src', join(folder, 'src'), { recursive: true });
  for (const name of ['tsconfig.json', 'package.json']) cpSync(name, join(folder, name));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  rmSync(join(folder, 'src/features', feature), { recursive: true });
  const load = new RegExp(`load: .*import\\('\\.\\./\\.\\./features/${feature}/.*,$`, 'gm');
  for (const name of globSync('src/cli/commands/*-commands.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replace(load, 'load: async () => ({ handle: async () => {} }),'));
  }
}

/** The errors of the compiler, one a line; '' for none. */
function compile(folder: string): string {
  try {
    for (const project of ['.', 'src/page']) {
      const args = ['--noEmit', '--pretty', 'false', '-p', join(folder, project)];
      execFileSync(resolve('node_modules/.bin/tsc'), args, { encoding: 'utf8' });
    }
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

describe('without the feature', () => {
  it.each(features)('%s', async (feature) => {
    await using folder = await temporaryFolder();
    takeOut(feature, folder.path);
    const errors = compile(folder.path);
    if (needed[feature] === undefined) expect(errors, 'move what others need below them').toBe('');
    else expect(errors, 'nobody needs it any more: take its line out of the table').toContain(`${feature}/`);
  });
});

it('nothing is said of a feature that is not there', () => {
  expect(Object.keys(needed).filter((name) => !features.includes(name))).toEqual([]);
});
