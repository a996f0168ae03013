/** Computes what a run would do and cost, for the output before the first request. */

import type { StagedFile } from '../app/import-file.ts';
import { longNamesWhere, type Options } from '../app/options.ts';
import type { Invocation } from '../app/settings.ts';
import { shownName, standardInput } from '../app/standard-input.ts';
import { estimatePoints, type QualityCounts } from '../core/estimate.ts';
import type { Plan } from '../core/plan.ts';
import type { Ledger } from '../core/summary.ts';
import { shellPath } from '../core/text/shell-word.ts';
import type { Store } from '../store.ts';
import { type EstimateText, estimateBasis } from '../terminal/estimate-text.ts';
import type { PlanText } from '../terminal/plan-text.ts';

/** Rows of a pilot: enough to see what a video costs and how it looks. */
const pilotRows = 20;

/** The rows that would be submitted, and the run they belong to. */
export interface Submission {
  readonly counts: QualityCounts;
  readonly ledger: Ledger;
  readonly store: Store;
  /** Saved options included. */
  readonly options: Options;
  /** The command that submits them, used to suggest a pilot. */
  readonly command: string;
}

/** Estimates the cost of these rows. */
export async function estimateOf({
  counts,
  ledger,
  store,
  options,
  command,
}: Submission): Promise<EstimateText> {
  const limit = options.limit ?? null;
  const estimate = estimatePoints(counts, ledger, { quality: options.quality ?? null, limit });
  const isPilot = limit !== null || estimate.rows <= pilotRows;
  return {
    estimate,
    ledger,
    charged: (await store.totals.prices()).charged,
    maxPoints: options['max-points'] ?? null,
    isRehearsal: options.simulate ?? false,
    pilot: estimate.points !== null || isPilot ? null : `${command} --sample ${pilotRows}`,
  };
}

/** A staged file, and the run it would be imported into. */
export interface StagedRun {
  readonly input: string;
  readonly invocation: Invocation;
  readonly staged: Pick<StagedFile, 'plan' | 'found'>;
  readonly ledger: Ledger;
  readonly store: Store;
  /** Saved options included. */
  readonly options: Options;
}

/** The data of the plan's text. */
export async function planTextOf({ input, invocation, staged, ...known }: StagedRun): Promise<PlanText> {
  const { plan, found } = staged;
  const command = runCommand(input, invocation);
  return {
    ...(await estimateOf({ ...known, counts: plan.now, command })),
    file: shownName(input),
    found,
    plan,
    isSample: known.options.sample !== undefined,
    rerunsChanged: known.options['rerun-changed'] ?? false,
    rerunCommand: command.startsWith('batch ')
      ? `\`${command} --rerun-changed\``
      : `${command} --rerun-changed`,
    words: invocation.words,
  };
}

/** The same for programs. */
export function planJson(
  text: PlanText,
): Plan & Readonly<Record<'images' | 'duplicates' | 'estimate', unknown>> {
  const { plan, found, estimate } = text;
  const { rows, points } = estimate;
  return {
    ...plan,
    images: found.images,
    duplicates: plan.twins,
    estimate: { rows, points, basis: estimateBasis(text) },
  };
}

/** Options that do not change what is submitted. */
const manners = longNamesWhere(({ reach }) => reach === 'manner');

/** The command that runs a file, or a description when it needs options that are not known here. */
function runCommand(input: string, { flags, options, outShown, shared, words }: Invocation): string {
  const isMore = Object.entries(flags).some(([name, value]) => value !== undefined && !manners.has(name));
  if (isMore || options.input !== undefined || input === standardInput) return 'the same command with';
  const out = shared === null && outShown === './videos' ? '' : ` ${words.file}`;
  return `batch run ${shellPath(input)}${out}`;
}
