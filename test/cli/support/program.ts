/** The real program in a child process, with a clean environment. */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { checkOutput } from '../../support/written.ts';

const root = new URL('../../../', import.meta.url);
const cli = fileURLToPath(new URL('src/cli.ts', root));

/** Where Node keeps what it made of the sources: hundreds of starts take half the time. */
const compileCache = fileURLToPath(new URL('node_modules/.cache/batch-cli', root));

/** Arguments of Node under which ten minutes pass in two seconds, as far as the program can tell. */
export const swiftly: readonly string[] = ['--import', new URL('swift-clock.ts', import.meta.url).href];
/** Makes a program ask for ten minutes in six seconds, and so on. */
export const quickPauses = { node: ['--import', new URL('quick-pauses.ts', import.meta.url).href] };

/** Programs that have not ended. */
const going = new Set<ChildProcess>();

/** A test that has timed out leaves programs behind, which would ask a service that is gone for ever. */
export function killRest(): void {
  for (const child of going) child.kill('SIGKILL');
}

/** How a program ended, and all it said. */
export interface Ending {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that goes on. */
export interface Running {
  readonly ended: Promise<Ending>;
  /** Resolves with the match once it has said this on standard output or error; rejects when it ends without. */
  said(what: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Stops it as the system does, and resolves once it stands still; `SIGCONT` lets it go on. */
  suspend(): Promise<void>;
}

export interface Surroundings {
  readonly cwd: string;
  /** Over the environment of the tests, of which nothing that means something to the program is left. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array;
  /** Path of a file that is standard input itself, as after `<` in a shell. */
  readonly stdinFile?: string;
  /** Arguments of Node itself. */
  readonly node?: readonly string[];
  /** Where its input comes from and its outputs go; pipes to the test unless said. */
  readonly stdio?: StdioOptions;
}

/** What it said on standard error after `Reading FILE`, without how long it has been reading on a slow machine. */
export function afterFirstWords({ stderr }: Ending): string {
  return stderr.replace(/^Reading .*\n/, '').replaceAll(/^\d\d:\d\d {2}Reading .*\n/gm, '');
}

/** Starts `batch ARGS`. */
export function startProgram(args: readonly string[], surroundings: Surroundings): Running {
  const { cwd, env, stdin = '', stdinFile, node = [], stdio } = surroundings;
  const standardInput = stdinFile === undefined ? null : openSync(stdinFile, 'r');
  const child: ChildProcess = spawn(process.execPath, [...node, cli, ...args], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: stdio ?? [standardInput ?? 'pipe', 'pipe', 'pipe'],
  });
  if (standardInput !== null) closeSync(standardInput);
  going.add(child);
  child.once('close', () => going.delete(child));
  const heard = { stdout: '', stderr: '' };
  let hear = (): void => {};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text;
      hear();
    });
  }
  // A program that does not read its input is not at fault for it.
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin);
  const ended = once(child, 'close').then(([code, signal]): Ending => {
    checkOutput(args, heard.stdout);
    return { code, signal, ...heard };
  });
  return {
    ended,
    said: (what) =>
      new Promise((resolve, reject) => {
        hear = () => {
          const match = what.exec(heard.stderr) ?? what.exec(heard.stdout);
          if (match !== null) resolve(match);
        };
        hear();
        void ended.then(({ stderr }) => reject(new Error(`ended without saying ${what}: ${stderr}`)));
      }),
    kill: (signal) => void child.kill(signal),
    suspend: async () => {
      child.kill('SIGSTOP');
      // The system tells nobody but the parent, and Node does not pass it on.
      while (!/^State:\s*T/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8'))) await pause(5);
    },
  };
}

/** Of these tests alone: what they use is not what the user of this machine has used. */
const stateFolder = mkdtempSync(join(tmpdir(), 'batch-state-'));
process.once('exit', () => rmSync(stateFolder, { recursive: true, force: true }));

/** As an impatient user does: tells the program to stop again and again, until it is gone. */
export async function insist(program: Running, signal: NodeJS.Signals): Promise<Ending> {
  const again = setInterval(() => program.kill(signal), 100);
  try {
    return await program.ended;
  } finally {
    clearInterval(again);
  }
}

/** The environment of this process without what would change how the program behaves. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const meaningful =
    /^(BATCH_|NODE_OPTIONS$|LC_(ALL|MESSAGES)$|LANG$|NO_COLOR$|FORCE_COLOR$|(HTTPS?|ALL|NO)_PROXY$)/i;
  const others = Object.entries(process.env).filter(([name]) => !meaningful.test(name));
  return {
    ...Object.fromEntries(others),
    LANG: 'C.UTF-8',
    XDG_STATE_HOME: stateFolder,
    NODE_COMPILE_CACHE: compileCache,
  };
}
