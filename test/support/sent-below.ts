/** What workers remember to have sent. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentLogName } from '../../src/stores/sent-log.ts';

/** How many creations left the workers below this scratch folder. */
export function sentBelow(scratch: string): number {
  return linesBelow(scratch).filter((line) => line.includes('"key"')).length;
}

/** The last change of the steering that they obeyed; 0 for none. */
export function steeringBelow(scratch: string): number {
  return Math.max(0, ...linesBelow(scratch).map((line) => Number(/"steering":(\d+)/.exec(line)?.[1] ?? 0)));
}

function linesBelow(scratch: string): readonly string[] {
  if (!existsSync(scratch)) return [];
  const logs = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(sentLogName),
  );
  return logs.flatMap((path) => readFileSync(join(scratch, path), 'utf8').split('\n'));
}
