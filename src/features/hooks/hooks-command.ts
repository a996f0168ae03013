/** `batch hooks`: the calls of `--on-row` that failed or were never made: lists them, or makes them. */

import { lookIntoRun } from '../../app/open-run.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { type Handle, wordsOf } from '../../cli/command.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { givenOptions, hooksGroups } from '../../cli/flags.ts';
import { UsageError } from '../../errors.ts';
import { renderNumber } from '../../messages/numbers.ts';
import type { Log } from '../../ports.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { hookLines } from './hook-lines.ts';
import { retryHooks } from './retry-hooks.ts';

/** Calls that are listed. */
const listed = 100;

/** Lists the calls that are left. Returns 1 when there are any. */
async function list(dir: string, flags: RawOptions): Promise<number> {
  await using run = await lookIntoRun(readInvocation(flags, { out: dir }));
  const { hooks } = run.store;
  const counts = await hooks.counts();
  const query = { states: ['failed', 'owed'], after: -1, limit: listed, slices: null } as const;
  const calls = await hooks.left(query);
  if (flags.json === true) printJson({ ...counts, calls: calls.map(({ key: _, ...call }) => call) });
  else for (const line of hookLines(calls, counts, run.invocation.words)) printResult(line);
  return counts.owed + counts.failed > 0 ? 1 : 0;
}

/** Makes them. Returns 1 when any failed. */
async function retry(dir: string, job: string | undefined, flags: RawOptions): Promise<number> {
  const invocation = readInvocation(flags, { out: dir, ...(job === undefined ? {} : { job }) });
  endWithCallsOn('SIGINT', 130);
  endWithCallsOn('SIGTERM', 143);
  const { made, failed } = await retryHooks(invocation, failureLog);
  if (invocation.options.json) printJson({ made, failed });
  else printResult(`Calls of --on-row: ${renderNumber(made)} made, ${renderNumber(failed)} failed`);
  return failed > 0 ? 1 : 0;
}

/** An orderly exit ends the commands that go on; their calls count as not made. */
function endWithCallsOn(signal: NodeJS.Signals, exitCode: number): void {
  process.once(signal, () => process.exit(exitCode));
}

/** Shows what failed as it happens. */
const failureLog: Log = {
  info: () => {},
  warn: ({ id, failure, output }) => {
    printNotice(`${toTerminalText(String(id))}: ${toTerminalText(String(failure))}`);
    for (const line of String(output).trimEnd().split('\n')) printNotice(`  ${toTerminalText(line)}`);
  },
};

export const handle: Handle = async (argv) => {
  const { job, ...flags } = givenOptions(argv, hooksGroups);
  const [what, dir = './videos', ...rest] = wordsOf(argv);
  if ((what !== 'list' && what !== 'retry') || rest.length > 0)
    throw new UsageError('use `batch hooks list [DIR]` or `batch hooks retry [DIR] --on-row CMD`');
  if (job !== undefined && (typeof job !== 'string' || job === ''))
    throw new UsageError('--job is empty or was given twice; give the path of one job file');
  process.exitCode = what === 'list' ? await list(dir, flags) : await retry(dir, job, flags);
};
