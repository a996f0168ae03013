/** Says what the import of a matched file would do. */

import { addQualities, type QualityCounts } from '../../../money/forecast/estimate.ts';
import type { Status } from '../../../money/item.ts';
import { mayBeAskedBefore, type Plan, type Renumbered, statusesOfFate } from '../../../money/plan.ts';
import { type IdFacts, noIdFacts } from '../../../money/row-identity.ts';
import { createLedger } from '../../../money/summary.ts';
import type { JoinOptions, LengthOptions, PlanOptions } from '../../port/import.ts';
import type { TextLengths } from '../../port/reading.ts';
import type { Matched } from './match.ts';
import * as matching from './match-statements.ts';
import * as sql from './plan-statements.ts';
import { countOf, isFound, type Staging } from './staging-words.ts';

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

/** What is known of the matched rows beside their tables. */
interface Known extends Pick<Matched, 'isAnyFound'> {
  /** True where some have local pictures. */
  readonly isAnyWritten: boolean;
}

/** The caller holds a transaction that sees the run at one moment. */
export async function planImport(
  staging: Staging,
  { add, rerunChanged, isMended, only, column = null }: PlanOptions,
  { isAnyFound, isAnyWritten }: Known,
): Promise<Plan> {
  const { dialect } = staging;
  const known = createLedger().counts;
  for (const { status, count } of await staging.rows<StatusCount>(sql.knownRows)) known[status] = count;
  const unchanged = await staging.rows<StatusCount & SubmitCounts>(sql.unchangedCounts(dialect), { only });
  for (const { status, count } of unchanged) known[status] += count;
  const unchangedRows = unchanged.reduce((sum, { count }) => sum + count, 0);
  const offset = add ? await countOf(staging, sql.lastRow) : 0;
  const [staged] = await staging.rows<StagedCounts>(sql.stagedCounts(dialect), { only, offset });
  if (staged === undefined) throw new Error('the staged rows cannot be counted');
  const waiting = add ? await staging.rows<SubmitCounts>(sql.keptPending(dialect), { only }) : [];
  type Rerunnable = SubmitCounts & Pick<StatusCount, 'status'>;
  const rerunnable = await staging.rows<Rerunnable>(sql.rerunnableCounts(dialect), { only });
  const rerun = rerunChanged ? rerunnable : [];
  const kept = { ...known, pending: 0, invalid: 0, rejected: known.rejected - staged.resent };
  for (const { status, toSubmit } of rerun) kept[status] -= toSubmit;
  const unchangedWaiting = unchanged.filter(({ status }) => status === 'pending');
  const submits = [staged, ...unchangedWaiting, ...waiting, ...rerun];
  const { newRows, invalid, unsendable, twins } = staged;
  const rows = staged.rows + unchangedRows;
  const gone = await countLeaving(staging, { add, isMended });
  const isCompared = !add && column !== null && mayBeAskedBefore({ gone, newRows, rows });
  return {
    rows,
    newRows,
    known,
    ...(isAnyFound ? await readChanges(staging) : noChanges),
    rerunnable: sumOf(rerunnable),
    gone,
    invalid,
    unsendable,
    twins,
    repictured: isAnyWritten ? await countOf(staging, sql.countRepictured) : 0,
    askedBefore: isCompared ? await countOf(staging, sql.countAskedBefore(dialect), { column }) : 0,
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
      newRows === rows &&
      rows > 0 &&
      (await isFound(staging, 'SELECT EXISTS (SELECT 1 FROM items) AS found')),
  };
}

/** Lengths of the texts of the rows to submit now; the caller holds a transaction as above. */
export async function readLengths(
  staging: Staging,
  { add, only, column, oneOf }: LengthOptions,
): Promise<readonly TextLengths[]> {
  const offset = add ? await countOf(staging, sql.lastRow) : 0;
  return staging.rows<TextLengths>(sql.lengthsNow(staging.dialect, add), { only, offset, column, oneOf });
}

/** How many rows of the run the file removes. */
async function countLeaving(staging: Staging, { add, isMended }: JoinOptions): Promise<number> {
  if (add && !isMended) return 0;
  return countOf(staging, sql.countItems((isMended ? sql.isMendedAway : sql.isLeaving)(staging.dialect)));
}

async function readChanges(staging: Staging): Promise<Changes> {
  const ids = async (statement: string): Promise<string[]> =>
    (await staging.rows<{ id: string }>(statement)).map(({ id }) => id);
  const sent = [...statusesOfFate('rerunnable'), ...statusesOfFate('keeps-result')];
  return {
    changedUnsent: await countOf(staging, sql.countChanged(statusesOfFate('takes-text'))),
    changedSent: await countOf(staging, sql.countChanged(sent)),
    changedSentIds: await ids(sql.changedSentRows),
    rerunnableIds: await ids(sql.rerunnableRows),
    keepingIds: await ids(sql.keepingSentRows),
    renumbered: await countOf(staging, matching.countRenumbered),
    renumberedIds: await staging.rows<Renumbered>(matching.renumberedRows),
  };
}

/** Facts that show whether the file's ids are reliable; the caller holds a transaction as above. */
export async function readIdFacts(
  staging: Staging,
  { isAnyFound }: Pick<Matched, 'isAnyFound'>,
): Promise<IdFacts> {
  // The other numbers need a scan of all rows, and without such a row they decide nothing.
  const keeping = isAnyFound ? await countOf(staging, matching.countKeeping) : 0;
  if (keeping === 0) return noIdFacts;
  return {
    keeping,
    renumbered: await countOf(staging, matching.countRenumbered),
    newRows: await countOf(staging, 'SELECT count(*) AS n FROM incoming WHERE item IS NULL'),
    gone: await countOf(staging, sql.countItems(sql.isLeaving(staging.dialect))),
    hasRival: await isFound(staging, matching.hasRival),
    isAnyTextKnown: await isFound(staging, matching.isAnyTextKnown),
  };
}

function sumOf(counts: readonly SubmitCounts[]): number {
  return counts.reduce((sum, { toSubmit }) => sum + toSubmit, 0);
}
