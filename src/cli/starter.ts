/**
 * Notices that npx, or the npm whose script this program is, was killed. Neither passes every signal on: its caller sees that
 * the command has ended, while this process continues under another parent. Whatever else starts the program may end as it
 * likes: a shell, `setsid`, an init system.
 */

import { readFileSync } from 'node:fs';

/** The processes that npm started this one by. */
interface Starter {
  readonly parent: number;
  /** Of a shell that npm starts its scripts in, which outlives it; null for another parent, and where the system does not say. */
  readonly grandparent: number | null;
}

let starter: Starter | null = null;
/** Steady ms; null while it is there. */
let goneAt: number | null = null;

/** A terminal that closes also ends npx: then the signal that says so comes first, or in this time. */
const graceMs = 500;

/** What npm runs here is this program itself, and no other that starts it. */
const isOwnScript = /^["']?batch(-video)?["']?(\s|$)/;

/** Remembers the starter. Called once, before it can be gone. */
export function noteStarter(): void {
  const { npm_lifecycle_script: script = '' } = process.env;
  // What this program starts was not started by npm.
  delete process.env.npm_lifecycle_script;
  if (isOwnScript.test(script)) starter = { parent: process.ppid, grandparent: shellStarter(process.ppid) };
}

/** The terminal has closed, and a program that outlives it runs on without its starter. */
export function forgetStarter(): void {
  starter = null;
}

/** True once the starter has been gone for a moment. */
export function isStarterGone(): boolean {
  if (starter === null) return false;
  const { parent, grandparent } = starter;
  if (process.ppid === parent && (grandparent === null || shellStarter(parent) === grandparent)) return false;
  goneAt ??= performance.now();
  return performance.now() - goneAt >= graceMs;
}

/** The parent of this process, if it is a shell. Only Linux has a file that says so. */
function shellStarter(pid: number): number | null {
  try {
    const [, parent] = /^\d+ \(\w*sh\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return parent === undefined ? null : Number(parent);
  } catch {
    return null;
  }
}
