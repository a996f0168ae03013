/** One seed, one fleet: several workers over one store, that die, sleep and are cut off, until all is done. */

import { StaleItemError } from '../../../src/errors.ts';
import type { ItemEvent } from '../../../src/money/event.ts';
import type { Item, Status } from '../../../src/money/item.ts';
import { defaultPolicy, type Policy } from '../../../src/money/policy.ts';
import { transition } from '../../../src/money/transition.ts';
import { saveLateTasks } from '../../../src/runner/late-answers/late-tasks.ts';
import type { Change } from '../../../src/stores/port/checkpoint.ts';
import { openScratchDatabase } from '../../../src/stores/sqlite/database.ts';
import { SqliteIngest } from '../../../src/stores/sqlite/import/ingest.ts';
import { incomingRows, source } from '../../support/incoming-rows.ts';
import { createMemorySettings } from '../../support/memory-settings.ts';
import { noMemory } from '../../support/no-memory.ts';
import { Dice } from '../dice.ts';
import { BrokenPromise, checkBudget, checkCap, checkWorld, endedEarly } from '../oracle.ts';
import { noteLastRow } from '../refusals.ts';
import { SimClock } from '../sim-clock.ts';
import { SimDisk } from '../sim-files.ts';
import { type Leaving, SimProcess, type World } from '../sim-process.ts';
import { plainId, SimService } from '../sim-service.ts';
import type { Outcome } from '../story.ts';
import { Tuner } from '../tuner.ts';
import { hasEnded, User } from '../user.ts';
import { UserFile } from '../user-file.ts';
import { Weather } from '../weather.ts';
import { Crossing } from './crossing.ts';
import { SimEngine } from './engine.ts';
import { FleetCheckpoint, Link } from './fleet-checkpoint.ts';
import { SharedBook } from './shared-book.ts';

const minute = 60_000;
const hour = 60 * minute;

/** What a fleet does not know: a store of another machine has its own clock and disk, and any number of workers. */
const elsewhere = [
  'diskFull',
  'diskAway',
  'clockJump',
  'sleep',
  'secondRun',
  'falseHit',
  'typo',
  'changedFile',
  'shut',
  'foreverBarredRow',
  'foreverBarredTask',
] as const;

/** A worker is named after its machine and its start. */
function machineOf(name: string): string {
  return name.split('.')[0] ?? name;
}

/** True for an item whose current attempt this process sent. */
function isOwn({ token }: Item, { name }: SimProcess): boolean {
  return token?.startsWith(`${name}-`) === true;
}

export class FleetStory {
  readonly #seed: number;
  readonly #dice: Dice;
  readonly #transcript: string[] = [];
  readonly #world: World;
  readonly #file: UserFile;
  readonly #user: User;
  readonly #book: SharedBook;
  readonly #engine: SimEngine;
  readonly #link: Link;
  /** Null in the worlds where no change is made at the worst moment on purpose. */
  readonly #crossing: Crossing | null;
  /** Who listens on each machine. */
  readonly #listening = new Map<string, SimProcess>();
  /** The round whose terms each worker obeys. */
  readonly #rounds = new Map<SimProcess, number>();
  /** The terms of the present round. */
  #policy: Policy;
  /** When users are quick. */
  readonly #stops: Dice;
  /** When the terms change, and how long workers take to read them. */
  readonly #terms: Dice;
  #isEnding = false;
  #processCount = 0;
  /** Creations of this round that became uncertain in a row before one was accepted; NaN once one was. */
  /** Null in the worlds where nobody steers the run. */
  readonly #tuner: Tuner | null;
  #doubts = 0;
  #doubtsOf = 0;
  #broken: BrokenPromise | null = null;

