/**
 * The output folder that a version of the program leaves behind: rows in every status, with earlier attempts, files,
 * settings and a row that left its file. It is made once for each schema, by the version that brings it, and then kept.
 */

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ItemEvent, SavedFile, Status } from '../../src/money/item.ts';
import { reportLine } from '../../src/reports/columns.ts';
import { checkpointName } from '../../src/stores/sqlite/checkpoint-head.ts';
import { eventOf, silentEnding } from '../money/lives.ts';
import { openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { incomingRows } from '../support/incoming-rows.ts';
import { liveOn } from '../support/saved-lives.ts';

/** What a version must find in a folder that it or an earlier one made. */
export interface Expectation {
  readonly spent: number;
  readonly rows: readonly ExpectedRow[];
  /** Tasks that the service knows, in the order they were made. */
  readonly tasks: readonly { readonly taskId: string; readonly question: string }[];
}

export interface ExpectedRow {
  readonly id: string;
  readonly status: Status;
  readonly points: number | null;
  readonly taskId: string | null;
  readonly attempts: readonly {
    readonly status: Status;
    readonly taskId: string | null;
    readonly points: number | null;
  }[];
  /** Files on disk, by path. */
  readonly files: readonly string[];
}

export const fixturesFolder = new URL('./fixtures/', import.meta.url);
export const migrationsFolder = new URL('../../src/stores/sqlite/migrations/', import.meta.url);

/** The migrations that this version brings, in order. */
export function migrationNames(): readonly string[] {
  return readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/** Rows by what becomes of them; `gone` leaves the file in the end. */
const ids = [
  ...['pending', 'again', 'submitting', 'open', 'downloading', 'completed', 'twice', 'failed'],
  ...['rejected', 'uncertain', 'undelivered', 'lost', 'invalid', 'gone'],
] as const;
type Id = (typeof ids)[number];

const frames = [{ id: 'f1', url: 'https://files.example/f1' }];

/** A file of a row, as a version wrote it: what is in it says whose it is. */
function fileOf(path: string): SavedFile & { readonly content: string } {
  const content = `this stands for ${path}`;
  return {
    path,
    content,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  };
}

const files = {
  openFrame: fileOf('open/frames/001.png'),
  completedFrame: fileOf('completed/frames/001.png'),
  completedVideo: fileOf('completed/video.mp4'),
  twiceVideo: fileOf('twice/video.mp4'),
  goneVideo: fileOf('gone/video.mp4'),
};

/** What happened to each row. `task` gives the id of the next task that the service makes. */
function storiesOf(task: (id: Id) => string): readonly (readonly [id: Id, story: readonly ItemEvent[]])[] {
  const claimed = (id: Id, attempt = 1) =>
    eventOf('claimed', {
      token: `token ${attempt} of ${id}`,
      requestHash: `hash of ${id}`,
      quality: attempt === 1 ? null : 'h',
    });
  const accepted = (id: Id, attempt = 1) => [
    claimed(id, attempt),
    eventOf('creation-accepted', { taskId: task(id) }),
  ];
  const charged = eventOf('task-completed', { frames: [] });
  const failed = eventOf('task-failed', { ending: { ...silentEnding, points: 0 } });
  const notFound = eventOf('task-not-found', {});
  return [
    ['again', [...accepted('again'), failed, eventOf('retry-ordered')]],
    ['submitting', [claimed('submitting')]],
    [
      'open',
      [
        ...accepted('open'),
        eventOf('task-progressed', { frames }),
        eventOf('frame-saved', { file: files.openFrame }),
      ],
    ],
    ['downloading', [...accepted('downloading'), charged]],
    [
      'completed',
      [
        ...accepted('completed'),
        eventOf('task-completed', { frames }),
        eventOf('frame-saved', { file: files.completedFrame }),
        eventOf('video-saved', { file: files.completedVideo }),
      ],
    ],
    [
      'twice',
      [
        ...[
          ...accepted('twice'),
          charged,
          eventOf('video-not-had', { newLink: false }),
          eventOf('retry-ordered'),
        ],
        ...[...accepted('twice', 2), charged, eventOf('video-saved', { file: files.twiceVideo })],
      ],
    ],
    ['failed', [...accepted('failed'), failed]],
    ['rejected', [claimed('rejected'), eventOf('creation-refused')]],
    ['uncertain', [claimed('uncertain'), eventOf('creation-uncertain')]],
    ['undelivered', [...accepted('undelivered'), charged, eventOf('video-not-had', { newLink: false })]],
    ['lost', [...accepted('lost'), notFound, notFound, notFound]],
    ['gone', [...accepted('gone'), charged, eventOf('video-saved', { file: files.goneVideo })]],
  ];
}

/** The rows of the file, two of them without an id and alike. */
export const columns = ['id', 'question', 'note'] as const;
const fileRows = [
  ...ids.map((id) => ({ id, question: id === 'invalid' ? '' : `Question ${id}`, note: `note of ${id}` })),
  ...['first', 'second'].map((note) => ({ id: '', question: 'Question of twins', note })),
];
export const rowsLeft = fileRows.filter(({ id }) => id !== 'gone');

/** Makes the folder and says what is in it. */
export async function makeFixture(folder: string): Promise<void> {
  const tasks: { taskId: string; question: string }[] = [];
  const task = (id: Id): string => {
    tasks.push({ taskId: `task-${tasks.length + 1}`, question: `Question ${id}` });
    return `task-${tasks.length}`;
  };
  await using made = await openCheckpointFolder();
  const { checkpoint } = made;
  await made.store.settings.save(
    'options',
    JSON.stringify({ 'poll-interval': '100ms', concurrency: 7, frames: 'all' }),
  );
  await made.store.settings.save('callback-secret', '0123456789abcdef'.repeat(4));
  await made.ingest(incomingRows(...fileRows));
  for (const [id, story] of storiesOf(task)) await liveOn(checkpoint, id, ...story);
  await made.ingest(incomingRows(...rowsLeft));

  const rows: ExpectedRow[] = [];
  for await (const row of checkpoint.reportRows()) {
    const { id, status, points, task_id: taskId } = reportLine(row);
    const attempts = row.attempts.map((each) => ({
      status: each.status,
      taskId: each.taskId,
      points: each.points,
    }));
    rows.push({
      id,
      status,
      points,
      taskId,
      attempts,
      files: row.item.artifacts.flatMap(({ path }) => path ?? []),
    });
  }
  const expected: Expectation = { spent: (await checkpoint.ledger()).spent, rows, tasks };
  made.db.close();

  mkdirSync(join(folder, 'videos'), { recursive: true });
  for (const { path, content } of Object.values(files)) {
    mkdirSync(join(folder, 'videos', dirname(path)), { recursive: true });
    writeFileSync(join(folder, 'videos', path), content);
  }
  copyFileSync(join(made.path, checkpointName), join(folder, 'videos', checkpointName));
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
}
