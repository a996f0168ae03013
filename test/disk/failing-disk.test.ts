import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Ending } from '../cli/support/program.ts';
import {
  type Creation,
  clip,
  completed,
  type FileRequest,
  inProgress,
  picture,
  type Reply,
  type Script,
} from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';
import { isNightly } from '../support/nightly.ts';

const preload = ['--import', new URL('./support/failing-disk.ts', import.meta.url).href];

/** Refusals of a disk, and of a database on it. */
const diskCodes = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EMFILE'] as const;
const databaseCodes = ['SQLITE_FULL', 'SQLITE_IOERR_WRITE'] as const;

/** Each first request for a file is cut, so that parts are kept and gone on with. */
function cutOnce({ count, name, headers }: FileRequest): Reply {
  const bytes = name.startsWith('frame') ? picture : clip;
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const more = { etag: '"v1"', 'content-length': bytes.length - from };
  return (response) => {
    if (from > 0)
      response.writeHead(206, {
        ...more,
        'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
      });
    else response.writeHead(200, more);
    if (count > 1) response.end(bytes.subarray(from));
    else response.write(bytes.subarray(from, bytes.length / 2), () => response.socket?.end());
  };
}

/** Two rows; frames come before the video. */
const script: Script = {
  status: (task) => (task.queries === 1 ? inProgress(task, 1) : completed(task, { frameCount: 2 })),
  file: cutOnce,
};

const line = runLine('q.csv');

async function openTwo(): Promise<Stage> {
  // With the second creation the first row's own parts may be there already.
  const create = ({ question }: Creation) => (question === 'Question a' ? leaveParts() : undefined);
  const stage = await openStage({ ...script, create });
  // Of no use without their validators: they are in the way, and are removed. Before the row is sent they would be a stranger's.
  const leaveParts = async (): Promise<undefined> => {
    await stage.write('videos/a/video.part', 'left');
    await stage.write('videos/a/frames/001.part', 'left');
  };
  await stage.write('q.csv', questions('a', 'b'));
  return stage;
}

/** Runs on a disk that refuses at `SITE#CALL` with this code until the sign is taken away. */
async function runOn(stage: Stage, place: string, code: string): Promise<Ending> {
  await stage.write('sign', '');
  const [sign, record] = [join(stage.folder, 'sign'), join(stage.folder, 'sites')];
  const env = { DISK_FAULT: `${place}#${code}`, DISK_FAULT_SIGN: sign, DISK_SITES: record };
  return stage.batch(line, { env, node: preload });
}

/** Whatever stands under a final name is whole. */
async function expectWholeFiles(stage: Stage): Promise<void> {
  for (const name of await stage.list('videos')) {
    const bytes = await readFile(join(stage.folder, 'videos', name));
    if (/\/video\.\w+$/.test(name) && !/\.part/.test(name)) expect(clip.equals(bytes), name).toBe(true);
    if (/frames\/\d+\.png$/.test(name)) expect(picture.equals(bytes), name).toBe(true);
    if (/(^|\/)task\.json$/.test(name))
      expect(JSON.parse(bytes.toString()), name).toHaveProperty('points', 10);
  }
}

function expectPlain({ code, stdout, stderr }: Ending, codes: readonly number[]): void {
  const said = `exit ${code}\n${stdout}${stderr}`;
  expect(codes, said).toContain(code);
  expect(said).not.toMatch(/\n\s+at |a bug in batch/);
}

/** The same line on a well disk ends with every video, and each question was paid for once. */
async function expectHealed(stage: Stage, files = ['task.json', 'video.webm']): Promise<void> {
  await stage.remove('sign');
  expectPlain(await stage.batch(line), [0]);
  await expectWholeFiles(stage);
  expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  expect((await stage.report()).map(({ points }) => points)).toEqual(['10', '10']);
  expect(stage.service.creations).toHaveLength(2);
  for (const id of ['a', 'b']) {
    const names = await readdir(join(stage.folder, 'videos', id));
    expect(names).toEqual(expect.arrayContaining(files));
  }
}

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

