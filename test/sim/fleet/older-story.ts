/**
 * One seed, one run on several machines whose store goes back to an older copy of itself at any moment: the machines remember what
 * they sent, and the user gives the commands again that the copy does not know, or reads another file under the same ids.
 */

import Sqlite from 'better-sqlite3';
import { acceptStore, MachineMemory } from '../../../src/app/fleet/older-store.ts';
import type { ItemEvent } from '../../../src/money/event.ts';
import type { Item } from '../../../src/money/item.ts';
import { defaultPolicy } from '../../../src/money/policy.ts';
import { planCorrection } from '../../../src/money/review.ts';
import { readSent } from '../../../src/money/sent-question.ts';
import { transition } from '../../../src/money/transition.ts';
import { prepareRequest } from '../../../src/runner/submitting/prepare-request.ts';
import type { Sharing } from '../../../src/stores/port/sharing.ts';
import type { Store } from '../../../src/stores/port/store.ts';
import type { SentLine } from '../../../src/stores/sent-log.ts';
import { type Database, openScratchDatabase } from '../../../src/stores/sqlite/database.ts';
import { incomingRows, source, type WrittenRow } from '../../support/incoming-rows.ts';
import { noImages } from '../../support/no-images.ts';
import { Dice } from '../dice.ts';
import { BrokenPromise, promise } from '../oracle.ts';
import type { Outcome } from '../story.ts';
import { sharedOver } from './shared-store.ts';

const machineCount = 2;
const steps = 30;
const second = 1_000;

/** A command of the user, given once or again. */
interface Command {
  readonly what: string;
  give(): Promise<void>;
}

/** The store as of a moment, and how many commands it knows. */
interface Copy {
  readonly bytes: Buffer;
  readonly commands: number;
  readonly file: readonly WrittenRow[];
}

