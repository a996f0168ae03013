/**
 * Imports a file into the run while other processes may work on it. What the run knows of its rows is copied, and the file
 * is staged, matched and planned in the copy, without a lock; the import itself is one transaction that locks the run first.
 * Where the run has changed since, the copy learns the changes and matches again.
 */

import { randomUUID } from 'node:crypto';
import { type Problem, StoreAwayError, UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import { isAsShown, type Plan } from '../../../money/plan.ts';
import type { IncomingRow } from '../../../money/question.ts';
import { doubtOf, type IdFacts } from '../../../money/row-identity.ts';
import type {
  ImportCopy,
  Ingest,
  IngestOptions,
  JoinOptions,
  LengthOptions,
  PictureDigests,
  PlanOptions,
} from '../../port/import.ts';
import type { TextLengths } from '../../port/reading.ts';
import type { TermsMark } from '../../port/sharing.ts';
import type { Connections } from '../connection/connections.ts';
import { CopySession } from '../connection/copy-session.ts';
import { beginRound } from '../postgres-sharing.ts';
import { applyDifference } from './apply-difference.ts';
import { takeAll, takeChanges, takeFiles } from './known-rows.ts';
import { storableRow } from './storable-row.ts';

const isAnyItem = 'SELECT EXISTS (SELECT 1 FROM items) AS found';

/** What this process has still to import. */
interface FirstImport {
  /** True where the run had no rows when the command began, and it has imported none since. */
  isDue: boolean;
}

interface Parts {
  readonly connections: Connections;
  readonly first: FirstImport;
  readonly openCopy: () => ImportCopy;
}

/** Begins an import over a connection of its own. */
export async function openPostgresIngest({ connections, first, openCopy }: Parts): Promise<Ingest> {
  const session = await CopySession.open(connections);
  const copy = openCopy();
  try {
    const change = await session.snapshot(() => takeAll(session, copy));
    return new PostgresIngest({ connections, first, session, copy, change });
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
  /** The copy is the same as the run was at this change. */
  #change: number;
  /** Rows have changed since the match. */
  #isOutdated = false;
  /** The plan that the caller was told. */
  #shown: { readonly options: PlanOptions; readonly plan: Plan } | null = null;
  /** As the caller was told them. */
  #facts: IdFacts | null = null;

  constructor({
    session,
    copy,
    change,
    connections,
    first,
  }: Omit<Parts, 'openCopy'> & {
    readonly session: CopySession;
    readonly copy: ImportCopy;
    readonly change: number;
  }) {
    this.#session = session;
    this.#copy = copy;
    this.#change = change;
    this.#connections = connections;
    this.#first = first;
    this.pictures = copy.pictures;
  }

  add(rows: readonly IncomingRow[]): Promise<void> {
    return this.#copy.add(rows.map(storableRow));
  }

  async match(join: JoinOptions): Promise<readonly Problem[]> {
    await this.#session.snapshot(() => this.#takeChanges());
    const problems = await this.#copy.match(join);
    this.#isOutdated = false;
    this.#refuseSecondFirst(join);
    return problems;
  }

  async plan(options: PlanOptions): Promise<Plan> {
    const plan = await this.#copy.plan(options);
    // The rows of the run came after the match, which found none: they may be the same as those of the file.
    if (!options.add && !this.#copy.isAnyKnown && (await this.#session.is(isAnyItem))) throw importedFirst();
    this.#shown = { options, plan };
    return plan;
  }

  lengths(options: LengthOptions): Promise<readonly TextLengths[]> {
    return this.#copy.lengths(options);
  }

  async idFacts(): Promise<IdFacts> {
    this.#facts = await this.#copy.idFacts();
    return this.#facts;
  }

  keepingRows(): ReturnType<Ingest['keepingRows']> {
    return this.#copy.keepingRows();
  }

  unsendable(): ReturnType<Ingest['unsendable']> {
    return this.#copy.unsendable();
  }

  takenFolder(names: readonly string[]): Promise<string | null> {
    return this.#copy.takenFolder(names);
  }

  async apply(options: IngestOptions): Promise<TermsMark | null> {
    const mode = this.#session.isReadOnly ? 'READ ONLY' : 'READ WRITE';
    const commit = randomUUID();
    let mark: TermsMark | null = null;
    try {
      await this.#session.transaction(
        mode,
        async () => {
          const isChanged = await this.#applyLocked(options, commit);
          const { round = null } = options;
          if (round !== null) mark = await beginRound(this.#session.asker, round);
          return isChanged || round !== null;
        },
        (isKept) => isKept,
      );
    } catch (error) {
      // Of a commit whose answer was lost it is known later whether it was made.
      if (!(error instanceof StoreAwayError) || !(await this.#isSaved(commit))) throw error;
    }
    this.#first.isDue = false;
    if (!this.#session.isReadOnly) await this.#learnSizes();
    return mark;
  }

  /**
   * The server would learn by itself how many rows there are, but after a minute or more; until then it sorts all of them
   * for each page of a report, which takes fifteen times as long as a bare COPY. What is imported stays so if this fails.
   */
  async #learnSizes(): Promise<void> {
    await this.#session.script('ANALYZE items; ANALYZE questions').catch(() => {});
  }

  /** False where the run was the same already. */
  async #applyLocked(options: IngestOptions, commit: string): Promise<boolean> {
    const session = this.#session;
    await session.rows('SELECT 1 FROM run FOR UPDATE');
    await this.#takeChanges();
    if (this.#isOutdated) await this.#matchAgain(options);
    this.#isOutdated = false;
    await takeFiles(session, this.#copy, this.#copy.sentAgain(options));
    const now = await session.count('UPDATE run SET change = change + 1 RETURNING change AS n');
    await session.run('INSERT INTO commits (id, change) VALUES ($1, $2)', commit, now);
    const difference = this.#copy.difference(options);
    if (difference.isEmpty) return false;
    const areFirst = !this.#copy.isAnyKnown;
    const changes = { now, known: this.#change };
    if (!(await applyDifference(session, difference, changes, areFirst))) throw changedMeanwhile();
    // Last: until the commit nobody sees the rows.
    if (areFirst) await session.run('UPDATE run SET filled_at = now_ms()');
    return true;
  }

  /** The copy learns what other processes have changed. */
  async #takeChanges(): Promise<void> {
    const known = { copy: this.#copy, change: this.#change };
    const { change, isAnyChanged } = await takeChanges(this.#session, known);
    this.#change = change;
    this.#isOutdated ||= isAnyChanged;
  }

  /** Other processes have changed the run since the match. */
  async #matchAgain(options: IngestOptions): Promise<void> {
    const [problem] = await this.#copy.match(options);
    this.#refuseSecondFirst(options);
    if (problem !== undefined)
      throw new UsageError(
        `another process changed the rows of the run while the file was read: line ${problem.line}: ${problem.message}; nothing was imported`,
      );
    await this.#refuseOtherPlan();
    const before = this.#facts;
    if (before === null) return;
    const isDoubtful = (facts: IdFacts): boolean =>
      doubtOf(facts, { ...options, isSaid: false, isGuessed: true }) !== null;
    if (!isDoubtful(before) && isDoubtful(await this.#copy.idFacts()))
      throw new UsageError(
        'another process changed the rows of the run while the file was read, and the ids may belong to other rows now; nothing was imported: run the same command again',
      );
  }

  /**
   * Of two first files of a run one is imported. Compared with the rows of the other, which nobody knew when this command was
   * begun, this one would be an edited file where ids are the same, and take their place. Added rows change none.
   */
  #refuseSecondFirst({ add }: JoinOptions): void {
    const { isAnyKnown, isAnyFound } = this.#copy;
    if (this.#first.isDue && isAnyKnown && (!add || isAnyFound)) throw importedFirst();
  }

  /** The plan that was shown is the one that is carried out. That rows were submitted or ended meanwhile is no other plan. */
  async #refuseOtherPlan(): Promise<void> {
    if (this.#shown === null) return;
    const { options, plan } = this.#shown;
    if (!isAsShown(plan, await this.#copy.plan(options))) throw changedMeanwhile();
  }

  async #isSaved(commit: string): Promise<boolean> {
    // The server may still be working on the transaction, which holds the lock.
    await this.#connections.rows('SELECT 1 FROM run FOR UPDATE');
    const found = await this.#connections.rows('SELECT 1 FROM commits WHERE id = $1', [commit]);
    return found.length > 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#copy[Symbol.asyncDispose]();
    await this.#session[Symbol.asyncDispose]();
  }
}

function importedFirst(): UsageError {
  return new UsageError(message('run.imported-first'));
}

function changedMeanwhile(): UsageError {
  return new UsageError(
    'another command changed the rows of the run while this plan was shown; nothing was imported: run the same command again',
  );
}
