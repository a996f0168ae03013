/** Composes one run from its adapters: service, runner, reports. Output and signals are the caller's. */

import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createHttpFileHost } from '../adapters/http-file-host.ts';
import { createHttpTaskService } from '../adapters/http-task-service.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { paidRowsOf } from '../core/paid-rows.ts';
import { fixed } from '../core/policy.ts';
import { countRows, type EndingReason } from '../core/summary.ts';
import { createRedact, type Redact } from '../core/text/redact.ts';
import { secretsIn } from '../core/text/store-address.ts';
import { CheckpointError, DiskError, messageOf, stackOf, UsageError } from '../errors.ts';
import type { CrewView, Log, Reporter, RunView } from '../ports.ts';
import { writeReports } from '../report/write-report.ts';
import { type RunEnding, Runner } from '../runner/runner.ts';
import type { Settings, Store, TermsMark } from '../store.ts';
import { toTerminalJson } from '../terminal/terminal-text.ts';
import { openCallbacks } from './callbacks.ts';
import { hooksOf } from './hook-options.ts';
import { parseOptions } from './job-file.ts';
import { keepingMended, keepMended } from './mended-tables.ts';
import { MetricsFile } from './metrics-file.ts';
import { checkOnlyIds } from './only-file.ts';
import { reportFacts } from './report-facts.ts';
import { describeTerms, type RoundOptions, readTerms, type SessionOptions } from './round.ts';
import { runIdOf, runSecret } from './run-id.ts';
import { openRunParts, type SharedParts } from './run-parts.ts';
import { SessionHooks } from './session-hooks.ts';
import { type Invocation, policyOf, serviceOf, simulatedKey, simulationOf } from './settings.ts';
import { steeringSource } from './steering.ts';
import { readMark } from './terms-mark.ts';

/** The setup of a run session. */
export interface RunSetup {
  /** False when nothing may be sent that costs points. */
  readonly submits: boolean;
  readonly invocation: Invocation;
  /** Saved options included, and what holds for this round. */
  readonly options: SessionOptions;
  readonly store: Store;
  /** True for a worker of a shared run that waits for more work. */
  readonly stays?: boolean;
  /** Which terms the options are, by default those as the session begins. */
  readonly mark?: TermsMark;
}

export interface ServiceAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The service of the run. */
type Service = ServiceAddress & AsyncDisposable;

/** Observes a run: receives its messages and can read its state. Texts contain no secrets. */
export interface RunObserver extends Reporter {
  /** The run starts; `view` stays current. */
  started(view: RunView): void;
  /** In a shared run: the workers as they are now. */
  crewSeen?(crew: CrewView): void;
  /** Receives every line of the log. */
  logged?(line: string): void;
  /** The run has ended and its reports are written; no call follows. */
  ended(): void;
}

/** Ends the run in an orderly way. */
export type Stop = (reason: 'interrupted' | 'terminated') => void;

/** How a run is ended from outside. */
export interface Controls {
  readonly stop: Stop;
  /** The same for a failure outside the run's own calls: the session rejects with it, once everything is saved. */
  readonly fail: (error: unknown) => void;
}

/** One process working on an output folder. */
export interface RunSession {
  readonly setup: RunSetup;
  readonly observer: RunObserver;
  /** Receives the controls of the run; returns what to do when they can no longer be used. */
  hook(controls: Controls): () => void;
}

