/**
 * Runs a command of the user in a process group of its own, so that nothing of it is left behind: neither at its
 * deadline nor after its end. Windows has no process groups: there only the command itself is ended.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { codeOf, messageOf } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { HookCommand, HookEnd } from '../../ports.ts';

interface HookOptions {
  /** A program with its arguments. */
  readonly words: readonly string[];
  readonly timeoutMs: number;
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const hasGroups = process.platform !== 'win32';

/** How long a command may take to end after it was asked to (ms), and its pipes to be closed after its end. */
const gracePeriodMs = 1_000;

/** What is kept of the output: so many bytes from its beginning, and from its end. */
const keptBytes = 2_048;

/** The word where an output is cut: half of a secret would not be known as one. */
const cutEnd = /\S{1,1024}$/;
const cutBegin = /^\S{1,1024}/;

/** A command that prints more is ended: reading it would take the time of the run. */
const mostBytes = 16 * 1024 * 1024;

/** Processes that have not ended: they end with the program. */
const going = new Set<Child>();

let endsAll = false;

/** False where the system would find no such program, by its path or in `PATH`. */
export function isProgram(name: string): boolean {
  const isPath = /\//.test(name) || (!hasGroups && /\\/.test(name));
  const inPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', name));
  // Windows looks into the working folder first, and adds these ends.
  const places = isPath ? [name] : hasGroups ? inPath : [name, ...inPath];
  const ends = hasGroups ? [''] : ['', '.exe', '.com'];
  return places.some((place) => ends.some((end) => isRunnable(place + end)));
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function createHookCommand({ words, timeoutMs }: HookOptions): HookCommand {
  return {
    async run({ input, env }, signal) {
      const output = new Output();
      let child: Child;
      try {
        child = start(words, env);
      } catch (error) {
        // An environment that is too large, say.
        const { text } = message('hook.no-start', { failure: messageOf(error) });
        return { failure: text, ...output.kept() };
      }
      const ended = endOf(child);
      const closed = once(child, 'close').catch(() => {});
      const flood = new AbortController();
      const onOutput = (bytes: Buffer): void => {
        output.add(bytes);
        if (output.bytes > mostBytes) flood.abort();
      };
      child.stdout.on('data', onOutput);
      child.stderr.on('data', onOutput);
      // A command need not read its input.
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      const deadline = AbortSignal.timeout(timeoutMs);
      const stopped = AbortSignal.any([signal, deadline, flood.signal]);
      const stop = (): void => end(child, 'SIGTERM');
      if (stopped.aborted) stop();
      stopped.addEventListener('abort', stop);
      const failure = await withLastWord(ended, stopped, child);
      stopped.removeEventListener('abort', stop);
      end(child, 'SIGKILL');
      going.delete(child);
      await Promise.race([closed, after(gracePeriodMs)]);
      // A process that left the group may still have these open.
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      const causes = [
        [flood.signal, message('hook.flood').text],
        [signal, message('hook.stopped').text],
        [deadline, message('hook.late', { seconds: timeoutMs / 1_000 }).text],
      ] as const;
      const why = causes.find(([cause]) => cause.aborted)?.[1] ?? failure;
      return { failure: failure === null ? null : why, ...output.kept() };
    },
  };
}

function start([program = '', ...words]: readonly string[], env: Readonly<Record<string, string>>): Child {
  const options = { env, detached: hasGroups, stdio: 'pipe', windowsHide: true } as const;
  const child: Child = spawn(program, words, options);
  going.add(child);
  if (!endsAll) process.once('exit', endAll);
  endsAll = true;
  return child;
}

/** Why the command failed; null where it did its work. */
function endOf(child: Child): Promise<string | null> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const isMissing = /^(ENOENT|EACCES)$/.test(codeOf(error));
      resolve(isMissing ? message('hook.no-program', { code: codeOf(error) }).text : messageOf(error));
    });
    child.once('exit', (code, signal) => {
      if (signal !== null) resolve(message('hook.signal', { signal }).text);
      else resolve(code === 0 || code === null ? null : message('hook.exit-code', { exitCode: code }).text);
    });
  });
}

/** A command that does not end when it is asked to is ended. */
async function withLastWord(
  ended: Promise<string | null>,
  stopped: AbortSignal,
  child: Child,
): Promise<string | null> {
  const asked = stopped.aborted ? Promise.resolve() : once(stopped, 'abort').then(() => {});
  const late = asked.then(() => after(gracePeriodMs)).then(() => 'late' as const);
  const first = await Promise.race([ended, late]);
  if (first !== 'late') return first;
  end(child, 'SIGKILL');
  return ended;
}

/** Ends the command with all that it started. The number of a group is not given again while one of it lives. */
function end(child: Child, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Nobody is left.
  }
}

function endAll(): void {
  for (const child of going) end(child, 'SIGKILL');
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/** The beginning and the end of an output that may have none. */
class Output {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  bytes = 0;

  add(bytes: Buffer): void {
    this.bytes += bytes.length;
    const room = keptBytes - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, bytes.subarray(0, room)]);
    const rest = bytes.subarray(room).subarray(-keptBytes);
    if (rest.length > 0) this.#tail = Buffer.concat([this.#tail, rest]).subarray(-keptBytes);
  }

  kept(): Pick<HookEnd, 'output' | 'outputBytes'> {
    const isCut = this.bytes > this.#head.length + this.#tail.length;
    const [head, tail] = [String(this.#head), String(this.#tail)];
    const output = isCut
      ? `${head.replace(cutEnd, '')}\n…\n${tail.replace(cutBegin, '')}`
      : Buffer.concat([this.#head, this.#tail]).toString();
    return { output, outputBytes: this.bytes };
  }
}
