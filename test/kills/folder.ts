/** One output folder in trouble: processes start in it, are hit, and are started again, until the run comes to its end. */

import { mkdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { Ending } from '../cli/support/program.ts';
import { openStage, type Stage } from '../cli/support/stage.ts';
import { Dice } from '../sim/dice.ts';
import { createFickleService, type FickleService } from './fickle-service.ts';
import {
  exitCodeOf,
  fileFlaws,
  filesBelow,
  moneyFlaws,
  readCheckpoint,
  readReport,
  secretFlaws,
  type ToldRow,
} from './oracle.ts';

/** What a process is doing when it is hit, as the service sees it. */
export const phases = ['start-up', 'create', 'status', 'file', 'reports'] as const;
export type Phase = (typeof phases)[number];

/** Rows that each process may submit: few, so that its life goes through all phases. */
const rowsEach = 4;
/** Requests of each kind that the service sees of such a process, roughly. */
const eventsEach = { create: 4, status: 16, file: 8 } as const;
/** A process that has not come to where it is to be hit after so many start-ups is hit anyway: it may have nothing to do but to wait. */
const longestLife = 12;
/** No process may need longer (ms), whatever the machine. */
const deadlineMs = 180_000;
/** A folder that does not come to its end in so many processes never will. */
const mostProcesses = 25;

const out = 'videos';
const inputName = 'q.csv';

export class Folder implements AsyncDisposable {
  readonly stage: Stage;
  readonly service: FickleService;
  /** Every broken promise so far, in a line. */
  readonly broken: string[] = [];
  readonly #cap: number;
  readonly #dice: Dice;
  /** Until the first request of a process (ms), as measured. */
  #startUpMs = 400;
  #aimed = 0;

  private constructor(stage: Stage, service: FickleService, dice: Dice) {
    this.stage = stage;
    this.service = service;
    this.#dice = dice;
    this.#cap = dice.integer(5, 8);
  }

  /** Opens a folder with rows for so many processes. A gentle service answers every creation, and accepts it. */
  static async open(seed: number, processes: number, isGentle: boolean): Promise<Folder> {
    const service = createFickleService(seed, isGentle);
    const stage = await openStage(service.script);
    await stage.write(inputName, inputOf(rowsEach * processes));
    return new Folder(stage, service, new Dice(seed, 'hits'));
  }

  get #path(): string {
    return join(this.stage.folder, out);
  }

  /** The rows as the report tells them. */
  report(): ToldRow[] {
    return readReport(this.#path);
  }

  /** A process that gets this signal when it has come to where it is aimed at; `phase` is null when it had ended before. */
  async hit(signal: NodeJS.Signals): Promise<{ readonly ending: Ending; readonly phase: Phase | null }> {
    const { events } = this.stage.service;
    const eventsBefore = events.length;
    const program = this.stage.start([...this.#line(), '--limit', String(rowsEach)]);
    const aim = this.#aim();
    const isOld = elapsed(longestLife * this.#startUpMs).then(() => 'old' as const);
    const first = await Promise.race([aim.reached, program.ended, isOld]);
    await elapsed(aim.afterMs);
    program.kill(signal);
    const last = events.slice(eventsBefore).at(-1)?.split(' ', 1)[0];
    const isEnded = typeof first === 'object';
    const ending = await this.#ended(program);
    aim.giveUp();
    if (isEnded) return { ending, phase: null };
    const isThere = first === 'reached' && (aim.what !== 'start-up' || last === undefined);
    return { ending, phase: isThere ? aim.what : (phases.find((phase) => phase === last) ?? 'start-up') };
  }

  /** A process that is left in peace. It also tells how long a start takes on this machine. */
  async live(...more: readonly string[]): Promise<Ending> {
    const { service } = this.stage;
    const startedAt = performance.now();
    const eventsBefore = service.events.length;
    const program = this.stage.start([...this.#line(), ...more]);
    const isBusy = service.until(({ events }) => events.length > eventsBefore).then(() => 'busy' as const);
    if ((await Promise.race([isBusy, program.ended])) === 'busy')
      this.#startUpMs = performance.now() - startedAt;
    return this.#ended(program);
  }

  async #ended(program: ReturnType<Stage['start']>): Promise<Ending> {
    const deadline = setTimeout(() => {
      this.broken.push(`a process had not ended after ${deadlineMs} ms`);
      program.kill('SIGKILL');
    }, deadlineMs);
    const ending = await program.ended;
    clearTimeout(deadline);
    if (/s3cret-|sk-scripted/.test(ending.stdout + ending.stderr))
      this.broken.push('the output holds a secret');
    return ending;
  }

  #line(): string[] {
    return ['run', inputName, '--quiet', '--poll-interval', '60ms', '-j', String(this.#cap)];
  }

  /** Holds the exit code of a process that ended by itself against its report. */
  checkEnding({ code, stderr }: Ending): void {
    const expected = exitCodeOf(this.report());
    if (code !== expected) this.broken.push(`exit code ${code} instead of ${expected}: ${stderr}`);
  }

  /** Holds the folder against the ledger; returns the rows of the checkpoint. */
  async check(): Promise<readonly ToldRow[]> {
    const rows = await readCheckpoint(this.#path);
    const flaws = [...moneyFlaws(rows, this.service), ...fileFlaws(this.#path, rows)];
    const { mostOpen } = this.service;
    if (mostOpen > this.#cap) flaws.push(`${mostOpen} tasks were open with a cap of ${this.#cap}`);
    for (const flaw of flaws) if (!this.broken.includes(flaw)) this.broken.push(flaw);
    return rows;
  }

  /** The same line again until nothing is left to do; returns how many processes that took. */
  async runToTheEnd(): Promise<number> {
    const unfinished = ['pending', 'submitting', 'open', 'downloading', 'undelivered'];
    for (let count = 1; count <= mostProcesses; count++) {
      this.checkEnding(await this.live());
      await this.check();
      if (!this.report().some(({ status }) => unfinished.includes(status))) return count;
    }
    this.broken.push(`the run did not come to its end in ${mostProcesses} processes`);
    return mostProcesses;
  }

  /** At the end the report is held against the ledger too, and the same line again must submit and change nothing. */
  async checkEnd(): Promise<void> {
    const rows = this.report();
    this.broken.push(...moneyFlaws(rows, this.service), ...secretFlaws(this.#path));
    await this.checkReport();
    const outside = filesBelow(this.stage.folder).filter((name) => !name.startsWith(`${out}/`));
    if (outside.join() !== inputName) this.broken.push(`outside the output folder: ${outside}`);

    const state = () => JSON.stringify([resultsIn(this.#path), this.stage.service.creations.length]);
    const before = state();
    this.checkEnding(await this.live());
    if (state() !== before) this.broken.push('the same line again changed something');
  }

  /** The report that a process left must tell what the checkpoint does. */
  async checkReport(): Promise<void> {
    if (JSON.stringify(this.report()) !== JSON.stringify(await readCheckpoint(this.#path)))
      this.broken.push('report.jsonl and the checkpoint tell two stories');
  }

  /**
   * The phases in turn: start-up by time, the others by requests, the end by the first report. The first hit in each is at its
   * first moment, which every process comes to; from then on the dice say how far into it.
   */
  #aim(): Aim {
    const turn = this.#aimed++;
    const what = phases[turn % phases.length] ?? 'start-up';
    const isFirst = turn < phases.length;
    const upTo = (most: number): number => (isFirst ? 0 : this.#dice.integer(0, most));
    const afterMs = upTo(25);
    const giveUp = (): void => {};
    if (what === 'start-up') return { what, reached: elapsed(upTo(this.#startUpMs)), afterMs: 0, giveUp };
    if (what === 'reports') return { what, afterMs, ...untilReports(this.#path) };
    const count = (events: readonly string[]): number =>
      events.filter((event) => event.startsWith(`${what} `)).length;
    const { service } = this.stage;
    const wanted = count(service.events) + 1 + upTo(eventsEach[what] - 1);
    const reached = service.until(({ events }) => count(events) >= wanted).then(() => 'reached' as const);
    return { what, reached, afterMs, giveUp };
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.stage[Symbol.asyncDispose]();
  }
}

interface Aim {
  readonly what: Phase;
  readonly reached: Promise<'reached'>;
  /** How much later the process is hit. */
  readonly afterMs: number;
  giveUp(): void;
}

function untilReports(path: string): Pick<Aim, 'reached' | 'giveUp'> {
  mkdirSync(path, { recursive: true });
  const { promise, resolve } = Promise.withResolvers<'reached'>();
  const watcher = watch(path, (_, name) => {
    if (name?.startsWith('.report')) resolve('reached');
  });
  return { reached: promise, giveUp: () => watcher.close() };
}

/** Keeps nobody alive who has nothing else to wait for. */
function elapsed(ms: number): Promise<'reached'> {
  return new Promise((resolve) => void setTimeout(resolve, ms, 'reached').unref());
}

/** Every tenth row cannot be sent. */
function inputOf(rowCount: number): string {
  const rows = Array.from(
    { length: rowCount },
    (_, i) => `r${i + 1},${i % 10 === 9 ? '' : `Question r${i + 1}`}`,
  );
  return ['id,question', ...rows, ''].join('\n');
}

/** What a run leaves for its user, but for the page that tells when it was written. */
function resultsIn(path: string): Record<string, string> {
  const names = filesBelow(path).filter(
    (name) => name.includes('/') || /^(report\.(csv|jsonl)|failed\.csv)$/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), 'base64')]));
}
