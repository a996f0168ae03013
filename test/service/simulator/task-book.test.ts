import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFaults } from '../../../src/service/simulator/faults.ts';
import { createTask, framesAt, stateAt, type Task } from '../../../src/service/simulator/task.ts';
import { create, createTaskId, foreverMs, openFolder, startRehearsal, statusOf } from './rehearsal.ts';

const createdAt = 1_700_000_000_000;

/** A task of 50 to 150 s that is accepted at `createdAt`. */
function makeTask(rates: Parameters<typeof createFaults>[1] = new Map(), failRate = 0): Task {
  const wanted = {
    question: 'q',
    quality: 'm',
    notifyUrl: null,
    asked: 'asked',
    bodySha256: 'body',
    imageSha256: { question: [null], answer: [] },
  } as const;
  const odds = { seed: 1, durationMs: 100_000, failRate, faults: createFaults(1, rates) };
  return createTask(wanted, 'asked 1', createdAt, odds);
}

/** A state file that holds a task which is now at this share of its life. */
async function writeTask(stateFile: string, progress: number, changes: Partial<Task> = {}): Promise<string> {
  const task = makeTask();
  const now = Date.now();
  const life = { createdAt: now - 1_000_000 * progress, finishAt: now + 1_000_000 * (1 - progress) };
  const creation = { asked: 'asked', task: { ...task, ...life, ...changes } };
  await writeFile(stateFile, `${JSON.stringify(creation)}\n`);
  return task.taskId;
}

describe('the life of a task', () => {
  test('takes 50 to 150 % of the typical length', () => {
    const { finishAt } = makeTask();
    expect(finishAt - createdAt).toBeGreaterThanOrEqual(50_000);
    expect(finishAt - createdAt).toBeLessThanOrEqual(150_000);
  });

  test('shows one frame more with every quarter', () => {
    const task = makeTask();
    const at = (share: number) => stateAt(task, Math.ceil(createdAt + (task.finishAt - createdAt) * share));
    expect([0, 0.24, 0.25, 0.5, 0.75, 0.99].map((share) => framesAt(at(share)))).toEqual([0, 0, 1, 2, 3, 3]);
    expect(at(0.99).status).toBe('IN_PROGRESS');
    expect(at(1).status).toBe('COMPLETED');
  });

  test('is cut short for a task that vanishes', () => {
    const whole = makeTask().finishAt - createdAt;
    const vanishing = makeTask(new Map([['vanish', 1]]));
    expect(vanishing.finishAt - createdAt).toBe(Math.round(whole / 2));
    expect(stateAt(vanishing, vanishing.finishAt - 1).status).toBe('IN_PROGRESS');
    expect(stateAt(vanishing, vanishing.finishAt).status).toBe('VANISHED');
  });

  test('stands still at its beginning when the clock is set back', () => {
    expect(stateAt(makeTask(), createdAt - 5_000)).toEqual({ status: 'IN_PROGRESS', progress: 0 });
  });
});

