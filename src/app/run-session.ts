/**
 * One session of a run, from its adapters: opens, plays, closes. Output and signals are the caller's.
 *
 * Opened before anything is said or sent: the service, the parts of the place (log, tree, journal, placement); each
 * has a lifetime of its own, so that a failure in between closes what is open. Played: round after round, each with a runner of its
 * own, until nobody begins another one. Closed in this order: what runs alongside the rounds, because nothing may write
 * while the last reports are written; the sockets; the reports; the calls that are left, which may read the reports.
 */

import { CheckpointError, DiskError, messageOf, raise } from '../errors.ts';
import { withTexts } from '../messages/message.ts';
import { fixed } from '../money/policy.ts';
import { countRows, type EndingReason } from '../money/summary.ts';
import type { FileHost, Reporter } from '../ports.ts';
import type { RunEnding } from '../runner/ending.ts';
import type { Runner } from '../runner/runner.ts';
import { createHttpFileHost } from '../service/http-file-host.ts';
import { createHttpTaskService } from '../service/http-task-service.ts';
import type { TermsMark } from '../stores/port/sharing.ts';
import { createRedact, type Redact } from '../text/redact.ts';
import { hooksOf } from './hooks/hook-options.ts';
import { SessionHooks } from './hooks/session-hooks.ts';
import { checkOnlyIds } from './naming/only-file.ts';
import { placeOf } from './open-run.ts';
import { parseOptions } from './options/job-file.ts';
import { secretsFromHooks, secretsOf } from './options/run-secrets.ts';
import { policyOf } from './options/settings.ts';
import { newRound, type RoundOptions, readTerms, type SessionOptions } from './rounds/round.ts';
import { readMark } from './rounds/terms-mark.ts';
import { runSecret } from './run-id.ts';
import { openService } from './service/run-service.ts';
import { type Announced, announce, type Opened } from './session/announcement.ts';
import { createRunner } from './session/create-runner.ts';
import { unharmed } from './session/followers.ts';
import { SessionReports } from './session/session-reports.ts';
import type { Obey, RunObserver, RunSession, RunSetup } from './session.ts';
import { StopOrders } from './steering/stop-orders.ts';
import { storeIn } from './stores.ts';
import { systemClock } from './system-clock.ts';
import { watchPlace } from './watch-place.ts';

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
  await using parts = await (await placeOf(invocation)).openParts(setup, redact);
  const opened: Opened = { service, parts, commands, mark, name, secret, secrets, redact };
  const session = new Session(given, opened, await announce(given, opened));
  return await session.run();
}

/** A session whose parts are open. Its watch over the run begins at once. */
class Session {
  readonly #setup: RunSetup;
  readonly #observer: RunObserver;
  readonly #opened: Opened;
  readonly #announced: Announced;
  readonly #reporter: Reporter;
  readonly #reports: SessionReports;
  readonly #host: FileHost;
  /** Aborts once the rounds are over: what runs alongside them ends. */
  readonly #over = new AbortController();
  /** What runs alongside the rounds: reports now and then, the watch over the place of the outputs. */
  readonly #alongside: Promise<unknown>;
  readonly #unhook: () => void;
  readonly #orders: StopOrders;
  /** Failures outside the run's own calls. */
  readonly #strays: unknown[] = [];
  #runner: Runner | null = null;
  #hooks: SessionHooks | null = null;
  #stopped: EndingReason | null = null;

