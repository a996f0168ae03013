/** Loaded before each measured program: leaves what it took of processor and memory, and the numbers it reported. */

import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** One second of a program: what it held at its end, and its longest pause. */
export interface Second {
  readonly rssBytes: number;
  readonly pauseMs: number;
}

const said: Record<string, number> = {};
const seconds: Second[] = [];

/** Says a number of this program's own, by name. */
export function report(name: string, value: number): void {
  said[name] = value;
}

const file = process.env.BENCH_USAGE;
if (file !== undefined) {
  if (process.env.BENCH_SECONDS !== undefined) watchSeconds();
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cpuMs = (userCPUTime + systemCPUTime) / 1_000;
    writeFileSync(file, JSON.stringify({ cpuMs, peakBytes: maxRSS * 1_024, said, seconds }));
  });
}

function watchSeconds(): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const look = (): void => {
    seconds.push({ rssBytes: process.memoryUsage.rss(), pauseMs: delay.max / 1e6 });
    delay.reset();
  };
  setInterval(look, 1_000).unref();
}
