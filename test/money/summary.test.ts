import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { message } from '../../src/messages/message.ts';
import { type Item, type Quality, type Status, statuses } from '../../src/money/item.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { statusesWith } from '../../src/money/statuses.ts';
import {
  applyChange,
  copyLedger,
  countRows,
  createLedger,
  decideExitCode,
  type EndingReason,
  effectiveQuality,
  expectedPoints,
  type Ledger,
  mayBePricedLate,
  noteLargest,
  reservedPoints,
  roundPoints,
  statusMeaning,
} from '../../src/money/summary.ts';
import { isLegal, transition } from '../../src/money/transition.ts';
import { eventArbitrary } from './any-event.ts';
import { at, eventOf, events, itemIn, move, silentEnding } from './lives.ts';

/** The life of one item: every state it had, the first one included. */
type Life = readonly Item[];

/** What a ledger of these lives must hold, counted without any memory of changes. */
function recount(lives: readonly Life[]): Ledger {
  const ledger = createLedger();
  for (const life of lives) {
    const last = life.at(-1);
    if (last === undefined) continue;
    ledger.counts[last.status] += 1;
    for (const item of life) {
      noteLargest(ledger, effectiveQuality(item.quality), item.points ?? 0);
      if (item.taskId === null || item.endedAt === null || item.submittedAt === null) continue;
      ledger.longestTaskMs = Math.max(ledger.longestTaskMs ?? 0, item.endedAt - item.submittedAt);
    }
    for (const item of lastOfEachAttempt(life)) {
      ledger.spent += item.points ?? 0;
      const isUnderWay = ['submitting', 'open', 'uncertain', 'lost'].includes(item.status);
      const isUnpriced = !isUnderWay && item.taskId !== null && item.points === null;
      if (isUnpriced) ledger.unpriced += 1;
      if (isUnderWay || isUnpriced) {
        const quality = effectiveQuality(item.quality);
        ledger.reserving.set(quality, (ledger.reserving.get(quality) ?? 0) + 1);
      }
    }
  }
  return ledger;
}

/** A new attempt forgets the old one, so each attempt counts as it was last seen under its own token. */
function lastOfEachAttempt(life: Life): readonly Item[] {
  const byAttempt = new Map(life.filter((item) => item.token !== null).map((item) => [item.attempt, item]));
  return [...byAttempt.values()];
}

function withoutZeros(ledger: Ledger): Ledger {
  return { ...ledger, reserving: new Map([...ledger.reserving].filter(([, count]) => count !== 0)) };
}