  constructor(seed: number) {
    this.#seed = seed;
    const dice = new Dice(seed, 'fleet');
    this.#dice = dice;
    const clock = new SimClock(Date.UTC(2026, 2, 1, 8));
    const weather = new Weather(seed, elsewhere);
    const service = new SimService({ clock, dice: new Dice(seed, 'service'), weather });
    this.#file = new UserFile(dice, new Dice(seed, 'editor'), dice.chance(0.3));
    this.#policy = {
      ...defaultPolicy,
      taskTimeoutMs: 2 * hour,
      pollIntervalMs: dice.pick([30_000, minute]),
      concurrency: dice.pick([1, 2, 3, 5, 20]),
      searchFrom: new Dice(seed, 'search').pick([null, null, null, 1]),
      frames: dice.pick(['all', 'none']),
      maxPoints: dice.chance(weather.has('amnesia') ? 0.7 : 0.4) ? dice.integer(0, 60) : null,
      limit: dice.chance(0.2) ? dice.integer(1, 5) : null,
    };
    this.#world = {
      clock,
      weather,
      service,
      dice: new Dice(seed, 'world'),
      disk: new SimDisk(),
      db: openScratchDatabase(),
      isShared: true,
      skewMs: 0,
      sleptMs: 0,
      isLastLook: false,
      isCapped: true,
      jumpedAt: 0,
      jumpsLeft: 0,
      kept: new Map(),
      sent: new Map(),
      settings: createMemorySettings(),
      break: (flaw) => {
        this.#broken ??= new BrokenPromise(flaw);
      },
      note: (text) => void this.#transcript.push(`${clock.stamp()}  ${text}`),
      onCommit: (process, changes) => this.#onCommit(process, changes),
      onHear: () => {},
      onFrame: () => {},
      onSecondRun: () => {},
      onMayTune: (process) => this.#tuner?.mayTune(process.now()),
      steering: (policy) => this.#tuner?.source(policy) ?? null,
      onSend: () => {},
      onAnswer: (process, about) => {
        if (about.kind !== 'file' && about.kind !== 'callback') this.#link.stopBeforeAnswer(process);
        this.#crossing?.onAnswer(process, about).catch((error: unknown) => this.#fail(error));
      },
    };
    service.onAccepted = ({ taskId, row }) => this.#world.note(`the service accepts ${row} as ${taskId}`);
    const heard = this.#world.db.prepare("SELECT 1 FROM attempts WHERE lower(ltrim(task_id, '0')) = ?");
    service.isAlive = (taskId) => this.#world.db.open && heard.get(plainId(taskId)) !== undefined;
    service.notify = (url, taskId) => void this.#call(new URL(url), taskId);
    this.#book = new SharedBook(this.#world.db);
    const steering = new Dice(seed, 'steering');
    this.#tuner = steering.chance(0.3) ? new Tuner(this.#world, steering) : null;
    this.#terms = new Dice(seed, 'terms');
    this.#stops = new Dice(seed, 'stops');
    this.#engine = new SimEngine(this.#world);
    this.#link = new Link(this.#world, new Dice(seed, 'link'), new Dice(seed, 'answers'));
    this.#crossing = weather.has('crossing') ? this.#cross(new Dice(seed, 'crossing')) : null;
    this.#user = new User(this.#world, {
      file: this.#file,
      dice,
      isListening: false,
      feeder: null,
      reviewer: null,
    });
  }

  #cross(dice: Dice): Crossing {
    return new Crossing(this.#world, dice, {
      retry: (taskId) => this.#retryTask(taskId),
      resume: () => this.#resume(),
      edit: async () => {
        this.#file.edit();
        await this.#takeFile();
      },
      blink: (process, ms) => this.#engine.blink(process, ms),
    });
  }

  /** The service calls back: a worker that is stopped reads it when it goes on. */
  async #call({ hostname, pathname }: URL, taskId: string): Promise<void> {
    const process = this.#listening.get(hostname);
    if (process === undefined) return;
    this.#world.onAnswer?.(process, { kind: 'callback', taskId: plainId(taskId) });
    await process.reads();
    process.noteCallback(Number(pathname.slice(1)), taskId);
  }

  async play(): Promise<Outcome> {
    const { note, service, weather } = this.#world;
    let flaw: string | null = null;
    note(
      `seed ${this.#seed}: ${this.#file.rows.length} rows, -j ${this.#policy.concurrency}; ${weather.describe()}`,
    );
    try {
      await this.#orStuck(this.#live());
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      flaw =
        error instanceof BrokenPromise ? error.message : `${error.name}: ${error.stack ?? error.message}`;
      note(`BROKEN: ${flaw}`);
    } finally {
      this.#world.db.close();
    }
    return {
      seed: this.#seed,
      flaw,
      transcript: this.#transcript,
      processCount: this.#processCount,
      taskCount: service.tasks.size,
    };
  }

  async #live(): Promise<void> {
    const dice = this.#dice;
    const { weather, service, note } = this.#world;
    await this.#takeFile();
    const machines = Array.from({ length: dice.integer(2, 4) }, (_, at) =>
      this.#machine(`m${at + 1}`).catch((error: unknown) => this.#fail(error)),
    );
    for (let wishes = dice.integer(0, 5); wishes > 0; wishes--) {
      await this.#world.clock.wait(dice.integer(1, 90) * minute);
      await this.#wish();
    }
    await this.#world.clock.wait(dice.integer(1, 120) * minute);
    weather.clear();
    this.#tuner?.begins();
    this.#tuner?.ends();
    service.calm();
    note('the weather clears');
    await this.#world.clock.wait(20 * minute);
    this.#isEnding = true;
    await Promise.all(machines);
    this.#check();
    await checkWorld(this.#world, this.#book.truth, this.#user);
    const goesOn = { ...this.#policy, maxPoints: null, limit: null };
    for (let rounds = 0; rounds < 4; rounds++) await this.#quietRound(goesOn);
    const before = service.creationCount;
    await this.#quietRound(goesOn);
    if (service.creationCount !== before) throw new BrokenPromise('the same line again sent something');
    const { counts } = await this.#book.truth.ledger();
    const left = counts.pending + counts.submitting + counts.open + counts.downloading;
    if (left > 0) throw new BrokenPromise(`rows are left in fair weather: ${JSON.stringify(counts)}`);
    await checkWorld(this.#world, this.#book.truth, this.#user);
  }

  /** A worker failed: the story ends with it. */
  #fail(error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.stack}` : String(error);
    this.#broken ??= error instanceof BrokenPromise ? error : new BrokenPromise(text);
  }

  #check(): void {
    if (this.#broken !== null) throw this.#broken;
  }

  async #orStuck<T>(work: Promise<T>): Promise<T> {
    const stuck = this.#world.clock.stuck().then((why) => {
      throw new BrokenPromise(`the fleet hangs: ${why}`);
    });
    return Promise.race([work, stuck]);
  }

  /** The file as it stands is taken up while others work. */
  async #takeFile(): Promise<void> {
    const { truth } = this.#book;
    await using ingest = new SqliteIngest(this.#world.db, truth);
    const rows = this.#file.rows.map(({ id: _, ...row }) => row);
    await ingest.add(incomingRows(...rows));
    await ingest.match({ add: false, isMended: false });
    const at = this.#world.clock.now();
    const options = { source, at, add: false, isMended: false, rerunChanged: false };
    await this.#book.noting(async () => ingest.applyNow(options));
    this.#user.takes(this.#file.rows);
    this.#world.note('the file is taken up');
  }

  /** Somebody types a command on a machine of their own. */
  async #wish(): Promise<void> {
    const wish = this.#dice.pick(['edit', 'retry', 'resolve', 'resume']);
    this.#world.note(`somebody types: ${wish}`);
    if (wish === 'edit') {
      this.#file.edit();
      await this.#takeFile();
    }
    if (wish === 'retry') await this.#retry();
    if (wish === 'resolve') await this.#resolve();
    if (wish === 'resume') this.#resume();
  }

  /** Another round begins, sometimes under other terms: from then on no claim is made under the earlier ones. */
  #resume(): void {
    if (this.#tuner === null && this.#terms.chance(0.7)) {
      const concurrency = this.#terms.pick([1, 2, 5]);
      const maxPoints = this.#terms.pick([null, this.#terms.integer(0, 60)]);
      this.#policy = { ...this.#policy, concurrency, maxPoints };
      this.#world.note(`the terms are now -j ${concurrency}, cap ${maxPoints}`);
    }
    this.#book.beginRound();
  }

  async #retry(): Promise<void> {
    const status = this.#dice.pick<Status>(['failed', 'lost', 'rejected', 'undelivered', 'completed']);
    for (const item of await Array.fromAsync(this.#book.truth.items([status], 'inFile')))
      await this.#order(item);
  }

  /** The user says truly what the account of the service shows; a creation on its way is refused. */
  async #resolve(): Promise<void> {
    const { truth } = this.#book;
    const { clock, service } = this.#world;
    for (const item of await Array.fromAsync(truth.items(['uncertain']))) {
      const at = clock.now();
      if (at <= this.#book.answerBy(item)) continue;
      let found: string | null = null;
      for (const { taskId } of service.tasksOf(this.#user.textOf(item.key)))
        if ((await truth.itemOfTask(taskId)) === null) found ??= taskId;
      this.#world.note(`the user finds ${found ?? 'no task'} for ${item.id}`);
      await this.#become(
        item,
        found === null ? { type: 'not-created', at } : { type: 'task-adopted', at, taskId: found },
      );
    }
  }

  /** False when a worker was faster: the user looks again another time. */
  async #become(before: Item, event: ItemEvent): Promise<boolean> {
    try {
      const { item: after } = transition(before, event, defaultPolicy);
      this.#book.commit('user', [{ before, after }]);
      return true;
    } catch (error) {
      if (!(error instanceof StaleItemError)) throw error;
      return false;
    }
  }

  /** One machine: its worker is started again whenever it ended or died, for as long as the story goes on. */
  async #machine(name: string): Promise<void> {
    const { clock } = this.#world;
    // Each machine has a disk of its own for the ids of accepted tasks.
    const world: World = { ...this.#world, kept: new Map() };
    await clock.wait(this.#dice.integer(0, 5 * minute));
    for (let start = 1; this.#broken === null; start++) {
      const isLast = this.#isEnding;
      const leaving = await this.#work(world, `${name}.${start}`, () => this.#policy);
      if (leaving.how === 'failed') throw leaving.error;
      if (isLast && leaving.how === 'ended') return;
      const isDead = leaving.how === 'died';
      await clock.wait(isDead ? this.#dice.integer(2, 120) * 1_000 : this.#dice.integer(1, 30) * minute);
    }
  }

  async #work(world: World, name: string, terms: () => Policy): Promise<Leaving> {
    this.#processCount += 1;
    const open = (process: SimProcess) =>
      new FleetCheckpoint(world, process, { book: this.#book, link: this.#link, crossing: this.#crossing });
    const process: SimProcess = new SimProcess(world, name, open);
    this.#listening.set(machineOf(name), process);
    world.note(`${name} starts`);
    const leaving = await process.live(async () => {
      const { sharing } = process.checkpoint as FleetCheckpoint;
      const ids = [...world.kept].map(([token, taskId]) => ({ token, taskId }));
      for (const { token } of await saveLateTasks(process.checkpoint, ids, process.now()))
        world.kept.delete(token);
      await using placement = this.#engine.join(process);
      // As the program does: first which round it is, then, a while later, what its terms are.
      const { round } = this.#book;
      this.#rounds.set(process, round);
      await world.clock.wait(this.#terms.pick([0, 10, 30_000]));
      const shared = { sharing, placement, stays: false, round, memory: noMemory };
      return await process.run(terms(), {
        submits: true,
        only: null,
        notifyUrl: ({ key }) => (this.#crossing === null ? null : `http://${machineOf(name)}/${key}`),
        listens: this.#crossing !== null,
        shared,
      });
    });
    if (leaving.how === 'ended') {
      world.note(`${name} ends: ${leaving.ending.reason}`);
      for (const taskId of process.heard)
        if (!world.service.isAlive(taskId) && ![...world.kept.values()].includes(taskId))
          throw new BrokenPromise(`${name} was told of ${taskId}, and nothing knows of it`);
    }
    return leaving;
  }

  /** A round in fair weather, by one worker. */
  async #quietRound(policy: Policy): Promise<void> {
    this.#book.beginRound();
    await this.#world.clock.wait(minute);
    const leaving = await this.#work(this.#world, `q${this.#processCount}`, () => policy);
    if (leaving.how === 'failed') throw leaving.error;
    this.#check();
  }

  /** Sometimes the user sees at once that a row has failed, and orders another attempt. */
  async #retrySoon({ key }: Item): Promise<void> {
    await this.#world.clock.wait(this.#stops.integer(1, 5_000));
    const item = this.#world.db.open ? await this.#book.truth.itemWithKey(key) : null;
    if (item?.status === 'failed') await this.#order(item);
  }

  /** The row that this task is of is sent again; false while the task has not ended. */
  async #retryTask(taskId: string): Promise<boolean> {
    const item = this.#world.db.open ? await this.#book.truth.itemOfTask(taskId) : null;
    return item?.taskId === taskId && hasEnded(item.status) && (await this.#order(item));
  }

  /** The user orders another attempt; false when a worker was faster. */
  async #order(item: Item): Promise<boolean> {
    this.#user.isOrdering = true;
    const isOrdered = await this.#become(item, { type: 'retry-ordered', at: this.#world.clock.now() });
    if (isOrdered) this.#user.order(item.key);
    this.#user.isOrdering = false;
    return isOrdered;
  }

  /** Sometimes the user sees at once that a row is uncertain, and settles it as soon as that is allowed. */
  async #settleSoon(item: Item): Promise<void> {
    const { clock } = this.#world;
    await clock.wait(Math.max(0, this.#book.answerBy(item) - clock.now()) + this.#dice.integer(1, 120_000));
    if (this.#world.db.open) await this.#resolve();
  }

  /** A creation of another worker is given up only when its answer can no longer come. */
  #watchTakeover(process: SimProcess, changes: readonly Change[]): void {
    for (const { before, after } of changes) {
      if (before.status !== 'submitting' || after.status !== 'uncertain' || isOwn(before, process)) continue;
      if (this.#world.clock.now() < this.#book.answerBy(before))
        this.#broken ??= new BrokenPromise(`${after.id} is given up while its answer may still come`);
    }
  }

  /** A task is said to have ended by what was said of itself, and not of the row's earlier one. */
  #watchEnds(changes: readonly Change[]): void {
    for (const change of changes) this.#broken ??= endedEarly(this.#world, change);
  }

  /** Until the service has accepted one in this round, creations go one by one, whoever sends them. */
  #watchStart(process: SimProcess, changes: readonly Change[]): void {
    if (this.#doubtsOf !== this.#book.round) this.#doubts = 0;
    this.#doubtsOf = this.#book.round;
    for (const { before, after } of changes) {
      if (before.status !== 'submitting' || !isOwn(before, process)) continue;
      if (after.status !== 'uncertain') this.#doubts = after.status === 'open' ? Number.NaN : 0;
      else this.#doubts += 1;
    }
    if (this.#doubts > 3)
      this.#broken ??= new BrokenPromise(`${this.#doubts} creations are uncertain, and none was accepted`);
  }

  /** What claims are held against. */
  #policyNow(): Policy {
    const policy = this.#isEnding ? { ...this.#policy, maxPoints: null } : this.#policy;
    return this.#tuner?.policyNow(policy) ?? policy;
  }

  #onCommit(process: SimProcess, changes: readonly Change[]): void {
    this.#world.service.noteSaved(changes);
    noteLastRow(this.#world, process, changes);
    for (const { after } of changes)
      if (after.status === 'uncertain' && this.#dice.chance(0.4))
        this.#settleSoon(after).catch((error: unknown) => this.#fail(error));
    for (const { before, after } of changes)
      if (after.status === 'failed' && before.status !== 'failed' && this.#stops.chance(0.4))
        this.#retrySoon(after).catch((error: unknown) => this.#fail(error));
    this.#watchTakeover(process, changes);
    this.#watchEnds(changes);
    this.#watchStart(process, changes);
    const claims = changes.map(({ after }) => after).filter(({ status }) => status === 'submitting');
    const policy = this.#policyNow();
    if (policy.maxPoints === null) this.#world.isCapped = false;
    if (claims.length === 0) return;
    // Nobody knows what becomes dearer; without a cap a price counts as it is heard, before it has risen.
    const { weather, isCapped } = this.#world;
    const isKnown = !weather.has('dearer') && (isCapped || !weather.has('risingPoints'));
    try {
      if (this.#rounds.get(process) !== this.#book.round)
        throw new BrokenPromise('a row is claimed under the terms of an earlier round');
      if (this.#tuner?.isPaused(process.now())) throw new BrokenPromise('a row is claimed during a pause');
      checkCap(this.#world, process, policy);
      if (isKnown) checkBudget(this.#world, policy, claims);
    } catch (error) {
      if (!(error instanceof BrokenPromise)) throw error;
      this.#broken ??= error;
    }
  }
}
