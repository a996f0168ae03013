/** The workers of a shared run in words: what each works on, and when it last reported. */

import { type Status, statuses } from '../money/item.ts';
import type { CrewView } from '../ports.ts';
import { sliceCount } from '../stores/port/sharing.ts';
import type { Phrases } from './phrases/phrases.ts';

/** One worker as the store knows it; times are epoch ms. */
export interface CrewMember {
  readonly name: string;
  readonly slices: readonly number[];
  readonly rows: Readonly<Partial<Record<Status, number>>>;
  readonly lastSeenAt: number;
  /** False for a worker that the others do not count on any more: the store says so. */
  readonly isAlive: boolean;
}

/** The workers of a shared run at one moment. */
export interface Crew {
  readonly workers: readonly CrewMember[];
  /** Epoch ms by the clock that the workers' times are from. */
  readonly now: number;
}

/** One line for the crew and one for each worker. */
export function renderCrew({ workers, now }: Crew, say: Phrases): readonly string[] {
  const silent = workers.filter(({ isAlive }) => !isAlive).length;
  if (workers.length === 0) return [say.progress.noWorkers];
  const width = Math.max(...workers.map(({ name }) => name.length));
  return [
    say.progress.workers(workers.length, silent),
    ...workers.map((worker) => `  ${worker.name.padEnd(width)}  ${renderWorker(worker, now, say)}`),
  ];
}

/** The slices of a silent worker are with the others, so only its silence is shown. */
function renderWorker(worker: CrewMember, now: number, say: Phrases): string {
  const sinceMs = Math.max(0, now - worker.lastSeenAt);
  if (!worker.isAlive) return say.progress.silentWorker(sinceMs);
  return say.progress.worker(worker.slices.length, renderHeld(worker, say), sinceMs);
}

/** The workers as one of them sees them, in one phrase. */
export function renderCrewView(
  { workers, slices, awaySince }: CrewView,
  now: number,
  { progress: say }: Phrases,
): string {
  return awaySince === null ? say.crew(workers, slices, sliceCount) : say.storeAway(now - awaySince);
}

function renderHeld({ rows }: CrewMember, say: Phrases): readonly string[] {
  return statuses.flatMap((status) => {
    const count = rows[status] ?? 0;
    return count === 0 ? [] : [say.countOf(count, say.status[status])];
  });
}