describe('the ledger', () => {
  // An order falls away with what an attempt before it is known for, between sessions: nothing is counted by it.
  const lived = eventArbitrary.filter(({ type }) => type !== 'order-ended');
  const storyArbitrary = fc.array(fc.tuple(fc.nat(2), lived), { maxLength: 150, size: 'max' });

  it('kept by changes is the same as one that is counted from scratch', () => {
    fc.assert(
      fc.property(storyArbitrary, (story) => {
        const lives: Item[][] = ['pending', 'pending', 'invalid'].map((status, key) => [
          itemIn(status as Status, { key }),
        ]);
        const ledger = recount(lives);
        for (const [key, event] of story) {
          const life = lives[key] ?? [];
          const before = life.at(-1);
          if (before === undefined || !isLegal(before.status, event.type)) continue;
          const after = transition(before, event, defaultPolicy).item;
          applyChange(ledger, before, after);
          life.push(after);
          expect(withoutZeros(ledger)).toEqual(recount(lives));
        }
      }),
    );
  });

  it('keeps the points of an attempt when the next one begins', () => {
    const ledger = createLedger();
    let item = itemIn('completed');
    applyChange(ledger, itemIn('open'), item);
    for (const event of [events['retry-ordered'], events.claimed, events['creation-accepted']]) {
      const next = move(item, event).item;
      applyChange(ledger, item, next);
      item = next;
    }
    expect(ledger.spent).toBe(10);
    applyChange(ledger, item, move(item, events['task-completed']).item);
    expect(ledger.spent).toBe(20);
  });

  it('counts the rows that wait for the video of another one', () => {
    const ledger = createLedger();
    const waiting = itemIn('pending');
    const held = { ...waiting, status: 'invalid', failure: message('row.twin', { id: 'a' }).text } as const;
    applyChange(ledger, waiting, held);
    expect(ledger.held).toBe(1);
    applyChange(ledger, held, waiting);
    expect(ledger.held).toBe(0);
  });

  it('reserves for a lost task, and goes on when a retry has left it behind', () => {
    const ledger = createLedger();
    noteLargest(ledger, 'm', 10);
    let item = itemIn('open', { token: 't1' });
    ledger.reserving.set('m', 1);
    const story = [events['task-not-found'], events['retry-ordered'], events.claimed];
    const reserved = story.map((event) => {
      const before = event.type === 'task-not-found' ? { ...item, misses: 2 } : item;
      const next = move(before, event.type === 'claimed' ? { ...event, quality: 'm' } : event).item;
      applyChange(ledger, item, next);
      item = next;
      return reservedPoints(ledger);
    });
    expect(reserved).toEqual([10, 10, 20]);
  });

  it('reserves for a task that has ended without points that can be read, and counts it', () => {
    const ledger = createLedger();
    noteLargest(ledger, 'm', 10);
    const open = itemIn('open');
    ledger.reserving.set('m', 1);
    applyChange(ledger, open, move(open, eventOf('task-completed', { ending: silentEnding })).item);
    expect([reservedPoints(ledger), ledger.unpriced]).toEqual([10, 1]);
  });

  it('copies its numbers', () => {
    const ledger = createLedger();
    const copy = copyLedger(ledger);
    applyChange(copy, itemIn('pending'), itemIn('open'));
    expect(ledger).toEqual(createLedger());
    expect(copy).not.toEqual(ledger);
  });

  it('follows the service when it corrects the points of a task', () => {
    const ledger = createLedger();
    const before = itemIn('downloading');
    applyChange(ledger, itemIn('open'), before);
    const dearer = eventOf('task-completed', { ending: { ...events['task-completed'].ending, points: 12 } });
    applyChange(ledger, before, move(before, dearer).item);
    expect(ledger).toMatchObject({ spent: 12, largestPoints: new Map([['m', 12]]) });
  });

  it('takes the time of a task from its submission to its end, and that of the longest', () => {
    const ledger = createLedger();
    const open = itemIn('open', { quality: 'h' });
    applyChange(ledger, open, move(open, eventOf('task-failed', { at: at + 9_000 })).item);
    applyChange(ledger, open, move(open, eventOf('task-failed', { at: at + 5_000 })).item);
    expect(ledger.longestTaskMs).toBe(9_000);
  });

  it('learns no time from a creation that was refused: there was no task', () => {
    const ledger = createLedger();
    const submitting = itemIn('submitting');
    const refused = eventOf('creation-refused', { at: at + 50 });
    applyChange(ledger, submitting, move(submitting, refused).item);
    expect(ledger.longestTaskMs).toBeNull();
    expect(ledger.largestPoints.size).toBe(0);
  });

  it('has every status as a key, and counts all rows', () => {
    const ledger = createLedger();
    expect(Object.keys(ledger.counts)).toEqual([...statuses]);
    statuses.forEach((status, i) => {
      ledger.counts[status] = i;
    });
    expect(countRows(ledger)).toBe(55);
  });
});

describe('expected points', () => {
  const priced = (prices: Partial<Record<Quality, number>>): Ledger => {
    const ledger = createLedger();
    for (const [quality, points] of Object.entries(prices)) noteLargest(ledger, quality as Quality, points);
    return ledger;
  };

  it('are the largest seen of the quality, and unknown where it has none: that of another says nothing', () => {
    const ledger = priced({ h: 20, l: 2 });
    noteLargest(ledger, 'l', 3);
    noteLargest(ledger, 'l', 1);
    expect(expectedPoints(ledger, 'l')).toBe(3);
    expect(expectedPoints(ledger, 'm')).toBeNull();
    expect(expectedPoints(ledger, null)).toBeNull();
    expect(expectedPoints(priced({ m: 7, h: 20 }), null)).toBe(7);
  });

  it('are unknown while nothing was charged', () => {
    expect(expectedPoints(priced({ m: 0 }), 'm')).toBeNull();
  });

  it('are reserved for each row that may still be charged', () => {
    const ledger = priced({ m: 0.1, h: 20 });
    ledger.reserving.set('m', 3).set('h', 1).set('l', 0);
    expect(reservedPoints(ledger)).toBe(20.3);
    ledger.reserving.set('l', 2);
    expect(reservedPoints(ledger)).toBeNull();
  });

  it('cannot be reserved at an unknown price', () => {
    const ledger = createLedger();
    expect(reservedPoints(ledger)).toBe(0);
    ledger.reserving.set('m', 0);
    expect(reservedPoints(ledger)).toBe(0);
    ledger.reserving.set('m', 1);
    expect(reservedPoints(ledger)).toBeNull();
  });
});

