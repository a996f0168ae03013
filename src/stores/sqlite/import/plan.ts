/** Says what the import of a matched file would do. */

import { addQualities, noRows, type QualityCounts } from '../../../money/forecast/estimate.ts';
import type { Status } from '../../../money/item.ts';
import { mayBeAskedBefore, type Plan, type Renumbered, statusesOfOutcome } from '../../../money/plan.ts';
import type { EndedFinal } from '../../../money/review/final.ts';
import { type IdFacts, noIdFacts } from '../../../money/row-identity.ts';
import { createLedger } from '../../../money/summary.ts';
import type {
  JoinOptions,
  LengthOptions,
  PlanOptions,
  WaitingOptions,
  WaitingRow,
} from '../../port/import.ts';
import type { TextLengths } from '../../port/reading.ts';
import type { Matched } from './match.ts';
import * as matching from './match-statements.ts';
import * as sql from './plan-statements.ts';
import type { Staging } from './staging.ts';

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

/** What is known of the matched rows besides their tables. */
interface Known extends Pick<Matched, 'isAnyFound'> {
  /** True where some have local pictures. */
  readonly isAnyWritten: boolean;
}

/** The caller has begun a transaction that sees the run at one moment. */
export function planImport(
  staging: Staging,
  { add, rerunChanged, isMended, only, column = null, ended = [] }: PlanOptions,
  { isAnyFound, isAnyWritten }: Known,
): Plan {
  const known = createLedger().counts;
  const found = isAnyFound ? staging.rows<StatusCount>(sql.knownRows, { ended }) : [];
  for (const { status, count } of found) known[status] = count;
  const unchanged = staging.rows<StatusCount & SubmitCounts>(sql.unchangedCounts, { only, ended });
  for (const { status, count } of unchanged) known[status] += count;
  const unchangedRows = unchanged.reduce((sum, { count }) => sum + count, 0);
  const offset = add ? staging.count(sql.lastRow) : 0;
  const [staged] = staging.rows<StagedCounts>(sql.stagedCounts, { only, offset, ended });
  if (staged === undefined) throw new Error('the staged rows cannot be counted');
  const waiting = add ? staging.rows<SubmitCounts>(sql.keptPending, { only, ended }) : [];
  type Rerunnable = SubmitCounts & Pick<StatusCount, 'status'>;
  const rerunnable = isAnyFound ? staging.rows<Rerunnable>(sql.rerunnableCounts, { only }) : [];
  const rerun = rerunChanged ? rerunnable : [];
  const kept = { ...known, pending: 0, invalid: 0, rejected: known.rejected - staged.resent };
  for (const { status, toSubmit } of rerun) kept[status] -= toSubmit;
  const unchangedWaiting = unchanged.filter(({ status }) => status === 'pending');
  const submits = [staged, ...unchangedWaiting, ...waiting, ...rerun];
  const { newRows, invalid, unsendable, twins } = staged;
  const rows = staged.rows + unchangedRows;
  const gone = countLeaving(staging, { add, isMended });
  const isCompared = !add && column !== null && mayBeAskedBefore({ gone, newRows, rows });
  return {
    rows,
    newRows,
    known,
    ...(isAnyFound ? readChanges(staging) : noChanges),
    rerunnable: sumOf(rerunnable),
    gone,
    goneIds: isMended && gone > 0 ? readIds(staging, sql.mendedAwayIds) : [],
    invalid,
    unsendable,
    twins,
    endedFinals: staging.rows<EndedFinal>(sql.endedFinals, { ended }),
    repictured: isAnyWritten ? staging.count(sql.countRepictured) : 0,
    askedBefore: isCompared ? staging.count(sql.countAskedBefore, { column }) : 0,
    toSubmit: sumOf(submits),
    shares: {
      newRows: staged.fresh,
      waiting: staged.waiting + sumOf(unchangedWaiting) + sumOf(waiting),
      changed: staged.toSubmit - staged.fresh - staged.waiting,
      rerun: sumOf(rerun),
    },
    kept,
    now: submits.map(({ h, m, l, none }) => ({ h, m, l, none })).reduce(addQualities),
    isForeign: newRows === rows && rows > 0 && staging.is('SELECT EXISTS (SELECT 1 FROM items) AS found'),
  };
}

/** Lengths of the texts of the rows to submit now; the caller has begun such a transaction. */
export function readLengths(
  staging: Staging,
  { add, only, column, oneOf }: LengthOptions,
): readonly TextLengths[] {
  const offset = add ? staging.count(sql.lastRow) : 0;
  return staging.rows<TextLengths>(sql.lengthsNow(add), { only, offset, column, oneOf });
}

/** The rows to submit now that have no video. */
export function readWaiting(staging: Staging, { add, only }: WaitingOptions): readonly WaitingRow[] {
  const offset = add ? staging.count(sql.lastRow) : 0;
  return staging.rows<WaitingRow>(sql.waitingRows(add), { only, offset });
}

/** Rows that send what an earlier row of the file sends, or one that has its video, by quality. */
export function countRepeats(staging: Staging, { add, only }: WaitingOptions): QualityCounts {
  const offset = add ? staging.count(sql.lastRow) : 0;
  return staging.rows<QualityCounts>(sql.repeatedRows, { only, offset })[0] ?? noRows;
}

/** How many rows of the run the file removes. */
function countLeaving(staging: Staging, { add, isMended }: JoinOptions): number {
  if (add && !isMended) return 0;
  return staging.count(sql.countItems(isMended ? sql.isMendedAway : sql.isGone));
}

function readIds(staging: Staging, statement: string): readonly string[] {
  return staging.rows<{ id: string }>(statement).map(({ id }) => id);
}

function readChanges(staging: Staging): Changes {
  const ids = (statement: string): readonly string[] => readIds(staging, statement);
  const sent = [...statusesOfOutcome('rerunnable'), ...statusesOfOutcome('keeps-result')];
  return {
    changedUnsent: staging.count(sql.countChanged(statusesOfOutcome('takes-text'))),
    changedSent: staging.count(sql.countChanged(sent)),
    changedSentIds: ids(sql.changedSentRows),
    rerunnableIds: ids(sql.rerunnableRows),
    keepingIds: ids(sql.keepingSentRows),
    renumbered: staging.count(matching.countRenumbered),
    renumberedIds: staging.rows<Renumbered>(matching.renumberedRows),
  };
}

/** Facts that show whether the file's ids are reliable; the caller has begun such a transaction. */
export function readIdFacts(staging: Staging, { isAnyFound }: Pick<Matched, 'isAnyFound'>): IdFacts {
  // The other numbers need a scan of all rows, and without such a row they decide nothing.
  const keeping = isAnyFound ? staging.count(matching.countKeeping) : 0;
  if (keeping === 0) return noIdFacts;
  return {
    keeping,
    renumbered: staging.count(matching.countRenumbered),
    newRows: staging.count('SELECT count(*) AS n FROM incoming WHERE item IS NULL'),
    gone: staging.count(sql.countItems(sql.isGone)),
    hasRival: staging.is(matching.hasRival),
    isAnyTextKnown: staging.is(matching.isAnyTextKnown),
  };
}

function sumOf(counts: readonly SubmitCounts[]): number {
  return counts.reduce((sum, { toSubmit }) => sum + toSubmit, 0);
}
