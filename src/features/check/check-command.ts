/** `batch check FILE`: validates the whole file and shows the plan. Reads only; no network unless asked for. */

import { placeOf } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { readInvocation, withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import type { AccountCheck } from '../../app/service/ask-service.ts';
import type { Handle } from '../../cli/command.ts';
import { agreesToService } from '../../cli/confirm.ts';
import { printJson, printResult } from '../../cli/console.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { checkGroups } from '../../cli/flags/run-flags.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { accountExitCodes } from '../../money/answers/account-check.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { checkFile } from '../run/check-file.ts';
import { renderAccount } from './account-text.ts';

/** `--online`: whether address and key are right, and the file too where there is one. Returns the exit code. */
async function checkOnline(file: string | null, invocation: Invocation): Promise<number> {
  const online = await askOnline(invocation);
  const accountCode = online === null ? 0 : accountExitCodes[online.outcome];
  if (!invocation.options.json) printResult(renderAccount(online, phrasesOf(invocation.language)));
  else if (file === null) printJson({ online });
  return file === null ? accountCode : Math.max(accountCode, await checkFile(file, invocation, online));
}

/** Null where the run is a rehearsal, which needs no account. */
async function askOnline(invocation: Invocation): Promise<AccountCheck | null> {
  await using opened = await (await placeOf(invocation)).look(invocation);
  const store = opened?.store ?? null;
  const options = withSaved(invocation, store === null ? {} : await readSavedOptions(store));
  if (options.simulate) return null;
  const say = phrasesOf(invocation.language);
  if (!(await agreesToService({ invocation, options }, say))) throw new UsageError(message('key.not-asked'));
  const { askAboutAccount } = await import('../../app/service/ask-service.ts');
  return await askAboutAccount(invocation, options, store);
}

export const handle: Handle = async (argv) => {
  const { online, ...flags } = givenOptions(argv, checkGroups);
  const invocation = readInvocation(flags, {});
  const file = argv.file === undefined ? null : String(argv.file);
  if (online === true) process.exitCode = await checkOnline(file, invocation);
  else if (file !== null) process.exitCode = await checkFile(file, invocation);
  else throw new UsageError(message('usage.check-what'));
};
