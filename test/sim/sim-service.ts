/**
 * The video service of a simulated world: what arrives is carried out whether or not anybody still waits for the
 * answer, and the ledger keeps what was accepted and charged. The wire to it loses, delays and garbles.
 */

import type { Quality } from '../../src/money/item.ts';
import type { Change } from '../../src/stores/port/checkpoint.ts';
import { Dice } from './dice.ts';
import { Refused } from './refusals.ts';
import type { SimClock } from './sim-clock.ts';
import type { Weather } from './weather.ts';

/** Points of a video, by quality. */
const prices: Readonly<Record<Quality, number>> = { h: 20, m: 10, l: 5 };

/** How long the service says 5xx, or refuses the key, once it has begun (ms). */
const stormMs = 4 * 60_000;

/** How long it takes no creation (ms). */
const shutMs = 24 * 3_600_000;

/** How long the service knows none of its tasks (ms): longer than a run believes that it will remember. */
const amnesiaMs = 40 * 60_000;

/** A task the service made, and all that will become of it. */
export interface SimTask {
  readonly taskId: string;
  /** First word of the question: the row it belongs to, however its text is edited. */
  readonly row: string;
  readonly question: string;
  readonly quality: Quality;
  readonly acceptedAt: number;
  /** What its video costs. */
  readonly price: number;
  /** Its points are never said in a way that can be read. */
  readonly isUnpriced: boolean;
  /** How long after its end its points are said (ms). */
  readonly priceLagMs: number;
  readonly end: 'completed' | 'failed' | 'no-video' | 'never';
  /** Epoch ms; infinite for a task that never ends. */
  readonly endsAt: number;
  /** Share of its time after which each frame is there. */
  readonly frames: readonly number[];
  /** The service does not know it between these times. */
  readonly forgotten: readonly [from: number, to: number];
  readonly notifyUrl: string | null;
  /** Versions of each file so far, by name. */
  readonly versions: Map<string, number>;
  /** How long after its end the link to its video is named, and how long after that the file is there (ms). */
  readonly linkLagMs: number;
  readonly fileLagMs: number;
  /** The first link to its video leads nowhere. */
  readonly hasLostCopy: boolean;
  /** What the service says whenever it is asked about it; null where that can be read. */
  readonly unreadable: SimResponse | null;
  /** Frames that cannot be had, by name, and why. */
  readonly deadFrames: ReadonlyMap<string, FrameTrouble>;
  /** Until how long after its end only some of its points are said (ms): they rise. */
  readonly riseMs: number;
  /** Its id is spelled in another way in each answer. */
  readonly isSpelledAnew: boolean;
  /** Its states are not the documented ones. */
  readonly isWordedOddly: boolean;
}

/** Why a frame cannot be had. */
export type FrameTrouble = 'busy' | 'empty' | 'refused' | 'silent';

/** The longest a link or a file comes late (ms): together less than a video is asked about. */
const longestLagMs = 240_000;

/** A response as it leaves the service; null for a connection that is reset instead. */
export interface SimResponse {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string;
  readonly location?: string;
}

/** The row a creation is for: the first word of its question. */
const rowOf = (body: { question?: unknown }): string => String(body.question).split(' ')[0] ?? '';

const success = (data: object): SimResponse => ({
  status: 200,
  body: JSON.stringify({ status: 'success', data }),
});
const error = (messages: string, status = 200): SimResponse => ({
  status,
  body: JSON.stringify({ status: 'error', data: { messages } }),
});

/** One of the spellings of a task's id, which the service takes for the same. */
export function plainId(taskId: string): string {
  return taskId.toLowerCase().replace(/^0+/, '');
}

/** The tasks by id, in whatever spelling. */
class Tasks extends Map<string, SimTask> {
  override get(taskId: string): SimTask | undefined {
    return super.get(plainId(taskId));
  }

  override has(taskId: string): boolean {
    return super.has(plainId(taskId));
  }
}

/** Whole answers about a task that say nothing of it. */
const unreadableAnswers: readonly [SimResponse, ...SimResponse[]] = [
  error('db error'),
  error('数据库错误', 500),
  { status: 404, body: '{"detail":"nothing here"}' },
  { status: 200, body: '{"status":"success","data":[]}' },
  success({}),
];

