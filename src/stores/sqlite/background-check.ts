/**
 * Opens a large checkpoint at once and checks it in a child process: with a million rows the check takes five seconds,
 * in which the program can already read a file and poll open tasks. Nothing is written before the check has passed. A
 * thread would not do: a second Ctrl-C would have to wait for it.
 */

import { fork } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CheckpointError, DiskError } from '../../errors.ts';
import { message, type Said } from '../../messages/message.ts';
import { checkpointName, closeDatabase, connect, connectToRead, type Database, guard } from './database.ts';

/** The result of the check process. */
export type CheckReply = { readonly failure: null } | { readonly failure: Said; readonly isDamage: boolean };

/** An open checkpoint that is being checked. */
export interface BackgroundCheck extends Disposable {
  readonly db: Database;
  /** Resolves when the checkpoint is sound, rejects when it is not. */
  readonly sound: Promise<void>;
}

/** A smaller checkpoint takes less time to check than a process to start. */
const leastBytes = 64 * 2 ** 20;

/** The same extension as this file: `.ts` in the source, `.js` when compiled. */
const program = fileURLToPath(new URL(`./check-process${extname(import.meta.url)}`, import.meta.url));

/** Opens the checkpoint of this folder; null if it is small, or must be created, repaired or migrated first. */
export function openWithBackgroundCheck(
  folder: string,
  creations: number,
  fromBytes = leastBytes,
): BackgroundCheck | null {
  const path = join(folder, checkpointName);
  return guard(path, () => {
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file === undefined || !file.isFile() || file.size < fromBytes) return null;
    const reader = connectToRead(path);
    if (reader === null) return null;
    try {
      const db = connect(path);
      return closedWith(reader, db, startCheck(path, creations));
    } catch (error) {
      reader.close();
      throw error;
    }
  });
}

/**
 * The last connection to close a checkpoint merges the log into it, unless it is read-only. A read-only one closes last
 * until the checkpoint is known to be sound, so that a damaged one stays as it is.
 */
function closedWith(reader: Database, db: Database, { sound, stop }: Check): BackgroundCheck {
  let isSound = false;
  // Writers await `sound` and see its rejection; a reader may have closed before.
  sound.then(
    () => {
      isSound = true;
    },
    () => {},
  );
  return {
    db,
    sound,
    [Symbol.dispose]: () => {
      if (!db.open) return;
      stop();
      if (isSound) {
        reader.close();
        closeDatabase(db);
      } else {
        db.close();
        reader.close();
      }
    },
  };
}

interface Check {
  readonly sound: Promise<void>;
  /** Ends the check; does nothing after its end. */
  readonly stop: () => void;
}

function startCheck(path: string, creations: number): Check {
  const child = fork(program, [path, String(creations)], { execArgv: [], stdio: 'ignore' });
  const sound = new Promise<void>((resolve, reject) => {
    child.on('message', (reply: CheckReply) => {
      if (reply.failure === null) resolve();
      else reject(reply.isDamage ? new CheckpointError(reply.failure) : new DiskError(reply.failure));
    });
    child.on('error', reject);
    child.on('exit', () => {
      reject(new DiskError(message('store.unchecked', { path })));
    });
  });
  // If this process dies first, the child reads to its end and its answer is lost.
  return { sound, stop: () => child.kill('SIGKILL') };
}
