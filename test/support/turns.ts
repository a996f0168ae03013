/**
 * The proofs take turns, so that `npm run proof` ends in time however many there are: a commit plays each third file, its name
 * decides which, and the long form plays all. Those about money are always played.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isNightly } from './nightly.ts';

const tests = new URL('../', import.meta.url);
const always = ['kills/', 'sim/', 'ways-to-die/'];
export const turnCount = 3;

/** Which turn it is at the commit that is tried, also where its history is not at hand; 0 outside a repository. */
function turnNow(): number {
  try {
    const name = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' });
    return Number.parseInt(name, 16) % turnCount;
  } catch {
    return 0;
  }
}

/** Files whose turn another one is. */
export function waitingAt(turn: number): string[] {
  const files = readdirSync(fileURLToPath(tests), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.proof.ts') && !always.some((folder) => path.startsWith(folder)))
    .sort();
  return files.filter((_, at) => at % turnCount !== turn).map((path) => `test/${path}`);
}

/** Files that are left out this time; none where files are named, or in the long form. */
export const leftOut: readonly string[] =
  process.env.BATCH_TEST_TURNS === '1' && !isNightly ? waitingAt(turnNow()) : [];
