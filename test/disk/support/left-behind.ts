/** What a killed process leaves in its folder, with rows in every state, and what the service has done for them by then. */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openFolder } from '../../../src/app/output-folder.ts';
import { BatchError } from '../../../src/errors.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { IllegalMove } from '../../../src/money/transition.ts';
import { Runner } from '../../../src/runner/runner.ts';
import type { Checkpoint } from '../../../src/stores/port/checkpoint.ts';
import { incomingRows, namedRows, source } from '../../support/incoming-rows.ts';
import { MemoryTree } from '../../support/memory-tree.ts';
import { noImages } from '../../support/no-images.ts';
import {
  acceptedButLost,
  content,
  done,
  failed,
  forQuestions,
  makingMs,
  mp4,
  notFound,
  type Script,
  ScriptedTasks,
  type Task,
} from '../../support/scripted-tasks.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const rows = incomingRows(...namedRows(40));
const policy = { ...defaultPolicy, concurrency: 12, pollIntervalMs: 30_000 };

/** A folder as it was left, and the tasks the service had made until then. */
export interface LeftBehind extends AsyncDisposable {
  readonly path: string;
  readonly tasks: ReadonlyMap<string, Task>;
}

/** How a process that took the folder up again ended, and what it made of the ledger. */
export interface Outcome {
  /** One line of a refusal; null when it worked. */
  readonly refusal: string | null;
  /** What no user may ever see: a bug's own error. */
  readonly crash: string | null;
  /** Questions that the service accepted twice. */
  readonly paidTwice: readonly string[];
  /** Rows whose video is that of another question. */
  readonly mixedUp: readonly string[];
  /** Points that were charged and are neither in the report nor of a row that is listed as uncertain or lost. */
  readonly pointsMissing: number;
}

const pointsEach = 10;

/** Lives of all kinds: failures, a lost answer, a task that is forgotten, frames, and many that go well. */
const script: Script = {
  ...forQuestions([7], acceptedButLost),
  status: (task) => {
    if (task.question === 'Question 5') return failed();
    if (task.question === 'Question 6') return notFound;
    return task.ageMs >= makingMs ? done(task, [`frame of ${task.question}`]) : undefined;
  },
};

/** Every video names the task it is of. */
function withVideos(tasks: ScriptedTasks, base: Script): Script {
  return {
    ...base,
    file: ({ link }) => {
      const question = tasks.tasks.get(link.split('/')[0] ?? '')?.question;
      return question === undefined
        ? undefined
        : content(Buffer.concat([mp4, Buffer.from(`of ${question};`)]));
    },
  };
}

/** A folder as `kill -9` leaves it after so many minutes; `isClosed`: as a process leaves it that ended in good order. */
export async function leaveBehind(minutes: number, isClosed: boolean): Promise<LeftBehind> {
  const [working, left] = [await temporaryFolder(), await temporaryFolder()];
  await using _working = working;
  const clock = new VirtualClock(Date.UTC(2026, 2, 1, 8));
  const tasks = new ScriptedTasks(clock, {});
  tasks.follow(withVideos(tasks, script));
  const process = await start(working.path, clock, tasks);
  const ended = process.runner.run();
  await clock.reach(minutes * 30_000);
  // From here on some of what is saved is in the file itself, and the rest in its log.
  const beside = new Database(join(working.path, 'batch.sqlite'));
  beside.pragma('wal_checkpoint(PASSIVE)');
  beside.close();
  await clock.reach(minutes * 60_000);
  // At once, as a kill is: nothing goes on meanwhile.
  const known = new Map([...tasks.tasks].map(([id, task]) => [id, { ...task, ageMs: task.ageMs }]));
  if (!isClosed) cpSync(working.path, left.path, { recursive: true });
  process.runner.stop('terminated');
  await ended;
  await process[Symbol.asyncDispose]();
  if (isClosed) cpSync(working.path, left.path, { recursive: true });
  // What the stopped process still sent is part of its ledger, and no part of the killed one's.
  const made = isClosed ? tasks.tasks : known;
  return { path: left.path, tasks: new Map(made), [Symbol.asyncDispose]: () => left[Symbol.asyncDispose]() };
}

