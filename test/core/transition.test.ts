import { describe, expect, it, test } from 'vitest';
import { type Effect, type Status, statuses } from '../../src/core/item.ts';
import { IllegalMove, isLegal } from '../../src/core/transition.ts';
import { type EventType, eventOf, events, eventTypes, itemIn, kindsOf, move } from './lives.ts';

/** What an event makes of an item: the status after it and the effects; `late` changes nothing at all. */
type Outcome = readonly [Status, ...Effect['type'][]] | 'late';

/** Every legal pair of status and event; a pair that is not here must be refused. */
const table: Readonly<Record<Status, Readonly<Partial<Record<EventType, Outcome>>>>> = {
  pending: {
    claimed: ['submitting', 'create'],
    'question-unsendable': ['invalid'],
    'question-changed': ['pending'],
  },
  submitting: {
    'run-started': ['uncertain'],
    'creation-accepted': ['open', 'poll'],
    'creation-refused': ['rejected'],
    'creation-not-sent': ['pending'],
    'creation-uncertain': ['uncertain'],
  },
  open: {
    'run-started': 'late',
    'task-progressed': ['open', 'fetch-frame'],
    'task-completed': ['downloading', 'fetch-frame', 'fetch-video'],
    'task-failed': ['failed', 'write-task-file'],
    'task-not-found': ['open'],
    'task-overdue': ['lost'],
    'frame-saved': ['open'],
    'frame-not-had': ['open'],
  },
  downloading: {
    'run-started': ['downloading', 'poll'],
    'task-progressed': ['downloading'],
    'task-completed': ['downloading', 'fetch-frame', 'fetch-video'],
    'task-failed': ['failed', 'write-task-file'],
    'task-not-found': ['downloading'],
    'task-overdue': ['undelivered'],
    'frame-saved': ['downloading'],
    'frame-not-had': ['downloading', 'poll'],
    'video-saved': ['downloading'],
    'video-not-had': ['downloading', 'poll'],
  },
  completed: {
    'task-progressed': 'late',
    'task-completed': 'late',
    'task-failed': 'late',
    'task-not-found': 'late',
    'task-overdue': 'late',
    'frame-saved': ['completed'],
    'frame-not-had': ['completed'],
    'video-saved': 'late',
    'video-not-had': 'late',
    'retry-ordered': ['pending'],
    'file-damaged': ['downloading', 'poll'],
  },
  failed: {
    'task-progressed': 'late',
    'task-completed': 'late',
    'task-failed': 'late',
    'task-not-found': 'late',
    'task-overdue': 'late',
    'frame-saved': ['failed'],
    'frame-not-had': ['failed'],
    'video-saved': 'late',
    'video-not-had': 'late',
    'retry-ordered': ['pending'],
  },
  rejected: {
    'retry-ordered': ['pending'],
    'question-changed': ['pending'],
  },
  uncertain: {
    'run-started': 'late',
    'task-adopted': ['open', 'poll'],
    'not-created': ['pending'],
  },
  undelivered: {
    'run-started': ['downloading', 'poll'],
    'task-progressed': 'late',
    'task-completed': 'late',
    'task-failed': 'late',
    'task-not-found': 'late',
    'task-overdue': 'late',
    'frame-saved': ['undelivered'],
    'frame-not-had': ['undelivered'],
    'video-saved': ['completed'],
    'video-not-had': 'late',
    'retry-ordered': ['pending'],
  },
  lost: {
    'run-started': ['lost', 'poll'],
    'task-progressed': ['open', 'fetch-frame'],
    'task-completed': ['downloading', 'fetch-frame', 'fetch-video'],
    'task-failed': ['failed', 'write-task-file'],
    'task-not-found': 'late',
    'task-overdue': 'late',
    'frame-saved': ['lost'],
    'frame-not-had': ['lost'],
    'video-not-had': 'late',
    'retry-ordered': ['pending'],
  },
  invalid: { 'question-changed': ['pending'] },
};

const pairs = statuses.flatMap((status) =>
  eventTypes.map((type) => ({ status, type, outcome: table[status][type] })),
);
const legal = pairs.flatMap(({ status, type, outcome }) =>
  outcome === undefined || outcome === 'late' ? [] : [{ status, type, outcome }],
);
const late = pairs.filter(({ outcome }) => outcome === 'late');
const illegal = pairs.filter(({ outcome }) => outcome === undefined);

describe('a move of the table', () => {
  test.each(legal)('$status, $type: $outcome', ({ status, type, outcome: [next, ...effects] }) => {
    const { item, effects: given } = move(itemIn(status), events[type]);
    expect(item.status).toBe(next);
    expect(kindsOf(given)).toEqual(effects);
  });

  test.each(late)('$status, $type: the answer came late and changes nothing', ({ status, type }) => {
    const before = itemIn(status);
    const { item, effects } = move(before, events[type]);
    expect(item).toBe(before);
    expect(effects).toEqual([]);
  });

  it('keeps what names the item', () => {
    for (const { status, type } of legal) {
      const before = itemIn(status, { key: 7, row: 3, id: 'seven', folder: 'seven-1' });
      expect(move(before, events[type]).item).toMatchObject({
        key: 7,
        row: 3,
        id: 'seven',
        folder: 'seven-1',
      });
    }
  });
});

describe('a pair that is not in the table', () => {
  test.each(illegal)('$status, $type: refused, and nothing is changed', ({ status, type }) => {
    const before = itemIn(status);
    const copy = structuredClone(before);
    expect(() => move(before, events[type])).toThrow(IllegalMove);
    expect(before).toEqual(copy);
  });

  it('says which row, which event and which status', () => {
    expect(() => move(itemIn('uncertain'), events.claimed)).toThrow(
      'row sum-1: "claimed" cannot happen to an item that is uncertain',
    );
  });

  it('is refused whatever the particulars of the event are', () => {
    expect(() => move(itemIn('completed'), eventOf('claimed', { token: 't1' }))).toThrow(IllegalMove);
    expect(() => move(itemIn('uncertain'), eventOf('creation-accepted', { taskId: 'task-1' }))).toThrow(
      IllegalMove,
    );
  });
});

test('isLegal tells the same as the machine does', () => {
  for (const { status, type, outcome } of pairs) {
    expect(isLegal(status, type), `${status}, ${type}`).toBe(outcome !== undefined);
  }
});

test('the table leads into every status', () => {
  const reached = new Set(legal.map(({ outcome }) => outcome[0]));
  expect([...statuses].filter((status) => !reached.has(status))).toEqual([]);
});
