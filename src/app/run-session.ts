/** Composes one run from its adapters: service, runner, reports. Output and signals are the caller's. */

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type FileOutputTree, openFileOutputTree } from '../adapters/file-output-tree.ts';
import { createHttpFileHost } from '../adapters/http-file-host.ts';
import { createHttpTaskService } from '../adapters/http-task-service.ts';
import { openIdJournal } from '../adapters/id-journal.ts';
import { localImages } from '../adapters/local-images.ts';
import { networkDisk } from '../adapters/network-disk.ts';
import { openPinoLog } from '../adapters/pino-log.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { fixed } from '../core/policy.ts';
import { countRows } from '../core/summary.ts';
import { createRedact, type Redact } from '../core/text/redact.ts';
import { CheckpointError, DiskError, messageOf, stackOf } from '../errors.ts';
import type { Log, Reporter, RunView } from '../ports.ts';
import { writeReports } from '../report/write-report.ts';
import { type RunEnding, Runner } from '../runner/runner.ts';
import type { Settings, Store } from '../store.ts';
import { toTerminalJson } from '../terminal/terminal-text.ts';
import { keepBugsIn } from './bug-record.ts';
import { openCallbacks } from './callbacks.ts';
import { checkOnlyIds } from './only-file.ts';
import type { Options } from './options.ts';
import { reportFacts } from './report-facts.ts';
import { type Invocation, policyOf, serviceOf, simulatedKey, simulationOf } from './settings.ts';

/** The setup of a run session. */
export interface RunSetup {
  /** False when nothing may be sent that costs points. */
  readonly submits: boolean;
  readonly invocation: Invocation;
  /** Saved options included. */
  readonly options: Options;
  readonly store: Store;
}

