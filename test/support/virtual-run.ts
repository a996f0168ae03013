/** Whole runs in virtual time: the real checkpoint, a scripted service, files in memory. */

import { inEnglish, type Said } from '../../src/messages/message.ts';
import type { Item, Status } from '../../src/money/item.ts';
import { defaultPolicy, type Policy } from '../../src/money/policy.ts';
import type { RunnerOptions } from '../../src/runner/context.ts';
import type { RunEnding } from '../../src/runner/ending.ts';
import { Runner } from '../../src/runner/runner.ts';
import type { Change, Checkpoint, CommitEnd, CommitExtras } from '../../src/stores/port/checkpoint.ts';
import type { Reviews } from '../../src/stores/port/reviews.ts';
import type { Settings } from '../../src/stores/port/settings.ts';
import { type Database, openDatabaseReadOnly } from '../../src/stores/sqlite/database.ts';
import { createSqliteCheckpoint, SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { SqliteSettings } from '../../src/stores/sqlite/sqlite-settings.ts';
import { openCheckpointFolder } from './checkpoint-folder.ts';
import { incomingRows, type WrittenRow } from './incoming-rows.ts';
import { MemoryTree } from './memory-tree.ts';
import { noImages } from './no-images.ts';
import { itemNamed } from './saved-lives.ts';
import { type Script, ScriptedTasks } from './scripted-tasks.ts';
import { VirtualClock } from './virtual-clock.ts';

/** What a test may set of a run, in one list. */
type RunSettings = Partial<Policy & Omit<RunnerOptions, 'policy'>>;

/** A checkpoint that remembers its commits, and whose disk may fail. */
class WatchedCheckpoint extends SqliteCheckpoint {
  readonly commits: (readonly Change[])[] = [];
  /** What every commit fails with; null while the disk is well. */
  failure: Error | null = null;
  /** Called before every commit that is decided: another process may do something meanwhile. */
  beforeCommit: (changes: readonly Change[]) => Promise<void> = async () => {};
  /** Called after every commit, before its effects start. */
  onCommit: (changes: readonly Change[]) => void = () => {};
  /** How changes are saved: in a shared run under its rules. */
  save = (changes: readonly Change[], beside?: CommitExtras): Promise<CommitEnd> =>
    super.commit(changes, beside);

  override async giveTask(...args: Parameters<SqliteCheckpoint['giveTask']>) {
    if (this.failure !== null) throw this.failure;
    return super.giveTask(...args);
  }

  override async commit(changes: readonly Change[], beside?: CommitExtras) {
    if (this.failure !== null) throw this.failure;
    await this.beforeCommit(changes);
    const end = await this.save(changes, beside);
    if (changes.length === 0) return end;
    this.commits.push(changes);
    this.onCommit(changes);
    return end;
  }
}

/** One folder and one service; runs on it follow each other as processes would. */
export interface Trial extends AsyncDisposable {
  readonly db: Database;
  readonly clock: VirtualClock;
  readonly tasks: ScriptedTasks;
  readonly tree: MemoryTree;
  readonly checkpoint: WatchedCheckpoint;
  /** What another process sees: only what is committed. */
  readonly onDisk: Checkpoint;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** The settings as another process writes them. */
  readonly settings: Settings;
  readonly reviews: Reviews;
  /** Imports these rows as the file of the run. */
  ingest(...rows: readonly WrittenRow[]): Promise<unknown>;
  /** A new process; it does nothing before `run`. */
  createRunner(settings?: RunSettings): Runner;
  /** A new process from its start to its end. */
  run(settings?: RunSettings): Promise<RunEnding>;
  item(id: string): Promise<Item>;
  /** Status of every row, in input order. */
  statuses(): Promise<Status[]>;
}

/** A trial with these rows, pending. */
export async function openTrial(rows: readonly WrittenRow[], script: Script = {}): Promise<Trial> {
  const folder = await openCheckpointFolder();
  await folder.ingest(incomingRows(...rows));
  const looking = openOther(folder.path);
  const clock = new VirtualClock(Date.UTC(2026, 2, 1, 8));
  const tasks = new ScriptedTasks(clock, script);
  const tree = new MemoryTree();
  const checkpoint = new WatchedCheckpoint(folder.db);
  const settings = new SqliteSettings(folder.db, checkpoint);
  const notes: string[] = [];
  const warnings: string[] = [];
  let tokenCount = 0;
  const ports = {
    clock,
    service: tasks.service,
    host: tasks.host,
    tree,
    checkpoint,
    settings,
    images: noImages,
    redact: (text: string) => text,
    journal: null,
    log: { info: () => {}, warn: () => {} },
    reporter: {
      note: (said: Said) => void notes.push(inEnglish(said)),
      warn: (said: Said) => void warnings.push(inEnglish(said)),
      changed: () => {},
    },
  };
  const createRunner = (settings: RunSettings = {}): Runner =>
    new Runner(ports, {
      submits: true,
      only: null,
      newToken: () => `token-${++tokenCount}`,
      notifyUrl: () => null,
      listens: false,
      ...settings,
      policy: { ...defaultPolicy, ...settings },
    });
  return {
    db: folder.db,
    clock,
    tasks,
    tree,
    checkpoint,
    settings,
    reviews: folder.store.reviews,
    ingest: (...again) => folder.ingest(incomingRows(...again)),
    onDisk: createSqliteCheckpoint(looking),
    notes,
    warnings,
    createRunner,
    run: (settings) => createRunner(settings).run(),
    item: (id) => itemNamed(checkpoint, id),
    statuses: async () => (await folder.all()).map((item) => item.status),
    [Symbol.asyncDispose]: async () => {
      looking.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function openOther(path: string): Database {
  const db = openDatabaseReadOnly(path);
  if (db === null) throw new Error(`${path} holds no checkpoint`);
  return db;
}
