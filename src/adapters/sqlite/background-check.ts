/**
 * Opens a large checkpoint at once and has it checked by a process of its own: with a million rows that takes five seconds,
 * in which a file can be read and open tasks be asked about. Nothing is written before the check has ended well. Not by a
 * thread: who presses Ctrl-C twice would wait for it.
 */

import { fork } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CheckpointError, DiskError } from '../../errors.ts';
import { checkpointName, closeDatabase, connect, connectToRead, type Database, guard } from './database.ts';

/** What the process found. */
export type CheckReply =
  | { readonly failure: null }
  | { readonly failure: string; readonly isDamage: boolean };

/** An open checkpoint that is being checked. */
export interface BackgroundCheck extends Disposable {
  readonly db: Database;
  /** Resolves once the checkpoint was found sound, rejects when it is not. */
  readonly sound: Promise<void>;
}

/** Smaller checkpoints are checked in less time than a process needs to start and to tell. */
const leastBytes = 64 * 2 ** 20;

/** Both the source and the compiled program have the extension of this file. */
const program = fileURLToPath(new URL(`./check-process${extname(import.meta.url)}`, import.meta.url));

/** Opens the checkpoint of this folder; null for one that is small, or has to be made, mended or brought up to date first. */
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
 * Who is the last to close a checkpoint folds its log into it, unless he can only read. One that is damaged, or not known to
 * be sound yet, is left as it is.
 */
function closedWith(reader: Database, db: Database, { sound, stop }: Check): BackgroundCheck {
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
  /** Ends the check; nothing happens when it has ended. */
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
      reject(new DiskError(`${path} could not be checked; run the same command again`));
    });
  });
  // Where nobody can stop it any more it reads to its end, and nobody listens.
  return { sound, stop: () => void child.kill('SIGKILL') };
}
