/** Computes what a run would do and cost, for the output before the first request. */

import { capIn } from '../../app/decisions.ts';
import { readInputWords } from '../../app/offers/saved-input.ts';
import { countSentAgain } from '../../app/offers/waiting-rows.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { longNamesWhere, type Options } from '../../app/options/options.ts';
import { policyOf } from '../../app/options/settings.ts';
import { shownName, standardInput } from '../../app/options/standard-input.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import {
  addQualities,
  countQualities,
  estimatePoints,
  noRows,
  type QualityCounts,
} from '../../money/forecast/estimate.ts';
import { type PriceRange, predictPoints, type RestSums, sumRest } from '../../money/forecast/price-range.ts';
import { paidRowsOf } from '../../money/paid-rows.ts';
import { effectiveQuality, type Ledger, mostPoints } from '../../money/summary.ts';
import type { Planned } from '../../schemas/planned.ts';
import type { TextLengths } from '../../stores/port/reading.ts';
import type { Store } from '../../stores/port/store.ts';
import { english, type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { shellPath } from '../../text/shell-word.ts';
import type { StagedFile } from '../import/stage-file.ts';
import type { ReusePlan } from '../reuse/plan-reuse.ts';
import { type EstimateText, estimateBasis } from './estimate-text.ts';
import type { PlanText } from './plan-text.ts';

/** Rows of a pilot: enough to see what a video costs and how it looks. */
const pilotRows = 20;

/** The waiting rows that would be submitted, and the run they belong to. */
export interface Submission {
  readonly counts: QualityCounts;
  readonly ledger: Ledger;
  readonly store: Store;
  /** Saved options included. */
  readonly options: Options;
  /** The command that submits them, used to suggest a pilot; null where it needs options that are not known here. */
  readonly command: string | null;
  /** What lets only some of the rows through. */
  readonly pilot?: '--sample' | '--limit';
  /** False where rows that were refused alike are not sent once more with them. */
  readonly sendsAlike?: boolean;
  readonly say: Phrases;
  /** Lengths of the texts of one row in so many. */
  readonly lengths: (oneOf: number) => Promise<readonly TextLengths[]>;
}

/** So many rows show the mean length of all: reading the texts of a million would take seconds. */
const measuredRows = 20_000;

/** Estimates the cost of these rows. */
export async function estimateOf({
  counts: waiting,
  ledger,
  store,
  options,
  command,
  pilot = '--sample',
  sendsAlike = true,
  say,
  lengths,
}: Submission): Promise<EstimateText> {
  const paid = paidRowsOf({ only: options.only });
  const again = sendsAlike ? await countSentAgain(store, paid) : noRows;
  const counts = addQualities(waiting, again);
  const limit = options.limit ?? null;
  const estimate = estimatePoints(counts, ledger, { quality: options.quality ?? null, limit });
  const isPilot = limit !== null || estimate.rows <= pilotRows;
  // Which rows a limit lets through, and so their qualities, is not known here: the estimate is then an upper bound.
  const isWhole = estimate.rows === countQualities(counts);
  return {
    estimate,
    range: isWhole && estimate.points !== null ? await rangeOf({ counts, store, options, lengths }) : null,
    ledger,
    charged: (await store.totals.prices()).charged,
    maxPoints: options['max-points'] ?? null,
    ...(await capChange(store, options)),
    concurrency: policyOf(options, 0).concurrency,
    isRehearsal: options.simulate ?? false,
    alike: countQualities(again),
    pilot:
      mostPoints(ledger) !== null || isPilot ? null : say.plan.pilotCommand(command, `${pilot} ${pilotRows}`),
  };
}

/** Where the cap of this command is another one than the run had. */
async function capChange(
  store: Store,
  { 'max-points': to = null }: Options,
): Promise<Pick<EstimateText, 'capBefore'>> {
  if (await store.isEmpty()) return {};
  const from = capIn(await readSavedOptions(store));
  return from === to ? {} : { capBefore: from };
}

async function rangeOf({
  counts,
  store,
  options,
  lengths,
}: Omit<Submission, 'ledger' | 'command' | 'pilot' | 'say'>): Promise<PriceRange | null> {
  const paid = await store.totals.paidSums();
  const unsaid = effectiveQuality(options.quality ?? null);
  const all = { ...counts, [unsaid]: counts[unsaid] + counts.none };
  const rest = (measured: readonly TextLengths[]): readonly RestSums[] => {
    const named = measured.map((each) => ({ ...each, quality: each.quality ?? unsaid }));
    return sumRest(named, all);
  };
  if (predictPoints(paid, rest([])) === null) return null;
  const oneOf = Math.max(1, Math.ceil(countQualities(counts) / measuredRows));
  return predictPoints(paid, rest(await lengths(oneOf)));
}

/** A staged file, and the run it would be imported into. */
export interface StagedRun {
  readonly input: string;
  readonly invocation: Invocation;
  readonly staged: Pick<StagedFile, 'plan' | 'found' | 'firstRow' | 'ingest' | 'source' | 'add'>;
  readonly ledger: Ledger;
  readonly store: Store;
  /** Saved options included. */
  readonly options: Options;
  /** `staged.plan` is without these rows. */
  readonly reuse?: ReusePlan | null;
}

/** The data of the plan's text. */
export async function planTextOf({ input, invocation, staged, ...known }: StagedRun): Promise<PlanText> {
  const { plan, found } = staged;
  const command = runCommand(input, invocation);
  const say = phrasesOf(invocation.language);
  const { ingest, source, add } = staged;
  const measured = { add, only: known.options.only ?? null, column: source.fields.question ?? null };
  // A sample is chosen from the rows that wait.
  const sendsAlike = known.options.sample === undefined || known.options.only !== undefined;
  const lengths: Submission['lengths'] = (oneOf) => ingest.lengths({ ...measured, oneOf });
  const { reuse = null, options } = known;
  const repeats = reuse === null ? await ingest.repeats({ add, only: options.only ?? null }) : noRows;
  return {
    reuse,
    repeats: { count: countQualities(repeats), points: pointsOf(repeats, known) },
    ...(await estimateOf({ ...known, counts: plan.now, command, say, lengths, sendsAlike })),
    file: shownName(input),
    found,
    firstRow: staged.firstRow,
    plan,
    isSample: known.options.sample !== undefined,
    rerunsChanged: known.options['rerun-changed'] ?? false,
    rerunCommand: say.plan.rerunCommand(command),
    words: invocation.words,
    allQuestions: plan.goneIds.length === 0 ? null : await readInputWords(known.store),
  };
}

/** What these rows cost at known prices; null where none is known. */
function pointsOf(counts: QualityCounts, { ledger, options }: Pick<StagedRun, 'ledger' | 'options'>) {
  return estimatePoints(counts, ledger, { quality: options.quality ?? null, limit: null }).points;
}

/** The same for programs. */
export function planJson(text: PlanText): Planned {
  const { plan, found } = text;
  return {
    ...plan,
    firstRow: firstRowJson(text),
    images: found.images,
    duplicates: plan.twins,
    estimate: estimateJson(text),
    ...(text.reuse === null ? {} : { reuse: reuseJson(text.reuse) }),
  };
}

function firstRowJson({ firstRow }: PlanText): Planned['firstRow'] {
  if (firstRow === null) return null;
  const { place: _, ...first } = firstRow;
  return first;
}

export function reuseJson({ reused, held, points, elsewhere }: ReusePlan): object {
  return { rows: reused, held, points, elsewhere };
}

/** The estimate for programs: `low` and `high` are null while too little was paid for to know a range. */
export function estimateJson(text: EstimateText): Planned['estimate'] {
  const { estimate, range } = text;
  return {
    rows: estimate.rows,
    points: range?.points ?? estimate.points,
    low: range?.low ?? null,
    high: range?.high ?? null,
    basis: estimateBasis(text, english),
  };
}

/** Options that do not change what is submitted. */
const manners = longNamesWhere(({ reach }) => reach === 'manner');

/** The command that runs a file; null when it needs options that are not known here. */
function runCommand(input: string, { flags, options, outShown, words }: Invocation): string | null {
  const isMore = Object.entries(flags).some(([name, value]) => value !== undefined && !manners.has(name));
  if (isMore || options.input !== undefined || input === standardInput) return null;
  const out = !words.isShared && outShown === './videos' ? '' : ` ${words.file}`;
  return `batch run ${shellPath(input)}${out}`;
}
