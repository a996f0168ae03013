import { expect, it } from 'vitest';
import { inEnglish, type Said } from '../../../src/messages/message.ts';
import type { CreationEvent } from '../../../src/money/event.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { createLedger } from '../../../src/money/summary.ts';
import { CreationBreaker } from '../../../src/runner/submitting/creation-breaker.ts';
import type { CreationFact } from '../../../src/stores/port/checkpoint.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const policy = { ...defaultPolicy, searchFrom: 4, concurrency: 64 };

/** One worker of a run that searches; the others reported these facts to it while so many tasks were open. */
function openWorker() {
  const clock = new VirtualClock(0);
  const [notes, decided]: [string[], number[]] = [[], []];
  const who = { decides: true };
  const reporter = {
    note: (said: Said) => void notes.push(inEnglish(said)),
    warn: () => {},
    changed: () => {},
  };
  const limit = {
    decides: () => who.decides,
    save: (most: number) => void decided.push(most),
    carryOut: () => {},
  };
  const breaker = new CreationBreaker({ clock, reporter }, { policy, submits: true }, limit);
  const note = (event: Exclude<CreationEvent, { type: 'creation-not-sent' }>, open: number): void => {
    const ledger = createLedger();
    ledger.counts.open = open;
    const at = clock.now();
    const fact: CreationFact = { type: 'creation', event, names: [], startedAt: at, at };
    breaker.noteFact(fact, ledger);
  };
  const accepted = { type: 'creation-accepted', at: 0, taskId: 'a task' } as const;
  const refused = {
    type: 'creation-refused',
    at: 0,
    failure: 'HTTP 429',
    passing: true,
    retryAfterMs: null,
  } as const;
  return { breaker, who, notes, decided, note, accepted, refused };
}

it('the worker that decides the concurrency decides it by what the others did', () => {
  const { notes, decided, note, accepted, refused } = openWorker();
  for (let i = 0; i < 5; i++) note(accepted, 4);
  note(refused, 4);
  expect(decided).toEqual([5]);
  note(refused, 4);
  expect(decided).toEqual([5, 2]);
  expect(notes).toEqual([
    'concurrency is now 5',
    'concurrency is now 2: the service refuses creations for now (HTTP 429)',
  ]);
});

it('another worker keeps to what was decided, and continues from there when it decides itself', () => {
  const { breaker, who, notes, decided, note, accepted, refused } = openWorker();
  who.decides = false;
  for (let i = 0; i < 50; i++) note(accepted, 4);
  note(refused, 4);
  expect([notes, decided]).toEqual([[], []]);
  breaker.adoptLimit(20);
  breaker.adoptLimit(20);
  expect(notes).toEqual(['concurrency is now 20']);
  who.decides = true;
  note(refused, 20);
  expect(decided).toEqual([14]);
});

it('a task that is counted already does not make its own creation one more than the service takes', () => {
  const { breaker, note, accepted } = openWorker();
  note(accepted, 3);
  expect(breaker.state.acceptedOpen).toBe(3);
});
