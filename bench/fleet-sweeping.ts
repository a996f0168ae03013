/** Three workers with many open tasks of which none has changed, and one of them killed. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { bigFile } from './big-file.ts';
import { runNode } from './child.ts';
import { openRows } from './fleet-rows.ts';
import { connectTo } from './fleet-store.ts';
import { ask, detach, type Fleet, isShared, until, Workers, written } from './fleet-workers.ts';
import { fillFolder } from './open-tasks.ts';
import { startStatusServer } from './status-server.ts';
import { type Figure, median, quantity, type Setting } from './table.ts';

/** Polls of each task that are measured, after one that opens the connections. */
const sweeps = 3;

const workerCount = 3;

const options = ['--poll-interval', '1s', '--concurrency', '200000'];

/** A run of rows that are all open. */
async function openRun(fleet: Fleet, count: number): Promise<pg.Client> {
  await detach(fleet, bigFile(fleet.folder, count, 'csv'), options);
  await openRows(fleet.url, fleet.run);
  return connectTo(fleet.url, fleet.run);
}

const polls = (baseUrl: string): Promise<number> => ask(baseUrl, '/polls');

async function untilPolls(baseUrl: string, count: number): Promise<void> {
  while ((await polls(baseUrl)) < count) await pause(100);
}

/**
 * Processor time of a poll (µs) of as many runners as there are workers, at the same time, each with a folder of its own and
 * its share of the tasks: processes that work side by side on few cores take longer for the same.
 */
async function alone(baseUrl: string, count: number, { folder, runs }: Setting): Promise<number> {
  const share = Math.ceil(count / workerCount);
  const outs = Array.from({ length: workerCount }, (_, at) => join(folder, `sweep-${at}`));
  for (const out of outs) fillFolder(out, share);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const ended = outs.map((out) =>
      runNode({ file: 'sweep-ours.ts', args: [out, baseUrl, String(share), String(sweeps)] }),
    );
    const said = (await Promise.all(ended)).map((each) => each.said);
    const sum = (name: string): number => said.reduce((total, each) => total + (each[name] ?? Number.NaN), 0);
    times.push((sum('cpuMs') / sum('polls')) * 1_000);
  }
  for (const out of outs) rmSync(out, { recursive: true, force: true });
  return median(times);
}

async function perPoll(fleet: Fleet, count: number, base: number): Promise<Figure[]> {
  const client = await openRun(fleet, count);
  const { baseUrl, run } = fleet;
  using workers = new Workers(fleet, workerCount);
  await until(client, isShared(workerCount));
  const began = await polls(baseUrl);
  await untilPolls(baseUrl, began + count * 2);
  const rowsBefore = await written(client, `batch_${run}`, 'workers');
  const jobsBefore = await written(client, `batch_${run}_jobs`);
  const [polledBefore, cpuBefore, since] = [await polls(baseUrl), workers.cpuMs(), performance.now()];
  await untilPolls(baseUrl, polledBefore + count * sweeps);
  // The engine's writes come in beats of some seconds.
  await pause(Math.max(0, 30_000 - (performance.now() - since)));
  const polled = (await polls(baseUrl)) - polledBefore;
  const reached = ((workers.cpuMs() - cpuBefore) / polled) * 1_000;
  const seconds = (performance.now() - since) / 1_000;
  const rows = (await written(client, `batch_${run}`, 'workers')) - rowsBefore;
  const jobs = ((await written(client, `batch_${run}_jobs`)) - jobsBefore) / seconds;
  await client.end();
  return [
    {
      work: `CPU of a poll, ${quantity(count, 'open tasks')}, 3 workers`,
      reached: quantity(reached, 'µs (whole programs)'),
      floor: quantity(base, 'µs (three folders, the runners alone)'),
      ratio: reached / base,
      goal: { atMost: 1.2 },
    },
    {
      work: `rows written by ${quantity(polled, 'such polls')}`,
      reached: quantity(rows, 'rows'),
      floor: '0 rows',
      ratio: rows,
      goal: { atMost: 0 },
    },
    {
      work: 'rows the engine writes a second meanwhile',
      reached: quantity(jobs, 'rows/s'),
      floor: '',
      ratio: jobs,
      goal: { atMost: 15 },
    },
  ];
}

/** From the death of a worker until each of its tasks is asked about again. */
async function takeover(fleet: Fleet, runs: number): Promise<Figure> {
  const count = 640;
  const client = await openRun(fleet, count);
  const { baseUrl } = fleet;
  using workers = new Workers(fleet, workerCount);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    await until(client, isShared(workerCount));
    await pause(3_000);
    await ask(baseUrl, '/mark');
    workers.kill();
    let asked: number[] = [];
    while (asked.length < count) {
      await pause(100);
      asked = await ask(baseUrl, '/asked');
    }
    times.push(Math.max(...asked) / 1_000);
    workers.add();
  }
  await client.end();
  const longest = Math.max(...times);
  return {
    work: `kill -9 of one of 3 workers until all its tasks are polled again, longest of ${runs} (s)`,
    reached: quantity(longest, 's'),
    floor: `median ${quantity(median(times), 's')}`,
    ratio: longest,
    goal: { atMost: 15 },
  };
}

export async function sweeping(url: string, setting: Setting): Promise<Figure[]> {
  const count = 100_000 * setting.scale;
  const folder = join(setting.folder, 'fleet');
  mkdirSync(folder);
  using server = await startStatusServer();
  const { baseUrl } = server;
  const base = await alone(baseUrl, count, setting);
  const figures = await perPoll({ url, run: 'sweep', baseUrl, folder }, count, base);
  return [...figures, await takeover({ url, run: 'takeover', baseUrl, folder }, setting.runs)];
}