/** A process that takes the rows up, as `batch run` does. */
async function start(path: string, clock: VirtualClock, tasks: ScriptedTasks) {
  const store = await openFolder(path);
  const tree = new MemoryTree();
  let tokenCount = 0;
  try {
    await using ingest = await store.openIngest();
    await ingest.add(rows);
    await ingest.match({ add: false, isMended: false });
    await ingest.apply({ source, at: 0, add: false, isMended: false, rerunChanged: false });
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
  const quiet = { info: () => {}, warn: () => {}, note: () => {}, changed: () => {} };
  const runner = new Runner(
    {
      clock,
      tree,
      service: tasks.service,
      host: tasks.host,
      log: quiet,
      reporter: quiet,
      checkpoint: store.checkpoint,
      settings: store.settings,
      images: noImages,
      redact: (text) => text,
      journal: null,
    },
    {
      policy,
      submits: true,
      only: null,
      notifyUrl: () => null,
      listens: false,
      newToken: () => `token-${Math.round(clock.elapsedMs)}-${++tokenCount}`,
    },
  );
  return { ...store, runner, tree };
}

/** Takes a (damaged) copy of the folder up again, to the end of the run, and holds it against the ledger. */
export async function goOn(path: string, left: LeftBehind): Promise<Outcome> {
  const clock = new VirtualClock(Date.UTC(2026, 2, 2, 8));
  const tasks = new ScriptedTasks(clock, {});
  tasks.follow(withVideos(tasks, { status: (task) => done(task) }));
  for (const [id, task] of left.tasks) tasks.tasks.set(id, { ...task, ageMs: makingMs, queriedMs: [] });
  const before = tasks.tasks.size;
  const outcome = { refusal: null, crash: null, mixedUp: [], pointsMissing: 0 };
  const paidTwice = (): string[] => {
    const questions = [...tasks.tasks.values()].map((task) => task.question);
    return questions.filter((question, at) => questions.indexOf(question) !== at && at >= before);
  };
  try {
    await using process = await start(path, clock, tasks);
    await process.runner.run();
    // A bit may have flipped in the id, in the folder's name or in the text; the two others still say whose it is.
    const questions = new Map<string, readonly string[]>();
    for await (const { item, input } of process.checkpoint.reportRows()) {
      const names = [item.id, item.folder].map((name) => `Question ${name.slice(1)}`);
      questions.set(item.folder, [String(input.question), ...names]);
    }
    const mixedUp = [...process.tree.files].filter(
      ([file, bytes]) =>
        file.includes('/video.') && !isVideoOf(questions.get(file.split('/')[0] ?? '') ?? [], bytes),
    );
    const pointsMissing = await missingPoints(process.checkpoint, tasks);
    return { ...outcome, paidTwice: paidTwice(), mixedUp: mixedUp.map(([file]) => file), pointsMissing };
  } catch (error) {
    if (!(error instanceof BatchError) || error.exitCode === 70 || error instanceof IllegalMove)
      return {
        ...outcome,
        crash: String(error instanceof Error ? error.stack : error),
        paidTwice: paidTwice(),
      };
    return { ...outcome, refusal: error.message, paidTwice: paidTwice() };
  }
}

/** `questions`: what the row whose folder the file is in may be about. */
function isVideoOf(questions: readonly string[], bytes: Uint8Array): boolean {
  return questions.some((question) => Buffer.from(bytes).includes(`of ${question};`));
}

/** What was charged for tasks of rows that say they are sure, and is not in the report. */
async function missingPoints(checkpoint: Checkpoint, tasks: ScriptedTasks): Promise<number> {
  let missing = 0;
  for await (const { item, attempts } of checkpoint.reportRows()) {
    if (item.status === 'uncertain' || item.status === 'lost') continue;
    const charged = tasks.tasksOf(`Question ${item.id.slice(1)}`).filter(wasAskedFor).length;
    const told = attempts.reduce((sum, { points }) => sum + (points ?? 0), 0);
    missing += Math.max(0, charged * pointsEach - told);
  }
  return missing;
}

const wasAskedFor = (task: Task): boolean => task.queriedMs.length > 0;

/** A copy of the folder to damage, made anew over the last one. */
export function copyOf(left: LeftBehind, to: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(left.path, to, { recursive: true });
}
