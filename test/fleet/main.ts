/**
 * `npm run fleet`: a run on several machines, all of them here, to break and to look at. PostgreSQL, the embedded service,
 * three workers with a sample, and `batch view`. Options go to `batch view`: `npm run fleet -- --open`.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../src/errors.ts';
import { startSimulator } from '../../src/service/simulator/service.ts';
import { cleanEnvironment } from '../cli/support/program.ts';
import { startPostgres } from '../support/postgres.ts';

const rowCount = 300;
const workerCount = 3;
/** Seconds that PostgreSQL stays away when it is killed. */
const awaySeconds = 5;

const help = `
Type, and watch the page:
  1, 2, 3   kill -9 this worker; the others take over what it held. Again: starts it
  s1 ... s3 stop it where it stands (SIGSTOP), as a machine that sleeps; again: wakes it up
  p         kill -9 PostgreSQL, and start it again after ${awaySeconds} s; nobody loses anything
  c         compare: what the service was paid for, and what the run knows
  q         end, and remove everything`;

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'batch-fleet-'));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

await using server = await startPostgres();
await using service = await startSimulator({
  port: 0,
  apiKey: 'simulated-key',
  durationMs: 15_000,
  failRate: 0.02,
  faults: new Map(),
  seed: 1,
  stateFile: join(folder, 'simulator.jsonl'),
});
const store = await server.createDatabase();
const env = {
  ...cleanEnvironment(),
  BATCH_STORE: store,
  BATCH_BASE_URL: service.baseUrl,
  BATCH_API_KEY: service.apiKey,
  XDG_STATE_HOME: join(folder, 'state'),
};

/** Of all programs. */
const ends: Promise<unknown>[] = [];

/** Starts `batch ARGS`; each line it says begins with the name. */
function start(name: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [cli, ...args], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ends.push(once(child, 'close'));
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => say(`${name} | ${line}`));
  return child;
}

async function batch(name: string, ...args: readonly string[]): Promise<void> {
  await once(start(name, ...args), 'close');
}

/** A worker that may be killed, stopped, and started again. */
class Machine {
  readonly #name: string;
  #child: ChildProcess | null = null;
  #isStopped = false;

  constructor(number: number) {
    this.#name = `worker ${number}`;
    this.start();
  }

  start(): void {
    this.#child = start(this.#name, 'worker', '--run', 'sample');
    say(`${this.#name} | process ${this.#child.pid}`);
  }

  kill(): void {
    const child = this.#child;
    this.#child = null;
    this.#isStopped = false;
    child?.kill('SIGKILL');
    if (child === null) this.start();
    else say(`${this.#name} | killed`);
  }

  stop(): void {
    this.#isStopped = !this.#isStopped;
    this.#child?.kill(this.#isStopped ? 'SIGSTOP' : 'SIGCONT');
    say(`${this.#name} | ${this.#isStopped ? 'stopped' : 'goes on'}`);
  }

  end(): void {
    this.#child?.kill('SIGKILL');
  }
}

async function killServer(): Promise<void> {
  await server.kill();
  say(`PostgreSQL is dead for ${awaySeconds} s`);
  setTimeout(() => server.start().then(() => say('PostgreSQL is back')), awaySeconds * 1_000);
}

async function compare(): Promise<void> {
  const [run] = await server.query<{ tasks: string; points: string }>(
    store,
    'SELECT count(task_id) AS tasks, sum(points) AS points FROM "batch_sample".attempts',
  );
  const { tasks, points } = service.ledger();
  const asked = new Set(tasks.map(({ question }) => question)).size;
  say(`the service was asked for ${tasks.length} videos of ${asked} questions, for ${points} points`);
  say(`the run knows ${run?.tasks} tasks, for ${run?.points} points`);
  await batch('status', 'status', '--run', 'sample');
}

const questions = Array.from({ length: rowCount }, (_, at) => `What is ${at} + ${at * 7}?`);
writeFileSync(join(folder, 'questions.csv'), ['question', ...questions, ''].join('\n'));
const take = [
  '--run',
  'sample',
  '--out',
  join(folder, 'outputs'),
  '--concurrency',
  '12',
  '--poll-interval',
  '1s',
];
await batch('run', 'run', 'questions.csv', ...take, '--detach', '--yes');
const machines = Array.from({ length: workerCount }, (_, at) => new Machine(at + 1));
const view = start('view', 'view', '--run', 'sample', '--port', '0', ...process.argv.slice(2));
say(help);

try {
  const input = createInterface({ input: process.stdin });
  process.once('SIGINT', () => input.close());
  for await (const line of input) {
    const [, how = '', number = '0'] = /^(s?)([1-9])$/.exec(line.trim()) ?? [];
    const machine = machines[Number(number) - 1];
    if (line.trim() === 'q') break;
    else if (line.trim() === 'p') await killServer();
    else if (line.trim() === 'c') await compare().catch((error: unknown) => say(messageOf(error)));
    else if (machine === undefined) say(help);
    else if (how === 's') machine.stop();
    else machine.kill();
  }
} finally {
  view.kill();
  for (const machine of machines) machine.end();
  await Promise.all(ends);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.stdin.destroy();