/** Every place where the program writes below its output folder; a new one is put in here, and thereby tested. */
const expectedSites = [
  'mkdir output folder',
  ...['mkdirSync', 'openSync', 'fsync'].flatMap((what) =>
    ['frames', 'item', 'output'].map((folder) => `${what} ${folder} folder`),
  ),
  ...['video', 'frame'].flatMap((file) => [
    ...['openSync', 'write', 'ftruncateSync', 'fsync', 'renameSync', 'unlinkSync'].map(
      (what) => `${what} ${file}`,
    ),
    ...['openSync', 'write', 'unlinkSync'].map((what) => `${what} ${file} validator`),
  ]),
  ...['task.json', 'report.csv', 'report.jsonl', 'report.html', 'failed.csv'].flatMap((file) =>
    ['openSync', 'write', 'fsync', 'rename'].map((what) => `${what} ${file}`),
  ),
  ...['openSync log', 'write log', 'fsync log', 'openSync ids', 'write ids'],
  ...[
    'take up rows',
    'save setting',
    'commit submitting',
    'commit open',
    'commit downloading',
    'commit completed',
  ],
];

interface Fault {
  readonly place: string;
  readonly code: string;
}

/** One call of each site, now the first and now one in the middle, with one refusal in turn; by night every call with all of them. */
function chooseFaults(): Fault[] {
  const faults: Fault[] = [];
  for (const [site, count] of sites) {
    const codes = /^(commit|save|take up)/.test(site) ? databaseCodes : diskCodes;
    const turn = faults.length;
    const calls = isNightly
      ? Array.from({ length: count }, (_, at) => at + 1)
      : [turn % 2 === 0 ? 1 : Math.ceil(count / 2)];
    for (const call of calls)
      for (const code of isNightly ? codes : codes.slice(turn % codes.length, (turn % codes.length) + 1))
        faults.push({ place: `${site}#${call}`, code });
  }
  return faults;
}

/** Row and task of each task that was said aloud because it could not be saved. */
function unsavedTasks({ stdout, stderr }: Ending): string[][] {
  return [...`${stdout}${stderr}`.matchAll(/row (\w+): --task-id ([\w-]+)/g)].map(
    ([, id = '', taskId = '']) => [id, '--task-id', taskId],
  );
}

async function liveThrough({ place, code }: Fault): Promise<void> {
  await using stage = await openTwo();
  const ending = await runOn(stage, place, code);
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

describe('a task that cannot be saved', () => {
  it('is saved after all when the disk has room again within seconds', async () => {
    await using stage = await openTwo();
    await stage.write('sign', '');
    const env = { DISK_FAULT: 'commit open#1#SQLITE_FULL', DISK_FAULT_SIGN: join(stage.folder, 'sign') };
    const program = stage.start([...line, '--verbose'], { env, node: preload });
    await program.said(/the run fails/);
    await stage.remove('sign');
    const ending = await program.ended;
    expectPlain(ending, [4]);
    expect(unsavedTasks(ending)).toEqual([]);
    await stage.write('sign', '');
    await expectHealed(stage);
  });
});

describe('a disk that is full when the service has accepted', () => {
  it('costs no uncertain row: the id is kept beside the checkpoint, and the next start takes it up', {
    timeout: 120_000,
  }, async () => {
    await using stage = await openTwo();
    const ending = await runOn(stage, 'commit open#1', 'SQLITE_FULL');
    expectPlain(ending, [4]);
    expect(unsavedTasks(ending)).toEqual([]);
    expect(await stage.read('videos/batch.ids')).toMatch(/"taskId":"task-1"/);
    await stage.remove('sign');
    // Whatever is done first: nobody may call a row uncertain whose task is known.
    const wrong = await stage.batch(['resolve', 'videos', 'a', '--not-created']);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('row a is open') });
    expect(await stage.read('videos/batch.ids')).not.toContain('task');
    await stage.write('sign', '');
    await expectHealed(stage);
  });
});

describe('a disk that refuses', () => {
  it('is met at every place where the program writes', () => {
    expect([...sites.keys()].sort()).toEqual([...expectedSites].sort());
  });

  it('stops the run or marks the row, wherever it does, and the same line ends well when it is well again', {
    timeout: isNightly ? 3_600_000 : 600_000,
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
