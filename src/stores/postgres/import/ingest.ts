/**
 * Imports a file into the run while other processes may work on it. What the run knows of its rows is copied, and the file
 * is staged, matched, planned and imported in the copy, and what that changes is copied to the server, all without a lock.
 * The import itself is one short transaction: it locks the run, makes up for the items that have changed meanwhile, and
 * writes. Where the rows have to be matched again, it lets go of the lock first.
 */

import { randomUUID } from 'node:crypto';
import { type Problem, StoreAwayError, UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import type { Plan } from '../../../money/plan.ts';
import type { IncomingRow } from '../../../money/question.ts';
import type { IdFacts } from '../../../money/row-identity.ts';
import type {
  ImportCopy,
  Ingest,
  IngestOptions,
  JoinOptions,
  LengthOptions,
  PictureDigests,
  PlanOptions,
  WaitingOptions,
} from '../../port/import.ts';
import type { TextLengths } from '../../port/reading.ts';
import type { TermsMark } from '../../port/sharing.ts';
import type { Connections } from '../connection/connections.ts';
import { CopySession } from '../connection/copy-session.ts';
import { beginRound } from '../postgres-sharing.ts';
import { FirstDifference } from './first-difference.ts';
import { applyAll, applyChanges, applyFiles, renewItems, sentCorrections } from './known-rows.ts';
import { type FirstImport, planChanged, ShownImport } from './shown-import.ts';
import { StagedDifference, type WaitingDifference } from './staged-difference.ts';
import { storableRow } from './storable-row.ts';

/** How often the rows are matched again while others change them, before the others have to wait. */
const mostTries = 4;

interface Attempt {
  /** Names the commit. */
  readonly commit: string;
  readonly tries: number;
}

/** A process that stops in the middle, as a machine that sleeps, lets go of the run. */
const lockRun = `SET LOCAL idle_in_transaction_session_timeout = '8s'; SELECT 1 FROM run FOR UPDATE`;

interface Parts {
  readonly connections: Connections;
  readonly first: FirstImport;
  readonly openCopy: () => ImportCopy;
}

interface Opened extends Omit<Parts, 'openCopy'> {
  readonly session: CopySession;
  readonly copy: ImportCopy;
  readonly change: number;
  readonly shown: ShownImport;
}

/** Begins an import over its own connection. */
export async function openPostgresIngest({ connections, first, openCopy }: Parts): Promise<Ingest> {
  const session = await CopySession.open(connections);
  const copy = openCopy();
  try {
    const [change, corrections] = await session.snapshot(async () => [
      await applyAll(session, copy),
      await sentCorrections(session),
    ]);
    const shown = new ShownImport({ session, copy, first, corrections });
    return new PostgresIngest({ connections, first, session, copy, change, shown });
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

class PostgresIngest implements Ingest {
  readonly pictures: PictureDigests;
  readonly #session: CopySession;
  readonly #connections: Connections;
  readonly #first: FirstImport;
  readonly #copy: ImportCopy;
  readonly #shown: ShownImport;
  /** The copy is the same as the run was at this change, when its rows were matched. */
  #change: number;
  /** The same, with the items that were renewed since. */
  #renewed: number;
  /** The rows have to be matched again. */
  #isOutdated = false;
  /** The round that began with the import. */
  #mark: TermsMark | null = null;

  constructor({ connections, first, session, copy, change, shown }: Opened) {
    this.#session = session;
    this.#copy = copy;
    this.#change = change;
    this.#renewed = change;
    this.#connections = connections;
    this.#first = first;
    this.#shown = shown;
    this.pictures = copy.pictures;
  }

  add(rows: readonly IncomingRow[]): Promise<void> {
    return this.#copy.add(rows.map(storableRow));
  }

  async match(join: JoinOptions): Promise<readonly Problem[]> {
    await this.#session.snapshot(() => this.#takeChanges());
    const problems = await this.#copy.match(join);
    await this.#shown.refuseSecondFirst(join);
    return problems;
  }

  async plan(options: PlanOptions): Promise<Plan> {
    const plan = await this.#copy.plan(options);
    await this.#shown.showPlan(options, plan);
    return plan;
  }

  lengths(options: LengthOptions): Promise<readonly TextLengths[]> {
    return this.#copy.lengths(options);
  }

  async idFacts(): Promise<IdFacts> {
    const facts = await this.#copy.idFacts();
    this.#shown.showFacts(facts);
    return facts;
  }

  keepingRows(): ReturnType<Ingest['keepingRows']> {
    return this.#copy.keepingRows();
  }

  waiting(options: WaitingOptions): ReturnType<Ingest['waiting']> {
    return this.#copy.waiting(options);
  }

  repeats(options: WaitingOptions): ReturnType<Ingest['repeats']> {
    return this.#copy.repeats(options);
  }

  unsendable(): ReturnType<Ingest['unsendable']> {
    return this.#copy.unsendable();
  }

  takenFolder(names: readonly string[]): Promise<string | null> {
    return this.#copy.takenFolder(names);
  }

  async apply(options: IngestOptions): Promise<TermsMark | null> {
    const commit = randomUUID();
    this.#mark = null;
    try {
      for (let tries = 1; !(await this.#tryApply(options, { commit, tries })); ) tries += 1;
    } catch (error) {
      // The reply to the commit was lost: the server is asked whether it was made.
      if (!(error instanceof StoreAwayError) || !(await this.#isSaved(commit))) throw error;
    }
    this.#first.isDue = false;
    if (!this.#session.isReadOnly) await this.#learnSizes();
    return this.#mark;
  }

  /**
   * The server would learn by itself how many rows there are, but after a minute or more; until then it sorts all of them
   * for each page of a report, which takes fifteen times as long as a bare COPY. The import stands even if this fails.
   */
  async #learnSizes(): Promise<void> {
    await this.#session.script('ANALYZE items; ANALYZE questions').catch(() => {});
  }

  /** False where the rows have to be matched once more. */
  async #tryApply(options: IngestOptions, { commit, tries }: Attempt): Promise<boolean> {
    const session = this.#session;
    // Where others change rows faster than they are matched, they wait once.
    const early = tries === mostTries ? null : await this.#stage(options, (work) => session.snapshot(work));
    // What has changed while the rows were copied is made up for before the lock is taken: less is left to do under it.
    if (early !== null && !(await session.snapshot(() => this.#renew(options, early)))) return false;
    const end = await session.transaction<'to match again' | 'kept' | 'the same'>(
      session.isReadOnly ? 'READ ONLY' : 'READ WRITE',
      async () => {
        await session.script(lockRun);
        await this.#shown.refuseOtherCorrections();
        const staged = early ?? (await this.#stage(options, (work) => work()));
        if (!(await this.#renew(options, staged))) return 'to match again';
        const isChanged = await this.#write(staged, commit);
        const { round = null } = options;
        if (round !== null) this.#mark = await beginRound(session.asker, round);
        return isChanged || round !== null ? 'kept' : 'the same';
      },
      (ended) => ended === 'kept',
    );
    return end !== 'to match again';
  }

  /** Prepares what the import changes. `atOneMoment` runs what has to see the run at one moment. */
  async #stage(
    options: IngestOptions,
    atOneMoment: <T>(work: () => Promise<T>) => Promise<T>,
  ): Promise<WaitingDifference> {
    this.#isOutdated ||= !(await atOneMoment(() => this.#renew(options)));
    if (this.#isOutdated) {
      await atOneMoment(() => this.#takeChanges());
      await this.#matchAgain(options);
    }
    await applyFiles(this.#session, this.#copy, this.#copy.sentAgain(options));
    if (!this.#copy.isAnyKnown) return new FirstDifference(this.#session, this.#copy.firstRows(options));
    return StagedDifference.copy(this.#session, this.#copy.difference(options));
  }

  /** Makes up for what has changed since the rows were matched, as long as the match stands; false where it does not. */
  async #renew(options: IngestOptions, staged?: WaitingDifference): Promise<boolean> {
    const known = { copy: this.#copy, change: this.#renewed };
    const { renewal, items, change } = await renewItems(this.#session, known, options);
    if (renewal === 'sends more') throw planChanged();
    if (renewal === 'to match again') return false;
    this.#renewed = change;
    if (items.length === 0) return true;
    await this.#shown.refuseNewDoubt(options);
    await staged?.replace(items, this.#copy.difference(options, items));
    return true;
  }

  /** False where the run was the same already. */
  async #write(staged: WaitingDifference, commit: string): Promise<boolean> {
    const session = this.#session;
    const change = await session.count('UPDATE run SET change = change + 1 RETURNING change AS n');
    await session.run('INSERT INTO commits (id, change) VALUES ($1, $2)', commit, change);
    if (!staged.isAny) return false;
    await staged.apply(change);
    // Last: until the commit nobody sees the rows.
    if (!this.#copy.isAnyKnown) await session.run('UPDATE run SET filled_at = now_ms()');
    return true;
  }

  /** Takes over what other processes have changed. */
  async #takeChanges(): Promise<void> {
    const known = { copy: this.#copy, change: this.#change };
    this.#change = await applyChanges(this.#session, known);
    this.#renewed = this.#change;
  }

  /** Other processes have changed the run since the match. */
  async #matchAgain(options: IngestOptions): Promise<void> {
    const [problem] = await this.#copy.match(options);
    await this.#shown.refuseSecondFirst(options);
    if (problem !== undefined)
      throw new UsageError(message('store.rows-changed', { line: problem.line, problem: problem.message }));
    await this.#shown.refuseOtherPlan();
    await this.#shown.refuseNewDoubt(options);
    this.#isOutdated = false;
  }

  async #isSaved(commit: string): Promise<boolean> {
    // The server may still be working on the transaction, which has the lock.
    await this.#connections.rows('SELECT 1 FROM run FOR UPDATE');
    const found = await this.#connections.rows('SELECT 1 FROM commits WHERE id = $1', [commit]);
    return found.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#copy[Symbol.asyncDispose]();
    await this.#session[Symbol.asyncDispose]();
  }
}
