import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RunPings } from '../../../src/features/hooks/run-pings.ts';
import { createLedger } from '../../../src/money/summary.ts';
import type { Ping } from '../../../src/ports.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const minute = 60_000;

/** Keeps what it is sent; the first `refused` pings fail. */
function keeper(clock: VirtualClock, refused = 0) {
  const received: { at: number; signal: string; body: Record<string, unknown> }[] = [];
  const ping: Ping = {
    async send(signal, body) {
      received.push({ at: clock.elapsedMs / minute, signal, body: JSON.parse(body) });
      if (received.length <= refused) throw new Error('hc.example did not take it (ECONNREFUSED)');
    },
  };
  return { received, ping };
}

describe('the pings of a run', () => {
  it('say that it starts, every five minutes that it continues, and how it ends', async () => {
    const clock = new VirtualClock(0);
    const { received, ping } = keeper(clock);
    const pings = new RunPings(ping, clock, () => {});
    const ledger = createLedger();
    ledger.counts.completed = 3;
    pings.follow({ ledger });
    await clock.reach(11 * minute);
    await pings.end('points-cap', 4);
    expect(received.map(({ at, signal }) => [at, signal])).toEqual([
      [0, 'start'],
      [5, 'start'],
      [10, 'start'],
      [11, '4'],
    ]);
    expect(received[0]?.body).toEqual({});
    expect(received[3]?.body).toMatchObject({
      reason: 'points-cap',
      exitCode: 4,
      statuses: { completed: 3, failed: 0 },
      points: 0,
    });
    const page = readFileSync('docs/unattended.md', 'utf8');
    const [body = ''] = /^- The body is JSON: [\s\S]*?(?=^- )/m.exec(page) ?? [];
    for (const name of Object.keys(received[3]?.body ?? {})) expect(body).toContain(`\`${name}\``);
    expect(body).toContain(`is \`${JSON.stringify(received[0]?.body)}\``);
  });

  it('that fail are one warning, and the next ones are sent', async () => {
    const clock = new VirtualClock(0);
    const { received, ping } = keeper(clock, 2);
    const warnings: string[] = [];
    const pings = new RunPings(ping, clock, ({ text }) => warnings.push(text));
    await clock.reach(6 * minute);
    await pings.end('done', 0);
    expect(received.map(({ signal }) => signal)).toEqual(['start', 'start', '0']);
    expect(warnings).toEqual(['--ping: hc.example did not take it (ECONNREFUSED); the run is as without it']);
  });

  it('end after the one that is on its way', async () => {
    const clock = new VirtualClock(0);
    const arrived: string[] = [];
    const ping: Ping = {
      async send(signal) {
        await clock.wait(1_000);
        arrived.push(signal);
      },
    };
    const pings = new RunPings(ping, clock, () => {});
    await pings.end('done', 0);
    expect(arrived).toEqual(['start', '0']);
  });
});