export class SimService {
  readonly tasks: Map<string, SimTask> = new Tasks();
  /** Creations that arrived, accepted or not. */
  creationCount = 0;
  /** Requests that have left and not arrived yet. */
  onTheWay = 0;
  /** What the service does when a task ends and somebody wants to know. */
  notify: (url: string, taskId: string) => void = () => {};
  /** True for a task that somebody has heard of. */
  isAlive: (taskId: string) => boolean = () => false;
  /** Told of every task as it is accepted. */
  onAccepted: (task: SimTask) => void = () => {};
  readonly #clock: SimClock;
  readonly #dice: Dice;
  readonly #weather: Weather;
  readonly #linkLifeMs: number;
  readonly #spelling = new Dice(0, 'spelling');
  #stormUntil = 0;
  #keyRefusedUntil = 0;
  #accountBarredUntil = 0;
  #accountBar = 402;
  #maintenanceUntil = 0;
  /** Rows and tasks that a gateway does not let pass, ever, and what it says. */
  readonly #barredRows = new Map<string, SimResponse | null>();
  readonly #oddPages = new Map<string, boolean>();
  readonly #barredTasks = new Map<string, boolean>();
  readonly #knownAt = new Map<string, number>();
  /** Tasks whose points were saved as 0 or as not known yet while they rose. */
  readonly #savedZero = new Set<string>();
  #forgetfulSince = 0;
  #forgetfulUntil = 0;
  /** Rows that were refused because the key or the account was. */
  readonly #refusedWithAll = new Set<string>();
  /** What a gateway does for good, and how long outages last: throws of its own. */
  readonly #gateway: Dice;
  readonly #foreverBarred = new Set<string>();
  readonly #dearFrom: number;
  #downUntil = 0;
  #shutUntil = 0;
  /** Everything that was refused. */
  readonly refusals = new Refused();
  /** Told of a creation that arrives in an outage. */
  onDown: () => void = () => {};
  /** Rows that were refused for good, as far as a client can see. */
  readonly refused = new Set<string>();

  constructor(world: { clock: SimClock; dice: Dice; weather: Weather }) {
    this.#clock = world.clock;
    this.#dice = world.dice;
    this.#weather = world.weather;
    this.#gateway = new Dice(world.clock.now(), 'gateway');
    this.#dearFrom = world.clock.now() + new Dice(world.clock.now(), 'dearer').integer(1, 20) * 60_000;
    this.#linkLifeMs = this.#dice.pick([20_000, 120_000, 3_600_000]);
  }

  beginStorm(): void {
    this.#stormUntil = this.#clock.now() + stormMs;
  }

  refuseKey(): void {
    this.#keyRefusedUntil = this.#clock.now() + stormMs;
  }

  /** The sun comes out: what was going on ends now. */
  calm(): void {
    this.#stormUntil = 0;
    this.#keyRefusedUntil = 0;
    this.#accountBarredUntil = 0;
    this.#maintenanceUntil = 0;
    this.#forgetfulUntil = 0;
    this.#downUntil = 0;
    this.#shutUntil = 0;
  }

  /** An outage begins: a gateway answers everything for a while, often for longer than a run waits. */
  goDown(): void {
    this.#downUntil = this.#clock.now() + this.#gateway.integer(1, 40) * 60_000;
  }

  /** True where a gateway refuses this row, or this task, whatever the weather. */
  isBarredForEver(name: string): boolean {
    return this.#foreverBarred.has(name);
  }

