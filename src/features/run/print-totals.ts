/** The final output of a run, for people and programs: its totals, why rows ended badly, and what to type next. */

import { existsSync } from 'node:fs';
import { isBucketAddress } from '../../app/files/bucket-address.ts';
import { readCrew } from '../../app/fleet/crew.ts';
import { type CommandEnd, pauseOf, readEnd } from '../../app/offers/offers.ts';
import { isSampleSubmitted } from '../../app/offers/sample-rows.ts';
import { parseOptions } from '../../app/options/job-file.ts';
import { policyOf } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { orderedRowsOf } from '../../app/rounds/round.ts';
import { timeOf } from '../../app/system-clock.ts';
import { printResult, resultColumns } from '../../cli/console.ts';
import type { Said } from '../../messages/message.ts';
import { courseOfRun, type SeenLimits, type SeenRow } from '../../money/forecast/outside-forecast.ts';
import { statuses } from '../../money/item.ts';
import { allWaiting } from '../../money/paid-rows.ts';
import { type SampleStanding, shareAtMost, wantedShare } from '../../money/review/watch-sample.ts';
import type { Pause } from '../../money/steering.ts';
import { countRows, type Ledger, roundPoints } from '../../money/summary.ts';
import { mostlyUncertain, type UncertainSlots } from '../../money/tick.ts';
import { renderStatusJson } from '../../reports/status-json.ts';
import type { StatusOutput } from '../../schemas/run-state.ts';
import type { Holder, Store } from '../../stores/port/store.ts';
import type { Crew, CrewMember } from '../../terminal/crew-lines.ts';
import { failureLines, pathIn } from '../../terminal/failure-lines.ts';
import { nextSteps } from '../../terminal/next-steps.ts';
import { english, type Phrases } from '../../terminal/phrases/phrases.ts';
import type { RunWords } from '../../text/run-words.ts';
import { estimateOf } from './run-plan.ts';
import { type HookState, type RunEnding, renderTotals } from './totals.ts';

export interface Totals {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly end: CommandEnd;
  /** What stopped the run, without secrets; null when the reason says enough. */
  readonly detail: Said | null;
  /** The output folder, as the user named it. */
  readonly out: string;
  readonly words: RunWords;
  readonly say: Phrases;
  /** True while another process works on the run. */
  readonly isInUse: boolean;
  /** That process, where it is known. */
  readonly holder?: Holder | null;
  /** Another process looks at the run. */
  readonly isLook?: boolean;
  /** What a sample of watched rows says; absent or null for none. */
  readonly watched?: SampleStanding | null;
}

/** How many failures, and calls that are left, are listed for programs; the report has every row. */
const listedFailures = 100;

/** Prints the state of a run, and what to type next. */
export async function printTotals(totals: Totals): Promise<void> {
  for (const line of renderTotals(await endingOf(totals), totals.say, resultColumns())) printResult(line);
}

/** The same for programs. */
export async function totalsJson(totals: Totals): Promise<Omit<StatusOutput, 'running' | 'pid'>> {
  const ending = await endingOf(totals);
  const { ledger, out, words, failures, pointsPerVideo, crew, hooks, hasReports } = ending;
  const pause = await pauseOf(totals.store);
  const lines = failureLines(failures, words, ending.offers).slice(0, listedFailures);
  const steps = nextSteps({ ...ending, counts: ledger.counts, heldRows: ledger.held }, english);
  return {
    ...renderStatusJson(ledger, out),
    paused:
      pause === null ? null : { until: pause.until === null ? null : new Date(pause.until).toISOString() },
    pointsPerVideo: pointsPerVideo === null ? null : roundPoints(pointsPerVideo),
    failures: lines,
    areAllFailures: failures.areAll && lines.length === failures.groups.length,
    next: steps[0]?.command ?? '',
    reports: hasReports
      ? {
          html: pathIn(out, 'report.html'),
          csv: pathIn(out, 'report.csv'),
          jsonl: pathIn(out, 'report.jsonl'),
          failed: pathIn(out, 'failed.csv'),
        }
      : null,
    ...(crew === null ? {} : { workers: crew.workers.map(workerJson) }),
    ...(hooks == null
      ? {}
      : { onRow: { ...hooks.counts, calls: hooks.calls.map(({ key: _, ...call }) => call) } }),
    ...(ending.watched == null ? {} : { sample: sampleJson(ending.watched) }),
  };
}

function sampleJson(standing: SampleStanding): NonNullable<StatusOutput['sample']> {
  return { ...standing, share: shareAtMost(standing), leftFor: wantedShare };
}

function workerJson({
  name,
  slices,
  rows,
  lastSeenAt,
  isAlive,
}: CrewMember): NonNullable<StatusOutput['workers']>[number] {
  return {
    name,
    slices: isAlive ? slices.length : 0,
    rows,
    lastHeard: new Date(lastSeenAt).toISOString(),
    silent: !isAlive,
  };
}

