import { describe, expect, it } from 'vitest';
import { keepDeadline } from '../../src/service/deadline.ts';

/** Timers that ring when the test lets them; `sleep` lets time pass while nothing rings. */
function handTimers() {
  let now = 0;
  let alarms: { at: number; ring: () => void }[] = [];
  const ringDue = (): void => {
    for (const due of alarms.filter(({ at }) => at <= now)) {
      alarms = alarms.filter((alarm) => alarm !== due);
      due.ring();
    }
  };
  return {
    timers: {
      now: () => now,
      after: (ms: number, ring: () => void) => {
        const alarm = { at: now + ms, ring };
        alarms.push(alarm);
        return () => {
          alarms = alarms.filter((one) => one !== alarm);
        };
      },
    },
    pass: (ms: number): void => {
      for (const end = now + ms; now < end; ) {
        now += 1;
        ringDue();
      }
    },
    sleep: (ms: number): void => {
      now += ms;
      ringDue();
    },
  };
}

function armed(isWaiting = true) {
  const hand = handTimers();
  let stops = 0;
  const takeBack = keepDeadline(
    hand.timers,
    1_000,
    () => isWaiting,
    () => {
      stops += 1;
    },
  );
  return { ...hand, takeBack, stops: () => stops };
}

describe('a deadline', () => {
  it('that rings in time leaves one more turn, and stops once', () => {
    const { pass, stops } = armed();
    pass(1_000);
    expect(stops()).toBe(0);
    pass(10);
    expect(stops()).toBe(1);
    pass(10_000);
    expect(stops()).toBe(1);
  });

  it.for([
    [50, 60],
    [500, 510],
    [60_000, 1_010],
  ] as const)('that rings %i ms late leaves %i ms to read what came in time', ([lateMs, graceMs]) => {
    const { pass, sleep, stops } = armed();
    sleep(1_000 + lateMs);
    pass(graceMs - 1);
    expect(stops()).toBe(0);
    pass(1);
    expect(stops()).toBe(1);
  });

  it('whose grace was slept through leaves another one, but not for ever', () => {
    const { sleep, stops } = armed();
    for (let nap = 0; nap < 5; nap++) {
      sleep(60_000);
      expect(stops()).toBe(0);
    }
    sleep(60_000);
    expect(stops()).toBe(1);
  });

  it('of a request that has not left stops at once, however late: it must not leave any more', () => {
    const { sleep, stops } = armed(false);
    sleep(60_000);
    expect(stops()).toBe(1);
  });

  it('that is taken back never stops, not in its grace either', () => {
    const early = armed();
    early.takeBack();
    early.pass(10_000);
    expect(early.stops()).toBe(0);
    const late = armed();
    late.sleep(60_000);
    late.takeBack();
    late.pass(10_000);
    expect(late.stops()).toBe(0);
  });
});