  /** True where the service has not known this task for as long as that (ms). */
  hasForgotten(task: SimTask, ms: number): boolean {
    const since = this.#clock.now() - ms;
    return (
      // Between two times of forgetting nobody may have heard that the task was known.
      (this.#knownAt.get(task.taskId) ?? task.acceptedAt) <= since ||
      task.forgotten[0] <= since ||
      (this.#forgetfulSince <= since && this.#clock.now() < this.#forgetfulUntil + ms)
    );
  }

  /** A process hears that the service knows the task. */
  noteKnown(taskId: string): void {
    this.#knownAt.set(plainId(taskId), this.#clock.now());
  }

  /** The end of tasks was just saved. What a process hears and does not live to save, the next one cannot know. */
  noteSaved(changes: readonly Change[]): void {
    for (const { before, after } of changes) {
      if (before.endedAt !== null || after.endedAt === null) continue;
      const task = this.tasks.get(plainId(after.taskId ?? ''));
      if (task !== undefined && (after.points ?? 0) === 0) this.#savedZero.add(task.taskId);
    }
  }

  tasksOf(question: string): SimTask[] {
    return [...this.tasks.values()].filter((task) => task.question === question);
  }

  hasEnded(task: SimTask): boolean {
    return this.#clock.now() >= task.endsAt;
  }

  /** What the account is charged for this task once it has ended. */
  priceOf(task: SimTask): number {
    return task.end === 'failed' || !this.hasEnded(task) ? 0 : task.price;
  }

  /** What the account is or may yet be charged for this task. */
  mayCost(task: SimTask): number {
    return this.hasEnded(task) || task.end === 'never' ? this.priceOf(task) : task.price;
  }

  /** What a video of this quality costs. */
  priceIn(quality: Quality | null): number {
    return prices[quality ?? 'm'];
  }

  /** A creation arrives. */
  create(body: { question?: unknown; quality?: unknown; notify_url?: unknown }): SimResponse | null {
    this.creationCount += 1;
    const weather = this.#weather;
    if (this.#isDown()) {
      this.onDown();
      return this.#downPage();
    }
    if (weather.strikes('lostBefore')) return null;
    if (this.#keyRefused()) {
      this.#refusedWithAll.add(rowOf(body));
      return error('Unauthorized: Invalid API key', 401);
    }
    const barred = this.#barOf(rowOf(body));
    if (barred !== null) {
      this.refused.add(rowOf(body));
      if (barred.status >= 401 && barred.status <= 403)
        this.refusals.barred.push({ status: barred.status, at: this.#clock.now() });
      return barred;
    }
    if (this.#hasOddPage(rowOf(body))) return this.#oddPage();
    if (weather.strikes('shut') && this.#shutUntil === 0) this.#shutUntil = this.#clock.now() + shutMs;
    if (this.#clock.now() < this.#shutUntil) return this.#shut();
    const forAll = this.#refusalForAll();
    if (forAll !== null) {
      if (forAll.status === 200) this.refused.add(rowOf(body));
      else this.#refusedWithAll.add(rowOf(body));
      return forAll;
    }
    if (weather.strikes('tooMany'))
      return { ...error('slow down', 429), retryAfter: String(this.#dice.integer(1, 90)) };
    if (weather.strikes('passingRefusal'))
      return error('The video generation interface response is abnormal: 503 - busy');
    if (weather.strikes('refusal')) {
      this.refused.add(rowOf(body));
      return error(`no video of this (${this.creationCount})`, 400);
    }
    if (weather.strikes('redirect')) {
      this.refusals.foreignAt = this.#clock.now();
      return {
        status: this.#dice.pick([302, 307]),
        body: '',
        location: 'https://elsewhere.example/api/gen_video',
      };
    }
    if (this.#isStorm() && this.#dice.chance(0.5)) return this.#stormy();
    const task = this.#accept(body);
    if (this.#isStorm()) return this.#stormy();
    if (weather.strikes('lostAfter')) return null;
    // Of another row: one whose earlier task is named again has it again, and nobody could know of the new one.
    const other = [...this.tasks.values()].find(
      ({ taskId, row }) => row !== task.row && this.isAlive(taskId),
    )?.taskId;
    if (other !== undefined && weather.strikes('wrongTask')) return success({ task_id: this.#spell(other) });
    return this.#maybeGarbled(success({ task_id: task.taskId }));
  }

  /** What a gateway has for this row until the weather clears; null for nothing. */
  #barOf(row: string): SimResponse | null {
    if (this.#weather.isClear && !this.#foreverBarred.has(row)) return null;
    const known = this.#barredRows.get(row);
    if (known !== undefined) return known;
    const isForEver = this.#weather.strikes('foreverBarredRow');
    if (isForEver) this.#foreverBarred.add(row);
    const status = isForEver
      ? this.#gateway.pick([401, 403, 403, 413])
      : this.#weather.strikes('barredRow')
        ? this.#dice.pick([401, 402, 403])
        : this.#weather.strikes('pageForRow')
          ? this.#dice.pick([400, 404, 405, 413, 414, 415, 422, 431])
          : null;
    const bar = status === null ? null : { status, body: '<h1>not for you</h1>' };
    this.#barredRows.set(row, bar);
    return bar;
  }

  /** True where something before the service has a page of its own for this row, until the weather clears. */
  #hasOddPage(row: string): boolean {
    if (!this.#oddPages.has(row)) this.#oddPages.set(row, this.#weather.strikes('oddPageForRow'));
    return !this.#weather.isClear && this.#oddPages.get(row) === true;
  }

  /** Asks for proof of a person, or has a status that says nothing of a task: the row is in doubt. */
  #oddPage(): SimResponse {
    const hasMadeTasks = [...this.tasks.keys()].some((taskId) => this.isAlive(taskId));
    if (!hasMadeTasks) this.refusals.foreignAt = this.#clock.now();
    return { status: this.#gateway.pick([200, 406, 411, 451]), body: '<html>are you human?</html>' };
  }

  /** What the service refuses every creation with for a while; null while it takes them. */
  #refusalForAll(): SimResponse | null {
    const now = this.#clock.now();
    if (this.#weather.strikes('accountBarred')) {
      this.#accountBarredUntil = now + stormMs;
      this.#accountBar = this.#dice.pick([402, 403]);
    }
    if (this.#weather.strikes('maintenance') || this.#weather.strikes('manyAlike'))
      this.#maintenanceUntil = now + stormMs;
    if (now < this.#accountBarredUntil) this.refusals.forAllAt = now;
    if (now < this.#accountBarredUntil) return error('积分不足', this.#accountBar);
    return now < this.#maintenanceUntil ? error('系统维护中') : null;
  }

  /** No other row is left to be tried: those that were refused because the account was look as if it had been about them. */
  leaveNoOther(): void {
    for (const row of this.#refusedWithAll) this.refused.add(row);
    this.#refusedWithAll.clear();
  }

  /** True for a task of which nobody may ask; in fair weather everybody may. */
  #isTaskBarred(taskId: string): boolean {
    const isFirst = !this.#barredTasks.has(taskId);
    if (isFirst && this.#weather.strikes('foreverBarredTask')) this.#foreverBarred.add(taskId);
    const isForEver = this.#foreverBarred.has(taskId);
    const known = this.#barredTasks.get(taskId) ?? (isForEver || this.#weather.strikes('barredTask'));
    this.#barredTasks.set(taskId, known);
    return known && (isForEver || !this.#weather.isClear);
  }

  /** True for a task of which nobody could ask for a while. */
  wasBarred(taskId: string): boolean {
    return this.#barredTasks.get(taskId) === true;
  }

  #accept(body: { question?: unknown; quality?: unknown; notify_url?: unknown }): SimTask {
    // Another one is accepted after them: that looks the same.
    this.leaveNoOther();
    const now = this.#clock.now();
    const dice = this.#dice;
    const weather = this.#weather;
    const quality = body.quality === 'h' || body.quality === 'l' ? body.quality : 'm';
    const ends = [
      ['endless', 'never'],
      ['failedTask', 'failed'],
      ['noVideo', 'no-video'],
    ] as const;
    const told = ends.find(([trouble]) => weather.strikes(trouble))?.[1] ?? 'completed';
    const isUnreadable = weather.strikes('unreadable');
    // Nobody hears how it ends.
    const end = isUnreadable ? 'never' : told;
    const makingMs = dice.integer(10, 600) * 1_000;
    const forgottenFrom = weather.strikes('vanishing')
      ? now + dice.integer(0, makingMs)
      : Number.POSITIVE_INFINITY;
    const forgottenMs = dice.chance(0.5) ? dice.integer(1, 200) * 1_000 : Number.POSITIVE_INFINITY;
    // Throws of its own, so that files move nothing else in the world.
    const files = new Dice(now, `files of ${this.tasks.size}`);
    const lag = (trouble: 'lateLink' | 'lateFile'): number =>
      weather.strikes(trouble) ? files.integer(1_000, longestLagMs) : 0;
    const frames = Array.from({ length: dice.pick([0, 0, 1, 2, 4]) }, (_, at) => at / 5);
    const deadShare = weather.strikes('deadFrames') ? files.pick([0.5, 1]) : 0;
    const frameTrouble = files.pick<FrameTrouble>(['busy', 'empty', 'refused', 'silent']);
    const dead = frames.map((_, at) => `f${at + 1}`).filter(() => files.chance(deadShare));
    const task: SimTask = {
      linkLagMs: lag('lateLink'),
      fileLagMs: lag('lateFile'),
      hasLostCopy: weather.strikes('lostCopy'),
      unreadable: isUnreadable ? files.pick(unreadableAnswers) : null,
      deadFrames: new Map(dead.map((name) => [name, frameTrouble])),
      taskId: `task-${this.tasks.size + 1}`,
      row: rowOf(body),
      question: String(body.question),
      quality,
      price: prices[quality] * (weather.isAbout('dearer') && now >= this.#dearFrom ? 5 : 1),
      isUnpriced: end === 'completed' && weather.strikes('unpriced'),
      // One that takes its ends back names them before they are there: nobody knows when its prices are late.
      priceLagMs: weather.strikes('latePoints') && !weather.has('flapping') ? dice.integer(1, 40_000) : 0,
      acceptedAt: now,
      end,
      endsAt: end === 'never' ? Number.POSITIVE_INFINITY : now + makingMs,
      frames,
      forgotten: [forgottenFrom, forgottenFrom + forgottenMs],
      notifyUrl: typeof body.notify_url === 'string' ? body.notify_url : null,
      versions: new Map(),
      isSpelledAnew: weather.strikes('spelling'),
      isWordedOddly: weather.strikes('oddWords'),
      riseMs: weather.strikes('risingPoints') && !weather.has('flapping') ? 400_000 : 0,
    };
    this.tasks.set(task.taskId, task);
    this.onAccepted(task);
    if (weather.strikes('amnesia')) {
      if (now >= this.#forgetfulUntil) this.#forgetfulSince = now;
      this.#forgetfulUntil = now + amnesiaMs;
    }
    const { notifyUrl } = task;
    if (notifyUrl !== null && end !== 'never')
      void this.#clock.wait(makingMs).then(() => this.#call(notifyUrl, task.taskId));
    return task;
  }

  /** Once at least: one that was heard may be made again, hours later. */
  async #call(notifyUrl: string, taskId: string): Promise<void> {
    do {
      this.notify(notifyUrl, this.#spell(taskId));
      if (this.#weather.isAbout('repeatedCalls')) await this.#clock.wait(1_800_000);
    } while (this.#weather.strikes('repeatedCalls'));
  }

  /** The id as the service writes it now. */
  #spell(taskId: string): string {
    if (this.tasks.get(taskId)?.isSpelledAnew !== true) return taskId;
    return this.#spelling.pick([taskId.toUpperCase(), `00${taskId}`, `0${taskId.replace('task', 'Task')}`]);
  }

  /** A status request arrives. */
  status(taskId: string): SimResponse | null {
    const weather = this.#weather;
    if (this.#isDown()) return this.#downPage();
    if (weather.strikes('unansweredPoll')) return null;
    if (this.#keyRefused()) return error('Unauthorized: Invalid API key', 401);
    if (weather.strikes('tooMany'))
      return { ...error('slow down', 429), retryAfter: String(this.#dice.integer(1, 90)) };
    if (this.#isStorm()) return this.#stormy();
    const task = this.tasks.get(taskId);
    if (task !== undefined && this.#isTaskBarred(taskId))
      return { status: 403, body: '<h1>not for you</h1>' };
    const now = this.#clock.now();
    const isForgotten =
      task !== undefined && now >= task.forgotten[0] && now < task.forgotten[1] && !this.#isLate(task);
    if (task === undefined || isForgotten || now < this.#forgetfulUntil) {
      return error('Server error: Task not found', this.#dice.pick([200, 404, 500]));
    }
    if (task.unreadable !== null) return task.unreadable;
    return this.#maybeGarbled(this.#stateOf(task));
  }

  /** Once nothing goes wrong any more, what was forgotten only for a while is known again. */
  #isLate(task: SimTask): boolean {
    return this.#weather.isClear && task.forgotten[1] !== Number.POSITIVE_INFINITY;
  }

  #stateOf(task: SimTask): SimResponse {
    const share = (this.#clock.now() - task.acceptedAt) / (task.endsAt - task.acceptedAt);
    const progress = task.frames
      .filter((from) => share >= from)
      .map((_, at) => ({ id: `f${at + 1}`, image: this.#linkTo(task, `f${at + 1}`) }));
    const task_id = this.#spell(task.taskId);
    const isTakenBack = this.#weather.strikes('flapping');
    if (!this.hasEnded(task) || isTakenBack) {
      const isOdd = this.#weather.strikes('unknownState') || task.isWordedOddly;
      return success({ task_id, status: isOdd ? 'QUEUED_AGAIN' : 'IN_PROGRESS', progress });
    }
    const isLate = this.#clock.now() < task.endsAt + task.priceLagMs;
    const price = isLate ? 0 : this.#saidOf(task);
    const consumption = task.isUnpriced
      ? this.#dice.pick<readonly object[]>([
          [],
          [{ type: 'points', value: price }],
          [{ type: 'score', value: `${price} points` }],
        ])
      : [{ type: 'score', value: price, detail: 'one video' }];
    if (task.end === 'failed') {
      const result = [{ type: 'text', content: 'it cannot be drawn' }];
      return success({ task_id, status: task.isWordedOddly ? 'ABORTED' : 'FAILED', consumption, result });
    }
    const result = this.#resultOf(task);
    // Without its video nothing would tell that the task has ended.
    const isOdd = task.isWordedOddly && result.some((entry) => 'type' in entry && entry.type === 'video');
    return success({
      task_id,
      status: isOdd ? 'SUCCEEDED' : 'COMPLETED',
      progress,
      consumption,
      result,
      title: `About ${task.row}`,
    });
  }

  /** What it says that this task cost: nothing at first, then a fifth, then all where the points rise. */
  #saidOf(task: SimTask): number {
    const whole = this.priceOf(task);
    const sinceMs = this.#clock.now() - task.endsAt;
    if (sinceMs >= task.riseMs) return whole;
    if (sinceMs < task.riseMs / 2) return 0;
    // A first word that is no 0 is a price: what is charged beyond it, no cap can know.
    return this.#savedZero.has(task.taskId) ? whole / 5 : whole;
  }

  #resultOf(task: SimTask): readonly object[] {
    if (task.end === 'no-video') return [];
    if (this.#clock.now() < task.endsAt + task.linkLagMs)
      return task.linkLagMs % 2 === 0 ? [] : [{ type: 'text', content: 'one moment, please' }];
    const names = task.hasLostCopy ? ['lost', 'video'] : ['video'];
    return names.map((name) => ({ type: 'video', content: this.#linkTo(task, name) }));
  }

  #linkTo(task: SimTask, name: string): string {
    const expires = this.#clock.now() + this.#linkLifeMs;
    return `https://files.example/${task.taskId}/${name}?expires=${expires}&signature=s3cret`;
  }

  #maybeGarbled(response: SimResponse): SimResponse {
    if (!this.#weather.strikes('garbled')) return response;
    this.refusals.foreignAt = this.#clock.now();
    const { body } = response;
    const cut = this.#dice.integer(0, body.length - 1);
    return this.#dice.pick<SimResponse>([
      { status: 200, body: body.slice(0, cut) },
      { status: 200, body: '<html>one moment, please</html>' },
      { status: 200, body: '' },
      { status: 200, body: '{"status":"success","data":[]}' },
      { status: 200, body: '{"status":"success","data":{"task_id":17,"status":{}}}' },
      { status: 502, body },
    ]);
  }

  #isStorm(): boolean {
    if (this.#weather.strikes('storm')) this.beginStorm();
    return this.#clock.now() < this.#stormUntil;
  }

  #isDown(): boolean {
    return this.#clock.now() < this.#downUntil;
  }

  #downPage(): SimResponse {
    const status = this.#gateway.pick([502, 503, 504, 522]);
    // A network in front of the service says it in plain words.
    return { status, body: status === 522 ? 'error code: 522' : '<h1>down</h1>' };
  }

  /** It takes no creation for now, and asks to wait for a moment, for a day, or does not say. */
  #shut(): SimResponse {
    const retryAfter = this.#gateway.pick(['', '30', '86400']);
    return { ...error('slow down', 429), ...(retryAfter !== '' && { retryAfter }) };
  }

  #stormy(): SimResponse {
    this.refusals.foreignAt = this.#clock.now();
    const status = this.#dice.pick([500, 502, 503, 504]);
    return { status, body: '<h1>down</h1>', ...(status === 503 && { retryAfter: '30' }) };
  }

  #keyRefused(): boolean {
    if (this.#weather.strikes('keyExpired')) this.refuseKey();
    const isRefused = this.#clock.now() < this.#keyRefusedUntil;
    if (isRefused) this.refusals.forAllAt = this.#clock.now();
    return isRefused;
  }
}
