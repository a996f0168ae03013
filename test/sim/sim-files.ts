/** The files of a simulated world: what each version of each file holds, who serves it, and what a disk keeps of it. */

import { DiskError } from '../../src/errors.ts';
import { fixed } from '../../src/money/policy.ts';
import type { FileAnswer, OutputTree, PartFile } from '../../src/ports.ts';
import { MemoryTree } from '../support/memory-tree.ts';
import type { Dice } from './dice.ts';
import type { FrameTrouble, SimService, SimTask } from './sim-service.ts';
import type { Weather } from './weather.ts';

const starts = { video: '\0\0\0\u0018ftypisom', frame: '\u0089PNG\r\n\u001a\n' } as const;

/** One version of a file: it says whose it is at both ends, and every byte between names the version. */
function contentOf(task: SimTask, name: string, version: number): Uint8Array {
  const start = name === 'video' ? starts.video : starts.frame;
  const label = `|${task.row}|${task.taskId}|${name}|${version}|`;
  const letter = String.fromCharCode(97 + (version % 26));
  const length = 200 + ((task.acceptedAt + name.length * 131 + version * 17) % 1_500);
  return Buffer.from(`${start}${label}${letter.repeat(length)}${label}${length}`, 'latin1');
}

/** What is wrong with a file that stands under a final name; null for a whole one that belongs to this row. */
export function flawOf(bytes: Uint8Array, row: string): string | null {
  const text = Buffer.from(bytes).toString('latin1');
  const match = /^[^|]+(\|(.+?)\|.+?\|.+?\|\d+\|)((.)\4*)\1(\d+)$/s.exec(text);
  if (match === null) return `it is not one whole file (${text.length} bytes)`;
  const [, , owner, middle = '', , length] = match;
  if (middle.length !== Number(length)) return `${middle.length} of ${length} bytes are there`;
  return owner === row ? null : `it belongs to ${owner}`;
}

/** Serves one request for a file. `wait` passes time between the pieces; `signal` cuts them. */
export function serveFile(
  world: { service: SimService; weather: Weather; dice: Dice; now: number },
  url: string,
  from: { readonly offset: number; readonly validator: string | null },
  wait: (ms: number) => Promise<void>,
  signal: AbortSignal,
): FileAnswer {
  const { service, weather, dice } = world;
  const { pathname, searchParams } = new URL(url);
  const [, taskId = '', name = ''] = pathname.split('/');
  const task = service.tasks.get(taskId);
  if (weather.strikes('unansweredFile')) return { outcome: 'unanswered', failure: 'the connection was lost' };
  if (task === undefined || world.now > Number(searchParams.get('expires')))
    return { outcome: 'link-refused', failure: 'HTTP 403' };
  if (!name.startsWith('f') && weather.isAbout('deadHost'))
    return { outcome: 'link-refused', failure: 'HTTP 403' };
  const isLate = name === 'video' && world.now < task.endsAt + task.linkLagMs + task.fileLagMs;
  if (name === 'lost' || isLate) return { outcome: 'link-refused', failure: 'HTTP 404' };
  const trouble = task.deadFrames.get(name);
  if (trouble !== undefined) return serveDeadFrame(trouble, wait, signal);
  if (weather.strikes('errorPage')) {
    const page = Buffer.from('<html><body>one moment, please</body></html>');
    return {
      outcome: 'content',
      offset: 0,
      totalBytes: page.length,
      validator: null,
      contentType: 'text/html',
      body: pieces([page], wait, signal, null),
    };
  }
  const version = (task.versions.get(name) ?? 0) + (weather.strikes('changedFile') ? 1 : 0);
  task.versions.set(name, version);
  const bytes = contentOf(task, name, version);
  // Half of the hosts give no validator to rely on.
  const validator = task.acceptedAt % 2 === 0 ? `"v${version}"` : null;
  const offset = validator !== null && from.validator === validator ? from.offset : 0;
  if (offset === bytes.length) return { outcome: 'already-whole' };
  if (offset > bytes.length) return { outcome: 'out-of-range' };
  const rest = bytes.subarray(offset);
  const cutAt = weather.strikes('cutFile') ? dice.integer(0, rest.length - 1) : null;
  const shortAt = weather.strikes('shortFile') ? dice.integer(0, rest.length - 1) : null;
  const sent = rest.subarray(0, cutAt ?? shortAt ?? rest.length);
  const middle = Math.floor(sent.length / 2);
  const halves = [sent.subarray(0, middle), sent.subarray(middle)].filter((half) => half.length > 0);
  const failure = cutAt === null ? null : new Error('the connection was reset');
  return {
    outcome: 'content',
    offset,
    totalBytes: bytes.length,
    validator,
    contentType: null,
    body: pieces(halves, wait, signal, failure),
  };
}

