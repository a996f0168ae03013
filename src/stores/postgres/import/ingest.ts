/**
 * Imports a file into the run while other processes may work on it. The rows are staged and matched in temporary tables,
 * without a lock; the import itself is one transaction that locks the run first, and matches again if the run has changed
 * since.
 */

import { randomUUID } from 'node:crypto';
import { type Problem, StoreAwayError, UsageError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import { isAsShown, type Plan } from '../../../money/plan.ts';
import type { IncomingRow } from '../../../money/question.ts';
import { doubtOf, type IdFacts } from '../../../money/row-identity.ts';
import { keepingRows } from '../../import/match-statements.ts';
import { planImport, readIdFacts, readLengths } from '../../import/plan.ts';
import type { Staging } from '../../import/staging.ts';
import type {
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
import { beginRound } from '../postgres-sharing.ts';
import { applyMatched } from './ingest-apply.ts';
import { type MatchedNow, matchNow } from './ingest-match.ts';
import { SeenPictures } from './ingest-pictures.ts';
import { correctedLine, stagedLines } from './ingest-rows.ts';
import { CopiedLines, IngestSession } from './ingest-session.ts';
import { copyCorrected, copyInputs, copyStaged, stagingTables, unsendableRows } from './ingest-tables.ts';
import { postgresStaging } from './staging.ts';

/** Rows read at a time. */
const pageRows = 1_000;

/** What this process has still to import. */
interface FirstImport {
  /** True where the run had no rows when the command began, and it has imported none since. */
  isDue: boolean;
}

/** Begins an import over a connection of its own; `worker` names this process. */
export async function openPostgresIngest(
  connections: Connections,
  worker: string,
  first: FirstImport,
): Promise<Ingest> {
  const session = await IngestSession.open(connections);
  try {
    await session.script(stagingTables);
    const pictures = await SeenPictures.open(session);
    return new PostgresIngest({ session, pictures, connections, worker, first });
  } catch (error) {
    await session[Symbol.asyncDispose]();
    throw error;
  }
}

interface Parts {
  readonly session: IngestSession;
  readonly pictures: SeenPictures;
  readonly connections: Connections;
  readonly worker: string;
  readonly first: FirstImport;
}

class PostgresIngest implements Ingest {
  readonly pictures: PictureDigests;
  readonly #session: IngestSession;
  readonly #seen: SeenPictures;
  readonly #connections: Connections;
  readonly #worker: string;
  readonly #first: FirstImport;
  readonly #rows: CopiedLines;
  readonly #inputs: CopiedLines;
  readonly #corrected: CopiedLines;
  readonly #staging: Staging;
  /** True once a row with local pictures was staged. */
  #isAnyWritten = false;
  #matched: MatchedNow | null = null;
  /** The plan that the caller was told. */
  #shown: { readonly options: PlanOptions; readonly plan: Plan } | null = null;
  /** As the caller was told them. */
  #facts: IdFacts | null = null;

  constructor({ session, pictures, connections, worker, first }: Parts) {
    this.#session = session;
    this.#seen = pictures;
    this.pictures = pictures;
    this.#connections = connections;
    this.#worker = worker;
    this.#first = first;
    this.#rows = new CopiedLines(session, copyStaged);
    this.#inputs = new CopiedLines(session, copyInputs);
    this.#corrected = new CopiedLines(session, copyCorrected);
    this.#staging = postgresStaging(session);
  }

  async add(rows: readonly IncomingRow[]): Promise<void> {
    for (const row of rows) {
      this.#isAnyWritten ||= row.written !== null;
      const lines = stagedLines(row);
      for (const sent of [this.#rows.add(lines.row), this.#inputs.add(lines.input)])
        if (sent !== null) await sent;
      for (const item of row.corrected ?? []) await this.#corrected.add(correctedLine(row, item));
    }
  }

  async match(join: JoinOptions): Promise<readonly Problem[]> {
    await this.#rows.end();
    await this.#inputs.end();
    await this.#corrected.end();
    this.#matched = await this.#session.snapshot(() => matchNow(this.#session, join, this.#isAnyWritten));
    this.#refuseSecondFirst(this.#matched, join);
    return this.#matched.problems;
  }

  async plan(options: PlanOptions): Promise<Plan> {
    const plan = await this.#session.snapshot(() =>
      planImport(this.#staging, options, this.#known(this.#found())),
    );
    // The rows of the run came after the match, which found none: they may be the same as those of the file.
    if (plan.isForeign && !options.add && !this.#found().isAnyKnown) throw importedFirst();
    this.#shown = { options, plan };
    return plan;
  }

  async lengths(options: LengthOptions): Promise<readonly TextLengths[]> {
    return this.#session.snapshot(() => readLengths(this.#staging, options));
  }

  async idFacts(): Promise<IdFacts> {
    this.#facts = await this.#session.snapshot(() => readIdFacts(this.#staging, this.#found()));
    return this.#facts;
  }

  async keepingRows(): Promise<readonly { readonly id: string; readonly line: number }[]> {
    return this.#staging.rows<{ id: string; line: number }>(keepingRows);
  }

  async *unsendable(): AsyncIterable<{ readonly line: number; readonly failure: string }> {
    await this.#session.script(`BEGIN; DECLARE unsendable CURSOR WITH HOLD FOR ${unsendableRows}; COMMIT`);
    try {
      while (true) {
        const page = await this.#session.rows<{ line: number; failure: string }>(
          `FETCH ${pageRows} FROM unsendable`,
        );
        yield* page;
        if (page.length < pageRows) return;
      }
    } finally {
      await this.#session.script('CLOSE unsendable');
    }
  }

  async takenFolder(names: readonly string[]): Promise<string | null> {
    const query = `
      SELECT name FROM unnest($1::text[]) WITH ORDINALITY AS n (name, place)
      WHERE lower(name COLLATE "C") IN (SELECT lower(folder COLLATE "C") FROM pg_temp.staged)
      ORDER BY place LIMIT 1`;
    return (await this.#session.rows<{ name: string }>(query, names))[0]?.name ?? null;
  }

  async apply(options: IngestOptions): Promise<TermsMark | null> {
    const mode = this.#session.isReadOnly ? 'READ ONLY' : 'READ WRITE';
    const commit = randomUUID();
    await this.#seen.save();
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
    const change = await session.count('SELECT change AS n FROM run FOR UPDATE');
    const matched = change === this.#found().change ? this.#found() : await this.#matchAgain(options);
    await session.run('UPDATE run SET change = change + 1');
    await session.run('INSERT INTO commits (id, change) SELECT $1, change FROM run', commit);
    const importing = { matched, options, isAnyWritten: this.#isAnyWritten, worker: this.#worker };
    const isChanged = await applyMatched(session, importing);
    // Last: until the commit nobody sees the rows.
    if (!matched.isAnyKnown) await session.run('UPDATE run SET filled_at = now_ms()');
    return isChanged;
  }

  /** Other processes have changed the run since the match. */
  async #matchAgain(options: IngestOptions): Promise<MatchedNow> {
    const matched = await matchNow(this.#session, options, this.#isAnyWritten);
    this.#refuseSecondFirst(matched, options);
    const [problem] = matched.problems;
    if (problem !== undefined)
      throw new UsageError(
        `another process changed the rows of the run while the file was read: line ${problem.line}: ${problem.message}; nothing was imported`,
      );
    await this.#refuseOtherPlan(matched);
    const before = this.#facts;
    if (before === null) return matched;
    const isDoubtful = (facts: IdFacts): boolean =>
      doubtOf(facts, { ...options, isSaid: false, isGuessed: true }) !== null;
    if (!isDoubtful(before) && isDoubtful(await readIdFacts(this.#staging, matched)))
      throw new UsageError(
        'another process changed the rows of the run while the file was read, and the ids may belong to other rows now; nothing was imported: run the same command again',
      );
    return matched;
  }

  /**
   * Of two first files of a run one is imported. Compared with the rows of the other, which nobody knew when this command was
   * begun, this one would be an edited file where ids are the same, and take their place. Added rows change none.
   */
  #refuseSecondFirst({ isAnyKnown, isAnyFound }: MatchedNow, { add }: JoinOptions): void {
    if (this.#first.isDue && isAnyKnown && (!add || isAnyFound)) throw importedFirst();
  }

  /** The plan that was shown is the one that is carried out. That rows were submitted or ended meanwhile is no other plan. */
  async #refuseOtherPlan(matched: MatchedNow): Promise<void> {
    if (this.#shown === null) return;
    const { options, plan } = this.#shown;
    const now = await planImport(this.#staging, options, this.#known(matched));
    if (!isAsShown(plan, now)) throw changedMeanwhile();
  }

  async #isSaved(commit: string): Promise<boolean> {
    // The server may still be working on the transaction, which holds the lock.
    await this.#connections.rows('SELECT 1 FROM run FOR UPDATE');
    const found = await this.#connections.rows('SELECT 1 FROM commits WHERE id = $1', [commit]);
    return found.length > 0;
  }

  #known({ isAnyFound }: MatchedNow) {
    return { isAnyFound, isAnyWritten: this.#isAnyWritten };
  }

  #found(): MatchedNow {
    if (this.#matched === null) throw new Error('the rows are not matched yet');
    return this.#matched;
  }

  async [Symbol.asyncDispose](): Promise<void> {
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