test('sums of points have no dust of binary fractions', () => {
  expect(roundPoints(0.1 + 0.2)).toBe(0.3);
  expect(roundPoints(29_510)).toBe(29_510);
});

test('a row that names no quality is made at that of the service', () => {
  expect([null, 'h', 'm', 'l'].map((quality) => effectiveQuality(quality as Quality | null))).toEqual([
    'm',
    'h',
    'm',
    'l',
  ]);
});

test('every status has a meaning for people, and the bad ones are those that name a reason', () => {
  expect(Object.keys(statusMeaning)).toEqual([...statuses]);
  expect(statuses.filter((status) => itemIn(status).failure !== null)).toEqual(statusesWith('bad'));
});

describe('the exit code', () => {
  const codeOf = (reason: EndingReason, counts: Partial<Record<Status, number>>) =>
    decideExitCode({ ...createLedger().counts, ...counts }, reason);
  const everything = Object.fromEntries(statuses.map((status) => [status, 1]));

  it('is 0 when every row has its video', () => {
    expect(codeOf('done', { completed: 3 })).toBe(0);
    expect(codeOf('done', {})).toBe(0);
  });

  it.each(['failed', 'rejected', 'undelivered', 'lost', 'invalid'])('is 1 when a row is %s', (status) => {
    expect(codeOf('done', { completed: 3, [status]: 1 })).toBe(1);
  });

  it('is 5 when a creation is left unanswered: it will be found uncertain', () => {
    expect(codeOf('disk', { submitting: 1, pending: 3 })).toBe(5);
  });

  it('is 4 when a creation of another process is on its way', () => {
    const counts = { ...createLedger().counts, completed: 3, submitting: 1 };
    expect(decideExitCode(counts, 'delivery-breaker', { isShared: true })).toBe(4);
    expect(decideExitCode({ ...counts, uncertain: 1 }, 'delivery-breaker', { isShared: true })).toBe(5);
  });

  it('is 4 while a row waits for the video of another one', () => {
    const counts = { ...createLedger().counts, completed: 3, invalid: 1, failed: 1 };
    expect(decideExitCode(counts, 'done', { held: 1 })).toBe(4);
  });

  it('is 5 only for creations whose ids are saved nowhere', () => {
    const counts = { ...createLedger().counts, submitting: 2 };
    expect(decideExitCode(counts, 'disk', { keptCount: 1 })).toBe(5);
    expect(decideExitCode(counts, 'disk', { keptCount: 2 })).toBe(4);
  });

  it.each(['pending', 'open', 'downloading'])('is 4 when a row is left %s', (status) => {
    expect(codeOf('limit', { completed: 3, failed: 1, [status]: 1 })).toBe(4);
  });

  it('is 4 when the disk refused something, though every row has its video', () => {
    expect(codeOf('disk', { completed: 3 })).toBe(4);
  });

  it('is 5 when a row is uncertain, whatever else is left', () => {
    expect(codeOf('done', { completed: 3, uncertain: 1 })).toBe(5);
    expect(codeOf('points-cap', everything)).toBe(5);
  });

  it.each([
    ['interrupted', 130],
    ['terminated', 143],
    ['key-refused', 3],
    ['no-points', 3],
    ['key-forbidden', 3],
    ['wrong-service', 2],
  ] as const)('says first of all that a run was %s', (reason, code) => {
    expect(codeOf(reason, everything)).toBe(code);
    expect(codeOf(reason, { completed: 1 })).toBe(code);
  });

  it.each([
    'collected',
    'limit',
    'part',
    'points-cap',
    'halt',
    'uncertain-breaker',
    'unreachable',
    'misconfigured',
  ] as const)('goes by the rows when a run ended as %s', (reason) => {
    expect(codeOf(reason, { completed: 2 })).toBe(0);
    expect(codeOf(reason, { completed: 2, rejected: 5 })).toBe(1);
    expect(codeOf(reason, { completed: 2, rejected: 5, pending: 1 })).toBe(4);
  });
});

it('the exit code is 4 where rows were refused alike: they are sent once more', () => {
  expect(decideExitCode({ ...createLedger().counts, completed: 2, rejected: 5 }, 'refusal-breaker')).toBe(4);
});

describe('points that may come late', () => {
  it.for([
    ['completed', null, true],
    ['completed', 0, true],
    ['completed', 10, false],
    ['downloading', null, true],
    ['downloading', 0, true],
    ['downloading', 10, false],
    ['failed', null, false],
  ] as const)('of a row that is %s with %s: %s', ([status, points, mayCome]) => {
    expect(mayBePricedLate({ status, points })).toBe(mayCome);
  });
});
