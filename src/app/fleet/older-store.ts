/**
 * What this machine knows of the past of a shared store: the creations that left it, and how many the store knew. A database
 * restored from a backup, or a standby that lagged behind, knows fewer: rows that were paid for are pending in it. What is
 * known here is put back, and nobody submits until all workers have compared what they know.
 */

import { StaleItemError } from '../../errors.ts';
import { contentSent } from '../../input/picture-content.ts';
import { type Message, message } from '../../messages/message.ts';
import { renderNames } from '../../messages/numbers.ts';
import { putBack, type SentCreation } from '../../money/answers/late-answers.ts';
import type { Item } from '../../money/item.ts';
import { fixed } from '../../money/policy.ts';
import { contentIn, readSent } from '../../money/sent-question.ts';
import { syncFolderNow } from '../../outputs/directory-sync.ts';
import type { AttemptTask, Clock, Log } from '../../ports.ts';
import type { MemoryEnd, StoreMemory } from '../../runner/context.ts';
import { saveLateTasks } from '../../runner/late-answers/late-tasks.ts';
import { sha256 } from '../../runner/submitting/prepare-request.ts';
import type { Settings } from '../../stores/port/settings.ts';
import type { SharedState, Sharing } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import {
  isLeaving,
  type LeavingCreation,
  openSentLog,
  readSentLog,
  type SentLine,
  type SentLog,
} from '../../stores/sent-log.ts';
import { readSetting } from '../output-folder.ts';
import { leftFolders, type Scratch, sharingOf } from '../scratch.ts';
import { type ComparedTerms, TermsMemory } from './kept-terms.ts';

const settingName = 'older-store';

/** What processes found, as saved in the store for all of them. */
interface Finding {
  /** Creations that the store must know, those included that the user accepted as settled. */
  readonly least: number;
  /** When that was found last (epoch ms by the clock of the store); 0 for never. */
  readonly foundAt: number;
  /** Forgotten creations that count as settled, and when the user said so (epoch ms). */
  readonly accepted: number;
  readonly acceptedAt: number;
  /** Up to which the terms that workers knew were compared. */
  readonly terms?: ComparedTerms;
}

const nothing: Finding = { least: 0, foundAt: 0, accepted: 0, acceptedAt: 0 };

async function readFinding(settings: Settings): Promise<Finding> {
  return (await readSetting<Finding>(settings, settingName)) ?? nothing;
}

/**
 * True where the store has forgotten creations since the user accepted it last: a row that waits there may have been sent. Some
 * may be settled by now, and more of them than anybody counted.
 */
export async function hasForgotten(settings: Settings): Promise<boolean> {
  const { foundAt, acceptedAt } = await readFinding(settings);
  return foundAt > acceptedAt;
}

/** The user has settled what the store forgot. Returns how many creations that were; 0 where there was nothing to settle. */
export async function acceptStore(store: Pick<Store, 'settings' | 'sharing'>): Promise<number> {
  const { settings } = store;
  const sharing = sharingOf(store);
  const found = await readFinding(settings);
  const missing = Math.max(0, found.least - (await sharing.look()).creations - found.accepted);
  const acceptedAt = await sharing.now();
  await settings.save(
    settingName,
    JSON.stringify({ ...found, accepted: found.accepted + missing, acceptedAt } satisfies Finding),
  );
  return missing;
}

/** What this machine keeps on its disk. */
export interface KeptMemory extends SentLog {
  /** Of this process and those that are gone: lines in the order in which they were written, in pages. */
  lines(): AsyncIterable<readonly SentLine[]>;
  noteCreations(creations: number): void;
}

export interface MemoryParts {
  readonly store: Pick<Store, 'checkpoint' | 'settings'>;
  readonly sharing: Sharing;
  readonly kept: KeptMemory;
  /** The most creations that a process on this machine has seen in the store. */
  readonly known: number;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly log: Pick<Log, 'warn' | 'info'>;
}