/** How a host fails for a frame. */
function serveDeadFrame(
  trouble: FrameTrouble,
  wait: (ms: number) => Promise<void>,
  signal: AbortSignal,
): FileAnswer {
  if (trouble === 'busy') return { outcome: 'unanswered', failure: 'HTTP 503' };
  if (trouble === 'refused') return { outcome: 'link-refused', failure: 'HTTP 403' };
  const headers = { offset: 0, validator: null, contentType: 'image/png' };
  const isEmpty = trouble === 'empty';
  const body = isEmpty ? pieces([], wait, signal, null) : silence(wait);
  return { outcome: 'content', ...headers, totalBytes: isEmpty ? 0 : 900, body };
}

/** A body that never comes: the host of the real program cuts it when its time is over. */
async function* silence(wait: (ms: number) => Promise<void>): AsyncGenerator<Uint8Array> {
  await wait(fixed.downloadStallMs);
  yield* [];
  throw new Error('no data arrived for too long');
}

async function* pieces(
  parts: readonly Uint8Array[],
  wait: (ms: number) => Promise<void>,
  signal: AbortSignal,
  failure: Error | null,
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await wait(150);
    if (signal.aborted) throw new Error('the download was cut');
    yield part;
  }
  if (failure !== null) throw failure;
}

/** A process that writes: `step` is called before and after everything that lasts, and never comes back once it is dead. */
interface DiskUser {
  step(what: string): Promise<void>;
  isAlive(): boolean;
}

/** What the disk holds, whoever writes: it outlives the processes. */
export class SimDisk {
  readonly #tree = new MemoryTree();
  #isFull = false;
  /** What lies on a disk that is not mounted. */
  #away = new Map<string, Uint8Array>();

  /** Files under their final names. */
  get files(): ReadonlyMap<string, Uint8Array> {
    return this.#tree.files;
  }

  /** What a power cut leaves of the bytes nobody had asked to be kept. */
  losePower(dice: Dice): void {
    for (const part of this.#tree.parts.values()) {
      part.bytes = part.bytes.subarray(0, dice.integer(0, part.bytes.length));
    }
  }

  fill(isFull: boolean): void {
    this.#isFull = isFull;
  }

  /** It was away once. */
  wasAway = false;

  get isAway(): boolean {
    return this.#away.size > 0;
  }

  /** Somebody unmounts the disk that has the files: the folder is empty. */
  takeAway(): void {
    this.wasAway = true;
    for (const [path, bytes] of this.#tree.files) this.#away.set(path, bytes);
    this.#tree.files.clear();
    this.#tree.parts.clear();
  }

  /** ...and mounts it again; what was written meanwhile stays where it is. */
  bringBack(): void {
    for (const [path, bytes] of this.#away)
      if (!this.#tree.files.has(path)) this.#tree.files.set(path, bytes);
    this.#away = new Map();
  }

  /** Throws while the disk is full; every write passes here first. */
  write(path: string): void {
    if (this.#isFull) throw new DiskError(`${path}: no space left on device`);
  }

  inspect(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string } | null> {
    return this.#tree.inspect(path);
  }

  /** The outputs of a shared run as one worker sees them, with parts of its own. */
  sharedTreeFor(process: DiskUser): OutputTree {
    return this.treeFor(process, new MemoryTree(this.#tree.files, 'by-attempt'));
  }

  /** The output folder as one process sees it. */
  treeFor(process: DiskUser, tree: MemoryTree = this.#tree): OutputTree {
    const { step } = process;
    return {
      layout: tree.layout,
      saveReceived: () => tree.saveReceived(),
      openPart: async (path) => {
        await step(`open ${path}.part`);
        this.write(path);
        return this.#steppingPart(path, await tree.openPart(path), process);
      },
      writeWhole: async (path, text) => {
        await step(`write ${path}`);
        this.write(path);
        await tree.writeWhole(path, text);
        await step(`${path} is written`);
      },
      inspect: (path) => tree.inspect(path),
      createReport: () => tree.createReport(),
      foreignFile: (folder) => tree.foreignFile(folder),
      setAside: async (folder, attempt) => {
        await step(`set the files of ${folder} aside`);
        this.write(folder);
        const aside = await tree.setAside(folder, attempt);
        await step(`the files of ${folder} are set aside`);
        return aside;
      },
      clearAside: async (folder) => {
        await step(`clear ${folder}`);
        await tree.clearAside(folder);
      },
    };
  }

  #steppingPart(path: string, part: PartFile, { step, isAlive }: DiskUser): PartFile {
    return {
      get sizeBytes() {
        return part.sizeBytes;
      },
      get validator() {
        return part.validator;
      },
      restart: async (validator) => {
        this.write(path);
        await part.restart(validator);
      },
      append: async (bytes) => {
        await step(`append to ${path}.part`);
        this.write(path);
        await part.append(bytes);
      },
      expect: (wholeBytes) => part.expect(wholeBytes),
      head: () => part.head(),
      digest: () => part.digest(),
      commit: async (target) => {
        await step(`rename to ${target}`);
        this.write(target);
        // Another step of the process may have ended it in the same moment.
        if (!isAlive()) return new Promise<never>(() => {});
        const saved = await part.commit(target);
        await step(`${target} is there`);
        return saved;
      },
      discard: () => part.discard(),
      [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
    };
  }
}
