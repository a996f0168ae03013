import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  expectHealed,
  expectPlain,
  expectWholeFiles,
  line,
  openTwo,
  preload,
  runOn,
  unsavedTasks,
} from './support/two-rows.ts';

/** Refusals of a disk, and of a database on it. */
const diskCodes = ['ENOSPC', 'EDQUOT', 'EIO', 'EACCES', 'EROFS', 'EMFILE'] as const;
const databaseCodes = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE'] as const;

/** Each site with the number of its calls, from a run on a well disk. */
let sites: ReadonlyMap<string, number>;
beforeAll(async () => {
  await using stage = await openTwo();
  const ending = await stage.batch(line, { env: { DISK_SITES: join(stage.folder, 'sites') }, node: preload });
  expectPlain(ending, [0]);
  const met = new Map<string, number>();
  for (const place of (await stage.read('sites')).trimEnd().split('\n')) {
    const [site = '', call] = place.split('#');
    met.set(site, Number(call));
  }
  sites = met;
});

/** Everything that the program writes; what it does to each of them is found out by a run on a well disk. */
const expectedThings = [
  ...['output folder', 'item folder', 'frames folder', 'log', 'ids'],
  ...['video', 'video validator', 'frame', 'frame validator', 'task.json'],
  ...['report.csv', 'report.jsonl', 'report.html', 'failed.csv'],
  ...['rows', 'setting', 'submitting', 'open', 'downloading', 'completed'],
];

interface Fault {
  readonly place: string;
  readonly code: string;
}

/** The first call of each site and one in the middle, with every refusal: how many the last ones are differs from run to run. */
function chooseFaults(): Fault[] {
  return [...sites].flatMap(([site, count]) => {
    const codes = /^(commit|save|import)/.test(site) ? databaseCodes : diskCodes;
    const calls = new Set([1, Math.ceil(count / 2)]);
    return [...calls].flatMap((call) => codes.map((code) => ({ place: `${site}#${call}`, code })));
  });
}

async function liveThrough({ place, code }: Fault): Promise<void> {
  await using stage = await openTwo();
  const ending = await runOn(stage, place, code);
  // Nothing is wrong with the disk then.
  if (code === 'EMFILE') expect(ending.stdout + ending.stderr).not.toMatch(/disk of|free space/);
  const unsaved = unsavedTasks(ending);
  expectPlain(ending, unsaved.length > 0 ? [5] : [0, 1, 4]);
  expect(await stage.read('sites'), 'the fault was met').toContain('refused');
  await expectWholeFiles(stage);
  if (unsaved.length > 0) {
    await stage.remove('sign');
    expectPlain(await stage.batch(line), [5]);
    for (const words of unsaved) expectPlain(await stage.batch(['resolve', './videos', ...words]), [0]);
    await stage.write('sign', '');
  }
  // What the service said is worth a warning where it cannot be written, and no video.
  const isTold = /task\.json cannot be written/.test(ending.stderr);
  await expectHealed(stage, isTold ? ['video.webm'] : ['task.json', 'video.webm']);
}

describe('a disk that refuses', () => {
  it('is met by everything that the program writes', () => {
    const things = new Set([...sites.keys()].map((site) => site.replace(/^\w+ /, '')));
    expect([...things].sort()).toEqual([...expectedThings].sort());
  });

  it('stops the run or marks the row, wherever it does, and the same line ends well when it is well again', {
    timeout: 3_600_000,
  }, async () => {
    const faults = chooseFaults();
    const troubles: string[] = [];
    const lane = async (): Promise<void> => {
      for (let fault = faults.shift(); fault !== undefined; fault = faults.shift()) {
        const name = `${fault.place} ${fault.code}`;
        await liveThrough(fault).catch((error: unknown) => troubles.push(`${name}: ${String(error)}`));
      }
    };
    await Promise.all([lane(), lane()]);
    expect(troubles.join('\n\n')).toBe('');
  });
});