export class OlderStory {
  readonly #seed: number;
  readonly #dice: Dice;
  readonly #transcript: string[] = [];
  readonly #machines: readonly MachineMemory[];
  #db: Database = openScratchDatabase();
  #stores: readonly Store[] = sharedOver(this.#db, machineCount);
  /** Of the tasks, by id. */
  readonly #texts = new Map<string, string>();
  /** How often each text may be paid for. */
  readonly #wanted = new Map<string, number>();
  #file: readonly WrittenRow[] = [];
  readonly #commands: Command[] = [];
  #copy: Copy | null = null;
  #now = Date.UTC(2026, 2, 1, 8);
  #made = 0;
  #failovers = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.#dice = new Dice(seed, 'older');
    this.#machines = Array.from({ length: machineCount }, (_, at) => this.#machine(at));
  }

  async play(): Promise<Outcome> {
    let flaw: string | null = null;
    try {
      await this.#add();
      for (let step = 0; step < steps; step += 1) await this.#step();
      await this.#failOver();
      await this.#checkVideos();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      flaw = error instanceof BrokenPromise ? error.message : String(error.stack);
      this.#note(`BROKEN: ${flaw}`);
    } finally {
      this.#db.close();
    }
    const [processCount, taskCount] = [machineCount, this.#texts.size];
    return { seed: this.#seed, flaw, transcript: this.#transcript, processCount, taskCount };
  }

  async #step(): Promise<void> {
    const act = this.#dice.integer(0, 11);
    if (act === 0) await this.#add();
    else if (act === 1) await this.#edit();
    else if (act === 2) await this.#correct();
    else if (act <= 6) await this.#work();
    else if (act <= 8) await this.#end();
    else if (act === 9 && this.#copy !== null) await this.#failOver();
    else if (this.#copy === null || act === 10) this.#backUp();
  }

  #note(text: string): void {
    this.#transcript.push(text);
  }

  get #store(): Store {
    const [store] = this.#stores;
    if (store === undefined) throw new Error('no store');
    return store;
  }

  #machine(at: number): MachineMemory {
    const lines: SentLine[] = [];
    const own = (): Store => this.#stores[at] ?? this.#store;
    const sharing = (): Sharing => this.#sharing(own());
    const log = { warn: () => {}, info: () => {} };
    return new MachineMemory({
      store: {
        get checkpoint() {
          return own().checkpoint;
        },
        get settings() {
          return own().settings;
        },
      },
      get sharing() {
        return sharing();
      },
      kept: {
        leave: (creations) => void lines.push(...creations),
        answer: (answer) => void lines.push(answer),
        obey: (terms) => void lines.push({ terms }),
        async *lines() {
          yield [...lines];
        },
        noteCreations: () => {},
        [Symbol.dispose]: () => {},
      },
      known: 0,
      clock: { now: () => this.#now, steady: () => this.#now },
      log,
    });
  }

  #sharing({ sharing }: Store): Sharing {
    if (sharing === null) throw new Error('a run of its own');
    return { ...sharing, now: async () => this.#now };
  }

  #want(text: string): void {
    this.#wanted.set(text, (this.#wanted.get(text) ?? 0) + 1);
  }

  async #do(what: string, give: () => Promise<void>): Promise<void> {
    this.#commands.push({ what, give });
    this.#note(what);
    await give();
  }

  /** The user reads the file as it is now; changed rows are paid for again. */
  #read(what: string, rows: readonly WrittenRow[]): Promise<void> {
    this.#file = rows;
    return this.#do(
      `${what}: ${rows.map(({ id, question }) => `${id} ${question}`).join(', ')}`,
      async () => {
        await using ingest = await this.#store.openIngest();
        await ingest.add(incomingRows(...rows));
        await ingest.match({ add: false, isMended: false });
        await ingest.apply({ source, at: this.#now, add: false, isMended: false, rerunChanged: true });
      },
    );
  }

  #newText(id: string): string {
    this.#made += 1;
    const text = `${id} is asked (${this.#made})`;
    this.#want(text);
    return text;
  }

  #rowsAfter(count: number): readonly WrittenRow[] {
    return Array.from({ length: count }, (_, at) => {
      const id = `q${this.#file.length + at + 1}`;
      return { id, question: this.#newText(id) };
    });
  }

  #add(): Promise<void> {
    return this.#read('add', [...this.#file, ...this.#rowsAfter(this.#dice.integer(1, 2))]);
  }

  #edit(): Promise<void> {
    const at = this.#dice.integer(0, this.#file.length - 1);
    return this.#read(
      'edit',
      this.#file.map((row, place) =>
        place === at ? { ...row, question: this.#newText(String(row.id)) } : row,
      ),
    );
  }

  /** A row that has ended is sent again with another text. */
  async #correct(): Promise<void> {
    const [item] = await Array.fromAsync(this.#store.checkpoint.items(['failed'], 'inFile'));
    if (item === undefined || (await this.#store.checkpoint.editOf(item.key)) !== null) return;
    const { id } = item;
    const question = this.#newText(id);
    await this.#do(`correct ${id} to ${question}`, async () => {
      const { checkpoint, reviews } = this.#store;
      const [now] = await checkpoint.itemsWithIds([id], 'inFile');
      if (now === undefined || now.status !== 'failed') return;
      const { input, source: read, correction } = await checkpoint.input(now.key);
      const { own } = readSent({ item: now, input, source: read, correction });
      const planned = planCorrection(own.question, { question, answer: null }, now.attempt + 1);
      await reviews.correct(new Map([[now.key, planned]]));
      await this.#become(now, { type: 'retry-ordered', at: this.#now });
    });
  }

  async #become(before: Item, event: ItemEvent): Promise<Item> {
    const { item: after } = transition(before, event, defaultPolicy);
    await this.#store.checkpoint.commit([{ before, after }]);
    return (await this.#store.checkpoint.itemWithKey(before.key)) ?? after;
  }

  /** A machine sends a row, if all of them know that nothing was forgotten. */
  async #work(): Promise<void> {
    if (!(await this.#isWhole()))
      throw new BrokenPromise('the machines lack something outside of a failover');
    const memory = this.#machines[this.#dice.integer(0, machineCount - 1)];
    const { checkpoint } = this.#store;
    const [item] = await checkpoint.pendingItems({ limit: 1, only: null, retry: null });
    if (item === undefined || memory === undefined) return;
    const ports = { checkpoint, images: noImages };
    const request = await prepareRequest(ports, item, { quality: null, notifyUrl: null, maxImageBytes: 1 });
    if ('failure' in request) throw new Error(request.failure);
    this.#made += 1;
    const [token, at] = [`token-${this.#made}`, this.#now];
    const { hash: requestHash, quality } = request;
    const sent = await this.#become(item, { type: 'claimed', at, token, requestHash, quality, aside: null });
    memory.leave([sent]);
    const { question: text } = JSON.parse(request.body);
    if (this.#dice.chance(0.1)) {
      memory.answer(token, null);
      this.#note(`${item.id} is not sent: ${text}`);
      await this.#become(sent, { type: 'creation-not-sent', at, failure: 'no' });
      return;
    }
    const taskId = `task-${this.#made}`;
    this.#texts.set(taskId, text);
    this.#note(`${item.id} is ${taskId}: ${text}`);
    const paid = [...this.#texts.values()].filter((each) => each === text).length;
    promise(paid <= (this.#wanted.get(text) ?? 0), `"${text}" is paid for ${paid} times`);
    memory.answer(token, taskId);
    await this.#become(sent, { type: 'creation-accepted', at, taskId });
  }

  /** What is open ends. */
  async #end(): Promise<void> {
    const ending = { points: 1, detail: null, title: null, createdAt: null, finishAt: null };
    for (const item of await Array.fromAsync(this.#store.checkpoint.items(['open'])))
      await this.#become(item, { type: 'task-failed', at: this.#now, ending, failure: 'no' });
  }

  #backUp(): void {
    this.#copy = { bytes: this.#db.serialize(), commands: this.#commands.length, file: this.#file };
    this.#note('a copy is made');
  }

  async #failOver(): Promise<void> {
    if (this.#copy === null) return;
    const { bytes, commands, file } = this.#copy;
    this.#failovers += 1;
    this.#db.close();
    this.#db = new Sqlite(bytes);
    this.#stores = sharedOver(this.#db, machineCount, `copy ${this.#failovers}`);
    this.#note('the store goes back to the copy');
    const forgotten = this.#commands.splice(commands);
    await this.#isWhole();
    if (this.#file.length > file.length && this.#dice.chance(0.4)) await this.#readAnother(file);
    else await this.#giveAgain(forgotten);
  }

  async #giveAgain(forgotten: readonly Command[]): Promise<void> {
    for (const command of forgotten) {
      // The row of a command may have to end first, as it had then.
      await this.#end();
      await this.#isWhole();
      await this.#end();
      this.#note(`again: ${command.what}`);
      this.#commands.push(command);
      await command.give();
    }
    for (let tries = 0; tries < 5 && !(await this.#isWhole()); tries += 1) await this.#end();
    await this.#checkVideos();
    promise(await this.#isWhole(), 'the same commands settle nothing');
  }

  /** A file that has other rows under the ids of those that the store has forgotten: a person has to say that this is meant. */
  async #readAnother(known: readonly WrittenRow[]): Promise<void> {
    const others = this.#file
      .slice(known.length)
      .map((row) => ({ ...row, question: this.#newText(String(row.id)) }));
    const more = this.#dice.chance(0.5) ? this.#rowsAfter(1) : [];
    await this.#read('another', [...known, ...more, ...others]);
    await this.#isWhole();
    await this.#end();
    await this.#isWhole();
    await this.#checkVideos();
    await acceptStore({ settings: this.#store.settings, sharing: this.#sharing(this.#store) });
    this.#note('the user accepts the store');
    promise(await this.#isWhole(), 'the machines go on where the user has accepted the store');
    this.#backUp();
  }

  /** True once all machines have compared what they know. */
  async #isWhole(): Promise<boolean> {
    for (let looks = 0; looks < 10; looks += 1) {
      const ends: unknown[] = [];
      for (const [at, memory] of this.#machines.entries()) {
        this.#now += 60 * second;
        const sharing = this.#stores[at]?.sharing;
        if (sharing != null) ends.push(await memory.check(await sharing.look(), []));
      }
      if (ends.every((end) => end === 'whole')) return true;
      if (looks === 9) this.#note(JSON.stringify(ends));
    }
    return false;
  }

  /** Each row says what its task was made of. */
  async #checkVideos(): Promise<void> {
    for await (const row of this.#store.checkpoint.reportRows()) {
      const text = this.#texts.get(row.item.taskId ?? '');
      const said = readSent(row).question.question;
      promise(
        text === undefined || text === said,
        `${row.item.id} says "${said}" and has the video of "${text}"`,
      );
    }
  }
}
