/**
 * One session of a run, from its adapters: opens, plays, closes. Output and signals are the caller's.
 *
 * Opened before anything is said or sent: the service, the parts of the place (log, tree, journal, placement); each
 * has a lifetime of its own, so that a failure in between closes what is open. Played: round after round, each with a runner of its
 * own, until nobody begins another one. Closed in this order: what goes on beside the rounds, because nothing may write
 * while the last reports are written; the sockets; the reports; the calls that are left, which may read the reports.
 */

import { createHmac, randomUUID } from 'node:crypto';
import { CheckpointError, DiskError, messageOf, raise, stackOf } from '../errors.ts';
import { message, withTexts } from '../messages/message.ts';
import { paidRowsOf } from '../money/paid-rows.ts';
import { fixed, type Policy } from '../money/policy.ts';
import { countRows, type EndingReason } from '../money/summary.ts';
import type { FileHost, Log, Reporter, TaskService } from '../ports.ts';
import { inUseText, writeReports } from '../reports/write-report.ts';
import type { RunnerOptions, RunnerPorts } from '../runner/context.ts';
import { type RunEnding, Runner } from '../runner/runner.ts';
import { createHttpFileHost } from '../service/http-file-host.ts';
import { createHttpTaskService } from '../service/http-task-service.ts';
import type { TermsMark } from '../stores/port/sharing.ts';
import { toTerminalJson } from '../terminal/terminal-text.ts';
import { createRedact, type Redact } from '../text/redact.ts';
import { type Callbacks, openCallbacks } from './callbacks.ts';
import { hooksOf } from './hooks/hook-options.ts';
import { SessionHooks } from './hooks/session-hooks.ts';
import { checkOnlyIds } from './naming/only-file.ts';
import { parseOptions } from './options/job-file.ts';
import { secretsFromHooks, secretsOf } from './options/run-secrets.ts';
import { policyOf } from './options/settings.ts';
import { reportFacts } from './report-facts.ts';
import { newRound, type RoundOptions, readTerms, type SessionOptions } from './rounds/round.ts';
import { readMark } from './rounds/terms-mark.ts';
import { runSecret } from './run-id.ts';
import { openRunParts } from './run-parts.ts';
import {
  isServiceOfRun,
  openService,
  refuseOtherService,
  type Service,
  warnOfOtherService,
} from './service/run-service.ts';
import type {
  MendedTables,
  Obey,
  RunObserver,
  RunParts,
  RunSession,
  RunSetup,
  SharedParts,
} from './session.ts';
import { steeringSource } from './steering/steering-source.ts';
import { StopOrders } from './steering/stop-orders.ts';
import { storeIn } from './stores.ts';
import { systemClock } from './system-clock.ts';
import { watchPlace } from './watch-place.ts';

/** What a session has open before it says or sends anything. */
interface Opened {
  readonly service: Service;
  readonly parts: RunParts;
  readonly commands: ReturnType<typeof hooksOf>;
  /** Which terms the first round has. */
  readonly mark: TermsMark;
  /** The name of this session in orders to stop. */
  readonly name: string | null;
  /** Secret of the run, from which its callback addresses are made. */
  readonly secret: string;
  /** What no hook may have. */
  readonly secrets: readonly string[];
  /** Removes what no text may show. */
  readonly redact: Redact;
}

/** Who hears of the session, once what is to be said of its place has been said. */
interface Greeted {
  readonly log: Log;
  readonly reporter: Reporter;
  readonly isSameService: boolean;
  /** Where reports go; tables that a user mended are kept. */
  readonly reportsOf: ReturnType<MendedTables['reports']>;
  readonly callbacks: Callbacks | null;
}

/** How the rounds came to an end; `error` is for the caller. */
type Played = { readonly ended: RunEnding } | { readonly ended: null; readonly error: unknown };

/** Runs the session: opens, plays, closes. Returns how the run ended; the failure contains no secrets. */
export async function runSession(given: RunSession): Promise<RunEnding> {
  const { setup } = given;
  const { invocation, options, store } = setup;
  await using service = await openService(setup);
  const secrets = secretsFromHooks({ ...invocation, options }, service.apiKey);
  const redact = createRedact(secretsOf({ ...invocation, options }, service.apiKey));
  const commands = hooksOf(options);
  const mark = setup.mark ?? (await readMark(store));
  const name = store.sharing?.worker ?? (await storeIn(invocation.out).holder())?.session ?? null;
  await checkOnlyIds(options, store.checkpoint);
  const secret = await runSecret(store.settings);
  await using parts = await openRunParts(setup, redact);
  const opened: Opened = { service, parts, commands, mark, name, secret, secrets, redact };
  const session = new Session(given, opened, await greet(given, opened));
  return await session.run();
}

