/**
 * Which addresses of services this user has used for which runs, on this machine. A folder may come from somebody else, and
 * its address would be sent this user's key; so what was used before stands in the user's own folder for state, not in the run's.
 */

import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { join } from 'node:path';
import { processEnvironment } from '../../app/options/environment.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { readRunId, runIdOf, runSecret } from '../../app/run-id.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { makeFolders } from '../../outputs/make-folders.ts';
import type { Settings } from '../../stores/port/settings.ts';

interface UsedService {
  readonly invocation: Pick<Invocation, 'flags' | 'options' | 'shared'>;
  readonly settings: Pick<Settings, 'get'>;
  /** Where the key will be sent. */
  readonly address: string;
}

/**
 * Whether the key may be sent to the address without a question: the user named it, or has used it for this run before. A
 * shared run is in the user's own database. A `.env` or a job file may have come with the run, so they name it only for a new one.
 */
export async function isServiceKnown({ invocation, settings, address }: UsedService): Promise<boolean> {
  const { flags, options, shared } = invocation;
  if (flags['base-url'] !== undefined || isInEnvironment() || shared !== null) return true;
  const run = await readRunId(settings);
  if (run === null) return options['base-url'] !== undefined;
  return stat(markOf(run, address)).then(
    () => true,
    () => false,
  );
}

/** True where the user's own environment names the address, which stands above every file. */
function isInEnvironment(): boolean {
  return (processEnvironment().BATCH_BASE_URL ?? '') !== '';
}

/** Remembers that the user has used this address for this run. Where nothing can be written, the next time asks again. */
export async function noteService(settings: Settings, address: string): Promise<void> {
  const mark = markOf(runIdOf(await runSecret(settings)), address);
  try {
    makeFolders(join(mark, '..'), 0o700);
    await writeFile(mark, '', { mode: 0o600 });
  } catch {}
}

/** Why the key is not sent, where nobody can be asked. */
export function unknownService(address: string): UsageError {
  return new UsageError(message('key.new-address', { address }));
}

/** By the id of the run, and the address: whoever changes that one needs another mark. */
function markOf(run: string, address: string): string {
  const name = createHash('sha256').update(`${run} ${address}`).digest('hex');
  return join(stateFolder(), 'batch-video', 'services', name);
}

/** By the environment of the process: a `.env` may come from somebody else, too. */
function stateFolder(): string {
  const env = processEnvironment();
  if (platform() === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  return env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state');
}