/** Runs the session. Returns how the run ended; the failure contains no secrets. */
export async function runSession({ setup, observer, hook }: RunSession): Promise<RunEnding> {
  const { invocation, store, submits } = setup;
  const { checkpoint, settings } = store;
  await using service = await openService(setup);
  const secrets = secretsOf(invocation, service);
  const redact = createRedact(secrets);
  const commands = hooksOf(setup.options);
  await checkOnlyIds(setup.options, checkpoint);
  const secret = await runSecret(settings);
  const metrics = await MetricsFile.open(
    setup.invocation.options['metrics-file'],
    invocation,
    runIdOf(secret),
  );
  await using parts = await openRunParts(setup, redact);
  const { clock, tree, journal, shared } = parts;
  const log = heard(parts.log, observer, redact);
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
    changed: (before, after) => {
      unharmed(() => observer.changed(before, after));
      if (after.status === 'completed') hooks?.wake();
    },
  };
  let hooks: SessionHooks | null = null;
  const isSameService = await isServiceOfRun(settings, service.baseUrl);
  if (shared !== null) await refuseOtherService(settings, service);
  else if (!setup.options.simulate) await warnOfOtherService(settings, service.baseUrl, reporter);
  for (const text of parts.warnings) reporter.warn(text);
  // Of a shared run any worker may be the one that writes the reports: it looks when it does.
  if (shared === null) for (const text of await keepMended(setup)) reporter.warn(text);
  const reportsOf = keepingMended(setup, tree, reporter.warn);
  const callbacks = await openCallbacks(setup.options, callbackNames(secret));
  const write = async (running: boolean, signal?: AbortSignal): Promise<void> => {
    const facts = await reportFacts(setup, running);
    const readPicture = (sha256: string): Promise<Uint8Array> => parts.images.readKept(sha256);
    await writeReports(checkpoint, reportsOf(running), { ...facts, readPicture }, signal);
  };
  const saved = new AbortController();
  // Of the workers of a shared run one is enough.
  const reports = reportNowAndThen(
    async (signal) => {
      if (shared === null || shared.placement.isKeeper) await write(true, signal);
    },
    saved.signal,
    reporter,
  );
  let runner: Runner | null = null;
  let stopped: EndingReason | null = null;
  const stop = (reason: EndingReason, failure: string | null = null): void => {
    stopped ??= reason;
    shared?.hurry();
    hooks?.leave();
    runner?.stop(reason, failure);
  };
  shared?.follow({
    rows: () => runner?.heldRows() ?? {},
    note: (text) => reporter.note(text),
    warn: (text) => reporter.warn(text),
    seen: (crew) => {
      metrics?.noteWorkers(crew.workers);
      unharmed(() => observer.crewSeen?.(crew));
    },
  });
  const watching = parts.watch(saved.signal, (failure) => stop('disk', failure));
  const strays: unknown[] = [];
  const fail = (error: unknown): void => {
    strays.push(error);
    stop('bug', messageOf(error));
  };
  const unhook = hook({ stop, fail });
  callbacks?.onHit((key, taskId) => runner?.noteCallback(key, taskId));
  const files = createHttpFileHost({
    serviceUrl: service.baseUrl,
    connections: fixed.downloadConnections + fixed.frameConnections,
    requestTimeoutMs: policyOf(setup.options, 0).requestTimeoutMs,
    stallMs: fixed.downloadStallMs,
    env: invocation.env,
  });
  const host = metrics?.countDownloads(files) ?? files;
  /** One round: the options hold until somebody begins another one. */
  const play = async (options: SessionOptions, mark: TermsMark): Promise<RunEnding> => {
    // Counted only for `--halt` with a share: with a million rows it takes a tenth of a second.
    const rows = options.halt?.isPercent ? countRows(await checkpoint.ledger()) : 0;
    const policy = policyOf(options, rows);
    const tasks = createHttpTaskService({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      requestTimeoutMs: policy.requestTimeoutMs,
      pollConnections: fixed.pollConnections,
      redact,
      env: invocation.env,
      now: clock.now,
    });
    runner = new Runner(
      {
        ...{
          clock,
          service: metrics?.countPolls(tasks) ?? tasks,
          host,
          tree,
          checkpoint,
          settings,
          journal,
          log,
          reporter,
          redact,
        },
        images: parts.images,
      },
      {
        policy,
        submits,
        ...paidRowsOf(options),
        newToken: randomUUID,
        notifyUrl: (item) => callbacks?.addressOf(item.key) ?? null,
        listens: callbacks !== null,
        isSameService,
        shared: shared === null ? null : { ...shared, stays: setup.stays ?? false, round: mark.round },
        steering: steeringSource(
          store,
          { number: mark.steering, options, saved: terms.saved },
          { clock, reporter, log, words: invocation.words },
        ),
      },
    );
    const playing = runner;
    shared?.workWhile(() => !playing.isResting);
    observer.started(runner);
    metrics?.follow(runner, (text) => reporter.warn(text));
    log.info({ policy, submits, service: service.baseUrl }, 'the run starts');
    if (stopped !== null) runner.stop(stopped);
    try {
      return await runner.run();
    } finally {
      await tasks.close(true);
    }
  };
  let ended: RunEnding | null = null;
  let terms = await readTerms(store);
  let unwritten: string | null = null;
  /** Reports of a damaged checkpoint must not replace good ones. */
  let isDamaged = false;
  try {
    if (commands !== null)
      hooks = await SessionHooks.open(setup, commands, {
        ...{ clock, log, reporter, secrets },
        slices: () => (shared === null ? null : [...shared.placement.slices]),
      });
    let ending = await play(setup.options, setup.mark ?? (await readMark(store)));
    while (ending.reason === 'new-round') {
      const mark = await readMark(store);
      const next = await readTerms(store);
      reporter.note(`a new round begins, ${describeTerms(terms, next)}`);
      terms = next;
      ending = await play(optionsOfRound(setup, next), mark);
    }
    log.info({ ...ending }, 'the run ends');
    // A run that saved nothing has not awaited the check yet.
    await store.checkSound();
    ended = ending;
  } catch (error) {
    isDamaged = error instanceof CheckpointError;
    if (!(error instanceof DiskError)) throw error;
    ended = { reason: 'disk', failure: error.message };
  } finally {
    saved.abort();
    await Promise.all([reports, watching]);
    await Promise.all([callbacks?.close(), host.close(true)]);
    if (!isDamaged && writesLastReports(setup, shared)) {
      await write(false).catch((error) => {
        unwritten = messageOf(error);
        reporter.warn(`the reports could not be written: ${unwritten}; \`batch report\` writes them again`);
      });
    }
    const kept = journal?.kept().length ?? 0;
    if (ended !== null) ended = endingOf(ended, { unwritten, redact, kept, isShared: shared !== null });
    await hooks?.end(ended);
    await metrics?.end();
    unhook();
    observer.ended();
  }
  for (const error of strays) throw error;
  return ended;
}

