/** One seed, one world, one story: a user, a file, a service, and processes that follow each other until all is done. */

import { HeldError } from '../../src/errors.ts';
import { shownFiles } from '../../src/money/artifacts.ts';
import type { CreationEvent } from '../../src/money/event.ts';
import type { Artifact } from '../../src/money/item.ts';
import { defaultPolicy, type Policy } from '../../src/money/policy.ts';
import type { EndingReason } from '../../src/money/summary.ts';
import { pauseLeftMs } from '../../src/money/tick.ts';
import { saveLateTasks } from '../../src/runner/late-answers/late-tasks.ts';
import type { Change } from '../../src/stores/port/checkpoint.ts';
import { openScratchDatabase } from '../../src/stores/sqlite/database.ts';
import { lockFolder } from '../../src/stores/sqlite/folder-lock.ts';
import { SqliteCheckpoint } from '../../src/stores/sqlite/sqlite-checkpoint.ts';
import { SqliteSettings } from '../../src/stores/sqlite/sqlite-settings.ts';
import { checkStatement } from './account.ts';
import { Dice } from './dice.ts';
import {
  BrokenPromise,
  checkBudget,
  checkCap,
  checkDeliverable,
  checkEnding,
  checkLost,
  checkMemory,
  checkNothingForgotten,
  checkNotLost,
  checkWorld,
  forgottenBy,
  mostJumps,
  rowOf,
} from './oracle.ts';
import { PassedCap } from './passed-cap.ts';
import { Follower, type Proposal, saveCap } from './proposals.ts';
import { checkStop, noteLastRow } from './refusals.ts';
import { Reviewer } from './reviewer.ts';
import { SimClock } from './sim-clock.ts';
import { SimDisk } from './sim-files.ts';
import { type Leaving, SimProcess, type World } from './sim-process.ts';
import { plainId, SimService } from './sim-service.ts';
import { Tuner } from './tuner.ts';
import { type Errand, hasEnded, runErrand, User, whyUnwanted } from './user.ts';
import { UserFile } from './user-file.ts';
import { Weather } from './weather.ts';

/** What came of a seed. */
export interface Outcome {
  readonly seed: number;
  /** The promise that was broken; null when all held. */
  readonly flaw: string | null;
  /** Everything that happened, in order, with the time of the world. */
  readonly transcript: readonly string[];
  readonly processCount: number;
  readonly taskCount: number;
}

const minute = 60_000;
const hour = 60 * minute;

export class Story {
  readonly #seed: number;
  readonly #transcript: string[] = [];
  readonly #dice: Dice;
  readonly #world: World;
  readonly #file: UserFile;
  /** Holds the folder of this world; any folder of the disk will do. */
  readonly #lockFolder: string;
  #basePolicy: Policy;
  readonly #user: User;
  /** Looks at what the processes leave. */
  readonly #checkpoint: SqliteCheckpoint;
  #processCount = 0;
  #current: SimProcess | null = null;
  #policy: Policy = defaultPolicy;
  /** Null in the worlds where nobody steers a run. */
  readonly #tuner: Tuner | null;
  /** How far the cap on points may be passed. */
  readonly #passes: PassedCap;
  /** Null in the worlds where nobody types what the program proposes. */
  readonly #follower: Follower | null;
  /** How the last process ended; `done` where it died, as for somebody who looks. */
  #ending: EndingReason = 'done';
  #second: Promise<void> | null = null;
  #hadSecond = false;
  #wasAway = false;
  /** The most tasks that were allowed at once so far. */
  #mostAtOnce = 0;
  /** The last video that the checkpoint knew, by row. */
  readonly #made = new Map<number, Artifact>();
  /** Rows that were refused with others alike, and how often each had been claimed then; and how often each has been. */
  readonly #alike = new Map<number, number>();
  readonly #claimed = new Map<number, number>();
  /** A promise broken where nobody waits for the answer. */
  #broken: BrokenPromise | null = null;

