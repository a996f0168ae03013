/** Loaded before each measured program: leaves what it took of processor and memory, and the numbers it reported. */

import { writeFileSync } from 'node:fs';

const said: Record<string, number> = {};

/** Says a number of this program's own, by name. */
export function report(name: string, value: number): void {
  said[name] = value;
}

const file = process.env.BENCH_USAGE;
if (file !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cpuMs = (userCPUTime + systemCPUTime) / 1_000;
    writeFileSync(file, JSON.stringify({ cpuMs, peakBytes: maxRSS * 1_024, said }));
  });
}
