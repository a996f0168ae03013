/** Which rows need not be paid for, before anything is changed: what the plan says of it. */

import { estimatePoints, noRows, type QualityCounts, withoutCounts } from '../../money/forecast/estimate.ts';
import type { Quality } from '../../money/item.ts';
import { parseQuestion } from '../../money/parse-question.ts';
import type { Plan } from '../../money/plan.ts';
import type { Source } from '../../money/question.ts';
import { readSent } from '../../money/sent-question.ts';
import type { Ledger } from '../../money/summary.ts';
import { createPictureDigest } from '../../outputs/pictures/picture-digests.ts';
import type { Ingest, WaitingRow } from '../../stores/port/import.ts';
import { pictureKey, textKey } from './content-key.ts';
import { type Candidate, Decider } from './decide.ts';
import { KnownVideos } from './known-videos.ts';
import { addOtherRuns, addVideos, isReusing, ownRun, type ReusingRun } from './other-runs.ts';
import { type OrderedRows, readOrderedRows, readOwnRows } from './saved-candidates.ts';

/** Rows that are not paid for. */
export interface ReusePlan {
  /** They have their video. */
  readonly reused: number;
  /** They wait for the video of another row of this run. */
  readonly held: number;
  /** They wait for a video that another run is making, or may be making. */
  readonly elsewhere: readonly MadeElsewhere[];
  /** What the reused ones would cost; null where no price is known. */
  readonly points: number | null;
}

/** Rows that wait for the videos of another run. */
interface MadeElsewhere {
  /** Its output folder. */
  readonly folder: string;
  readonly made: number;
  /** Nobody knows whether these have a task. */
  readonly doubtful: number;
}

/** The same, with what it changes of a plan. */
export interface ReusedRows extends ReusePlan {
  /** Rows that are not submitted, by quality and by their share of the plan. */
  readonly counts: QualityCounts;
  readonly shares: Readonly<Record<WaitingRow['share'], number>>;
}

/** A staged file, and the run that takes its rows. */
interface StagedRows {
  readonly ingest: Pick<Ingest, 'waiting' | 'pictures'>;
  readonly source: Source;
  readonly add: boolean;
}

/** `share` is null for a row that is held back now. */
type SharedCandidate = Candidate & { readonly share: WaitingRow['share'] | null };

/** What the rows of a staged file need not be paid for; null where `--reuse` names no run. */
export async function planStaged(
  run: ReusingRun,
  staged: StagedRows,
  ledger: Ledger,
): Promise<ReusedRows | null> {
  if (!isReusing(run)) return null;
  const candidates = await stagedCandidates(run, staged);
  const videos = new KnownVideos();
  await addVideos(videos, ownRun(run));
  return await countReused(run, { candidates, videos }, ledger);
}

/** The same of the rows of the run that wait. Rows that waited for a video and are sent are fewer than none in `counts`. */
export async function planSaved(run: ReusingRun, ledger: Ledger): Promise<ReusedRows | null> {
  if (!isReusing(run)) return null;
  const { candidates, videos } = await readOwnRows(run);
  const shared = candidates.map((candidate) => ({
    ...candidate,
    // As it is counted among those that wait.
    quality: candidate.item.quality,
    share: candidate.item.status === 'pending' ? ('waiting' as const) : null,
  }));
  return await countReused(run, { candidates: shared, videos }, ledger);
}

/** What a retry need not pay for. */
export interface ReusedRetry {
  /** Null where `--reuse` names no run. */
  readonly reuse: ReusedRows | null;
  /** The rows that may take a video, by key. */
  readonly keys: ReadonlySet<number>;
  /** Rows that are paid for although another row of the run has their video. */
  readonly paidTwice: number;
}

/** The same of rows that a retry is about to order. */
export async function planOrdered(
  run: ReusingRun,
  ordered: OrderedRows,
  ledger: Ledger,
): Promise<ReusedRetry> {
  const { candidates, videos } = await readOrderedRows(run, ordered);
  const shared = candidates.map((candidate) => ({ ...candidate, share: 'waiting' as const }));
  const options = isReusing(run) ? run.options : { ...run.options, reuse: [] };
  const found = await countReused({ ...run, options }, { candidates: shared, videos }, ledger);
  const keys = new Set(candidates.map(({ item }) => item.key));
  return isReusing(run)
    ? { reuse: found, keys, paidTwice: 0 }
    : { reuse: null, keys: new Set(), paidTwice: found.reused };
}

