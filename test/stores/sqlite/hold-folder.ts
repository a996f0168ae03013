/** A process that tries to lock the folder it is given, reports the result, and stays until its input ends. */

import { codeOf } from '../../../src/errors.ts';
import { lockFolder } from '../../../src/stores/sqlite/folder-lock.ts';

/** Kept: the garbage collector releases a lock that nothing refers to. */
let lock: Disposable | null = null;

function tryToLock(folder: string): string {
  try {
    lock = lockFolder(folder);
    return 'held';
  } catch (error) {
    return codeOf(error);
  }
}

const [folder = ''] = process.argv.slice(2);
process.stdout.write(`${tryToLock(folder)}\n`);
process.stdin.on('end', () => lock?.[Symbol.dispose]()).resume();
