/** The real program on a terminal of a given size, which `script` of util-linux makes; what it shows is read by xterm. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import headless from '@xterm/headless';
import { shellWord } from '../../../src/text/shell-word.ts';
import { cleanEnvironment } from './program.ts';

const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

/** False where there is no `script` of this kind; tests of the terminal are skipped then. */
export const hasTerminals = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout,
);
if (!hasTerminals) process.stderr.write('no `script` of util-linux: the live view is not tested here\n');

export interface TerminalProgram extends AsyncDisposable {
  /** All bytes so far, as text. */
  readonly output: string;
  /** Resolves once all of it together matches; rejects when the program ends without. */
  said(what: RegExp): Promise<void>;
  /** As if it were typed. */
  type(keys: string): void;
  /** Exit code. */
  readonly ended: Promise<number>;
  /** What a terminal shows of all bytes so far, or of these: its lines, those that scrolled out included. */
  shown(output?: string): Promise<string[]>;
}

interface Place {
  readonly cwd: string;
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const rows = 24;

/** Starts `batch ARGS` with all its streams on a terminal. */
export function startOnTerminal(args: readonly string[], { cwd, columns, env }: Place): TerminalProgram {
  const line = [process.execPath, cli, ...args].map(shellWord).join(' ');
  const command = `stty cols ${columns} rows ${rows}; exec ${line}`;
  const quiet = { CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined, NODE_OPTIONS: undefined };
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...cleanEnvironment(), ...quiet, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  let hear = (): void => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    hear();
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code]): number => code ?? -1);
  return {
    get output() {
      return output;
    },
    said: (what) =>
      new Promise((resolve, reject) => {
        hear = () => {
          if (what.test(output)) resolve();
        };
        hear();
        void ended.then(() => reject(new Error(`ended without saying ${what}: ${output}`)));
      }),
    type: (keys) => void child.stdin.write(keys),
    ended,
    shown: (bytes = output) => show(bytes, columns),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Between these a terminal waits: it shows nothing of a draw whose second half has not come. */
const drawBegins = '\u001b[?2026h';
const drawEnds = '\u001b[?2026l';

function withoutHalfDraw(bytes: string): string {
  const begun = bytes.lastIndexOf(drawBegins);
  return begun > bytes.lastIndexOf(drawEnds) ? bytes.slice(0, begun) : bytes;
}

async function show(bytes: string, columns: number): Promise<string[]> {
  const xterm = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>((resolve) => xterm.write(withoutHalfDraw(bytes), resolve));
  const { active } = xterm.buffer;
  const lines = Array.from({ length: active.length }, (_, at) =>
    (active.getLine(at)?.translateToString(true) ?? '').trimEnd(),
  );
  return lines.slice(0, lines.findLastIndex((text) => text !== '') + 1);
}