/** The service of the run. */
interface Service extends AsyncDisposable {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Observes a run: receives its messages and can read its state. Texts contain no secrets. */
export interface RunObserver extends Reporter {
  /** The run starts; `view` stays current. */
  started(view: RunView): void;
  /** Receives every line of the log. */
  logged?(line: string): void;
  /** The run has ended and its reports are written; no call follows. */
  ended(): void;
}

/** Ends the run in an orderly way. */
export type Stop = (reason: 'interrupted' | 'terminated') => void;

/** One process working on an output folder. */
export interface RunSession {
  readonly setup: RunSetup;
  readonly observer: RunObserver;
  /** Receives the function that stops the run; returns what to do when it can no longer be used. */
  hook(stop: Stop): () => void;
}

/** Runs the session. Returns how the run ended; the failure contains no secrets. */
export async function runSession({ setup, observer, hook }: RunSession): Promise<RunEnding> {
  const { invocation, options, store, submits } = setup;
  const { checkpoint, settings } = store;
  await using service = await openService(setup);
  const redact = createRedact([service.apiKey]);
  keepBugsIn(invocation.out, systemClock.now, redact);
  using file = openPinoLog(join(invocation.out, 'batch.log'), redact);
  const log = heard(file, observer, redact);
  await checkOnlyIds(options, checkpoint);
  // Counted only for `--halt` with a share: with a million rows it takes a tenth of a second.
  const rows = options.halt?.isPercent ? countRows(await checkpoint.ledger()) : 0;
  const policy = policyOf(options, rows);
  const tree = await openFileOutputTree(invocation.out, systemClock.now);
  using journal = submits ? openIdJournal(invocation.out) : null;
  // An observer that throws must not come between a commit and its effects.
  const unharmed = (tell: () => void): void => {
    try {
      tell();
    } catch (error) {
      log.warn({ failure: messageOf(error), stack: stackOf(error) }, 'a follower of the run failed');
    }
  };
  const reporter: Reporter = {
    note: (text, row) => unharmed(() => observer.note(redact(text), row)),
    warn: (text) => unharmed(() => observer.warn(redact(text))),
    changed: (before, after) => unharmed(() => observer.changed(before, after)),
  };
  if (!options.simulate) await warnOfOtherService(settings, service.baseUrl, reporter);
  if (submits) warnOfNetworkDisk(invocation, reporter);
  const tasks = createHttpTaskService({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    requestTimeoutMs: policy.requestTimeoutMs,
    pollConnections: fixed.pollConnections,
    redact,
    env: invocation.env,
    now: systemClock.now,
  });
  const host = createHttpFileHost({
    serviceUrl: service.baseUrl,
    connections: fixed.downloadConnections + fixed.frameConnections,
    requestTimeoutMs: policy.requestTimeoutMs,
    stallMs: fixed.downloadStallMs,
    env: invocation.env,
  });
  const callbacks = await openCallbacks(options, await callbackSecret(settings));
  const runner = new Runner(
    {
      clock: systemClock,
      service: tasks,
      host,
      tree,
      checkpoint,
      images: localImages,
      journal,
      log,
      reporter,
      redact,
    },
    {
      policy,
      submits,
      only: options.only ?? null,
      newToken: randomUUID,
      notifyUrl: (item) => callbacks?.addressOf(item.key) ?? null,
      listens: callbacks !== null,
    },
  );
  callbacks?.onHit((key, taskId) => {
    runner
      .noteCallback(key, taskId)
      .catch((error: unknown) =>
        log.warn({ failure: messageOf(error), stack: stackOf(error) }, 'a callback was lost'),
      );
  });
  const write = async (running: boolean, signal?: AbortSignal): Promise<void> =>
    writeReports(checkpoint, tree, await reportFacts(settings, invocation, running), signal);
  const saved = new AbortController();
  const reports = reportNowAndThen((signal) => write(true, signal), saved.signal, reporter);
  const watching = watchPlace(tree, saved.signal, (failure) => runner.stop('disk', failure));
  const unhook = hook((reason) => runner.stop(reason));
  observer.started(runner);
  log.info({ policy, submits, service: service.baseUrl }, 'the run starts');
  let ending: RunEnding;
  let unwritten: string | null = null;
  /** Reports of a damaged checkpoint must not replace good ones. */
  let isDamaged = false;
  try {
    ending = await runner.run();
    log.info({ ...ending }, 'the run ends');
    // A run that saved nothing has not awaited the check yet.
    await store.checkSound();
  } catch (error) {
    isDamaged = error instanceof CheckpointError;
    if (!(error instanceof DiskError)) throw error;
    ending = { reason: 'disk', failure: error.message };
  } finally {
    saved.abort();
    await Promise.all([reports, watching]);
    await Promise.all([callbacks?.close(), tasks.close(true), host.close(true)]);
    if (!isDamaged) {
      await write(false).catch((error) => {
        unwritten = messageOf(error);
        reporter.warn(`the reports could not be written: ${unwritten}; \`batch report\` writes them again`);
      });
    }
    unhook();
    observer.ended();
  }
  // Without its reports a run is not done, even if its rows are.
  const isWhole = unwritten === null || (ending.reason !== 'done' && ending.reason !== 'collected');
  const { reason, failure } = isWhole ? ending : { reason: 'disk' as const, failure: unwritten };
  const keptCount = journal?.kept().length ?? 0;
  return { reason, failure: failure === null ? null : redact(failure), ...(keptCount > 0 && { keptCount }) };
}

/**
 * A service knows only its own tasks: those of another service become lost rows, which users pay for again. But the same
 * service may have moved, so this is a warning and not an error.
 */
async function warnOfOtherService(settings: Settings, baseUrl: string, reporter: Reporter): Promise<void> {
  const { origin, pathname } = new URL(baseUrl);
  const now = origin + pathname.replace(/\/+$/, '');
  const before = await settings.get('service');
  if (before === now) return;
  await settings.save('service', now);
  if (before === null) return;
  reporter.warn(
    `the earlier tasks in this folder belong to ${before}, but this run uses ${now}; if that is another service, stop and give --base-url ${before}`,
  );
}

/** On a network disk other machines may not see the lock that prevents a second run. */
function warnOfNetworkDisk({ out, outShown }: Invocation, reporter: Reporter): void {
  const kind = networkDisk(out);
  if (kind === null) return;
  reporter.warn(
    `${outShown} is on a network file system (${kind}), where the lock may not prevent a second run: run only one at a time, on all machines, or choose an --out on a local disk`,
  );
}

/** The log, with the observer as a second destination. */
function heard(log: Log, observer: RunObserver, redact: Redact): Log {
  const { logged } = observer;
  if (logged === undefined) return log;
  const both =
    (level: 'info' | 'warn'): Log['info'] =>
    (fields, message) => {
      log[level](fields, message);
      logged(redact(`${message} ${toTerminalJson(fields)}`));
    };
  return { info: both('info'), warn: both('warn') };
}

/** Writes the reports about once a minute, less often if writing would exceed its share of the time. */
async function reportNowAndThen(
  write: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  reporter: Reporter,
): Promise<void> {
  let pauseMs: number = fixed.reportIntervalMs;
  while (true) {
    await systemClock.wait(pauseMs, signal);
    if (signal.aborted) return;
    const startedAt = systemClock.steady();
    try {
      await write(signal);
    } catch (error) {
      if (!signal.aborted) reporter.warn(`the reports could not be written: ${messageOf(error)}`);
    }
    pauseMs = Math.max(fixed.reportIntervalMs, (systemClock.steady() - startedAt) / fixed.reportTimeShare);
  }
}

/** Stops the run when its folder is moved or replaced: the checkpoint and new files would be in different folders. */
async function watchPlace(
  tree: FileOutputTree,
  signal: AbortSignal,
  lost: (failure: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      tree.check();
    } catch (error) {
      lost(messageOf(error));
      return;
    }
    await systemClock.wait(fixed.placeCheckMs, signal);
  }
}

/** The real service, or the embedded one with its state in the output folder. */
export async function openService({
  invocation,
  options,
}: Pick<RunSetup, 'invocation' | 'options'>): Promise<Service> {
  if (!options.simulate) return { ...serviceOf(invocation, options), [Symbol.asyncDispose]: async () => {} };
  const { startSimulator } = await import('../simulator/service.ts');
  return startSimulator({
    ...simulationOf(options),
    port: 0,
    apiKey: simulatedKey,
    stateFile: join(invocation.out, 'simulator.jsonl'),
  });
}

/** The secret that makes callback paths unguessable; saved with the run, because tasks outlive a process. */
async function callbackSecret(settings: Settings): Promise<(key: number) => string> {
  let secret = await settings.get('callback-secret');
  if (secret === null) {
    secret = randomBytes(32).toString('hex');
    await settings.save('callback-secret', secret);
  }
  const known = secret;
  return (key) => createHmac('sha256', known).update(String(key)).digest('hex').slice(0, 32);
}