async function stagedCandidates(
  { store, options }: ReusingRun,
  { ingest, source: fileSource, add }: StagedRows,
): Promise<readonly SharedCandidate[]> {
  const corrections = await store.reviews.corrections(null);
  const digest = createPictureDigest(ingest.pictures);
  const rows = await ingest.waiting({ add, only: options.only ?? null });
  return rows.map(({ id, item, quality, input: text, source: saved, share }) => {
    const input = JSON.parse(text);
    const source: Source = saved === null ? fileSource : JSON.parse(saved);
    const correction = item === null ? null : (corrections.get(item) ?? null);
    const waiting = { status: 'pending', attempt: 0 } as const;
    const { question } = readSent({ item: waiting, input, source, correction });
    return {
      id,
      quality,
      share,
      text: textKey(question, question.quality ?? options.quality ?? null),
      pictures: () => pictureKey(correctionFree(input, source), digest),
    };
  });
}

/** A correction changes no picture; the row is read again, so that its pictures need not be kept. */
function correctionFree(input: Readonly<Record<string, unknown>>, source: Source) {
  return parseQuestion(input, source).question;
}

async function countReused(
  run: ReusingRun,
  { candidates, videos }: { readonly candidates: readonly SharedCandidate[]; readonly videos: KnownVideos },
  ledger: Ledger,
): Promise<ReusedRows> {
  // A folder that is named now has to be there, whatever becomes of it.
  if (candidates.length > 0 || run.invocation.options.reuse !== undefined) await addOtherRuns(videos, run);
  const decider = new Decider(videos, candidates);
  const sums = { reused: 0, held: 0, paid: 0 as number | null };
  const elsewhere = new Map<string, MadeElsewhere>();
  const shares = { newRows: 0, waiting: 0, changed: 0 };
  const counts = { ...noRows };
  const reused = { ...noRows };
  for (const candidate of candidates) {
    const decision = await decider.decide(candidate);
    const { share } = candidate;
    const quality: Quality | 'none' = candidate.quality ?? 'none';
    const isPlanned = share !== null;
    if (decision.is === 'sent') {
      if (!isPlanned) counts[quality] -= 1;
      continue;
    }
    if (isPlanned) {
      counts[quality] += 1;
      shares[share] += 1;
    }
    if (decision.is === 'waits') {
      if (decision.row.folder === null) sums.held += 1;
      else countElsewhere(elsewhere, decision.row.folder, decision.row.isDoubtful);
      continue;
    }
    sums.reused += 1;
    const points = decision.videos[0]?.points ?? null;
    sums.paid = sums.paid === null || points === null ? null : sums.paid + points;
    reused[quality] += 1;
  }
  const limits = { quality: run.options.quality ?? null, limit: null };
  const { points } = estimatePoints(reused, ledger, limits);
  const { reused: taken, held } = sums;
  return {
    reused: taken,
    held,
    elsewhere: [...elsewhere.values()],
    points: points ?? sums.paid,
    counts,
    shares,
  };
}

function countElsewhere(found: Map<string, MadeElsewhere>, folder: string, isDoubtful: boolean): void {
  const { made, doubtful } = found.get(folder) ?? { made: 0, doubtful: 0 };
  found.set(folder, { folder, made: made + Number(!isDoubtful), doubtful: doubtful + Number(isDoubtful) });
}

/** Rows that are not paid for now. */
export function countSpared({ reused, held, elsewhere }: ReusePlan): number {
  return elsewhere.reduce((sum, { made, doubtful }) => sum + made + doubtful, reused + held);
}

/** The plan without the rows that are not paid for. */
export function withoutReused(plan: Plan, reuse: ReusedRows | null): Plan {
  if (reuse === null) return plan;
  const { counts, shares } = reuse;
  return {
    ...plan,
    toSubmit: plan.toSubmit - countSpared(reuse),
    now: withoutCounts(plan.now, counts),
    shares: {
      ...plan.shares,
      newRows: plan.shares.newRows - shares.newRows,
      waiting: plan.shares.waiting - shares.waiting,
      changed: plan.shares.changed - shares.changed,
    },
  };
}
