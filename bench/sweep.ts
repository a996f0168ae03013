/** Sweeps over many open tasks of which none has changed, against bare requests for the same answers. */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fixed } from '../src/money/policy.ts';
import { runNode, runShell, type Usage } from './child.ts';
import { fillFolder, taskIdOf } from './open-tasks.ts';
import { startStatusServer } from './status-server.ts';
import { type Bench, type Figure, inTurns, median, quantity, type Setting } from './table.ts';

/** Sweeps that are measured, after one that opens the connections. */
const sweeps = 3;

const of = (usages: readonly Usage[], what: (usage: Usage) => number): number => median(usages.map(what));
const said = (usages: readonly Usage[], name: string): number =>
  of(usages, (usage) => usage.said[name] ?? Number.NaN);
const microsecondsPerPoll = (usages: readonly Usage[]): number =>
  of(usages, ({ said: { cpuMs = Number.NaN, polls = 0 } }) => (cpuMs / polls) * 1_000);

interface Rounds {
  readonly ours: readonly Usage[];
  readonly floor: readonly Usage[];
}

async function rounds(count: number, baseUrl: string, { folder, runs }: Setting): Promise<Rounds> {
  const out = join(folder, 'sweep');
  fillFolder(out, count);
  const numbers = [String(count), String(sweeps)];
  const { first: ours, second: floor } = await inTurns(
    runs,
    () => runNode({ file: 'sweep-ours.ts', args: [out, baseUrl, ...numbers] }),
    () => runNode({ file: 'sweep-floor.ts', args: [baseUrl, ...numbers] }),
  );
  rmSync(out, { recursive: true, force: true });
  return { ours, floor };
}

function perPoll(work: string, { ours, floor }: Rounds): Figure {
  const [reached, base] = [microsecondsPerPoll(ours), microsecondsPerPoll(floor)];
  return {
    work,
    reached: quantity(reached, 'µs'),
    floor: quantity(base, 'µs (`undici.request`, `JSON.parse`)'),
    ratio: reached / base,
    goal: { atMost: 2 },
  };
}

function alone(work: string, value: number, unit: string, goal: Figure['goal']): Figure {
  return { work, reached: quantity(value, unit), floor: '', ratio: value, goal };
}

/** Processor time of a request of `wrk`, which parses nothing (µs); null where there is none. */
async function wrkMicroseconds(baseUrl: string, { folder }: Setting): Promise<number | null> {
  const said = join(folder, 'wrk.txt');
  const load = `wrk -t1 -c${fixed.pollConnections} -d3s`;
  const usage = await runShell(`${load} ${baseUrl}/api/get_status/${taskIdOf(1)} >${said}`);
  if (usage === null) {
    process.stderr.write('NOT MEASURED: wrk, this machine has not got it\n');
    return null;
  }
  const [, requests] = /(\d+) requests in/.exec(readFileSync(said, 'utf8')) ?? [];
  return (usage.cpuMs / Number(requests)) * 1_000;
}

export const sweep: Bench = async (setting) => {
  const figures: Figure[] = [];
  using server = await startStatusServer();
  for (const whole of [10_000, 50_000, 100_000]) {
    const count = whole * setting.scale;
    const all = await rounds(count, server.baseUrl, setting);
    const { ours } = all;
    figures.push(
      perPoll(`CPU of a poll, ${quantity(count, 'open tasks')}`, all),
      alone('written by such a sweep (rows and bytes of log)', said(ours, 'written'), '', { atMost: 0 }),
      alone('delay of the event loop in it, p99 (ms)', said(ours, 'delayMs'), 'ms', { atMost: 50 }),
      alone('longest one (ms)', said(ours, 'longestDelayMs'), 'ms', null),
    );
    if (whole < 100_000) continue;
    const bare = await wrkMicroseconds(server.baseUrl, setting);
    if (bare !== null) {
      const reached = microsecondsPerPoll(ours);
      const floor = quantity(bare, 'µs (`wrk`, answers unread)');
      figures.push({
        work: 'beside wrk',
        reached: quantity(reached, 'µs'),
        floor,
        ratio: reached / bare,
        goal: null,
      });
    }
    const peak = of(ours, ({ peakBytes }) => peakBytes / 1e6);
    figures.push(alone('peak memory of that (MB)', peak, 'MB', { atMost: 400 }));
  }
  return figures;
};
