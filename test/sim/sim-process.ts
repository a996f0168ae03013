/** One process of a simulated world: the real runner over the real checkpoint, which dies where the dice say. */

import { createHash } from 'node:crypto';
import { decideSignal, type StopSignal } from '../../src/cli/stop-signal.ts';
import { DiskError } from '../../src/errors.ts';
import { inEnglish } from '../../src/messages/message.ts';
import { judgeCreation } from '../../src/money/answers/creation-answer.ts';
import { judgeSilence } from '../../src/money/answers/silent-creation.ts';
import {
  judgeProbe,
  judgeStatus,
  type PollEnd,
  type ProbeAnswer,
} from '../../src/money/answers/status-answer.ts';
import type { CreationEvent } from '../../src/money/event.ts';
import { fixed, type Policy } from '../../src/money/policy.ts';
import type { Ledger } from '../../src/money/summary.ts';
import type { OutputTree } from '../../src/ports.ts';
import type { RunnerOptions, RunnerPorts } from '../../src/runner/context.ts';
import type { RunEnding } from '../../src/runner/ending.ts';
import { Runner } from '../../src/runner/runner.ts';
import type { SteeringSource } from '../../src/runner/steering.ts';
import type { Exchange } from '../../src/service/exchange.ts';
import type { Change, CommitExtras } from '../../src/stores/port/checkpoint.ts';
import type { Settings } from '../../src/stores/port/settings.ts';
import type { Database } from '../../src/stores/sqlite/database.ts';
import { SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { noImages } from '../support/no-images.ts';
import { Deliveries } from './deliveries.ts';
import type { Dice } from './dice.ts';
import { countWaiting } from './oracle.ts';
import { Patience } from './refusals.ts';
import type { SimClock } from './sim-clock.ts';
import { type SimDisk, serveFile } from './sim-files.ts';
import { plainId, type SimResponse, type SimService } from './sim-service.ts';
import { exchangeOnWire, replyOf } from './sim-wire.ts';
import type { Weather } from './weather.ts';

/** What all processes of a world share. */
export interface World {
  readonly clock: SimClock;
  readonly dice: Dice;
  readonly weather: Weather;
  readonly service: SimService;
  readonly disk: SimDisk;
  readonly db: Database;
  /** Several workers share the run. */
  readonly isShared?: boolean;
  /** How far the computer's clock is off (ms). */
  skewMs: number;
  /** When the clock last jumped or the computer slept (ms of the world): what was decided just before may be saved after it. */
  jumpedAt: number;
  /** Jumps and sleeps that may still come. */
  jumpsLeft: number;
  /** Everything was collected in fair weather: all that can be known is known. */
  isLastLook: boolean;
  /** So far every run had a points cap. */
  isCapped: boolean;
  /** How much time the computer slept through (ms). */
  sleptMs: number;
  /** What the checkpoint could not take: the task of each attempt, by its token. */
  readonly kept: Map<string, string>;
  /** The question that each attempt was claimed with, by item and attempt: those whose creation never came to be sent have none. */
  readonly sent: Map<string, string>;
  /** Saved with the run. */
  readonly settings: Settings;
  note(text: string): void;
  /** A promise is broken where nobody waits for the answer. */
  break(flaw: string): void;
  /** Told of everything that was saved. */
  onCommit(process: SimProcess, changes: readonly Change[]): void;
  /** A creation of this question is about to leave. */
  onSend(text: string): void;
  /** A request of this process is answered, and the answer is on its way. */
  onAnswer?(process: SimProcess, about: OnTheWay): void;
  /** Told of every answer to a creation. */
  onHear(process: SimProcess, event: CreationEvent): void;
  /** Told of every frame that was asked for. */
  onFrame(process: SimProcess, canBeHad: boolean): void;
  /** Somebody starts the program a second time. */
  onSecondRun(): void;
  /** Somebody may tune or pause the run now. */
  onMayTune(process: SimProcess): void;
  /** What the run of this process is changed by while it goes; null where nobody does. */
  steering(policy: Policy): SteeringSource | null;
}

/** What an answer, or a call of the service, is about that is on its way. */
export interface OnTheWay {
  readonly kind: 'creation' | 'status' | 'file' | 'free question' | 'callback';
  /** Null where no task is named. */
  readonly taskId: string | null;
}

/** Nothing follows. */
const never = new Promise<never>(() => {});

const base = 'https://video.example';

/** A checkpoint that its process can die around, on a disk that may be full. */
export class SimCheckpoint extends SqliteCheckpoint {
  readonly #process: SimProcess;
  readonly #world: World;

  constructor(world: World, process: SimProcess) {
    super(world.db);
    this.#process = process;
    this.#world = world;
  }

  override async giveTask(...args: Parameters<SqliteCheckpoint['giveTask']>) {
    await this.#process.step('give a late task');
    this.#world.disk.write('batch.sqlite');
    return super.giveTask(...args);
  }

  override async order(...args: Parameters<SqliteCheckpoint['order']>) {
    const [, changes] = args;
    await this.#process.step(`order ${changes.map(describeChange).join(', ')}`);
    this.#world.disk.write('batch.sqlite');
    await super.order(...args);
    this.#world.onCommit(this.#process, changes);
    await this.#process.step('the orders are saved');
  }

  override async commit(changes: readonly Change[], beside?: CommitExtras) {
    if (changes.length === 0) return super.commit(changes);
    const what = changes.map(describeChange).join(', ');
    await this.#process.step(`commit ${what}`);
    this.#world.disk.write('batch.sqlite');
    const at = this.#process.steady();
    const end = await super.commit(changes, beside);
    for (const { after } of changes)
      if (after.status === 'submitting')
        this.#process.claimedAt.set(after.requestHash?.split('.')[0] ?? '', at);
    this.#world.note(`${this.#process.name} committed ${what}`);
    this.#world.onCommit(this.#process, changes);
    await this.#process.step(`${what} is committed`);
    return end;
  }
}

function describeChange({ before, after }: Change): string {
  if (before.status !== after.status) return `${after.id} ${before.status}→${after.status}`;
  return `${after.id} ${after.status}`;
}

/** How a process left. */
export type Leaving =
  | { readonly how: 'ended'; readonly ending: RunEnding }
  | { readonly how: 'died' }
  | { readonly how: 'failed'; readonly error: unknown };

export class SimProcess {
  readonly name: string;
  readonly checkpoint: SqliteCheckpoint;
  /** The output folder. */
  readonly tree: OutputTree;
  isAlive = true;
  /** Creations of this process in a row that became uncertain before one was accepted; NaN once one was. */
  doubts = 0;
  /** Tasks that it was told of, as answers to creations. */
  readonly heard: string[] = [];
  /** It is stopped until then (ms of the world). */
  #goesOnAt = 0;
  /** When it claimed, by the digest of the request (steady ms). */
  readonly claimedAt = new Map<string, number>();
  /** Rows that waited for their video when its run began. */
  waitingAtStart = 0;
  readonly deliveries: Deliveries;
  readonly patience: Patience;
  readonly #world: World;
  readonly #died = Promise.withResolvers<Leaving>();
  #runner: Runner | null = null;
  #tokens = 0;

  constructor(world: World, name: string, open = (process: SimProcess) => new SimCheckpoint(world, process)) {
    this.#world = world;
    this.name = name;
    this.checkpoint = open(this);
    this.deliveries = new Deliveries(world.service, () => this.steady());
    this.patience = new Patience(() => this.steady());
    const user = { step: (what: string) => this.step(what), isAlive: () => this.isAlive };
    this.tree = world.isShared ? world.disk.sharedTreeFor(user) : world.disk.treeFor(user);
  }

  /** Does this as long as the process lives: `work`, or death. */
  async live(work: (process: SimProcess) => Promise<RunEnding>): Promise<Leaving> {
    const ended = work(this).then(
      (ending): Leaving => ({ how: 'ended', ending }),
      (error: unknown): Leaving =>
        error instanceof DiskError
          ? { how: 'ended', ending: { reason: 'disk', failure: error.message } }
          : { how: 'failed', error },
    );
    const leaving = await Promise.race([ended, this.#died.promise]);
    this.isAlive = false;
    return leaving;
  }

  /** The run proper, from the checkpoint to its end. */
  run(policy: Policy, options: Omit<RunnerOptions, 'policy' | 'newToken'>): Promise<RunEnding> {
    const newToken = (): string => `${this.name}-${++this.#tokens}`;
    const steering = this.#world.steering(policy);
    this.waitingAtStart = countWaiting(this.#world);
    this.#runner = new Runner(this.#ports(policy), {
      ...options,
      policy,
      newToken,
      steering,
      isSameService: true,
    });
    return this.#runner.run();
  }

  /** The numbers of the run, as it has them in memory; null where none was made. */
  get ledger(): Readonly<Ledger> | null {
    return this.#runner?.ledger ?? null;
  }

  /** True while it does not reach the service. */
  get isResting(): boolean {
    return this.#runner?.health.isAway ?? false;
  }

  /** Epoch ms, by the clock of the computer. */
  now(): number {
    return this.#world.clock.now() + this.#world.skewMs;
  }

  /** Milliseconds that no sleep counts in. */
  steady(): number {
    return this.#world.clock.now() - this.#world.sleptMs;
  }

  /** The age of a task, and the time at which a person looks for it, count from the claim. */
  #checkLeaving(text: string, hash: string): void {
    const waitedMs = this.steady() - (this.claimedAt.get(hash) ?? this.steady());
    if (waitedMs > fixed.sendWindowMs)
      this.#world.break(`"${text}" is sent ${Math.round(waitedMs / 1_000)} s after it was claimed`);
  }

  /** Which attempts this text is sent for; read now, because an attempt forgets its request when somebody names its task. */
  #noteSent(hash: string, text: string): void {
    const { db, sent } = this.#world;
    const attempts = db.prepare<[string], { name: string }>(
      "SELECT item || ' ' || attempt AS name FROM attempts WHERE substr(request_hash, 1, 64) = ?",
    );
    for (const { name } of attempts.all(hash)) sent.set(name, text);
  }

  stop(): void {
    this.#runner?.stop('interrupted');
  }

  noteCallback(key: number, taskId: string | null): void {
    if (!this.isAlive) return;
    void this.#runner?.noteCallback(key, taskId);
  }

  die(where: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#world.note(`${this.name} dies: ${where}`);
    this.#died.resolve({ how: 'died' });
  }

  /** A point at which something may happen to the process; never comes back once it is dead. */
  async step(what: string): Promise<void> {
    const { weather, dice, disk, service, note } = this.#world;
    if (!this.isAlive) return never;
    if (weather.strikes('crash')) {
      this.die(what);
      if (dice.chance(0.5)) disk.losePower(dice);
      return never;
    }
    if (weather.strikes('interrupt')) void this.#hearSignals(what);
    if (weather.strikes('suspend')) this.suspend(dice.integer(1, 300) * 1_000, what);
    await this.awake();
    if (weather.strikes('diskFull')) {
      note(`the disk is full: ${what}`);
      disk.fill(true);
    }
    this.#timeGoesWrong();
    if (weather.strikes('secondRun')) this.#world.onSecondRun();
    this.#world.onMayTune(this);
    if (weather.strikes('falseHit')) {
      // The address of a row is no secret to its own task, and to nobody else's: what is named here is known or made up.
      const taskId = [...service.tasks.keys()].find((each) => service.isAlive(each)) ?? null;
      this.noteCallback(dice.integer(1, 12), dice.pick([null, 'task-999', taskId]));
    }
    return undefined;
  }

  /** It is stopped for so long (ms), as by SIGSTOP; one that is stopped already goes on no earlier. */
  suspend(ms: number, what: string): void {
    const now = this.#world.clock.now();
    const before = Math.max(now, this.#goesOnAt);
    if (now + ms <= before) return;
    this.#world.note(`${this.name} is stopped for ${ms / 1_000} s: ${what}`);
    this.#goesOnAt = now + ms;
    this.deliveries.noteStop(this.#goesOnAt - before);
  }

  /** Resolves when the process is not stopped any more; its timers ring at once then. */
  async awake(): Promise<void> {
    while (this.#goesOnAt > this.#world.clock.now())
      await this.#world.clock.wait(this.#goesOnAt - this.#world.clock.now());
  }

  /** ...and then it reads its sockets, unless it is stopped again before. */
  async reads(): Promise<void> {
    while (this.#goesOnAt > this.#world.clock.now()) {
      await this.awake();
      await this.#world.clock.wait(1);
    }
  }

  /** One wish of somebody, in one signal or in two that come together; or an impatient one. */
  async #hearSignals(what: string): Promise<void> {
    const { clock, dice, note } = this.#world;
    const [isImpatient, signals] = dice.pick<[boolean, readonly StopSignal[]]>([
      [false, ['SIGINT']],
      [false, ['SIGHUP', 'SIGHUP']],
      [false, ['SIGTERM', 'SIGHUP']],
      [true, ['SIGINT', 'SIGINT']],
    ]);
    const firstAt = clock.now();
    for (const [at, signal] of signals.entries()) {
      if (at > 0) await clock.wait(isImpatient ? 2_000 : 0.4);
      if (!this.isAlive) return;
      const order = decideSignal(signal, at === 0 ? null : clock.now() - firstAt);
      note(`${this.name} hears ${signal} (${order}): ${what}`);
      if (order === 'stop') this.stop();
      if (order !== 'leave') continue;
      if (!isImpatient) this.#world.break('a run that was told once to stop left at once');
      this.die('it is told to stop a second time');
    }
  }

  #timeGoesWrong(): void {
    const world = this.#world;
    if (world.jumpsLeft > 0 && world.weather.strikes('clockJump')) {
      world.jumpsLeft -= 1;
      world.skewMs = world.skewMs === 0 ? world.dice.pick([86_400_000, -86_400_000]) : 0;
      world.jumpedAt = world.clock.now();
      world.note(`the clock jumps, and is off by ${world.skewMs / 3_600_000} h`);
    }
    if (world.jumpsLeft > 0 && world.weather.strikes('sleep')) {
      world.jumpsLeft -= 1;
      world.clock.sleep(8 * 3_600_000);
      world.sleptMs += 8 * 3_600_000;
      world.jumpedAt = world.clock.now();
      this.deliveries.noteSleep();
      world.note('the computer has slept for 8 h');
    }
  }

  #ports(policy: Policy): RunnerPorts {
    const world = this.#world;
    return {
      clock: {
        now: () => this.now(),
        // A clock that is set moves it no more than sleep does.
        steady: () => this.steady(),
        wait: async (ms, signal) => {
          await world.clock.wait(ms, signal);
          await this.awake();
          return this.isAlive ? undefined : never;
        },
      },
      service: {
        create: (body, signal, mayLeave) => this.#create(body, policy, signal, mayLeave),
        status: (taskId, signal) => this.#status(taskId, policy, signal),
        probe: (signal) => this.#probe(policy, signal),
        close: async () => {},
      },
      host: {
        get: async (url, from, signal) => {
          await this.step('ask for a file');
          await world.clock.wait(world.dice.integer(20, 300), signal);
          if (!this.isAlive) return never;
          if (signal.aborted) return { outcome: 'unanswered', failure: 'it was cut' };
          const wait = async (ms: number): Promise<void> => {
            await world.clock.wait(ms, signal);
            await this.reads();
            if (!this.isAlive) return never;
          };
          const answer = serveFile({ ...world, now: world.clock.now() }, url, from, wait, signal);
          const [, taskId = '', name = ''] = new URL(url).pathname.split('/');
          world.onAnswer?.(this, { kind: 'file', taskId });
          if (name.startsWith('f'))
            world.onFrame(this, world.service.tasks.get(taskId)?.deadFrames.has(name) !== true);
          return answer;
        },
        close: async () => {},
      },
      tree: this.tree,
      checkpoint: this.checkpoint,
      settings: world.settings,
      images: noImages,
      redact: (text) => text,
      journal: {
        keep: ({ token, taskId }) => world.kept.set(token, taskId).has(token),
        sync: () => {},
        forget: (ids) => ids.forEach(({ token }) => void world.kept.delete(token)),
      },
      log: { info: () => {}, warn: () => {} },
      reporter: {
        note: (said) => world.note(`${this.name} says: ${inEnglish(said)}`),
        warn: (said) => world.note(`${this.name} warns: ${inEnglish(said)}`),
        changed: () => {},
      },
    };
  }

  /** One request on the wire; nothing comes of it for a process that is dead by then. */
  async #exchange(
    about: OnTheWay,
    arrive: () => SimResponse | null,
    policy: Policy,
    signal: AbortSignal,
    leaves: Pick<Parameters<typeof exchangeOnWire>[1], 'mayLeave' | 'left'> = {},
  ): Promise<Exchange> {
    const sender = {
      isAlive: () => this.isAlive,
      awake: () => this.awake(),
      reads: () => this.reads(),
      timeoutMs: policy.requestTimeoutMs,
      signal,
      ...leaves,
    };
    const answered = (): SimResponse | null => {
      const response = arrive();
      this.#world.onAnswer?.(this, about);
      return response;
    };
    const exchange = await exchangeOnWire(this.#world, sender, answered);
    return this.isAlive ? exchange : never;
  }

  async #create(
    body: string,
    policy: Policy,
    signal: AbortSignal,
    mayLeave?: () => boolean,
  ): Promise<CreationEvent> {
    const { service } = this.#world;
    const text = String(JSON.parse(body).question);
    const row = text.split(' ')[0];
    const hash = createHash('sha256').update(body).digest('hex');
    this.#noteSent(hash, text);
    this.#world.onSend(text);
    await this.step(`send the creation of ${row}`);
    const left = (): void => this.#checkLeaving(text, hash);
    const leaves = { ...(mayLeave && { mayLeave }), left };
    const about = { kind: 'creation', taskId: null } as const;
    const arrive = () => service.create(JSON.parse(body));
    const exchange = await this.#exchange(about, arrive, policy, signal, leaves);
    await this.step(`the answer to the creation of ${row} has come`);
    const reply = replyOf(exchange);
    const context = { url: `${base}/api/gen_video`, now: this.now(), redact: (text: string) => text };
    const codes = [String(Object(exchange.error).code)];
    const event =
      reply === null
        ? judgeSilence(
            { sent: exchange.sent, why: String(exchange.error?.message), codes, place: base },
            context,
          )
        : judgeCreation(reply, context);
    this.#world.note(`${this.name} hears of the creation of ${row}: ${JSON.stringify(event)}`);
    if (event.type === 'creation-accepted') this.heard.push(event.taskId);
    this.#world.onHear(this, event);
    return event;
  }

  async #probe(policy: Policy, signal: AbortSignal): Promise<ProbeAnswer> {
    await this.step('ask who is there');
    const arrive = () => this.#world.service.status('no-such-task');
    const about = { kind: 'free question', taskId: null } as const;
    const exchange = await this.#exchange(about, arrive, policy, signal);
    const reply = replyOf(exchange);
    if (reply === null) return { outcome: 'unreachable', failure: 'no answer came', obstacle: null };
    return judgeProbe(reply, { url: base, now: this.now(), redact: (text) => text });
  }

  async #status(taskId: string, policy: Policy, signal: AbortSignal): Promise<PollEnd> {
    await this.step(`ask for the status of ${taskId}`);
    const arrive = () => this.#world.service.status(taskId);
    const about = { kind: 'status', taskId: plainId(taskId) } as const;
    const exchange = await this.#exchange(about, arrive, policy, signal);
    const reply = replyOf(exchange);
    const end: PollEnd =
      reply === null
        ? { type: 'poll-unanswered', failure: 'no answer came', retryAfterMs: null }
        : judgeStatus(reply, taskId, { url: base, now: this.now(), redact: (text) => text });
    if (end.type === 'poll-unanswered') this.deliveries.noteSilence();
    else if (end.type !== 'poll-refused' && end.type !== 'task-not-found')
      this.#world.service.noteKnown(taskId);
    return end;
  }
}