async function endingOf({
  store,
  say,
  isLook = false,
  end,
  holder = null,
  ...totals
}: Totals): Promise<RunEnding> {
  const now = await timeOf(store);
  const pause = await pauseOf(store, now);
  return {
    ...totals,
    holder,
    ...(await readEnd(store, totals.ledger, end, now)),
    held: await uncertainSlotsOf(store, totals.ledger, now),
    pause: pause === null ? null : { until: renderPauseEnd(pause, now, say) },
    failures: await store.totals.failureGroups(),
    pointsPerVideo: (await store.totals.prices()).perVideo,
    rest:
      totals.isInUse || totals.ledger.counts.pending === 0
        ? null
        : await restAfterSample(store, totals.ledger, say),
    course: isLook && isUnderWay(totals.ledger) ? await courseOf(store, { ...totals, holder }, now) : null,
    hooks: isLook ? await callsOf(store) : null,
    isRehearsal: (await readSavedOptions(store)).simulate === true,
    crew: await otherWorkers(store),
    hasReports: hasReport(totals.out),
  };
}

async function callsOf({ hooks }: Store): Promise<HookState> {
  const states = ['failed', 'owed'] as const;
  return {
    counts: await hooks.counts(),
    calls: await hooks.left({ states, after: -1, limit: listedFailures, slices: null }),
  };
}

/** What the waiting rows would cost; null where there was no pilot, or nothing was paid for yet. */
async function restAfterSample(store: Store, ledger: Ledger, say: Phrases): Promise<RunEnding['rest']> {
  if (!(await isSampleSubmitted(store))) return null;
  const text = await estimateOf({
    counts: await store.totals.pendingQualities(allWaiting),
    ledger,
    store,
    options: parseOptions(await readSavedOptions(store), savedOption),
    command: null,
    say,
    lengths: (oneOf) => store.totals.pendingLengths(allWaiting, oneOf),
  });
  return text.estimate.rows === 0 || text.estimate.points === null ? null : text;
}

function isUnderWay({ counts }: Ledger): boolean {
  return counts.pending + counts.submitting + counts.open + counts.downloading > 0;
}

/** Rows of more than that take too long to be looked at for the time that is left. */
const surveyedRows = 50_000;

const anyStatus = statuses.filter((status) => status !== 'invalid');

async function courseOf(
  store: Store,
  { ledger, isInUse, holder = null }: Pick<Totals, 'ledger' | 'isInUse' | 'holder'>,
  now: number,
): Promise<RunEnding['course']> {
  const crew = await readCrew(store);
  // Nobody knows when a run ends that no worker has rows of.
  const isWorkedOn = crew?.workers.some(({ isAlive, slices }) => isAlive && slices.length > 0) ?? isInUse;
  if (!isWorkedOn || countRows(ledger) > surveyedRows) return { leftMs: null, stop: null, now };
  const rows: SeenRow[] = [];
  for await (const item of store.checkpoint.items(anyStatus)) rows.push({ ...item, seconds: null });
  const options = parseOptions(await readSavedOptions(store), savedOption);
  const { 'max-points': cap = null, limit = null } = options;
  const { perVideo: each } = await store.totals.prices();
  const known = {
    cap,
    spent: ledger.spent,
    each,
    limit: limitSince(limit, holder),
    ordered: await orderedRowsOf(store),
  };
  return { ...courseOfRun(rows, known, now), now };
}

/** The rows that the process which has the run may submit; null where it has no limit, or nobody knows since when it counts. */
function limitSince(limit: number | null, holder: Holder | null): SeenLimits['limit'] {
  return limit === null || holder === null ? null : { rows: limit, since: holder.since };
}

function renderPauseEnd({ until }: Pause, now: number, say: Phrases): string | null {
  return until === null ? null : say.moment(until, now);
}

/** Without this process, which is about to leave. */
async function otherWorkers(store: Store): Promise<Crew | null> {
  const crew = await readCrew(store);
  return crew && { ...crew, workers: crew.workers.filter(({ name }) => name !== crew.self) };
}

/** The reports in a bucket are named without looking: any worker of the run writes them every minute. */
function hasReport(out: string): boolean {
  return isBucketAddress(out) || existsSync(pathIn(out, 'report.html'));
}

/** The slots that uncertain rows hold while rows are pending; null where they hold back nothing. */
async function uncertainSlotsOf(store: Store, ledger: Ledger, now: number): Promise<UncertainSlots | null> {
  if (ledger.counts.pending === 0 || ledger.counts.uncertain === 0) return null;
  const policy = policyOf(parseOptions(await readSavedOptions(store), savedOption), 0);
  return mostlyUncertain(await store.checkpoint.uncertainPlaces(), ledger, policy, now);
}

const savedOption = (name: string): string => `saved option "${name}"`;
