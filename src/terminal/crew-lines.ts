/** The workers of a shared run in words: what each holds, and when it was last heard of. */

import { type Status, statuses } from '../core/item.ts';
import { fixed } from '../core/policy.ts';
import type { CrewView } from '../ports.ts';
import { sliceCount } from '../store.ts';
import { renderNumber } from './numbers.ts';
import { renderSpan } from './times.ts';

/** One worker as the store knows it; times are epoch ms. */
export interface CrewMember {
  readonly name: string;
  readonly slices: readonly number[];
  readonly rows: Readonly<Partial<Record<Status, number>>>;
  readonly heardAt: number;
}

/** The workers of a shared run at one moment. */
export interface Crew {
  readonly workers: readonly CrewMember[];
  /** Epoch ms by the clock that the workers' times are from. */
  readonly now: number;
}

/** True for a worker that the others do not count on any more. */
export function isSilent({ heardAt }: Pick<CrewMember, 'heardAt'>, now: number): boolean {
  return now - heardAt > fixed.workerSilenceMs;
}

/** One line for the crew and one for each worker. */
export function renderCrew({ workers, now }: Crew): readonly string[] {
  const silent = workers.filter((worker) => isSilent(worker, now)).length;
  const mark = silent === 0 ? '' : `, ${renderNumber(silent)} of them silent`;
  if (workers.length === 0) return ['Workers: none'];
  const width = Math.max(...workers.map(({ name }) => name.length));
  return [
    `Workers: ${renderNumber(workers.length)}${mark}`,
    ...workers.map((worker) => `  ${worker.name.padEnd(width)}  ${renderWorker(worker, now)}`),
  ];
}

/** The slices of a silent worker are with the others, so only what it held is left to say. */
function renderWorker(worker: CrewMember, now: number): string {
  const since = renderSpan(Math.max(0, now - worker.heardAt));
  if (isSilent(worker, now)) return `SILENT for ${since}: its rows are with the others`;
  return `${[renderSlices(worker.slices.length), ...renderHeld(worker)].join(', ')}; heard of ${since} ago`;
}

/** The workers as one of them sees them, in one phrase. */
export function renderCrewView({ workers, slices, awaySince }: CrewView, now: number): string {
  if (awaySince !== null) return `no answer from the store for ${renderSpan(now - awaySince)}`;
  const all = `${renderNumber(workers)} ${workers === 1 ? 'worker' : 'workers'}`;
  return `${all}, this one with ${renderNumber(slices)} of ${renderSlices(sliceCount)}`;
}

export function renderSlices(count: number): string {
  return `${renderNumber(count)} ${count === 1 ? 'slice' : 'slices'}`;
}

function renderHeld({ rows }: CrewMember): readonly string[] {
  return statuses.flatMap((status) => {
    const count = rows[status] ?? 0;
    return count === 0 ? [] : [`${renderNumber(count)} ${status}`];
  });
}