interface EndFacts {
  /** Why the reports are not written. */
  readonly unwritten: string | null;
  readonly redact: Redact;
  /** Ids in the journal. */
  readonly kept: number;
  readonly isShared: boolean;
}

/** Without its reports a run is not done, even if its rows are. */
function endingOf(ended: RunEnding, { unwritten, redact, kept, isShared }: EndFacts): RunEnding {
  const isWhole = unwritten === null || (ended.reason !== 'done' && ended.reason !== 'collected');
  const { reason, failure } = isWhole ? ended : { reason: 'disk' as const, failure: unwritten };
  const more = { ...(kept > 0 && { keptCount: kept }), ...(isShared && { isShared }) };
  return { reason, failure: failure === null ? null : redact(failure), ...more };
}

/** A worker that is told to leave leaves the reports to those that stay. */
function writesLastReports({ stays = false }: RunSetup, shared: SharedParts | null): boolean {
  return shared === null || !stays || shared.placement.isKeeper;
}

/** The options of the round that somebody began. */
function optionsOfRound({ invocation }: RunSetup, { saved, round }: RoundOptions): SessionOptions {
  const own = invocation.options['request-timeout'];
  const parsed = parseOptions(saved, (name) => `saved option "${name}"`);
  return { ...parsed, ...round, ...(own === undefined ? {} : { 'request-timeout': own }) };
}

/** What no text may show. */
function secretsOf({ shared, options }: Invocation, { apiKey }: Pick<Service, 'apiKey'>): readonly string[] {
  return [apiKey, options.ping ?? '', ...(shared === null ? [] : secretsIn(shared.url))];
}

/** All workers of a run use one service and one account. Throws `UsageError`. */
async function refuseOtherService(settings: Settings, service: ServiceAddress): Promise<void> {
  const failure = await otherService(settings, service);
  if (failure !== null) throw new UsageError(failure);
  if ((await settings.get('service')) === null) await settings.save('service', addressOf(service.baseUrl));
  if ((await settings.get('key')) === null) await settings.save('key', fingerprintOf(service.apiKey));
}

/** Why this is not the service, or not the key, of a shared run; null where it is. */
export async function otherService(
  settings: Settings,
  { baseUrl, apiKey }: ServiceAddress,
): Promise<string | null> {
  const known = { service: await settings.get('service'), key: await settings.get('key') };
  const address = addressOf(baseUrl);
  if (known.service !== null && known.service !== address)
    return `the service of this run is ${known.service}, not ${address}; leave out --base-url`;
  if (known.key !== null && known.key !== fingerprintOf(apiKey))
    return 'this is another API key than that of the run; use the same one on all machines';
  return null;
}

function fingerprintOf(apiKey: string): string {
  return createHmac('sha256', 'key of a batch run').update(apiKey).digest('hex').slice(0, 16);
}

/** Without a trailing slash, and without what a request adds. */
function addressOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname.replace(/\/+$/, '');
}

/** True where the run's earlier tasks were made at this address. */
async function isServiceOfRun(settings: Settings, baseUrl: string): Promise<boolean> {
  return (await settings.get('service')) === addressOf(baseUrl);
}

/**
 * A service knows only its own tasks: those of another service become lost rows, which users pay for again. But the same
 * service may have moved, so this is a warning and not an error.
 */
async function warnOfOtherService(settings: Settings, baseUrl: string, reporter: Reporter): Promise<void> {
  const now = addressOf(baseUrl);
  const before = await settings.get('service');
  if (before === now) return;
  await settings.save('service', now);
  if (before === null) return;
  reporter.warn(
    `the earlier tasks in this folder belong to ${before}, but this run uses ${now}; if that is another service, stop and give --base-url ${before}`,
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

/** Callback paths are unguessable; the secret is saved with the run, because tasks outlive a process. */
function callbackNames(secret: string): (key: number) => string {
  return (key) => createHmac('sha256', secret).update(String(key)).digest('hex').slice(0, 32);
}