  constructor(given: RunSession, opened: Opened, announced: Announced) {
    const { setup, observer, hook, isAbandoned = () => false } = given;
    const { parts, mark, name } = opened;
    this.#setup = setup;
    this.#observer = observer;
    this.#opened = opened;
    this.#announced = announced;
    this.#reporter = {
      ...announced.reporter,
      changed: (before, after) => {
        announced.reporter.changed(before, after);
        if (after.status === 'completed') this.#hooks?.wake();
      },
    };
    const { signal } = this.#over;
    this.#reports = new SessionReports(setup, parts, announced);
    const reporting = this.#reports.writeNowAndThen(signal);
    this.#followCrew();
    const watching = watchPlace(parts.checkPlace, signal, (failure) => this.#stop('disk', failure));
    this.#alongside = Promise.all([reporting, watching]);
    let obey: Obey = () => this.#stop('terminated');
    this.#orders = new StopOrders(
      { name, begunAt: mark.steering },
      { reporter: announced.reporter, isAbandoned, obey: (order) => obey(order) },
    );
    this.#unhook = hook({
      stop: (reason) => this.#stop(reason),
      fail: (error) => this.#fail(error),
      onOrder: (other) => {
        obey = other;
      },
    });
    announced.callbacks?.onHit((key, taskId) => this.#runner?.noteCallback(key, taskId));
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
    this.#opened.parts.crew.hurry();
    this.#hooks?.leave();
    this.#runner?.stop(reason, failure);
  }

  #fail(error: unknown): void {
    this.#strays.push(error);
    this.#stop('bug', messageOf(error));
  }

  #followCrew(): void {
    const { parts } = this.#opened;
    parts.crew.follow({
      rows: () => this.#runner?.ownRows() ?? {},
      note: (said) => this.#reporter.note(said),
      warn: (said) => this.#reporter.warn(said),
      seen: (crew) => unharmed(this.#announced.log, () => this.#observer.crewSeen?.(crew)),
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
    const { log } = this.#announced;
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
      if (this.#stopped === null) await this.#setup.settle?.(this.#reporter.note);
      return { ended: ending };
    } catch (error) {
      if (!(error instanceof DiskError)) return { ended: null, error };
      return { ended: { reason: 'disk', failure: error.message, ...(error.said && { said: error.said }) } };
    }
  }

  async #openHooks(): Promise<SessionHooks | null> {
    const { commands, parts, secrets } = this.#opened;
    if (commands === null) return null;
    const { clock, crew } = parts;
    return await SessionHooks.open(this.#setup, commands, {
      clock,
      log: this.#announced.log,
      reporter: this.#reporter,
      secrets,
      slices: crew.slices,
    });
  }

  /** One round: the options apply until somebody begins another one. */
  async #playRound(options: SessionOptions, mark: TermsMark, terms: RoundOptions): Promise<RunEnding> {
    const { invocation, store, submits } = this.#setup;
    const { service, parts, redact } = this.#opened;
    const { log } = this.#announced;
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
    const runner = createRunner(
      {
        setup: this.#setup,
        opened: this.#opened,
        announced: this.#announced,
        host: this.#host,
        reporter: this.#reporter,
        seen: (steering) => this.#orders.note(steering),
      },
      tasks,
      { policy, options, mark, terms },
    );
    this.#runner = runner;
    parts.crew.workWhile(() => !runner.health.isAway);
    this.#observer.started(runner);
    log.info({ policy, submits, service: service.baseUrl }, 'the run starts');
    if (this.#stopped !== null) runner.stop(this.#stopped);
    try {
      return await runner.run();
    } finally {
      await tasks.close(true);
    }
  }

  /** Ends what runs alongside the rounds, writes the reports, makes the calls that are left. */
  async #close(played: Played): Promise<Played> {
    const { parts, redact } = this.#opened;
    this.#over.abort();
    await this.#alongside;
    await Promise.all([this.#announced.callbacks?.close(), this.#host.close(true)]);
    // Reports of a damaged checkpoint must not replace good ones.
    const isDamaged = played.ended === null && played.error instanceof CheckpointError;
    const unwritten = isDamaged ? null : await this.#reports.writeLast();
    const facts = {
      unwritten,
      redact,
      kept: parts.journal?.kept().length ?? 0,
      isShared: this.#setup.invocation.words.isShared,
    };
    const closed = played.ended === null ? played : { ended: endingOf(played.ended, facts) };
    await this.#hooks?.end(closed.ended);
    this.#unhook();
    this.#observer.ended();
    return closed;
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

/** After these, nothing else has gone wrong. */
const fine: ReadonlySet<EndingReason> = new Set<EndingReason>(['done', 'part', 'collected']);

/** Without its reports a run is not done, even if its rows are. */
function endingOf(ended: RunEnding, { unwritten, redact, kept, isShared }: EndFacts): RunEnding {
  const isWhole = unwritten === null || !fine.has(ended.reason);
  const { reason, failure, said } = isWhole ? ended : { reason: 'disk' as const, failure: unwritten };
  const more = {
    ...(said !== undefined && { said: withTexts(said, redact) }),
    ...(kept > 0 && { keptCount: kept }),
    ...(isShared && { isShared }),
  };
  return { reason, failure: failure === null ? null : redact(failure), ...more };
}

/** The options of the round that somebody began. */
function optionsOfRound({ invocation }: RunSetup, { saved, round }: RoundOptions): SessionOptions {
  const own = invocation.options['request-timeout'];
  const parsed = parseOptions(saved, (name) => `saved option "${name}"`);
  return { ...parsed, ...round, ...(own === undefined ? {} : { 'request-timeout': own }) };
}
