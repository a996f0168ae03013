/** A shared store without a server: any number of processes over one SQLite database, under the rules of `SharedBook`. */

import type { Change, Checkpoint, CommitEnd, CommitExtras } from '../../../src/stores/port/checkpoint.ts';
import type { Sharing, WorkerMark, WorkerNote } from '../../../src/stores/port/sharing.ts';
import type { Store, StorePlace } from '../../../src/stores/port/store.ts';
import { type Database, openDatabase, openScratchDatabase } from '../../../src/stores/sqlite/database.ts';
import { SqliteIngest } from '../../../src/stores/sqlite/import/ingest.ts';
import { SqliteCheckpoint } from '../../../src/stores/sqlite/sqlite-checkpoint.ts';
import { sqliteStoreIn, storeOver } from '../../../src/stores/sqlite/sqlite-store.ts';
import { SharedBook } from './shared-book.ts';

/** What one process has of the book. */
export function sharingOver(
  book: SharedBook,
  worker: string,
  checkpoint: Pick<Checkpoint, 'itemWithKey'>,
): Sharing {
  return {
    worker,
    runId: book.runId,
    tasksOf: async (tokens) => book.tasksOf(tokens),
    confirm: async (server) => book.confirm(server),
    doubt: async () => book.confirm(null),
    database: async () => null,
    look: () => book.look(),
    facts: async (after) => book.facts(after),
    async *unfinished(slices, change) {
      yield* await book.unfinished(slices, change);
    },
    unanswered: (slices, at) => book.unanswered(slices, at),
    answerBy: async (key) => {
      const item = await checkpoint.itemWithKey(key);
      return item?.status === 'submitting' ? book.answerBy(item) : null;
    },
    beginRound: async (start) => book.beginRound(start),
    mark: async () => book.mark(),
    pictureDigests: async (paths) => book.pictureDigests(paths),
    now: async () => Date.now(),
    noteWorker: async () => {},
    workers: async () => [],
  };
}

/** The checkpoint as one process of the run has it. */
class SharedCheckpoint extends SqliteCheckpoint {
  readonly #book: SharedBook;
  readonly #worker: string;

  constructor(db: Database, book: SharedBook, worker: string) {
    super(db);
    this.#book = book;
    this.#worker = worker;
  }

  override async commit(changes: readonly Change[], beside?: CommitExtras): Promise<CommitEnd> {
    this.#book.commit(this.#worker, changes, beside);
    return { isAnswered: true };
  }

  override async pendingItems(query: Parameters<SqliteCheckpoint['pendingItems']>[0]) {
    const { slices, limit, only } = query;
    return slices == null ? super.pendingItems(query) : this.#book.pending(slices, limit, only);
  }

  override async giveTask(...args: Parameters<SqliteCheckpoint['giveTask']>) {
    return this.#book.noting(() => super.giveTask(...args));
  }

  override async savePoints(...args: Parameters<SqliteCheckpoint['savePoints']>) {
    await this.#book.noting(() => super.savePoints(...args));
  }

  override async takeBack(keys: readonly number[]) {
    await this.#book.noting(() => super.takeBack(keys));
  }
}

/** An import, which the other processes hear of. */
class SharedIngest extends SqliteIngest {
  readonly #book: SharedBook;

  constructor(db: Database, checkpoint: SqliteCheckpoint, book: SharedBook) {
    super(db, checkpoint);
    this.#book = book;
  }

  override async apply(...args: Parameters<SqliteIngest['apply']>) {
    return this.#book.noting(() => super.apply(...args));
  }
}

/** What the processes of one run share. */
interface Run {
  readonly db: Database;
  readonly book: SharedBook;
  readonly workers: Map<string, WorkerMark>;
}

function runOver(db: Database): Run {
  return { db, book: new SharedBook(db), workers: new Map() };
}

/** The run as a further process has it. */
function join(
  { db, book, workers }: Run,
  worker: string,
  folder: string | null = null,
  isNew = false,
): Store {
  const startedAt = Date.now();
  const note = (said: WorkerNote): void =>
    void workers.set(worker, { ...said, name: worker, startedAt, lastSeenAt: Date.now(), isAlive: true });
  note({ host: 'here', pid: process.pid, slices: [], rows: {}, version: '', scratch: null });
  const checkpoint = new SharedCheckpoint(db, book, worker);
  const store = storeOver(db, { checkpoint, folder, isNew, close: () => void workers.delete(worker) });
  return {
    ...store,
    archive: store.archive,
    sharing: {
      ...sharingOver(book, worker, checkpoint),
      noteWorker: async (said) => note(said),
      workers: async () => [...workers.values()],
    },
    openIngest: async () => new SharedIngest(db, checkpoint, book),
  };
}

/** So many processes over the run in this database, on the server of this name. Closing the first closes it. */
export function sharedOver(db: Database, count: number, server = 'first'): readonly Store[] {
  const run = runOver(db);
  run.book.server = server;
  const stores = Array.from({ length: count }, (_, at) => join(run, `p${at + 1}`));
  return stores.map((store, at) =>
    at > 0 ? store : { ...store, [Symbol.asyncDispose]: async () => void db.close() },
  );
}

/** The same over a temporary run, which closing the first removes. */
export function openSharedScratch(count: number): readonly Store[] {
  return sharedOver(openScratchDatabase(), count);
}

/** A place in this folder whose run several processes may work on at once. Closed by whoever opened it. */
export function sharedPlaceIn(folder: string): StorePlace & Disposable {
  const alone = sqliteStoreIn(folder, { pid: process.pid, now: Date.now, isRunning: () => false });
  let run: Run | null = null;
  let count = 0;
  const close = (): void => {
    run?.db.close();
    run = null;
  };
  const isInUse = async (): Promise<boolean> => run !== null && run.workers.size > 0;
  return {
    ...alone,
    isInUse,
    async look() {
      const looking = await alone.look();
      if (looking === null) return null;
      return { ...looking, openWatch: async () => ({ ...(await looking.openWatch()), isInUse }) };
    },
    async open(): Promise<Store> {
      const isNew = !(await alone.exists());
      run ??= runOver(openDatabase(folder));
      const store = join(run, `p${++count}`, folder, isNew);
      return {
        ...store,
        abandon: async () => {
          close();
          await store.abandon();
        },
      };
    },
    [Symbol.dispose]: close,
  };
}