/** Says what is to be known before the run starts. Throws `UsageError` for a service that is not the run's. */
async function greet({ setup, observer, mended }: RunSession, opened: Opened): Promise<Greeted> {
  const { service, parts, secret, redact } = opened;
  const { settings } = setup.store;
  const log = heard(parts.log, observer, redact);
  const reporter = reporterTo(observer, log, redact);
  const isSameService = await isServiceOfRun(settings, service.baseUrl);
  if (parts.shared !== null) await refuseOtherService(settings, service);
  else if (!setup.options.simulate) await warnOfOtherService(settings, service.baseUrl, reporter);
  for (const text of parts.warnings) reporter.warn(text);
  // Of a shared run any worker may be the one that writes the reports: it looks when it does.
  if (parts.shared === null) for (const text of await mended.keep(setup)) reporter.warn(text);
  const reportsOf = mended.reports(setup, parts.tree, reporter.warn);
  const callbacks = await openCallbacks(setup.options, callbackNames(secret));
  return { log, reporter, isSameService, reportsOf, callbacks };
}

/** An observer that throws must not come between a commit and its effects. */
function unharmed(log: Log, tell: () => void): void {
  try {
    tell();
  } catch (error) {
    log.warn({ failure: messageOf(error), stack: stackOf(error) }, 'a follower of the run failed');
  }
}

function reporterTo(observer: RunObserver, log: Log, redact: Redact): Reporter {
  return {
    note: (said, row) => unharmed(log, () => observer.note(withTexts(said, redact), row)),
    warn: (said) => unharmed(log, () => observer.warn(withTexts(said, redact))),
    changed: (before, after) => unharmed(log, () => observer.changed(before, after)),
  };
}

/** A session whose parts are open. Its watch over the run begins at once. */
class Session {
  readonly #setup: RunSetup;
  readonly #observer: RunObserver;
  readonly #opened: Opened;
  readonly #greeted: Greeted;
  readonly #reporter: Reporter;
  readonly #host: FileHost;
  /** Aborts once the rounds are over: what goes on beside them ends. */
  readonly #over = new AbortController();
  /** What goes on beside the rounds: reports now and then, the watch over the place of the outputs. */
  readonly #beside: Promise<unknown>;
  readonly #unhook: () => void;
  readonly #orders: StopOrders;
  /** Reports that another program had open when they were written last. */
  #inUse: readonly string[] = [];
  /** Failures outside the run's own calls. */
  readonly #strays: unknown[] = [];
  #runner: Runner | null = null;
  #hooks: SessionHooks | null = null;
  #stopped: EndingReason | null = null;

