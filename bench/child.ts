/** Programs as whole processes: what they took of time, processor and memory, and what they said of themselves. */

import { fork, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compiledFolder } from './compile.ts';
import type { Second } from './reporting.ts';

/** What one run of a program took. */
export interface Usage {
  readonly wallMs: number;
  /** User and system time of the process, its threads included. */
  readonly cpuMs: number;
  /** Largest resident set. */
  readonly peakBytes: number;
  /** What the program reported in numbers, by `report` of `reporting.ts`. */
  readonly said: Readonly<Record<string, number>>;
  /** Second by second, where that was asked for. */
  readonly seconds: readonly Second[];
}

/** A TypeScript file of this folder, or any file of Node's by its absolute path, with its arguments. */
export interface Program {
  readonly file: string;
  readonly args?: readonly string[];
  /** Options of Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it ends with when all is well; 0 unless told. */
  readonly exitCode?: number;
}

let usageCount = 0;

/** Runs a program of this folder to its end. Rejects when it fails. */
export async function runNode({
  file,
  args = [],
  nodeArgs = [],
  env = {},
  exitCode = 0,
}: Program): Promise<Usage> {
  const usageFile = join(tmpdir(), `batch-bench-${process.pid}-${usageCount++}.json`);
  const here = compiledFolder();
  const preload = ['--import', join(here, 'reporting.js')];
  const startedAt = performance.now();
  await finish(
    process.execPath,
    [...preload, ...nodeArgs, resolve(here, file.replace(/\.ts$/, '.js')), ...args],
    { env: { ...env, BENCH_USAGE: usageFile }, exitCode },
  );
  const wallMs = performance.now() - startedAt;
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Usage, 'wallMs'>;
  rmSync(usageFile);
  return { wallMs, ...usage };
}

/** Runs a shell line with `/usr/bin/time` of the system around it; null where that or the program is missing. */
export async function runShell(line: string, cwd?: string): Promise<Usage | null> {
  const usageFile = join(tmpdir(), `batch-bench-${process.pid}-${usageCount++}.txt`);
  const startedAt = performance.now();
  try {
    const timed = ['-f', '%U %S %M', '-o', usageFile, 'bash', '-c', line];
    await finish('/usr/bin/time', timed, cwd === undefined ? {} : { cwd });
    const wallMs = performance.now() - startedAt;
    const [user = 0, system = 0, peak = 0] = readFileSync(usageFile, 'utf8').trim().split(/\s+/).map(Number);
    return { wallMs, cpuMs: (user + system) * 1_000, peakBytes: peak * 1_024, said: {}, seconds: [] };
  } catch {
    return null;
  } finally {
    rmSync(usageFile, { force: true });
  }
}

/** A service of this folder in a process of its own, whose processor time is not counted. It tells its port, and ends with us. */
export async function startService(
  file: string,
  args: readonly string[] = [],
): Promise<AsyncDisposable & { readonly url: string }> {
  const child = fork(new URL(file, import.meta.url), args);
  const port = await new Promise<unknown>((done, fail) => child.once('message', done).once('error', fail));
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const gone = new Promise((done) => child.once('exit', done));
      child.disconnect();
      await gone;
    },
  };
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly exitCode?: number;
}

function finish(
  file: string,
  args: readonly string[],
  { env = {}, exitCode = 0, ...where }: Surroundings,
): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(file, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...where,
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000);
    });
    child.on('error', fail);
    child.on('close', (code) =>
      code === exitCode ? done() : fail(new Error(`${file} ${args.join(' ')}: ${complaint}`)),
    );
  });
}
