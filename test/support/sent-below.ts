/** What workers remember to have sent. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentLogName } from '../../src/stores/sent-log.ts';

/** How many creations left the workers below this scratch folder. */
export function sentBelow(scratch: string): number {
  if (!existsSync(scratch)) return 0;
  const logs = readdirSync(scratch, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(sentLogName),
  );
  const lines = logs.flatMap((path) => readFileSync(join(scratch, path), 'utf8').split('\n'));
  return lines.filter((line) => line.includes('"key"')).length;
}
