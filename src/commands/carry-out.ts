/** Puts a run together from its adapters and carries it out: service, runner, reports, signals, and the words at the end. */

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openFileOutputTree } from '../adapters/file-output-tree.ts';
import { createHttpFileHost } from '../adapters/http-file-host.ts';
import { createHttpTaskService } from '../adapters/http-task-service.ts';
import { localImages } from '../adapters/local-images.ts';
import { openPinoLog } from '../adapters/pino-log.ts';
import type { SqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { fixed, type Policy } from '../core/policy.ts';
import { createRedact, type Redact } from '../core/redact.ts';
import { countRows, decideExitCode, type Ledger } from '../core/summary.ts';
import { DiskError, messageOf, UsageError } from '../errors.ts';
import type { Options } from '../job-file.ts';
import { writeReports } from '../journey/write-report.ts';
import type { Log, OutputTree, Reporter } from '../ports.ts';
import { renderStatusJson } from '../report/status-json.ts';
import { type RunEnding, Runner } from '../runner/runner.ts';
import { nextCommand } from '../terminal/next-steps.ts';
import { createPlainLines } from '../terminal/plain-lines.ts';
import { shellPath } from '../terminal/shell-word.ts';
import { toTerminalJson } from '../terminal/terminal-text.ts';
import { openCallbacks } from './callbacks.ts';
import { printJson, printNotice, printPainted, wantsColor } from './console.ts';
import { printTotals } from './print-totals.ts';
import { type Given, policyOf, serviceOf, simulatedKey, simulationOf } from './settings.ts';

/** What a command wants of a run. */
export interface Errand {
  /** False where nothing that costs may be sent. */
  readonly submits: boolean;
  readonly given: Given;
  /** Saved options included. */
  readonly options: Options;
  readonly checkpoint: SqliteCheckpoint;
}

/** Whom the run talks to. */
interface Service extends AsyncDisposable {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Carries the run out and returns its exit code. */
export async function carryOut(errand: Errand): Promise<number> {
  const { given, options, checkpoint } = errand;
  await using service = await openService(errand);
  const redact = createRedact([service.apiKey]);
  const log = openPinoLog(join(given.out, 'batch.log'), redact);
  const ledger = await checkpoint.ledger();
  checkOnlyIds(options, await checkpoint.itemsWithIds(options.only ?? []));
  const policy = policyOf(options, countRows(ledger));
  const lines = createPlainLines({ write: printPainted, isColor: wantsColor(options['no-color']) });
  const reporter: Reporter = {
    note: options.quiet ? () => {} : (text) => lines.note(redact(text)),
    warn: (text) => lines.warn(redact(text)),
  };
  const tree = await openFileOutputTree(given.out);
  const ending = await turn(errand, { service, redact, policy, tree, log, reporter, lines });
  return finish(errand, ending, redact);
}

interface RunParts {
  readonly service: Service;
  readonly redact: Redact;
  readonly policy: Policy;
  readonly tree: OutputTree;
  readonly log: Log;
  readonly reporter: Reporter;
  readonly lines: ReturnType<typeof createPlainLines>;
}

/** The run itself, with reports while it lasts and once more at its end. */
async function turn(errand: Errand, parts: RunParts): Promise<RunEnding> {
  const { given, options, checkpoint, submits } = errand;
  const { service, redact, policy, tree, reporter } = parts;
  const log = options.verbose ? loud(parts.log, redact) : parts.log;
  const tasks = createHttpTaskService({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    requestTimeoutMs: policy.requestTimeoutMs,
    pollConnections: fixed.pollConnections,
    redact,
    env: given.env,
  });
  const host = createHttpFileHost({
    serviceUrl: service.baseUrl,
    connections: fixed.downloadConnections,
    requestTimeoutMs: policy.requestTimeoutMs,
    stallMs: fixed.downloadStallMs,
    env: given.env,
  });
  const callbacks = await openCallbacks(options, callbackSecret(checkpoint));
  const runner = new Runner(
    { clock: systemClock, service: tasks, host, tree, checkpoint, images: localImages, log, reporter },
    {
      policy,
      submits,
      only: options.only ?? null,
      newToken: randomUUID,
      notifyUrl: (item) => callbacks?.addressOf(item.key) ?? null,
    },
  );
  callbacks?.onHit((key, taskId) => {
    runner
      .hint(key, taskId)
      .catch((error: unknown) => log.warn({ failure: messageOf(error) }, 'a callback was lost'));
  });
  const write = (running: boolean, signal?: AbortSignal): Promise<void> =>
    writeReports(checkpoint, tree, { out: given.outShown, writtenAt: systemClock.now(), running }, signal);
  const saved = new AbortController();
  const watch = options.quiet ? () => {} : () => parts.lines.progress(runner.ledger, systemClock.now());
  const reports = reportNowAndThen((signal) => write(true, signal), watch, saved.signal, reporter);
  const unhook = stopOnSignals(runner, given.outShown);
  log.info({ policy, submits, service: service.baseUrl }, 'the run starts');
  let ending: RunEnding;
  let unwritten: string | null = null;
  try {
    ending = await runner.run();
    log.info({ ...ending }, 'the run ends');
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    ending = { reason: 'disk', failure: error.message };
  } finally {
    saved.abort();
    await reports;
    await Promise.all([callbacks?.close(), tasks.close(true), host.close(true)]);
    await write(false).catch((error) => {
      unwritten = messageOf(error);
      reporter.warn(`the reports could not be written: ${unwritten}; \`batch report\` writes them again`);
    });
    unhook();
  }
  // Without its reports a run has not come to its end, whatever its rows have.
  const isWhole = unwritten === null || (ending.reason !== 'done' && ending.reason !== 'collected');
  return isWhole ? ending : { reason: 'disk', failure: unwritten };
}

/** `--verbose`: what goes to the log is also said aloud. */
function loud(log: Log, redact: Redact): Log {
  const both =
    (level: 'info' | 'warn'): Log['info'] =>
    (fields, message) => {
      log[level](fields, message);
      printNotice(redact(`${message} ${toTerminalJson(fields)}`));
    };
  return { info: both('info'), warn: both('warn') };
}

/** Writes the reports about once a minute, less often where that would take more than its share of the time. */
async function reportNowAndThen(
  write: (signal: AbortSignal) => Promise<void>,
  watch: () => void,
  signal: AbortSignal,
  reporter: Reporter,
): Promise<void> {
  let pauseMs: number = fixed.reportIntervalMs;
  while (true) {
    await systemClock.wait(pauseMs, signal);
    if (signal.aborted) return;
    watch();
    const startedAt = performance.now();
    try {
      await write(signal);
    } catch (error) {
      if (!signal.aborted) reporter.warn(`the reports could not be written: ${messageOf(error)}`);
    }
    pauseMs = Math.max(fixed.reportIntervalMs, (performance.now() - startedAt) / fixed.reportTimeShare);
  }
}

/** The first signal ends the run in good order, the second at once. A terminal that is closed is such a signal. */
function stopOnSignals(runner: Runner, out: string): () => void {
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
  let isSecond = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    const name = signal as keyof typeof codes;
    if (isSecond) {
      printNotice('Left at once; what was done is saved, a creation without its answer becomes uncertain');
      printNotice(`Next: batch resume ${shellPath(out)}`);
      process.exit(codes[name]);
    }
    isSecond = true;
    printNotice(
      'Stopping: nothing more is submitted; waiting for creations on their way. Once more leaves at once.',
    );
    runner.stop(name === 'SIGINT' ? 'interrupted' : 'terminated');
  };
  const names = Object.keys(codes) as (keyof typeof codes)[];
  for (const name of names) process.on(name, onSignal);
  return () => {
    for (const name of names) process.off(name, onSignal);
  };
}

/** The real service, or the embedded one with its state in the output folder. */
async function openService({ given, options }: Errand): Promise<Service> {
  if (!options.simulate) return { ...serviceOf(given, options), [Symbol.asyncDispose]: async () => {} };
  const { startSimulator } = await import('../simulator/service.ts');
  return startSimulator({
    ...simulationOf(options),
    port: 0,
    apiKey: simulatedKey,
    stateFile: join(given.out, 'simulator.jsonl'),
  });
}

/** The secret that makes callback paths unguessable; kept with the run, because tasks outlive a process. */
function callbackSecret(checkpoint: SqliteCheckpoint): (key: number) => string {
  let secret = checkpoint.setting('callback-secret');
  if (secret === null) {
    secret = randomBytes(32).toString('hex');
    checkpoint.saveSetting('callback-secret', secret);
  }
  const known = secret;
  return (key) => createHmac('sha256', known).update(String(key)).digest('hex').slice(0, 32);
}

function checkOnlyIds(options: Options, found: readonly { readonly id: string }[]): void {
  const known = new Set(found.map((item) => item.id));
  const unknown = (options.only ?? []).filter((id) => !known.has(id));
  if (unknown.length > 0) throw new UsageError(`--only: no row has the id ${unknown.join(', ')}`);
}

/** Says how the run ended and returns its exit code. */
async function finish(
  { given, options, checkpoint }: Errand,
  ending: RunEnding,
  redact: Redact,
): Promise<number> {
  const ledger: Ledger = await checkpoint.ledger();
  const exitCode = decideExitCode(ledger.counts, ending.reason);
  const { reason } = ending;
  const failure = ending.failure === null ? null : redact(ending.failure);
  if (options.json) {
    const next = nextCommand(ledger.counts, reason, given.outShown);
    const summary = { ...renderStatusJson(ledger, given.outShown), reason, failure, exitCode, next };
    printJson(summary);
    return exitCode;
  }
  await printTotals(checkpoint, { ledger, reason, detail: failure, out: given.outShown });
  return exitCode;
}
