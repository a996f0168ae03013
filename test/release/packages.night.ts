/** The packages to unzip and start, made as they are released: what they hold, how large they are, and that one works here. */

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePackage } from '../../src/release/package.ts';
import { type SystemName, systems } from '../../src/release/systems.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportLines } from '../support/written.ts';

const names = Object.keys(systems) as SystemName[];
const mostBytes = 60e6;

/** Parts of the program are named by what is in them; those, and the files of each package that is installed, are one line. */
const named = (file: string): string =>
  file
    .replace(/(?<=dist\/chunks\/).*/, '*')
    .replace(/(?<=program\/node_modules\/(@[^/]+\/)?[^/@]+\/).*/, '*');

describe('the packages to unzip and start', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const made = new Map<SystemName, string>();
  const pathOf = (name: SystemName): string => made.get(name) ?? '';
  /** The files in the archive, as the tools of the system list them. */
  const filesIn = (name: SystemName): string[] => {
    const [tool, ...args] = pathOf(name).endsWith('.zip') ? ['unzip', '-Z1'] : ['tar', '-tzf'];
    const list = execFileSync(tool ?? '', [...args, pathOf(name)], {
      encoding: 'utf8',
      env: { LC_ALL: 'C.UTF-8', PATH: process.env.PATH },
    });
    return list.trim().split('\n');
  };

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const name of names) made.set(name, await makePackage(name, folder.path));
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  it.each(names)('that for %s holds these files', async (name) => {
    const files = [...new Set(filesIn(name).map(named))].sort();
    await expect(`${files.join('\n')}\n`).toMatchFileSnapshot(`contents-${systems[name].label}.txt`);
  });

  it.each(names)('that for %s has one binary of SQLite, its own, and nothing that draws clips', (name) => {
    const { platform, arch } = systems[name];
    const files = filesIn(name);
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([
      `batch/program/node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`,
    ]);
    expect(files.filter((file) => file.includes('@napi-rs'))).toEqual([]);
  });

  it('that for Windows has at most 60 MB', () => {
    expect(statSync(pathOf('windows')).size).toBeLessThanOrEqual(mostBytes);
  });

  it('made again, it has the same bytes', async () => {
    await using again = await temporaryFolder();
    expect(
      readFileSync(await makePackage('windows', again.path)).equals(readFileSync(pathOf('windows'))),
    ).toBe(true);
  });

  it.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'that for Linux makes the videos of a rehearsal, with nothing else on the PATH',
    async () => {
      await using home = await temporaryFolder();
      execFileSync('tar', ['-xzf', pathOf('linux')], { cwd: home.path });
      const at = join(home.path, 'batch');
      const batch = (...args: string[]): string =>
        execFileSync(join(at, 'batch'), args, {
          cwd: at,
          encoding: 'utf8',
          env: { PATH: '/usr/bin:/bin', HOME: home.path },
          stdio: ['ignore', 'pipe', 'ignore'],
        });
      expect(batch('--version')).toMatch(/^\d/);
      expect(batch('check', 'samples/chinese-gb18030.csv')).toContain('8 to submit');
      expect(batch('run', 'samples/questions.csv', '--simulate', '--duration', '500ms')).toContain(
        '12 completed',
      );
      expect(reportLines(readFileSync(join(at, 'videos/report.jsonl'), 'utf8'))).toHaveLength(12);
      const licences = readFileSync(join(at, 'LICENSES.txt'), 'utf8');
      for (const part of ['Node.js', 'better-sqlite3', 'undici', 'pg-boss'])
        expect(licences).toMatch(new RegExp(`^${part} [\\d.]+ \\(\\S+\\)\\r?$`, 'm'));
    },
  );
});
