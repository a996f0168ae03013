import { expect, it } from 'vitest';
import { defaultPolicy } from '../../../src/money/policy.ts';
import type { Clock } from '../../../src/ports.ts';
import { OutageLog } from '../../../src/runner/polling/outage-log.ts';
import { Sweeps } from '../../../src/runner/polling/sweeps.ts';

function openLog() {
  let now = 0;
  const lines: [string, object][] = [];
  const keep = (fields: object, text: string): void => void lines.push([text, fields]);
  const clock: Clock = { now: () => now, steady: () => now, wait: async () => {} };
  return {
    lines,
    clock,
    log: new OutageLog({ clock, log: { info: keep, warn: keep } }),
    pass: (ms: number): void => {
      now += ms;
    },
  };
}

const poll = (id: string) => ({ id, taskId: 't', failure: 'HTTP 502' });

it('an outage is a line when it begins, one a minute with its counts, and one when it is over', () => {
  const { log, lines, pass } = openLog();
  log.noteAnswer();
  for (let minute = 0; minute < 3; minute++) {
    for (let row = 0; row < 1_000; row++) log.note(poll(`q${row}`));
    pass(60_000);
  }
  log.note(poll('last'));
  log.noteAnswer();
  pass(60_000);
  log.noteAnswer();
  pass(60_000);
  log.noteAnswer();
  log.noteAnswer();
  expect(lines).toEqual([
    ['a poll got no answer', poll('q0')],
    ['polls got no answer', { ...poll('q0'), failed: 1_000, answered: 0 }],
    ['polls got no answer', { ...poll('q0'), failed: 1_000, answered: 0 }],
    ['polls got no answer', { ...poll('last'), failed: 1_000, answered: 0 }],
    ['polls are answered again', { answered: 2 }],
  ]);
});

it('a share of polls that fail is reported as that, and an outage as that', async () => {
  const { clock } = openLog();
  const sweeps = new Sweeps(defaultPolicy, clock);
  const reported: unknown[] = [];
  const report = (): void => {
    const silence = sweeps.newSilence();
    if (silence !== null) reported.push(silence.percent);
  };
  for (let at = 1; at <= 100; at++) {
    if (at % 20 === 0) sweeps.noteSilence(null, 'HTTP 502');
    else sweeps.noteAnswer();
    if (at === 100) report();
  }
  report();
  expect(reported).toEqual([5]);
  // A whole sweep, and what follows it.
  for (let at = 0; at < 5; at++) sweeps.noteSilence(null, 'HTTP 502');
  await sweeps.sweep([1, 2, 3].values() as Generator<number>, async () =>
    sweeps.noteSilence(null, 'HTTP 502'),
  );
  report();
  report();
  sweeps.noteAnswer();
  report();
  // An answer that cannot be read is one.
  for (let at = 0; at < 5; at++) {
    sweeps.noteSilence(null, 'HTTP 200', true);
    sweeps.noteAnswer();
  }
  report();
  expect(reported).toEqual([5, 100]);
});
