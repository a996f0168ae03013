/** Workers as people start them, as whole processes. Linux alone: their processor time is read from `/proc`. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { runNode, type Usage } from './child.ts';
import { apiKey } from './open-tasks.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** A run and where its parts are. */
export interface Fleet {
  readonly url: string;
  readonly run: string;
  readonly baseUrl: string;
  /** For outputs and scratch. */
  readonly folder: string;
}

const envOf = ({ url, baseUrl, folder }: Fleet): Readonly<Record<string, string>> => ({
  BATCH_STORE: url,
  BATCH_BASE_URL: baseUrl,
  BATCH_SCRATCH: join(folder, 'scratch'),
  BATCH_API_KEY: apiKey,
});

/** Imports a file into a new run. */
export function detach(fleet: Fleet, file: string, options: readonly string[]): Promise<Usage> {
  const place = ['--run', fleet.run, '--out', join(fleet.folder, fleet.run)];
  const args = ['run', file, ...place, '--detach', '--yes', '--json', ...options];
  return runNode({ file: program, args, env: envOf(fleet) });
}

/** Running workers. Disposal ends them at once. */
export class Workers implements Disposable {
  readonly #fleet: Fleet;
  readonly #children: ChildProcess[] = [];

  constructor(fleet: Fleet, count: number) {
    this.#fleet = fleet;
    for (let number = 0; number < count; number += 1) this.add();
  }

  add(): void {
    const args = [program, 'worker', '--run', this.#fleet.run, '--quiet'];
    const env = { ...process.env, ...envOf(this.#fleet) };
    this.#children.push(spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] }));
  }

  /** Kills the first one. */
  kill(): void {
    this.#children.shift()?.kill('SIGKILL');
  }

  /** Processor time so far (ms). */
  cpuMs(): number {
    return this.#children.map(({ pid }) => cpuMsOf(pid)).reduce((sum, ms) => sum + ms, 0);
  }

  /** Largest resident set of one of them so far. */
  peakBytes(): number {
    return Math.max(...this.#children.map(({ pid }) => peakBytesOf(pid)));
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}

/** Ticks of `/proc` are a hundredth of a second. */
function cpuMsOf(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function peakBytesOf(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/** Waits until the statement finds a row. */
export async function until(client: pg.Client, statement: string): Promise<void> {
  while ((await client.query(statement)).rows.length === 0) await pause(100);
}

/** Finds a row once so many workers share the slices. */
export const isShared = (workers: number): string => `
  SELECT 1 FROM workers WHERE jsonb_array_length(slices) > 0 AND heard_at > extract(epoch FROM now()) * 1000 - 6000
  HAVING count(*) = ${workers} AND sum(jsonb_array_length(slices)) = 64`;

/** What statements have written to the tables of a schema, without those of `except`. */
export async function written(client: pg.Client, schema: string, except = ''): Promise<number> {
  // What sessions counted arrives within a second.
  await pause(1_500);
  const { rows } = await client.query<{ n: string }>(
    `SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) AS n FROM pg_stat_user_tables
     WHERE schemaname = $1 AND relname <> $2`,
    [schema, except],
  );
  return Number(rows[0]?.n);
}

/** What a service of this folder says of itself. */
export async function ask<T>(baseUrl: string, path: string): Promise<T> {
  return (await (await fetch(`${baseUrl}${path}`)).json()) as T;
}
