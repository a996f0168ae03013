/**
 * Where a crash point is reached. Read by the preloaded half only: the environment names the point to die at, and the
 * program itself knows nothing of it.
 */

import { appendFileSync } from 'node:fs';

/** Environment variables of the preload. */
export const crashVariables = { at: 'CRASH_AT', census: 'CRASH_CENSUS' } as const;

const at = process.env[crashVariables.at];
const census = process.env[crashVariables.census];
const reached = new Set<string>();

/** Dies here when this is the point; with a census, writes down each point once. */
export function reach(point: string): void {
  if (census !== undefined && !reached.has(point)) appendFileSync(census, `${point}\n`);
  reached.add(point);
  if (point === at) process.kill(process.pid, 'SIGKILL');
}

/** An effect that takes no time. */
export function around<T>(effect: string, work: () => T): T {
  reach(`before ${effect}`);
  const result = work();
  reach(`after ${effect}`);
  return result;
}