describe('a service that goes on from its state file', () => {
  test('knows its tasks, refusals and counts', async () => {
    await using folder = await openFolder();
    const options = {
      stateFile: join(folder.path, 'state.jsonl'),
      faults: new Map([['busy', 0.5]] as const),
    };
    const before = await startRehearsal(options);
    for (let i = 0; i < 20; i++) await create(before, { question: `q${i % 4}` });
    const ledger = before.ledger();
    await before.close();
    await using after = await startRehearsal(options);
    expect(after.ledger()).toEqual(ledger);
    expect(ledger.refused).toBeGreaterThan(0);
  });

  test('keeps what it promised under other odds', async () => {
    await using folder = await openFolder();
    const stateFile = join(folder.path, 'state.jsonl');
    const before = await startRehearsal({ stateFile });
    const taskId = await createTaskId(before, { question: 'q' });
    await before.close();
    await using after = await startRehearsal({ stateFile, failRate: 1, seed: 2 });
    expect((await statusOf(after, taskId)).status).toBe('COMPLETED');
    expect((await statusOf(after, await createTaskId(after, { question: 'q' }))).status).toBe('FAILED');
  });

  test('shows the frames and the strange state that belong to the time that has passed', async () => {
    await using folder = await openFolder();
    const stateFile = join(folder.path, 'state.jsonl');
    const taskId = await writeTask(stateFile, 0.6);
    await using simulator = await startRehearsal({ stateFile });
    const { status, progress } = await statusOf(simulator, taskId);
    expect([status, progress.map(({ id }) => id)]).toEqual(['IN_PROGRESS', ['frame-1', 'frame-2']]);
    await using strange = await startRehearsal({ stateFile, faults: new Map([['unknown-state', 1]]) });
    expect((await statusOf(strange, taskId)).status).toBe('RENDERING');
  });

  test('still calls back for a task that was open', async () => {
    await using folder = await openFolder();
    await using listener = createServer();
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const { port } = listener.address() as AddressInfo;
    const stateFile = join(folder.path, 'state.jsonl');
    const hit = once(listener, 'request');
    await writeTask(stateFile, 0.5, {
      finishAt: Date.now() + 500,
      notifyUrl: `http://127.0.0.1:${port}/hit`,
    });
    await using simulator = await startRehearsal({ stateFile });
    const [request, response] = await hit;
    response.end();
    expect(request.url).toBe('/hit');
    expect(simulator.ledger().completed).toBe(1);
  });

  test('takes out a last line that was cut', async () => {
    await using folder = await openFolder();
    const stateFile = join(folder.path, 'state.jsonl');
    await writeTask(stateFile, 1);
    const whole = await readFile(stateFile, 'utf8');
    await appendFile(stateFile, whole.trim().slice(0, 50));
    await using simulator = await startRehearsal({ stateFile });
    expect(simulator.ledger().accepted).toBe(1);
    expect(await readFile(stateFile, 'utf8')).toBe(whole);
  });

  test('refuses a file that is no state file, with its line, and leaves it alone', async () => {
    await using folder = await openFolder();
    const stateFile = join(folder.path, 'state.jsonl');
    await writeTask(stateFile, 1);
    await appendFile(stateFile, 'question,answer\n');
    const bytes = await readFile(stateFile);
    await expect(startRehearsal({ stateFile })).rejects.toThrow(
      `${stateFile}:2: not a creation of the simulator`,
    );
    expect(await readFile(stateFile)).toEqual(bytes);
  });
});

/** Starts a service in another process; its address comes as a message. */
async function startChild(stateFile: string): Promise<{ child: ChildProcess; baseUrl: string }> {
  const module = new URL('../../../src/service/simulator/service.ts', import.meta.url).href;
  const options = { port: 0, apiKey: 'test-key', durationMs: foreverMs, failRate: 0, seed: 1, stateFile };
  const script = `
    const { startSimulator } = await import(${JSON.stringify(module)});
    const simulator = await startSimulator({ ...${JSON.stringify(options)}, faults: new Map() });
    process.send(simulator.baseUrl);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [baseUrl] = await once(child, 'message');
  return { child, baseUrl };
}

test('a service that is killed has not forgotten a task that it answered for', async () => {
  await using folder = await openFolder();
  const stateFile = join(folder.path, 'state.jsonl');
  const { child, baseUrl } = await startChild(stateFile);
  const exited = once(child, 'exit');
  const killed = { baseUrl } as Awaited<ReturnType<typeof startRehearsal>>;
  const answered = new Set<string>();
  const asking = Array.from({ length: 200 }, async (_, i) => {
    answered.add(await createTaskId(killed, { question: `q${i}` }));
    if (answered.size === 100) child.kill('SIGKILL');
  });
  await Promise.allSettled(asking);
  await exited;
  await using simulator = await startRehearsal({ stateFile });
  const known = new Set(simulator.ledger().tasks.map((task) => task.task_id));
  expect(answered.size).toBeGreaterThanOrEqual(100);
  expect([...answered].filter((taskId) => !known.has(taskId))).toEqual([]);
});