  constructor(given: RunSession, opened: Opened, greeted: Greeted) {
    const { setup, observer, hook, isAbandoned = () => false } = given;
    const { parts, mark, name } = opened;
    this.#setup = setup;
    this.#observer = observer;
    this.#opened = opened;
    this.#greeted = greeted;
    this.#reporter = {
      ...greeted.reporter,
      changed: (before, after) => {
        greeted.reporter.changed(before, after);
        if (after.status === 'completed') this.#hooks?.wake();
      },
    };
    const { signal } = this.#over;
    const reports = reportNowAndThen((aborted) => this.#reportIfKeeper(aborted), signal, this.#reporter);
    this.#followCrew();
    const watching = watchPlace(parts.checkPlace, signal, (failure) => this.#stop('disk', failure));
    this.#beside = Promise.all([reports, watching]);
    let obey: Obey = () => this.#stop('terminated');
    this.#orders = new StopOrders(
      { name, begunAt: mark.steering },
      { reporter: greeted.reporter, isAbandoned, obey: (order) => obey(order) },
    );
    this.#unhook = hook({
      stop: (reason) => this.#stop(reason),
      fail: (error) => this.#fail(error),
      onOrder: (other) => {
        obey = other;
      },
    });
    greeted.callbacks?.onHit((key, taskId) => this.#runner?.noteCallback(key, taskId));
    this.#host = this.#openHost();
  }

  async run(): Promise<RunEnding> {
    const { store } = this.#setup;
    const closing = new AbortController();
    const isDue = (): boolean => this.#stopped !== null || this.#over.signal.aborted;
    // Not waited for: a store that is away must not keep a session that has ended.
    this.#orders.listen(store, isDue, systemClock, closing.signal).catch(raise);
    let closed: Played;
    try {
      closed = await this.#close(await this.#play(await readTerms(store)));
    } finally {
      closing.abort();
    }
    if (closed.ended === null) throw closed.error;
    for (const error of this.#strays) throw error;
    return closed.ended;
  }

  #stop(reason: EndingReason, failure: string | null = null): void {
    this.#stopped ??= reason;
    this.#opened.parts.shared?.hurry();
    this.#hooks?.leave();
    this.#runner?.stop(reason, failure);
  }

  #fail(error: unknown): void {
    this.#strays.push(error);
    this.#stop('bug', messageOf(error));
  }

  #followCrew(): void {
    const { parts } = this.#opened;
    parts.shared?.follow({
      rows: () => this.#runner?.heldRows() ?? {},
      note: (said) => this.#reporter.note(said),
      warn: (said) => this.#reporter.warn(said),
      seen: (crew) => unharmed(this.#greeted.log, () => this.#observer.crewSeen?.(crew)),
    });
  }

  #openHost(): FileHost {
    const { invocation, options } = this.#setup;
    return createHttpFileHost({
      serviceUrl: this.#opened.service.baseUrl,
      connections: fixed.downloadConnections + fixed.frameConnections,
      requestTimeoutMs: policyOf(options, 0).requestTimeoutMs,
      stallMs: fixed.downloadStallMs,
      env: invocation.env,
    });
  }

  /** Round after round, until none is begun. */
  async #play(first: RoundOptions): Promise<Played> {
    const { store } = this.#setup;
    const { log } = this.#greeted;
    try {
      this.#hooks = await this.#openHooks();
      let terms = first;
      let ending = await this.#playRound(this.#setup.options, this.#opened.mark, terms);
      while (ending.reason === 'new-round') {
        const mark = await readMark(store);
        const next = await readTerms(store);
        this.#reporter.note(newRound(terms, next));
        terms = next;
        ending = await this.#playRound(optionsOfRound(this.#setup, next), mark, terms);
      }
      log.info({ ...ending }, 'the run ends');
      // A run that saved nothing has not awaited the check yet.
      await store.checkSound();
      return { ended: ending };
    } catch (error) {
      if (!(error instanceof DiskError)) return { ended: null, error };
      return { ended: { reason: 'disk', failure: error.message, ...(error.said && { said: error.said }) } };
    }
  }

  async #openHooks(): Promise<SessionHooks | null> {
    const { commands, parts, secrets } = this.#opened;
    if (commands === null) return null;
    const { clock, shared } = parts;
    return await SessionHooks.open(this.#setup, commands, {
      clock,
      log: this.#greeted.log,
      reporter: this.#reporter,
      secrets,
      slices: () => (shared === null ? null : [...shared.placement.slices]),
    });
  }

  /** One round: the options hold until somebody begins another one. */
  async #playRound(options: SessionOptions, mark: TermsMark, terms: RoundOptions): Promise<RunEnding> {
    const { invocation, store, submits } = this.#setup;
    const { service, parts, redact } = this.#opened;
    const { log } = this.#greeted;
    // Counted only for `--halt` with a share: with a million rows it takes a tenth of a second.
    const rows = options.halt?.isPercent ? countRows(await store.checkpoint.ledger()) : 0;
    const policy = policyOf(options, rows);
    const tasks = createHttpTaskService({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      requestTimeoutMs: policy.requestTimeoutMs,
      pollConnections: fixed.pollConnections,
      redact,
      env: invocation.env,
      now: parts.clock.now,
    });
    const runner = new Runner(this.#runnerPorts(tasks), this.#runnerOptions(policy, options, mark, terms));
    this.#runner = runner;
    parts.shared?.workWhile(() => !runner.isResting);
    this.#observer.started(runner);
    log.info({ policy, submits, service: service.baseUrl }, 'the run starts');
    if (this.#stopped !== null) runner.stop(this.#stopped);
    try {
      return await runner.run();
    } finally {
      await tasks.close(true);
    }
  }

  #runnerPorts(service: TaskService): RunnerPorts {
    const { checkpoint, settings } = this.#setup.store;
    const { parts, redact } = this.#opened;
    const { clock, tree, journal, images, checkPlace } = parts;
    const { log } = this.#greeted;
    const [host, reporter] = [this.#host, this.#reporter];
    return {
      clock,
      service,
      host,
      tree,
      checkpoint,
      settings,
      journal,
      log,
      reporter,
      redact,
      images,
      checkPlace,
    };
  }

  #runnerOptions(
    policy: Policy,
    options: SessionOptions,
    mark: TermsMark,
    { saved }: RoundOptions,
  ): RunnerOptions {
    const { invocation, store, stays = false, submits } = this.#setup;
    const { clock, shared } = this.#opened.parts;
    const { callbacks, isSameService, log } = this.#greeted;
    return {
      policy,
      submits,
      ...paidRowsOf(options),
      newToken: randomUUID,
      notifyUrl: (item) => callbacks?.addressOf(item.key) ?? null,
      listens: callbacks !== null,
      isSameService,
      shared: shared === null ? null : { ...shared, stays, round: mark.round },
      steering: steeringSource(
        store,
        { number: mark.steering, options, saved },
        {
          clock,
          reporter: this.#reporter,
          log,
          words: invocation.words,
          seen: (steering) => this.#orders.note(steering),
        },
      ),
    };
  }

  /** Ends what goes on beside the rounds, writes the reports, makes the calls that are left. */
  async #close(played: Played): Promise<Played> {
    const { parts, redact } = this.#opened;
    this.#over.abort();
    await this.#beside;
    await Promise.all([this.#greeted.callbacks?.close(), this.#host.close(true)]);
    const unwritten = await this.#writeLastReports(played);
    const facts = {
      unwritten,
      redact,
      kept: parts.journal?.kept().length ?? 0,
      isShared: parts.shared !== null,
    };
    const closed = played.ended === null ? played : { ended: endingOf(played.ended, facts) };
    await this.#hooks?.end(closed.ended);
    this.#unhook();
    this.#observer.ended();
    return closed;
  }

  /** Returns why they are not written; null where they are, or are left to others. */
  async #writeLastReports(played: Played): Promise<string | null> {
    // Reports of a damaged checkpoint must not replace good ones.
    if (played.ended === null && played.error instanceof CheckpointError) return null;
    if (!writesLastReports(this.#setup, this.#opened.parts.shared)) return null;
    try {
      await this.#write(false);
      return null;
    } catch (error) {
      const unwritten = messageOf(error);
      this.#reporter.warn(message('reports.unwritten', { failure: unwritten }));
      return unwritten;
    }
  }

  /** Of the workers of a shared run one is enough. */
  async #reportIfKeeper(signal: AbortSignal): Promise<void> {
    const { shared } = this.#opened.parts;
    if (shared === null || shared.placement.isKeeper) await this.#write(true, signal);
  }

  async #write(running: boolean, signal?: AbortSignal): Promise<void> {
    const { checkpoint } = this.#setup.store;
    const { images } = this.#opened.parts;
    const facts = await reportFacts(this.#setup, running);
    const readPicture = (sha256: string): Promise<Uint8Array> => images.readKept(sha256);
    const reports = this.#greeted.reportsOf(running);
    const inUse = await writeReports(checkpoint, reports, { ...facts, readPicture }, signal);
    for (const report of inUse)
      if (report.beside !== null || !this.#inUse.includes(report.name))
        this.#reporter.warn(inUseText(report));
    this.#inUse = inUse.map(({ name }) => name);
  }
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
  const { reason, failure, said } = isWhole ? ended : { reason: 'disk' as const, failure: unwritten };
  const more = {
    ...(said !== undefined && { said: withTexts(said, redact) }),
    ...(kept > 0 && { keptCount: kept }),
    ...(isShared && { isShared }),
  };
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
      if (!signal.aborted) reporter.warn(message('reports.not-now', { failure: messageOf(error) }));
    }
    pauseMs = Math.max(fixed.reportIntervalMs, (systemClock.steady() - startedAt) / fixed.reportTimeShare);
  }
}

/** Callback paths are unguessable; the secret is saved with the run, because tasks outlive a process. */
function callbackNames(secret: string): (key: number) => string {
  return (key) => createHmac('sha256', secret).update(String(key)).digest('hex').slice(0, 32);
}
