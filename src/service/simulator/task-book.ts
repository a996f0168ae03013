/**
 * The saved state of the service. Every decided creation is one JSON line, written before the answer leaves, so that a
 * killed service keeps its promises. Nothing else needs saving: a task's state follows from its line and the time.
 */

import { closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { pointsOf, stateAt, type Task, type TaskState } from './task.ts';

/** What has been accepted and charged so far; the answer of `GET /ledger`. */
export interface SimulatorLedger {
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  /** Tasks the service has forgotten, uncharged; caused by the fault `vanish`. */
  readonly vanished: number;
  readonly open: number;
  readonly points: number;
  /** Creations with a valid key that made no task. */
  readonly refused: number;
  /** Most tasks open at once. */
  readonly max_open: number;
  /** In order of acceptance. */
  readonly tasks: readonly SimulatorLedgerTask[];
}

interface SimulatorLedgerTask {
  readonly task_id: string;
  readonly question: string;
  readonly quality: Task['quality'];
  readonly status: TaskState['status'];
  readonly points: number;
  /** ISO 8601. */
  readonly created_at: string;
  /** ISO 8601; null while the task is open. */
  readonly finish_at: string | null;
  /** Lower-case hex digest of the request body. */
  readonly body_sha256: string;
  /** The same of the bytes of each image; null for an address. */
  readonly question_image_sha256: readonly (string | null)[];
  readonly answer_image_sha256: readonly (string | null)[];
}

/** One line of the state file: a creation and its result. */
interface Creation {
  /** Digest of what was requested; '' where it could not be read. */
  readonly asked: string;
  /** null where no task was made. */
  readonly task: Task | null;
}

export interface TaskBook extends Disposable {
  /** How often this has been requested before, with or without success. */
  timesAsked(asked: string): number;
  accept(asked: string, task: Task): void;
  /** `asked` is '' for a request that could not be read. */
  refuse(asked: string): void;
  find(taskId: string): Task | null;
  /** Tasks that are not finished at this time (epoch ms). */
  openCount(at: number): number;
  tasks(): Iterable<Task>;
  ledger(now: number): SimulatorLedger;
}

/**
 * Opens the book and continues from the state file, if any; null keeps it in memory. Throws an Error that names the
 * file and line where the file is not a state file.
 */
export function openTaskBook(stateFile: string | null): TaskBook {
  const tasks = new Map<string, Task>();
  const asking = new Map<string, number>();
  let refused = 0;
  let maxOpen = 0;
  let open: Task[] = [];

  function enter({ asked, task }: Creation): void {
    asking.set(asked, (asking.get(asked) ?? 0) + 1);
    if (task === null) {
      refused += 1;
      return;
    }
    tasks.set(task.taskId, task);
    // The number of open tasks peaks only when one is accepted.
    open = open.filter((other) => other.finishAt > task.createdAt);
    open.push(task);
    maxOpen = Math.max(maxOpen, open.length);
  }

  for (const creation of stateFile === null ? [] : readCreations(stateFile)) enter(creation);
  const descriptor = stateFile === null ? null : openSync(stateFile, 'a');

  function decide(creation: Creation): void {
    if (descriptor !== null) writeSync(descriptor, `${JSON.stringify(creation)}\n`);
    enter(creation);
  }

  return {
    timesAsked: (asked) => asking.get(asked) ?? 0,
    accept: (asked, task) => decide({ asked, task }),
    refuse: (asked) => decide({ asked, task: null }),
    openCount(at) {
      open = open.filter(({ finishAt }) => finishAt > at);
      return open.length;
    },
    find: (taskId) => tasks.get(taskId) ?? null,
    tasks: () => tasks.values(),
    ledger(now) {
      const entries = Array.from(tasks.values(), (task) => entryOf(task, now));
      const count = (status: TaskState['status']) => entries.filter((task) => task.status === status).length;
      return {
        accepted: entries.length,
        completed: count('COMPLETED'),
        failed: count('FAILED'),
        vanished: count('VANISHED'),
        open: count('IN_PROGRESS'),
        points: entries.reduce((sum, task) => sum + task.points, 0),
        refused,
        max_open: maxOpen,
        tasks: entries,
      };
    },
    [Symbol.dispose]() {
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}

function entryOf(task: Task, now: number): SimulatorLedgerTask {
  const state = stateAt(task, now);
  return {
    task_id: task.taskId,
    question: task.question,
    quality: task.quality,
    status: state.status,
    points: pointsOf(task, state),
    created_at: new Date(task.createdAt).toISOString(),
    finish_at: state.status === 'IN_PROGRESS' ? null : new Date(task.finishAt).toISOString(),
    body_sha256: task.bodySha256,
    question_image_sha256: task.imageSha256.question,
    answer_image_sha256: task.imageSha256.answer,
  };
}

/**
 * The complete lines of the state file. A last line without its line break was cut by a kill: its answer never left, so
 * the creation did not happen, and the line is removed before others follow it.
 */
function readCreations(stateFile: string): Creation[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(stateFile);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  const wholeBytes = bytes.lastIndexOf('\n') + 1;
  if (wholeBytes < bytes.length) truncateSync(stateFile, wholeBytes);
  const lines = bytes.toString('utf8', 0, wholeBytes).split('\n').slice(0, -1);
  return lines.map((line, i) => {
    try {
      return parseLine(line);
    } catch (cause) {
      const place = `${stateFile}:${i + 1}`;
      throw new Error(`${place}: not a creation of the simulator; move the file away to start over`, {
        cause,
      });
    }
  });
}

/** Parses a line that the book wrote; anything else throws. */
function parseLine(line: string): Creation {
  const creation = JSON.parse(line) as Creation;
  if (typeof creation.asked !== 'string' || creation.task === undefined) throw new Error('no asked, no task');
  if (creation.task !== null && !Number.isFinite(creation.task.finishAt)) throw new Error('no finishAt');
  return creation;
}
