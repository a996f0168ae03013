/** Turns a saved change into events for a program. */

import { join } from 'node:path';
import type { Artifact, Item } from '../money/item.ts';
import type { BatchEvent, RowEvent } from './events.ts';

/** The events of a change of an item; `out` is the absolute output folder. */
export function eventsOfChange(before: Item, after: Item, out: string): readonly BatchEvent[] {
  const { row, id } = after;
  const had = new Set(before.artifacts.filter(isSavedFrame).map(({ ordinal }) => ordinal));
  const frames = after.artifacts.filter(isSavedFrame).filter(({ ordinal }) => !had.has(ordinal));
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
