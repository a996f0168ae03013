/**
 * Every lie, told where an acceptance, a status or a file should be: none of them crashes, hangs, makes a second
 * creation, changes a task without reason, or puts a wrong file in the place of a video.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, create, download } from './lied-to.ts';
import type { Lie } from './lies.ts';
import { malformedBodies } from './malformed-bodies.ts';
import { malformedWire } from './malformed-wire.ts';

const lies: readonly (readonly [name: string, lie: Lie])[] = [
  ...Object.entries(malformedWire),
  ...Object.entries(malformedBodies),
];

/** What broke outside of every promise that somebody waits for. */
const stray: unknown[] = [];
const note = (error: unknown): void => void stray.push(error);

beforeAll(() => {
  process.on('unhandledRejection', note).on('uncaughtExceptionMonitor', note);
});
afterAll(() => {
  process.off('unhandledRejection', note).off('uncaughtExceptionMonitor', note);
  expect(stray).toEqual([]);
});

/** Where lies are told, and the deadline of those that hang (ms). */
const places = [
  ['a creation that is answered with', create, 1_000],
  ['a status that is answered with', ask, 1_000],
  // Tried five times.
  ['a video whose link is answered with', download, 400],
] as const;

describe.each(places)('%s', (_, meet) => {
  const patient = lies.filter(([, { hangs }]) => hangs !== true);
  it.for(patient)('%s', ([, lie]) => meet(lie, 20_000));
});

describe.concurrent.each(places)('%s', (_, meet, deadlineMs) => {
  const hanging = lies.filter(([, { hangs }]) => hangs === true);
  it.for(hanging)('%s, until the deadline', ([, lie]) => meet(lie, deadlineMs));
});
