/** Says what the import of a matched file would do. */

import { addQualities, type QualityCounts } from '../../core/estimate.ts';
import type { Status } from '../../core/item.ts';
import { mayBeAskedBefore, type Plan, type Renumbered, statusesOfFate } from '../../core/plan.ts';
import { type IdFacts, noIdFacts } from '../../core/row-identity.ts';
import { createLedger } from '../../core/summary.ts';
import type { JoinOptions, LengthOptions, PlanOptions, TextLengths } from '../../store.ts';
import { lastRow } from './ingest-apply-statements.ts';
import type { Matched } from './ingest-match.ts';
import * as matching from './ingest-match-statements.ts';
import * as sql from './ingest-plan-statements.ts';
import type { IngestSession } from './ingest-session.ts';

/** Rows to submit, and those of them submitted now, by quality. */
type SubmitCounts = QualityCounts & { readonly toSubmit: number };

type StagedCounts = SubmitCounts &
  Readonly<
    Record<'rows' | 'newRows' | 'invalid' | 'twins' | 'unsendable' | 'resent' | 'fresh' | 'waiting', number>
  >;

interface StatusCount {
  readonly status: Status;
  readonly count: number;
}

/** Known rows that differ from the run. */
type Changes = Pick<
  Plan,
  | 'changedUnsent'
  | 'changedSent'
  | 'changedSentIds'
  | 'rerunnableIds'
  | 'keepingIds'
  | 'renumbered'
  | 'renumberedIds'
>;

const noChanges: Changes = {
  changedUnsent: 0,
  changedSent: 0,
  changedSentIds: [],
  rerunnableIds: [],
  keepingIds: [],
  renumbered: 0,
  renumberedIds: [],
};

/** The caller holds a transaction that sees the run at one moment. */
export async function planImport(
  session: IngestSession,
  { isAnyFound }: Matched,
  { add, rerunChanged, isMended, only, column = null }: PlanOptions,
  isAnyWritten: boolean,
): Promise<Plan> {
  const known = createLedger().counts;
  for (const { status, count } of await session.rows<StatusCount>(sql.knownRows)) known[status] = count;
  const unchanged = await session.rows<StatusCount & SubmitCounts>(sql.unchangedCounts, only);
  for (const { status, count } of unchanged) known[status] += count;
  const unchangedRows = unchanged.reduce((sum, { count }) => sum + count, 0);
  const offset = add ? await session.count(lastRow) : 0;
  const [staged] = await session.rows<StagedCounts>(sql.stagedCounts, only, offset);
  if (staged === undefined) throw new Error('the staged rows cannot be counted');
  const waiting = add ? await session.rows<SubmitCounts>(sql.keptPending, only) : [];
  const ended = statusesOfFate('rerunnable');
  const rerunnable = await session.rows<SubmitCounts & Pick<StatusCount, 'status'>>(
    sql.rerunnableCounts(ended),
    only,
  );
  const rerun = rerunChanged ? rerunnable : [];
  const kept = { ...known, pending: 0, invalid: 0, rejected: known.rejected - staged.resent };
  for (const { status, toSubmit } of rerun) kept[status] -= toSubmit;
  const unchangedWaiting = unchanged.filter(({ status }) => status === 'pending');
  const submits = [staged, ...unchangedWaiting, ...waiting, ...rerun];
  const { newRows, invalid, unsendable, twins } = staged;
  const rows = staged.rows + unchangedRows;
  const gone = await countLeaving(session, { add, isMended });
  const isCompared = !add && column !== null && mayBeAskedBefore({ gone, newRows, rows });
  return {
    rows,
    newRows,
    known,
    ...(isAnyFound ? await readChanges(session) : noChanges),
    rerunnable: sumOf(rerunnable),
    gone,
    invalid,
    unsendable,
    twins,
    repictured: isAnyWritten ? await session.count(sql.countRepictured) : 0,
    askedBefore: isCompared ? await session.count(sql.countAskedBefore, column) : 0,
    toSubmit: sumOf(submits),
    shares: {
      newRows: staged.fresh,
      waiting: staged.waiting + sumOf(unchangedWaiting) + sumOf(waiting),
      changed: staged.toSubmit - staged.fresh - staged.waiting,
      rerun: sumOf(rerun),
    },
    kept,
    now: submits.map(({ h, m, l, none }) => ({ h, m, l, none })).reduce(addQualities),
    isForeign:
      newRows === rows && rows > 0 && (await session.is('SELECT EXISTS (SELECT 1 FROM items) AS found')),
  };
}

/** Lengths of the texts of the rows to submit now; the caller holds a transaction as above. */
export async function readLengths(
  session: IngestSession,
  { add, only, column, oneOf }: LengthOptions,
): Promise<readonly TextLengths[]> {
  const offset = add ? await session.count(lastRow) : 0;
  return session.rows<TextLengths & Record<string, unknown>>(
    sql.lengthsNow(add),
    only,
    offset,
    column,
    oneOf,
  );
}

/** How many rows of the run the file removes. */
async function countLeaving(session: IngestSession, { add, isMended }: JoinOptions): Promise<number> {
  if (add && !isMended) return 0;
  return session.count(sql.countItems(isMended ? sql.isMendedAway : sql.isLeaving));
}

async function readChanges(session: IngestSession): Promise<Changes> {
  const ids = async (statement: string): Promise<string[]> =>
    (await session.rows<{ id: string }>(statement)).map(({ id }) => id);
  const sent = [...statusesOfFate('rerunnable'), ...statusesOfFate('keeps-result')];
  return {
    changedUnsent: await session.count(sql.countChanged(statusesOfFate('takes-text'))),
    changedSent: await session.count(sql.countChanged(sent)),
    changedSentIds: await ids(sql.changedSentRows),
    rerunnableIds: await ids(sql.rerunnableRows),
    keepingIds: await ids(sql.keepingSentRows),
    renumbered: await session.count(matching.countRenumbered),
    renumberedIds: await session.rows<Renumbered & Record<string, unknown>>(matching.renumberedRows),
  };
}

/** Facts that show whether the file's ids are reliable; the caller holds a transaction as above. */
export async function readIdFacts(session: IngestSession, { isAnyFound }: Matched): Promise<IdFacts> {
  // The other numbers need a scan of all rows, and without such a row they decide nothing.
  const keeping = isAnyFound ? await session.count(matching.countKeeping) : 0;
  if (keeping === 0) return noIdFacts;
  return {
    keeping,
    renumbered: await session.count(matching.countRenumbered),
    newRows: await session.count('SELECT count(*) AS n FROM pg_temp.incoming WHERE item IS NULL'),
    gone: await session.count(sql.countItems(sql.isLeaving)),
    hasRival: await session.is(matching.hasRival),
    isAnyTextKnown: await session.is(matching.isAnyTextKnown),
  };
}

function sumOf(counts: readonly SubmitCounts[]): number {
  return counts.reduce((sum, { toSubmit }) => sum + toSubmit, 0);
}