  constructor(seed: number, lockFolder: string) {
    this.#seed = seed;
    this.#lockFolder = lockFolder;
    const dice = new Dice(seed, 'story');
    this.#dice = dice;
    const clock = new SimClock(Date.UTC(2026, 2, 1, 8));
    const weather = new Weather(seed);
    const service = new SimService({ clock, dice: new Dice(seed, 'service'), weather });
    const isMixed = dice.chance(0.3);
    this.#file = new UserFile(dice, new Dice(seed, 'editor'), isMixed);
    const [taskTimeoutMs, pollIntervalMs] = dice.pick([
      [30 * minute, 30_000],
      [30 * minute, 60_000],
      [2 * hour, minute],
      [6 * hour, 5 * minute],
    ] as const);
    this.#basePolicy = {
      ...defaultPolicy,
      taskTimeoutMs,
      pollIntervalMs,
      concurrency: dice.pick([1, 2, 3, 5, 20]),
      searchFrom: new Dice(seed, 'search').pick([null, null, null, 1]),
      frames: dice.pick(['all', 'all', 'last', 'none']),
      // Where tasks are forgotten, or prices rise, a cap has the most to do.
      maxPoints: dice.chance(
        weather.has('amnesia') || weather.has('risingPoints') || weather.has('dearer') ? 0.7 : 0.2,
      )
        ? dice.integer(0, 60) * (weather.has('dearer') ? 4 : 1)
        : null,
      haltAfter: dice.chance(0.1) ? dice.integer(1, 4) : null,
    };
    const isListening = dice.chance(0.3);
    const feeding = new Dice(seed, 'feeder');
    const feeder = feeding.chance(0.3) ? feeding : null;
    const db = openScratchDatabase();
    this.#world = {
      clock,
      weather,
      service,
      dice: new Dice(seed, 'world'),
      disk: new SimDisk(),
      db,
      skewMs: 0,
      sleptMs: 0,
      isLastLook: false,
      isCapped: true,
      jumpedAt: 0,
      jumpsLeft: mostJumps,
      kept: new Map(),
      sent: new Map(),
      settings: new SqliteSettings(db, { sound: Promise.resolve() }),
      break: (flaw) => {
        this.#broken ??= new BrokenPromise(flaw);
      },
      note: (text) => void this.#transcript.push(`${clock.stamp()}  ${text}`),
      onCommit: (process, changes) => this.#onCommit(process, changes),
      onFrame: (process, canBeHad) => this.#hold(() => process.deliveries.noteFrame(canBeHad)),
      onHear: (process, event) => this.#onHear(process, event),
      onSecondRun: () => this.#startSecond(),
      onMayTune: (process) => this.#tuner?.mayTune(process.now()),
      steering: (policy) => this.#tuner?.source(policy) ?? null,
      onSend: (text) => this.#onSend(text),
    };
    this.#passes = new PassedCap(this.#world);
    service.onDown = () => this.#world.break('a creation is sent into an outage that the run began in');
    service.onAccepted = ({ taskId, row }) => this.#world.note(`the service accepts ${row} as ${taskId}`);
    this.#checkpoint = new SqliteCheckpoint(this.#world.db);
    const steering = new Dice(seed, 'steering');
    this.#tuner = steering.chance(0.15) ? new Tuner(this.#world, steering) : null;
    const following = new Dice(seed, 'follower');
    const isFollowed = this.#tuner === null && !weather.has('dearer') && following.chance(0.3);
    const isHalting = this.#basePolicy.haltAfter !== null || weather.has('foreverBarredRow');
    this.#follower = isFollowed ? new Follower(this.#world, following, isHalting) : null;
    const reviewing = new Dice(seed, 'reviewer');
    const reviewer = reviewing.chance(0.3)
      ? new Reviewer(this.#world, reviewing, new Dice(seed, 'second look'))
      : null;
    this.#user = new User(this.#world, { file: this.#file, dice, isListening, feeder, reviewer });
    const heard = this.#world.db.prepare("SELECT 1 FROM attempts WHERE lower(ltrim(task_id, '0')) = ?");
    service.isAlive = (taskId) => this.#world.db.open && heard.get(plainId(taskId)) !== undefined;
    service.notify = (url, taskId) => this.#current?.noteCallback(Number(url.split('/').at(-1)), taskId);
  }

  /** Plays the story to its end. */
  async play(): Promise<Outcome> {
    let flaw: string | null = null;
    this.#world.note(
      `seed ${this.#seed}: ${this.#file.rows.length} rows, -j ${this.#basePolicy.concurrency}; ${this.#world.weather.describe()}`,
    );
    try {
      await this.#live();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      flaw =
        error instanceof BrokenPromise ? error.message : `${error.name}: ${error.stack ?? error.message}`;
      this.#world.note(`BROKEN: ${flaw}`);
    } finally {
      this.#current?.die('the story is over');
      this.#world.db.close();
    }
    const { service } = this.#world;
    return {
      seed: this.#seed,
      flaw,
      transcript: this.#transcript,
      processCount: this.#processCount,
      taskCount: service.tasks.size,
    };
  }

  async #live(): Promise<void> {
    const { weather, service, disk } = this.#world;
    const dice = this.#dice;
    if (weather.strikes('downAtStart')) this.#goDown();
    await this.#turn('run', this.#policyOfDay());
    for (let turns = dice.integer(0, 6); turns > 0; turns--) {
      await this.#pass(dice.integer(0, 90) * minute);
      if (dice.chance(0.7)) disk.fill(false);
      if (disk.isAway) disk.bringBack();
      else if (weather.strikes('diskAway')) await this.#loseDisk();
      if (dice.chance(0.3)) this.#file.edit();
      if (weather.strikes('downAtStart')) this.#goDown();
      const errand = dice.pick<Errand>(['run', 'run', 'run', 'resume', 'collect', 'retry', 'resolve']);
      await this.#turn(errand, this.#policyOfDay());
      await this.#follow(0.5);
    }
    weather.clear();
    this.#tuner?.ends();
    service.calm();
    disk.fill(false);
    this.#world.note('the weather clears');
    if (disk.isAway) disk.bringBack();
    if (this.#wasAway) await this.#turn('verify', this.#basePolicy);
    await this.#pass(10 * minute);
    if (dice.chance(0.5)) await this.#turn('resolve', this.#basePolicy);
    for (let turns = 0; turns < 3; turns++) await this.#follow(1);
    const goesOn = { ...this.#basePolicy, maxPoints: null, haltAfter: null };
    // Whoever types it again does so when the pause is over that the program has named.
    const { clock, skewMs } = this.#world;
    await this.#pass(pauseLeftMs(await this.#checkpoint.pausedUntil(), clock.now() + skewMs));
    for (let turns = 0; turns < 4; turns++) await this.#turn('run', goesOn);
    this.#basePolicy = goesOn;
    for (let turns = 0; turns < 2; turns++) await this.#follow(1);
    const before = service.creationCount;
    await this.#turn('run', goesOn);
    if (service.creationCount !== before && (await this.#barredLeft()) === 0)
      throw new BrokenPromise('the same line again sent something');
    await this.#pass(minute);
    this.#world.isLastLook = true;
    await this.#turn('collect', goesOn);
    await this.#checkDone();
    await checkStatement(this.#world, this.#checkpoint);
    await checkNothingForgotten(this.#world, this.#checkpoint, this.#made);
  }

  /** Somebody types what the program proposes, three times. */
  async #follow(share: number): Promise<void> {
    if (this.#follower === null) return;
    // What an earlier process has sent may still arrive.
    await this.#pass(0);
    const wish = await this.#follower.choose(share, this.#checkpoint, this.#ending);
    if (wish === null) return;
    const { proposal, check } = wish;
    const { maxPoints = this.#basePolicy.maxPoints } = proposal;
    this.#basePolicy = { ...this.#basePolicy, maxPoints };
    for (let times = 1; times <= 3; times++) {
      await this.#turn(proposal, this.#basePolicy);
      check(times, this.#ending);
      // Whoever typed it too early waits until the time that it names.
      if (proposal.after !== null) await this.#pass(proposal.after - this.#world.clock.now());
    }
  }

  /** The user takes a disk that is not mounted for lost files. */
  async #loseDisk(): Promise<void> {
    this.#world.note('the disk is away');
    this.#wasAway = true;
    this.#world.disk.takeAway();
    await this.#turn('verify', this.#policyOfDay());
  }

  /** In fair weather everything comes to an end. */
  async #checkDone(): Promise<void> {
    const checkpoint = this.#checkpoint;
    const { counts } = await checkpoint.ledger();
    const left = counts.pending + counts.submitting + counts.open + counts.downloading;
    const barred = await this.#barredLeft();
    if (left > barred) throw new BrokenPromise(`rows are left in fair weather: ${JSON.stringify(counts)}`);
    await this.#checkAlike();
    for await (const item of checkpoint.items(['lost'])) checkNotLost(this.#world, item);
    const named: string[] = [];
    for await (const row of checkpoint.reportRows()) if (!row.gone) named.push(this.#user.namedBy(row));
    const wanted = this.#file.rows.map((row) => String(row.question).split(' ')[0]);
    if (JSON.stringify(named) !== JSON.stringify(wanted))
      throw new BrokenPromise(`the report names ${named.join(' ')}, the file ${wanted.join(' ')}`);
  }

  #goDown(): void {
    this.#world.note('an outage begins: a gateway answers everything');
    this.#world.service.goDown();
  }

  /** Rows in the file that wait, and those that are paid for and not here. */
  async #left(): Promise<{ readonly pending: number; readonly paid: number }> {
    const left = { pending: 0, paid: 0 };
    for await (const { item, gone } of this.#checkpoint.reportRows()) {
      if (item.status === 'pending' && !gone) left.pending += 1;
      if (item.status === 'open' || item.status === 'downloading') left.paid += 1;
    }
    return left;
  }

  /** Rows that wait because a gateway refuses them for ever, as far as anybody can tell with all others. */
  async #barredLeft(): Promise<number> {
    let count = 0;
    for await (const row of this.#checkpoint.reportRows())
      if (row.item.status === 'pending' && this.#world.service.isBarredForEver(rowOf(row))) count += 1;
    return count;
  }

  /** What was refused with others alike was sent once more. */
  async #checkAlike(): Promise<void> {
    for await (const { item, gone } of this.#checkpoint.reportRows())
      if (item.status === 'rejected' && !gone && this.#alike.get(item.key) === this.#claimed.get(item.key))
        throw new BrokenPromise(`${item.id} was refused with others alike, and never sent again`);
  }

  #policyOfDay(): Policy {
    const dice = this.#dice;
    return {
      ...this.#basePolicy,
      limit: dice.chance(0.15) ? dice.integer(0, 3) : null,
      concurrency: dice.chance(0.1) ? dice.pick([1, 2, 4]) : this.#basePolicy.concurrency,
    };
  }

  /** Nobody does anything for this long. */
  async #pass(ms: number): Promise<void> {
    const { clock, service } = this.#world;
    await clock.wait(ms);
    while (service.onTheWay > 0) await clock.wait(minute);
  }

  /** One process, from its start to its end or death, and what it leaves. */
  async #turn(errand: Errand | Proposal, policy: Policy): Promise<void> {
    const world = this.#world;
    const beganAt = world.clock.now();
    const startedAt = beganAt - world.sleptMs;
    this.#policy = policy;
    if (policy.maxPoints === null || this.#tuner !== null) world.isCapped = false;
    this.#tuner?.begins();
    await saveCap(world, policy.maxPoints);
    const leaving = await this.#process(errand, policy);
    if (this.#second !== null) await this.#orStuck(this.#second);
    this.#second = null;
    if (this.#broken !== null) throw this.#broken;
    const tookMs = world.clock.now() - world.sleptMs - startedAt;
    const patienceMs = 48 * hour + 2 * 16 * (policy.taskTimeoutMs + hour);
    if (tookMs > patienceMs) throw new BrokenPromise(`a run took ${Math.round(tookMs / hour)} h`);
    await checkWorld(world, this.#checkpoint, this.#user);
    if (this.#tuner === null && world.isCapped) this.#passes.check(policy);
    this.#ending = leaving?.how === 'ended' ? leaving.ending.reason : 'done';
    if (leaving?.how !== 'ended') return;
    await checkEnding(this.#checkpoint, leaving.ending.reason);
    const left = await this.#left();
    const hadAll =
      typeof errand === 'string' ? errand !== 'retry' : errand.command.startsWith('batch resume');
    checkStop(world.service.refusals, leaving.ending.reason, { since: beganAt, hadAll, ...left });
  }

  async #process(errand: Errand | Proposal, policy: Policy): Promise<Leaving | null> {
    const world = this.#world;
    const name = `p${++this.#processCount}`;
    let lock: Disposable;
    try {
      lock = lockFolder(this.#lockFolder);
    } catch (error) {
      if (!(error instanceof HeldError)) throw error;
      world.note(`${name} finds the folder held`);
      return null;
    }
    using _ = lock;
    const process = new SimProcess(world, name);
    const isFirst = this.#current === null || !this.#current.isAlive;
    if (isFirst) this.#current = process;
    world.note(`${name} starts: ${typeof errand === 'string' ? errand : errand.command}`);
    const leaving = await this.#orStuck(
      process.live(async () => {
        await takeKept(world, process);
        return runErrand(errand, process, policy, this.#user);
      }),
    );
    if (leaving.how === 'failed') throw leaving.error;
    if (leaving.how === 'ended') {
      for (const taskId of process.heard)
        if (!world.service.isAlive(taskId) && ![...world.kept.values()].includes(taskId))
          throw new BrokenPromise(`${name} was told of ${taskId}, and nothing knows of it`);
      const { reason, failure } = leaving.ending;
      world.note(`${name} ends: ${reason}${failure === null ? '' : ` (${failure})`}`);
      // What is paid for is waited for, also where its row has left the file.
      const { counts } = await this.#checkpoint.ledger();
      const waitsForCallbacks = this.#user.isListening && counts.uncertain > 0;
      if (counts.open + counts.downloading === 0 && !waitsForCallbacks)
        this.#hold(() => process.patience.checkEnd(policy));
      // It is saved once they are: a full disk may keep it out, as a crash may.
      for (const key of reason === 'disk' ? [] : process.patience.alike)
        if (!this.#alike.has(key)) this.#alike.set(key, this.#claimed.get(key) ?? 0);
      if (process.ledger !== null && reason !== 'disk') await checkMemory(this.#checkpoint, process.ledger);
    }
    return leaving;
  }

  async #orStuck<T>(work: Promise<T>): Promise<T> {
    const stuck = this.#world.clock.stuck().then((why) => {
      throw new BrokenPromise(`the run hangs: ${why}`);
    });
    return Promise.race([work, stuck]);
  }

  /** Somebody starts the same line again while it runs; once in a world, for the lock is asked in real time. */
  #startSecond(): void {
    if (this.#hadSecond) return;
    this.#hadSecond = true;
    this.#second = this.#process('run', this.#policy).then(
      () => {},
      (error: unknown) => {
        this.#broken ??= error instanceof BrokenPromise ? error : new BrokenPromise(String(error));
      },
    );
  }

  /** Before the service has accepted one, creations go one by one: an ill gateway costs three rows, whatever the cap. */
  #watchStart(process: SimProcess, changes: readonly Change[]): void {
    for (const { before, after } of changes) {
      if (before.status !== 'submitting') continue;
      if (after.status !== 'uncertain') process.doubts = after.status === 'open' ? Number.NaN : 0;
      else if (before.token?.startsWith(`${process.name}-`)) process.doubts += 1;
    }
    if (process.doubts > 3)
      this.#broken ??= new BrokenPromise(`${process.doubts} creations are uncertain, and none was accepted`);
  }

  /** What is paid for is what the file says now. */
  #onSend(text: string): void {
    const why = whyUnwanted(this.#user, text);
    if (why !== null) this.#broken ??= new BrokenPromise(why);
  }

  #onHear(process: SimProcess, event: CreationEvent): void {
    if (this.#tuner === null) this.#hold(() => process.patience.hear(event, this.#policy));
  }

  #onCommit(process: SimProcess, changes: readonly Change[]): void {
    this.#world.service.noteSaved(changes);
    for (const change of changes) {
      const { video } = shownFiles(change.after);
      if (video !== null) this.#made.set(change.after.key, video);
      this.#broken ??= forgottenBy(change);
    }
    for (const { before, after } of changes)
      if (this.#user.isOrdering && after.status === 'pending' && hasEnded(before.status))
        this.#user.order(before.key);
    this.#watchStart(process, changes);
    noteLastRow(this.#world, process, changes, this.#user.named !== null);
    this.#hold(() => {
      for (const change of changes) {
        checkLost(this.#world, change, this.#policy);
        process.deliveries.note(change);
        process.patience.note(change);
      }
    });
    const { named } = this.#user;
    const claimed = changes.filter(({ after }) => after.status === 'submitting');
    for (const { after } of claimed) this.#claimed.set(after.key, (this.#claimed.get(after.key) ?? 0) + 1);
    for (const { after } of claimed)
      if (named !== null && !named.has(after.key))
        this.#broken ??= new BrokenPromise(`${after.id} is paid for by a command that does not name it`);
    const hasClaim = changes.some(({ after }) => after.status === 'submitting');
    if (!hasClaim || this.#world.jumpedAt === this.#world.clock.now()) return;
    this.#hold(() => {
      const policy = this.#tuner?.policyNow(this.#policy) ?? this.#policy;
      if (this.#tuner?.isPaused(process.now())) throw new BrokenPromise('a row is claimed during a pause');
      checkCap(this.#world, process, policy);
      this.#mostAtOnce = Math.max(this.#mostAtOnce, policy.concurrency);
      checkDeliverable(this.#world, process, {
        atOnce: this.#mostAtOnce,
        processCount: this.#processCount,
        concurrency: this.#tuner === null ? policy.concurrency : null,
      });
      const claims = changes.map(({ after }) => after).filter(({ status }) => status === 'submitting');
      // Without a cap a price is believed while it rises, and one that comes later cannot know.
      const isKnown = this.#world.isCapped || !this.#world.weather.has('risingPoints');
      if (this.#world.weather.has('dearer')) this.#passes.checkClaims(policy, claims);
      else if (isKnown) checkBudget(this.#world, policy, claims);
    });
  }

  /** Remembers a promise that is broken while a process runs. */
  #hold(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof BrokenPromise)) throw error;
      this.#broken ??= error;
    }
  }
}

/** What a full disk kept from the checkpoint comes first, as when the folder is opened. */
async function takeKept({ kept }: World, process: SimProcess): Promise<void> {
  const ids = [...kept].map(([token, taskId]) => ({ token, taskId }));
  for (const { token } of await saveLateTasks(process.checkpoint, ids, process.now())) kept.delete(token);
}