/** Opens what is kept in this scratch folder and, of processes that are gone, below `base`. Throws `DiskError`. */
export function openKeptMemory(scratch: Scratch, base: string): KeptMemory {
  return {
    ...openSentLog(scratch.folder, syncFolderNow),
    async *lines() {
      for (const { folder } of leftFolders(base, scratch)) yield* readSentLog(folder);
    },
    noteCreations: (creations) => scratch.noteCreations(creations),
  };
}

export class MachineMemory implements StoreMemory, Disposable {
  readonly #parts: MemoryParts;
  readonly #terms: TermsMemory;
  /** Creations that the store must know; `#accepted` of them are settled by the user. */
  #most: number;
  #accepted = 0;
  lastSent: string | null = null;
  /** The server that was compared, and the workers that were seen with it. */
  #server: string | null = null;
  #crew: readonly string[] = [];
  /** What is not put back yet; of `#homeless` the store has no row, or another text: somebody has to bring that back. */
  #left: readonly SentCreation[] = [];
  #homeless: readonly SentCreation[] = [];
  /** As of which changes of the store, and of what the user accepted, that was tried last. */
  #tried = '';
  /** Since when the store lacks something (steady ms); null while it does not. */
  #lacksSince: number | null = null;
  /** Reports to the user. */
  report: (said: Message) => void = () => {};

  constructor(parts: MemoryParts) {
    this.#parts = parts;
    this.#most = parts.known;
    this.#terms = new TermsMemory(parts.store, parts.kept);
  }

  get least(): number {
    return this.#most - this.#accepted;
  }

  leave(items: readonly Item[]): void {
    this.#parts.kept.leave(items.map((item) => leavingOf(item, item.token ?? '')));
    this.lastSent = items.at(-1)?.token ?? this.lastSent;
    // The store has their claims next to all that it had at the last look, and may forget both before the next one.
    this.#know(this.#most + items.length);
  }

  /** The store has known so many creations. */
  #know(creations: number): void {
    if (creations <= this.#most) return;
    this.#most = creations;
    this.#parts.kept.noteCreations(creations);
  }

  answer(token: string, taskId: string | null): void {
    this.#parts.kept.answer({ token, taskId });
  }

