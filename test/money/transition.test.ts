import { describe, expect, it, test } from 'vitest';
import type { Effect } from '../../src/money/event.ts';
import { type Item, type Status, statuses } from '../../src/money/item.ts';
import { IllegalMove, isLegal } from '../../src/money/transition.ts';
import { type EventType, events, eventTypes, itemIn, kindsOf, move } from './lives.ts';
import { walkMoves } from './walk.ts';

/** What an event makes of an item: the status after it and the effects, in order. `late` changes nothing at all. */
type Outcome = 'late' | Status | `${Status}: ${string}`;

/** Answers about a task that the item does not wait for any more; a frame may still be on its way to the disk. */
const lateIn = (status: Status) =>
  ({
    'task-progressed': ['late'],
    'task-completed': ['late'],
    'task-failed': ['late'],
    'task-not-found': ['late'],
    'task-overdue': ['late'],
    'price-settled': ['late'],
    'frame-saved': [status],
    'frame-not-had': [status],
    'frames-overdue': ['late'],
    'video-not-had': ['late'],
  }) as const;

/** What becomes known of a refusal when its item has moved on. */
const lateVerdict = {
  'refusal-confirmed': ['late'],
  'refused-alike': ['late'],
  'second-chance-given': ['late'],
} as const;

/** Ends of a creation that come when its item has moved on. */
const lateCreation = {
  'creation-accepted': ['late'],
  'creation-refused': ['late'],
  'creation-barred': ['late'],
  'creation-not-sent': ['late'],
  'creation-uncertain': ['late'],
  ...lateVerdict,
} as const;

/**
 * Every legal pair of status and event with every outcome it can have, that of `itemIn` and `events` first. A pair that
 * is not here must be refused.
 */
const table: Readonly<Record<Status, Readonly<Partial<Record<EventType, readonly Outcome[]>>>>> = {
  pending: {
    claimed: ['submitting: create'],
    'question-unsendable': ['invalid'],
    'question-changed': ['pending', 'invalid'],
    'order-ended': ['completed'],
    ...lateCreation,
    'creation-accepted': ['late', 'open: poll'],
    'refusal-confirmed': ['late', 'rejected'],
  },
  submitting: {
    'run-started': ['uncertain'],
    'creation-accepted': ['open: poll'],
    'creation-refused': ['rejected', 'pending'],
    'creation-barred': ['pending'],
    'creation-not-sent': ['pending'],
    'creation-uncertain': ['uncertain'],
    ...lateVerdict,
  },
  open: {
    'run-started': ['late'],
    'task-progressed': ['open: fetch-frame', 'open', 'late'],
    'task-completed': [
      'downloading: fetch-video, fetch-frame',
      'downloading: fetch-video',
      'downloading: fetch-frame, poll',
      'downloading: poll',
    ],
    'task-failed': ['failed: write-task-file'],
    'task-not-found': ['open', 'lost'],
    'task-overdue': ['lost'],
    'frame-saved': ['open'],
    'frame-not-had': ['open'],
    'task-adopted': ['late', 'open: poll'],
    ...lateCreation,
    'creation-accepted': ['late', 'open: poll'],
  },
  downloading: {
    'run-started': ['downloading: poll', 'downloading: poll, limit-frames'],
    'task-progressed': [
      'downloading: poll',
      'downloading: poll-later',
      'downloading: fetch-frame, limit-frames',
      'undelivered',
      'completed',
    ],
    'task-completed': [
      'downloading: fetch-video, fetch-frame',
      'downloading: fetch-video',
      'downloading: fetch-frame, limit-frames',
      'downloading: fetch-frame, poll',
      'downloading: fetch-frame, poll-later',
      'downloading: poll',
      'downloading: poll-later',
      'undelivered',
      'completed',
    ],
    'task-failed': ['failed: write-task-file', 'completed'],
    'task-not-found': ['downloading', 'undelivered', 'completed'],
    'task-overdue': ['late'],
    'price-settled': ['late', 'downloading'],
    'frame-saved': ['downloading', 'downloading: poll-later', 'completed'],
    'frame-not-had': ['downloading', 'downloading: poll-later', 'completed'],
    'frames-overdue': ['late', 'downloading: limit-frames', 'completed'],
    'video-saved': ['downloading: poll-later, limit-frames', 'completed'],
    'video-not-had': ['downloading: poll', 'downloading: poll-later', 'undelivered', 'completed'],
    'file-damaged': ['downloading: poll', 'downloading: poll, limit-frames'],
    ...lateCreation,
    'creation-accepted': ['late', 'open: poll'],
  },
  completed: {
    ...lateCreation,
    ...lateIn('completed'),
    'creation-accepted': ['late', 'open: poll'],
    'task-completed': ['late', 'completed'],
    'price-settled': ['late', 'completed'],
    'video-saved': ['late'],
    'file-damaged': ['downloading: poll', 'downloading: poll, limit-frames'],
    'retry-ordered': ['pending'],
  },
  failed: {
    ...lateIn('failed'),
    ...lateCreation,
    'creation-accepted': ['late', 'open: poll'],
    'video-saved': ['late'],
    'retry-ordered': ['pending'],
  },
  rejected: {
    ...lateCreation,
    'refused-alike': ['rejected', 'late'],
    'second-chance-given': ['late', 'pending'],
    'retry-ordered': ['pending'],
    'question-changed': ['pending', 'invalid'],
  },
  uncertain: {
    'run-started': ['late'],
    'creation-accepted': ['open: poll'],
    'creation-refused': ['rejected', 'pending'],
    'creation-barred': ['pending'],
    'creation-not-sent': ['pending'],
    'creation-uncertain': ['late'],
    ...lateVerdict,
    'task-adopted': ['open: poll'],
    'not-created': ['pending'],
  },
  undelivered: {
    ...lateIn('undelivered'),
    ...lateCreation,
    'creation-accepted': ['late', 'open: poll'],
    'run-started': ['downloading: poll'],
    'video-saved': ['completed', 'downloading: poll-later, limit-frames'],
    'retry-ordered': ['pending'],
  },
  lost: {
    ...lateIn('lost'),
    ...lateCreation,
    'creation-accepted': ['late', 'open: poll'],
    'run-started': ['lost: poll'],
    'task-progressed': ['open: fetch-frame', 'open', 'late'],
    'task-completed': [
      'downloading: fetch-video, fetch-frame',
      'downloading: fetch-video',
      'downloading: fetch-frame, poll',
      'downloading: poll',
    ],
    'task-failed': ['failed: write-task-file'],
    'retry-ordered': ['pending'],
    'task-adopted': ['open: poll'],
    'not-created': ['pending'],
  },
  invalid: { ...lateVerdict, 'question-changed': ['pending', 'invalid'] },
};

