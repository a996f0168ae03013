/** Makes the calls of `--on-row` that failed or were never made. */

import { openExistingRun } from '../../app/open-run.ts';
import { processEnvironment } from '../../app/options/environment.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { secretsFromHooks } from '../../app/options/run-secrets.ts';
import { withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import { reportedRunId } from '../../app/run-id.ts';
import { systemClock, timeOf } from '../../app/system-clock.ts';
import { UsageError } from '../../errors.ts';
import type { Log } from '../../ports.ts';
import type { HookCall, HookCalls } from '../../stores/port/hooks.ts';
import { hooksOf } from './hook-options.ts';
import { callForRow } from './row-hooks.ts';

/** How many calls did their work, and how many failed. */
export interface RetriedHooks {
  readonly made: number;
  readonly failed: number;
}

/** The command comes from this invocation alone: none is read from a folder that may be somebody else's. */
export async function retryHooks(given: Invocation, log: Log): Promise<RetriedHooks> {
  const hooks = hooksOf(given.options);
  const command = hooks?.row ?? null;
  if (hooks === null || command === null)
    throw new UsageError('no command: say which one with --on-row CMD, or name the job file with --job');
  await using opened = await openExistingRun(given, false);
  const { store, invocation } = opened;
  const parts = {
    watch: await store.openWatch(),
    command,
    log,
    clock: systemClock,
    env: processEnvironment(),
    secrets: secretsFromHooks({ ...given, options: withSaved(given, await readSavedOptions(store)) }, null),
    out: invocation.out,
    run: await reportedRunId(store.settings, invocation.out),
  };
  const left = leftCalls(store.hooks);
  const never = new AbortController().signal;
  let [made, failed] = [0, 0];
  const lane = async (): Promise<void> => {
    for await (const call of left) {
      const failure = await callForRow(parts, call, never);
      await store.hooks.ended(call, await timeOf(store), failure);
      if (failure === null) made += 1;
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: hooks.jobs }, lane));
  return { made, failed };
}

const pageRows = 100;

/** Each call once, to whoever asks next. */
async function* leftCalls(calls: HookCalls): AsyncGenerator<HookCall> {
  for (let after = -1; ; ) {
    const page = await calls.left({ states: ['owed', 'failed'], after, limit: pageRows, slices: null });
    yield* page;
    if (page.length < pageRows) return;
    after = page.at(-1)?.key ?? after;
  }
}
