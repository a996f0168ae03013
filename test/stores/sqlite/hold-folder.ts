/** A process that tries to hold the folder it is given, says how that went, and stays until its input ends. */

import { codeOf } from '../../../src/errors.ts';
import { holdFolder } from '../../../src/stores/sqlite/folder-lock.ts';

/** Kept: a lock that nothing refers to any more is let go by the garbage collector. */
let lock: Disposable | null = null;

function tryToHold(folder: string): string {
  try {
    lock = holdFolder(folder);
    return 'held';
  } catch (error) {
    return codeOf(error);
  }
}

const [folder = ''] = process.argv.slice(2);
process.stdout.write(`${tryToHold(folder)}\n`);
process.stdin.on('end', () => lock?.[Symbol.dispose]()).resume();