  async check(state: SharedState, items: Iterable<Item>): Promise<MemoryEnd> {
    const { clock, sharing, store } = this.#parts;
    const finding = await readFinding(store.settings);
    this.#accepted = finding.accepted;
    const hasSettled = await this.#settle(state, finding, items);
    if (!(await this.#hasTerms(state, finding))) return 'settling';
    const known = state.creations + finding.accepted;
    this.#know(known);
    const least = Math.max(this.#most, finding.least);
    const missing = least - known;
    if (missing > 0 && least > finding.least)
      await store.settings.save(
        settingName,
        JSON.stringify({ ...finding, least, foundAt: await sharing.now() } satisfies Finding),
      );
    if (missing > 0 || this.#left.length > 0) {
      if (state.isConfirmed) await sharing.doubt();
      this.#lacksSince ??= clock.steady();
      const isPatient =
        this.#homeless.length === 0 && clock.steady() - this.#lacksSince < fixed.serverPatienceMs;
      if (hasSettled || isPatient) return 'settling';
      return { failure: whyForgotten(missing, this.#homeless.length > 0 ? this.#homeless : this.#left).text };
    }
    this.#lacksSince = null;
    if (hasSettled) return 'settling';
    if (state.isConfirmed) {
      this.#crew = state.crew;
      return 'whole';
    }
    await sharing.confirm(state.server, this.#crew);
    return 'settling';
  }

  /** True where the run is as far from being spent as it was when this machine looked last. */
  async #hasTerms(state: SharedState, finding: Finding): Promise<boolean> {
    const now = this.#parts.clock.now();
    const end = await this.#terms.check(state, finding.terms ?? { round: 0, steering: 0 }, now, {
      name: settingName,
      after: (terms) => JSON.stringify({ ...finding, terms } satisfies Finding),
    });
    if (end.type === 'put-back' && end.said !== null) this.report(end.said);
    return end.type === 'same';
  }

  /** Compares what is known here with another server, or with one that lacks it. True where something was put back. */
  async #settle(state: SharedState, finding: Finding, items: Iterable<Item>): Promise<boolean> {
    const { sharing } = this.#parts;
    const { lastSent } = this;
    const isLost = lastSent !== null && !(await sharing.tasksOf([lastSent])).has(lastSent);
    const isAnew = state.server !== this.#server || isLost;
    const known = `${state.change} ${finding.acceptedAt}`;
    if (!isAnew && (this.#left.length === 0 || known === this.#tried)) return false;
    this.#tried = known;
    const forgotten = isAnew ? await this.#compare(items, !state.isConfirmed || isLost) : this.#left;
    const open = forgotten.filter(({ submittedAt }) => submittedAt > finding.acceptedAt);
    // Before anything is written: nobody may pay meanwhile.
    if (state.isConfirmed && open.length > 0) await sharing.doubt();
    const left: SentCreation[] = [];
    const homeless: SentCreation[] = [];
    const back: SentCreation[] = [];
    for (const sent of open.toSorted((a, b) => a.submittedAt - b.submittedAt)) {
      const end = await this.#putBack(sent);
      if (end === 'homeless') homeless.push(sent);
      if (end === 'homeless' || end === 'later') left.push(sent);
      if (end === 'back') back.push(sent);
    }
    this.#noteHomeless(homeless);
    this.#left = left;
    this.#server = state.server;
    this.lastSent = null;
    if (back.length > 0) this.report(backText(back));
    return back.length > 0;
  }

  /** The creations known here that the store does not know. Tasks that it does not know are given to it at once. */
  async #compare(items: Iterable<Item>, isDoubted: boolean): Promise<readonly SentCreation[]> {
    const { clock, kept, sharing, store } = this.#parts;
    const unknown = new Map<string, SentCreation>();
    const late: AttemptTask[] = [];
    for await (const page of kept.lines()) {
      const tokens = page.flatMap((line) => ('terms' in line ? [] : [line.token]));
      const tasks = await sharing.tasksOf([...new Set(tokens)]);
      for (const line of page) {
        if ('terms' in line) {
          this.#terms.recall(line.terms);
          continue;
        }
        const { token } = line;
        const task = tasks.get(token);
        const sent = unknown.get(token);
        if (isLeaving(line)) {
          if (task === undefined) unknown.set(token, { ...line, taskId: null, isVoid: false });
        } else if (sent !== undefined)
          unknown.set(token, { ...sent, taskId: line.taskId, isVoid: line.taskId === null });
        else if (task === null && line.taskId !== null) late.push({ token, taskId: line.taskId });
      }
    }
    // Rows that were taken over are known, too, whoever sent them.
    const own = [...items].flatMap((item) => sentOf(item) ?? []);
    const tasks = await sharing.tasksOf(own.map(({ token }) => token));
    for (const sent of own)
      if (!tasks.has(sent.token) && !unknown.has(sent.token)) unknown.set(sent.token, sent);
    // A start in peace leaves them to the journal: the user may have settled these rows otherwise since.
    if (isDoubted && late.length > 0) await saveLateTasks(store.checkpoint, late, clock.now());
    return [...unknown.values()];
  }

  /** Their tasks are told once: nothing else of this run knows of them. */
  #noteHomeless(homeless: readonly SentCreation[]): void {
    const known = new Set(this.#homeless.map(({ token }) => token));
    for (const sent of homeless)
      if (!known.has(sent.token))
        this.#parts.log.warn({ ...sent }, 'a creation that the store had forgotten has no row of its text');
    this.#homeless = homeless;
  }

  async #putBack(sent: SentCreation): Promise<'back' | 'later' | 'homeless' | 'needless'> {
    const { clock, log, store } = this.#parts;
    const { checkpoint } = store;
    let isWhole = true;
    while (true) {
      const item = await this.#itemOf(sent);
      if (item === null) return 'homeless';
      const steps = putBack(item, sent, clock.now());
      if (typeof steps === 'string') return steps;
      const changes = isWhole
        ? steps.map((after, at) => ({ before: steps[at - 1] ?? item, after }))
        : steps.slice(-1).map((after) => ({ before: item, after }));
      try {
        await checkpoint.commit(changes);
        log.info({ ...sent }, 'a creation that the store had forgotten is back in the run');
        return 'back';
      } catch (error) {
        if (!(error instanceof StaleItemError)) throw error;
        if ((await checkpoint.itemWithKey(item.key))?.version !== item.version) continue;
        if (isWhole) {
          // A row that left the file is not claimed any more, but it was.
          isWhole = false;
          continue;
        }
        log.warn({ ...sent }, 'the task of a forgotten creation belongs to another attempt');
        return 'needless';
      }
    }
  }

  /** The row that was sent; null where the store has forgotten the row itself, or the text that was sent. */
  async #itemOf(sent: SentCreation): Promise<Item | null> {
    const { checkpoint } = this.#parts.store;
    const item = await checkpoint.itemWithKey(sent.key);
    if (item?.id === sent.id) return (await this.#says(item, sent)) ? item : null;
    for (const named of await checkpoint.itemsWithIds([sent.id]))
      if (await this.#says(named, sent)) return named;
    return null;
  }

  /** Whether another attempt of the item would send what was sent. An attempt before its last one keeps its place behind it. */
  async #says(item: Item, { attempt, requestHash }: SentCreation): Promise<boolean> {
    const content = contentIn(requestHash);
    if (content === null || item.attempt > attempt) return true;
    const { sharing, store } = this.#parts;
    const [row] = await store.checkpoint.reportRowsOf([item.key]);
    const saved = row?.edit ?? row ?? (await store.checkpoint.input(item.key));
    const correction = row?.correction ?? null;
    const sent = readSent({ ...saved, item: { ...item, status: 'pending' }, correction });
    const paths = sent.own.files.map(({ path }) => path);
    const digests = paths.length === 0 ? new Map<string, string>() : await sharing.pictureDigests(paths);
    return sha256(contentSent(sent, digests)) === content;
  }

  [Symbol.dispose](): void {
    this.#parts.kept[Symbol.dispose]();
  }
}

/** The creation of an item as it leaves. */
function leavingOf(
  { key, id, attempt, requestHash, quality, submittedAt }: Item,
  token: string,
): LeavingCreation {
  return { token, key, id, attempt, requestHash, quality, submittedAt: submittedAt ?? 0 };
}

/** What an item in memory says of its creation; null where it says nothing certain. */
function sentOf(item: Item): SentCreation | null {
  const { token, taskId, status } = item;
  if (token === null || taskId === null || status === 'pending') return null;
  return { ...leavingOf(item, token), taskId, isVoid: false };
}

function backText(back: readonly SentCreation[]): Message {
  const withTask = back.filter(({ taskId }) => taskId !== null).length;
  const open = back.filter(({ taskId, isVoid }) => taskId === null && !isVoid).length;
  const facts = { creations: back.length, tasks: withTask };
  return open === 0 ? message('memory.back', facts) : message('memory.back-open', { ...facts, open });
}

function whyForgotten(missing: number, left: readonly SentCreation[]): Message {
  if (left.length === 0) return message('memory.elsewhere', { creations: missing });
  const names = left.map(({ id, taskId }) => (taskId === null ? id : `${id} (${taskId})`));
  return message('memory.rows', { creations: left.length, sent: renderNames(names) });
}