function outcomeOf(before: Item, after: Item, effects: readonly Effect[]): string {
  if (effects.length > 0) return `${after.status}: ${kindsOf(effects).join(', ')}`;
  return after === before ? 'late' : after.status;
}

const pairs = statuses.flatMap((status) =>
  eventTypes.map((type) => ({ status, type, outcomes: table[status][type] })),
);
const legal = pairs.flatMap(({ status, type, outcomes }) =>
  outcomes === undefined ? [] : [{ status, type, outcome: outcomes[0] }],
);
const illegal = pairs.filter(({ outcomes }) => outcomes === undefined);

describe('a move of the table', () => {
  test.each(legal)('$status, $type: $outcome', ({ status, type, outcome }) => {
    const before = itemIn(status);
    const { item, effects } = move(before, events[type]);
    expect(outcomeOf(before, item, effects)).toBe(outcome);
  });

  it('has no outcome but those that are listed, and each of them, whatever the item has behind it', () => {
    const seen = new Map<string, Set<string>>();
    for (const { before, event, after, effects } of walkMoves()) {
      const pair = `${before.status}, ${event.type}`;
      seen.set(pair, (seen.get(pair) ?? new Set()).add(outcomeOf(before, after, effects)));
    }
    const listed = pairs.flatMap(({ status, type, outcomes }): [string, Set<string>][] =>
      outcomes === undefined ? [] : [[`${status}, ${type}`, new Set(outcomes)]],
    );
    expect(seen).toEqual(new Map(listed));
  });

  it('keeps what names the item', () => {
    const name = { key: 7, row: 3, id: 'seven', folder: 'seven-1' };
    for (const { status, type } of legal)
      expect(move(itemIn(status, name), events[type]).item).toMatchObject(name);
  });
});

describe('a pair that is not in the table', () => {
  test.each(illegal)('$status, $type: refused, and nothing is changed', ({ status, type }) => {
    const before = itemIn(status);
    const copy = structuredClone(before);
    expect(() => move(before, events[type])).toThrow(IllegalMove);
    expect(before).toEqual(copy);
  });

  it('is every pair but those, of all there are', () => {
    expect(pairs).toHaveLength(11 * 28);
    expect([legal.length, illegal.length]).toEqual([168, 140]);
  });

  it('says which row, which event and which status', () => {
    expect(() => move(itemIn('uncertain'), events.claimed)).toThrow(
      'row sum-1: "claimed" cannot happen to an item that is uncertain',
    );
  });
});

test('isLegal tells the same as the machine does', () => {
  for (const { status, type, outcomes } of pairs)
    expect(isLegal(status, type), `${status}, ${type}`).toBe(outcomes !== undefined);
});
