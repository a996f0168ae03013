/** What earlier versions had and this one has not: it is told with the way that remains, and harms no run that was saved with it. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goneError, goneNames } from '../../src/app/options/gone.ts';
import { readJobFile } from '../../src/app/options/job-file.ts';
import { openExistingFolder, readSavedOptions } from '../../src/app/output-folder.ts';
import { obey } from '../../src/cli/parse-line.ts';
import { UsageError } from '../../src/errors.ts';
import type { ResumeOptions } from '../../src/library/options.ts';
import { readProgramOptions } from '../../src/library/read-options.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openStage, questions, runLine } from './support/stage.ts';

/** The way that remains, by what is gone. */
const remaining = {
  'batch marks': [['marks', 'merge', 'anna.csv', 'ben.csv'], 'batch retry --marked'],
  'batch hooks': [['hooks', 'list', './videos', '--json'], 'batch collect --on-row CMD'],
  'batch move without DIR': [
    ['move', '--store', 'postgres://db/b', '--run', 'alg', '--out', 'back'],
    'batch export',
  ],
  '--metrics-file': [['run', 'q.csv', '--metrics-file', 'm.prom'], 'batch status --json'],
  '--hook-jobs': [['run', 'q.csv', '--hook-jobs=4', '--on-row', 'true'], 'two calls go on at once'],
  '--hook-timeout': [['worker', '--hook-timeout', '1m'], 'timeout 60 CMD'],
  '--hook-shell': [['resume', '--hook-shell', '--on-row', 'true'], "sh -c 'CMD'"],
  '--scratch': [['worker', '--run', 'alg', '--scratch', '/tmp'], 'BATCH_SCRATCH'],
  '--s3-endpoint': [['run', '--s3-endpoint', 'https://s3.example'], 'AWS_ENDPOINT_URL'],
  '--capacity': [['simulate', '--capacity', '4'], '--fault capacity=N'],
} as const satisfies Readonly<Record<string, readonly [line: readonly string[], way: string]>>;

const options = goneNames.filter((name) => name.startsWith('--'));

describe('what is gone', () => {
  it.each(Object.entries(remaining))('%s is refused with the way that remains', async (name, [line, way]) => {
    const refused = await obey(line).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(String(refused)).toContain(`${name} is gone: `);
    expect(String(refused)).toContain(way);
  });

  it('is all in the table above', () => {
    expect(Object.keys(remaining)).toEqual(goneNames);
  });

  it.each(options)('%s is refused in a job file, too', async (name) => {
    await using folder = await temporaryFolder();
    const job = join(folder.path, 'job.json');
    await writeFile(job, JSON.stringify({ [name.slice(2)]: 'x' }));
    expect(() => readJobFile(job)).toThrow(`${job}: "${name.slice(2)}" is gone: `);
  });

  it('is told to programs by their name for it', () => {
    expect(() => readProgramOptions({ capacity: 3 } as ResumeOptions)).toThrow('capacity is gone: ');
  });

  it('stands in the way of no run that was saved with it', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    {
      await using run = await openExistingFolder(join(stage.folder, 'videos'));
      const saved = await readSavedOptions(run);
      const old = Object.fromEntries(options.map((name) => [name.replace('--', ''), 'x']));
      await run.settings.save('options', JSON.stringify({ ...saved, ...old }));
    }
    for (const line of [['status'], ['resume', '--yes'], ['tune', '-j', '3'], ['report']])
      expect(await stage.batch(line), line.join(' ')).toMatchObject({
        code: 0,
        stderr: expect.not.stringContaining('gone'),
      });
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });

  it('is not what another word means', () => {
    expect(goneError('toString')).toBeNull();
  });
});
