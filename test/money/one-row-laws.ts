/** What must be true of a row in any world, after anything that happened. */

import { expect } from 'vitest';
import { isEarlier, linkPauseMs, shownFiles } from '../../src/money/artifacts.ts';
import type { Status } from '../../src/money/item.ts';
import { fixed } from '../../src/money/policy.ts';
import { hasMark } from '../../src/money/statuses.ts';
import type { OneRowWorld } from './one-row-world.ts';

/** Statuses that say: there is no task, and nothing was charged. */
const saysNoTask: ReadonlySet<Status> = new Set<Status>(['pending', 'rejected', 'invalid']);

/** Statuses in which nobody knows yet, or any more, what the task costs. */
const pointsUnknown: ReadonlySet<Status> = new Set<Status>(['submitting', 'open', 'uncertain', 'lost']);

function expectNothingPaidTwice({ item, order, claims }: OneRowWorld): void {
  expect(order.tasks).toBeLessThanOrEqual(1);
  // Each creation but the last came to nothing for sure.
  expect(order.creations).toBeLessThanOrEqual(order.refusals + order.uncounted + 1);
  expect(item.attempt).toBe(claims);
  expect([null, `t${claims}`]).toContain(item.token);
  if (order.tasks > 0) expect(saysNoTask.has(item.status)).toBe(false);
  expect(item.status === 'uncertain').toBe(order.isDoubtful);
}

function expectEveryPointKept({ item, named, ledger }: OneRowWorld): void {
  expect(ledger.spent).toBe([...named.values()].reduce((sum, each) => sum + each, 0));
  const points = named.get(item.token ?? '');
  if (pointsUnknown.has(item.status)) expect([item.points, points]).toEqual([null, undefined]);
  else if (saysNoTask.has(item.status)) expect(item.points ?? 0).toBe(0);
  else expect(item.points).toBe(points);
}

/** A task that the row does not know the price of may still be charged, also one that a retry has left behind. */
function expectReserved({ tasks, named, disowned, ledger }: OneRowWorld): void {
  const unknown = tasks.filter(({ token }) => !named.has(token) && !disowned.has(token)).length;
  const reserved = [...ledger.reserving.values()].reduce((sum, count) => sum + count, 0);
  expect(reserved).toBeGreaterThanOrEqual(unknown);
}

function expectFilesTrue({ item, isVideoHere, isKept, ordinals }: OneRowWorld): void {
  expect(item.artifacts.some(({ kind, state }) => kind === 'video' && state === 'saved')).toBe(isVideoHere);
  // What was made once is known until something better is, whatever becomes of a new attempt.
  expect(shownFiles(item).video !== null).toBe(isVideoHere || isKept);
  if (item.status === 'completed') {
    expect(isVideoHere).toBe(true);
    expect(item.artifacts.filter(({ state }) => state === 'wanted')).toEqual([]);
  }
  if (isVideoHere) expect(['downloading', 'completed', 'pending', 'invalid']).toContain(item.status);
  const own = item.artifacts.filter((artifact) => !isEarlier(artifact));
  expect(new Set(own.map(({ ordinal }) => ordinal)).size).toBe(own.length);
  for (const { remoteId, ordinal, path, sha256, state, tries } of item.artifacts) {
    if (state === 'saved') expect(path).not.toBeNull();
    expect(path === null).toBe(sha256 === null);
    expect(tries).toBeLessThanOrEqual(fixed.frameTries);
    if (remoteId === null) continue;
    expect(ordinals.get(remoteId) ?? ordinal).toBe(ordinal);
    ordinals.set(remoteId, ordinal);
  }
}

function expectWaitingBounded({ item, misses, isVideoHere, now }: OneRowWorld): void {
  if (item.status === 'pending') expect(item.notBefore - now).toBeLessThanOrEqual(fixed.retryAfterMaxMs);
  if (item.status !== 'open' && item.status !== 'downloading') return;
  expect(item.misses).toBe(misses);
  if (isVideoHere) return;
  expect(misses).toBeLessThan(fixed.notFoundTicks);
  expect(linkPauseMs(item.renewals)).not.toBeNull();
}

/** Statuses of a row that has a task to ask for. */
const hasTask: ReadonlySet<Status> = new Set<Status>([
  'open',
  'downloading',
  'completed',
  'failed',
  'undelivered',
  'lost',
]);

function expectStatusTrue({ item }: OneRowWorld): void {
  expect(item.taskId !== null).toBe(hasTask.has(item.status));
  if (hasMark(item.status, 'bad')) expect(item.failure).toEqual(expect.any(String));
  if (item.status === 'open' || item.status === 'completed') expect(item.failure).toBeNull();
}

/** Fails where the row does not tell the truth about its world. */
export function expectLaws(world: OneRowWorld): void {
  expectStatusTrue(world);
  expectNothingPaidTwice(world);
  expectEveryPointKept(world);
  expectReserved(world);
  expectFilesTrue(world);
  expectWaitingBounded(world);
}

/** After all has gone well: every charged task is in the report, or its row says that it is not. */
export function expectAllBroughtHome(world: OneRowWorld): void {
  const { item, tasks, named, writtenOff } = world;
  for (const { token, charge } of tasks) {
    if (writtenOff.has(token) || (token === item.token && item.status === 'uncertain')) continue;
    expect(named.get(token)).toBe(charge);
  }
  expect(['pending', 'rejected', 'invalid', 'uncertain', 'failed', 'completed']).toContain(item.status);
  const isOver = !['failed', 'pending', 'invalid'].includes(item.status);
  expect(item.status === 'completed').toBe(world.isVideoHere && isOver);
}
