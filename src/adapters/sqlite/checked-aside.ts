/**
 * Opens a large checkpoint at once and has it checked by a thread of its own: with a million rows that takes five seconds,
 * in which a file can be read and open tasks be asked about. Nothing is written before the check has ended well.
 */

import { lstatSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CheckpointError, DiskError } from '../../errors.ts';
import { checkpointName, closeDatabase, connect, connectToRead, type Database, guard } from './database.ts';

/** What is to be checked, as the thread is told: `openDatabase` says what `creations` are. */
export interface CheckOrder {
  readonly path: string;
  readonly creations: number;
}

/** What the thread found; null where nothing is wrong. */
export type CheckReply = null | { readonly message: string; readonly isDamage: boolean };

/** An open checkpoint that is being checked. */
export interface CheckedAside extends Disposable {
  readonly db: Database;
  /** Resolves once the checkpoint was found sound, rejects when it is not. */
  readonly sound: Promise<void>;
}

/** Smaller checkpoints are checked in less time than a thread needs to start and to tell. */
const leastBytes = 64 * 2 ** 20;

/** Both the source and the compiled thread have the extension of this file. */
const threadUrl = new URL(`./check-thread${extname(import.meta.url)}`, import.meta.url);

/** Opens the checkpoint of this folder; null for one that is small, or has to be made, mended or brought up to date first. */
export function openCheckedAside(
  folder: string,
  creations: number,
  fromBytes = leastBytes,
): CheckedAside | null {
  const path = join(folder, checkpointName);
  return guard(path, () => {
    const file = lstatSync(path, { throwIfNoEntry: false });
    if (file === undefined || !file.isFile() || file.size < fromBytes) return null;
    const reader = connectToRead(path);
    if (reader === null) return null;
    try {
      const db = connect(path);
      return closedWith(reader, db, check({ path, creations }));
    } catch (error) {
      reader.close();
      throw error;
    }
  });
}

/**
 * Who is the last to close a checkpoint folds its log into it, unless he can only read. One that is damaged, or not known to
 * be sound yet, is left as it is.
 */
function closedWith(reader: Database, db: Database, sound: Promise<void>): CheckedAside {
  let isSound = false;
  // Whoever writes hears of damage; who only read may have left by then.
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

function check(order: CheckOrder): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(threadUrl, { workerData: order });
    thread.on('error', reject);
    thread.on('message', (reply: CheckReply) => {
      if (reply === null) resolve();
      else reject(reply.isDamage ? new CheckpointError(reply.message) : new DiskError(reply.message));
    });
  });
}
