/** Sweeps over open tasks by the program's own runner: `FOLDER BASE_URL COUNT SWEEPS`. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../src/app/system-clock.ts';
import { limitNewSpace } from '../src/cli/new-space.ts';
import { defaultPolicy, fixed } from '../src/money/policy.ts';
import { openFileOutputTree } from '../src/outputs/file-output-tree.ts';
import { localImages } from '../src/outputs/pictures/local-images.ts';
import type { TaskService } from '../src/ports.ts';
import { Runner } from '../src/runner/runner.ts';
import { createHttpFileHost } from '../src/service/http-file-host.ts';
import { createHttpTaskService } from '../src/service/http-task-service.ts';
import { openDatabase } from '../src/stores/sqlite/database.ts';
import { createSqliteCheckpoint } from '../src/stores/sqlite/sqlite-checkpoint.ts';
import { createRedact } from '../src/text/redact.ts';
import { apiKey } from './open-tasks.ts';
import { report } from './reporting.ts';

const [out = '', baseUrl = '', ...numbers] = process.argv.slice(2);
const [count = 0, sweeps = 0] = numbers.map(Number);
const { requestTimeoutMs } = defaultPolicy;

limitNewSpace();
const db = openDatabase(resolve(out));
const checkpoint = createSqliteCheckpoint(db);
const tasks = createHttpTaskService({
  baseUrl,
  apiKey,
  requestTimeoutMs,
  pollConnections: fixed.pollConnections,
  redact: createRedact([apiKey]),
  env: {},
  now: Date.now,
});
const host = createHttpFileHost({
  serviceUrl: baseUrl,
  connections: fixed.downloadConnections,
  requestTimeoutMs,
  stallMs: fixed.downloadStallMs,
  env: {},
});

/** What the process has written and taken so far. */
const taken = () => ({
  cpu: process.cpuUsage(),
  changes: db.prepare<[], { n: number }>('SELECT total_changes() AS n').get()?.n ?? 0,
  walBytes: statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0,
});
const delay = monitorEventLoopDelay({ resolution: 1 });
let polls = 0;
let before = taken();

// The first sweep opens the connections and warms the code up; the one after the last ends the run.
const watched: TaskService = {
  create: (...creation) => tasks.create(...creation),
  probe: (signal) => tasks.probe(signal),
  close: (force) => tasks.close(force),
  status(taskId, signal) {
    if (polls === count) {
      before = taken();
      delay.enable();
    }
    if (polls === count * (sweeps + 1)) reportSweeps();
    polls += 1;
    return tasks.status(taskId, signal);
  },
};
const runner = new Runner(
  {
    clock: systemClock,
    service: watched,
    host,
    tree: await openFileOutputTree(out, Date.now),
    checkpoint,
    settings: { get: async () => null, save: async () => {}, replace: async () => true },
    images: { ...localImages, readKept: () => Promise.reject(new Error('there are no images here')) },
    redact: (text: string) => text,
    journal: null,
    log: { info: () => {}, warn: () => {} },
    reporter: { note: () => {}, warn: () => {}, changed: () => {} },
  },
  {
    // Beats without a rest between them: the delays of a rest would hide those of a sweep.
    policy: { ...defaultPolicy, concurrency: count, pollIntervalMs: 1 },
    submits: true,
    only: null,
    listens: false,
    newToken: () => '',
    notifyUrl: () => null,
  },
);

function reportSweeps(): void {
  const { user, system } = process.cpuUsage(before.cpu);
  delay.disable();
  const { changes, walBytes } = taken();
  report('polls', polls - count);
  report('cpuMs', (user + system) / 1_000);
  report('written', changes - before.changes + (walBytes - before.walBytes));
  report('delayMs', delay.percentile(99) / 1e6);
  report('longestDelayMs', delay.max / 1e6);
  runner.stop('interrupted');
}

await runner.run();
await Promise.all([tasks.close(true), host.close(true)]);
