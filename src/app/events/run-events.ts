/** What a run plans and does, as events for a program. */

import { join } from 'node:path';
import type { FoundFile } from '../../input/read-questions.ts';
import { inEnglish } from '../../messages/message.ts';
import { withoutRepeats } from '../../money/artifacts.ts';
import { estimatePoints, noRows } from '../../money/forecast/estimate.ts';
import type { Artifact, Item } from '../../money/item.ts';
import { paidRowsOf } from '../../money/paid-rows.ts';
import type { Plan } from '../../money/plan.ts';
import { countRows, type Ledger } from '../../money/summary.ts';
import type { Reporter } from '../../ports.ts';
import type { Store } from '../../stores/port/store.ts';
import type { Options } from '../options/options.ts';
import type { RunSetup } from '../session.ts';
import type { EventQueue } from './event-queue.ts';
import type { BatchEvent, PlanEvent, RowEvent } from './events.ts';

/** A file that is read and compared with the run. */
interface ReadFile {
  readonly staged: { readonly found: FoundFile; readonly plan: Plan };
  readonly ledger: Ledger;
  readonly options: Options;
}

/** The plan of a file that is about to be imported. */
export function planOfFile(path: string, { staged, ledger, options }: ReadFile): PlanEvent {
  const { found, plan } = staged;
  const { format, encoding, notes } = found;
  const { quality = null, limit = null } = options;
  const { rows, points } = estimatePoints(plan.now, ledger, { quality, limit });
  return {
    type: 'plan',
    file: {
      path,
      format,
      encoding,
      notes: notes.map(inEnglish),
      newRows: plan.newRows,
      invalidRows: plan.invalid,
      changedRows: plan.changedUnsent + plan.changedSent,
      goneRows: plan.gone,
    },
    rows: plan.rows,
    known: plan.known,
    toSubmit: rows,
    estimatedPoints: points,
  };
}

/** The plan of a run that continues from its checkpoint. */
export async function planOfCheckpoint(
  { totals }: Pick<Store, 'totals'>,
  ledger: Ledger,
  options: Options,
  submits: boolean,
): Promise<PlanEvent> {
  const counts = submits ? await totals.pendingQualities(paidRowsOf(options)) : noRows;
  const { quality = null, limit = null } = options;
  const { rows, points } = estimatePoints(counts, ledger, { quality, limit });
  return {
    type: 'plan',
    file: null,
    rows: countRows(ledger),
    known: { ...ledger.counts },
    toSubmit: rows,
    estimatedPoints: points,
  };
}

/** Follows a run, and queues what it sees as events; `out` is the absolute output folder. */
export function queueEvents(queue: EventQueue, out: string): Reporter {
  return {
    changed: (before, after) => {
      for (const event of eventsOfChange(before, after, out)) queue.push(event);
    },
    note: (said, row) => {
      // Notes about a row are in its event.
      if (row === undefined) queue.push({ type: 'note', text: inEnglish(said) });
    },
    warn: (said) => queue.push({ type: 'warning', text: inEnglish(said) }),
  };
}

/** Queues the rows that an import made invalid: nothing else changes them, so that no other event tells of them. */
export async function queueInvalid(
  queue: EventQueue,
  { madeInvalid, invocation }: Pick<RunSetup, 'madeInvalid' | 'invocation'>,
): Promise<void> {
  if (madeInvalid === undefined) return;
  for await (const item of madeInvalid())
    queue.push(rowEvent({ ...item, status: 'pending' }, item, invocation.out));
}

function eventsOfChange(before: Item, after: Item, out: string): readonly BatchEvent[] {
  const { row, id } = after;
  const had = new Set(before.artifacts.filter(isSavedFrame).map(({ path }) => path));
  const frames = withoutRepeats(after.artifacts.filter(isSavedFrame)).filter(({ path }) => !had.has(path));
  const events: BatchEvent[] = frames.map(({ ordinal, path }) => ({
    type: 'frame',
    row,
    id,
    frame: ordinal,
    path: join(out, path ?? ''),
  }));
  if (before.status !== after.status) events.push(rowEvent(before, after, out));
  return events;
}

function isSavedFrame(artifact: Artifact): boolean {
  return artifact.kind === 'frame' && isSaved(artifact);
}

function isSaved({ state }: Artifact): boolean {
  return state === 'saved';
}

function rowEvent(before: Item, after: Item, out: string): RowEvent {
  const { row, id, status, attempt, taskId, points, failure, artifacts } = after;
  const path = artifacts.find((artifact) => artifact.kind === 'video' && isSaved(artifact))?.path ?? null;
  const video = path === null ? null : join(out, path);
  return { type: 'row', row, id, status, from: before.status, attempt, taskId, points, failure, video };
}
