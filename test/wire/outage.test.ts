/** An outage while tasks are open: it costs one request for each task and tick, and ends by itself. */

import * as net from 'node:net';
import { describe, expect, it } from 'vitest';
import { completed, inProgress } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { startServer } from '../service/wire.ts';
import { namedRows } from '../support/incoming-rows.ts';
import { unanswered } from '../support/scripted-tasks.ts';
import { openTrial } from '../support/virtual-run.ts';

const minuteMs = 60_000;
const tickMs = 30_000;
const openCount = 50;
const [fromMs, untilMs] = [minuteMs, 11 * minuteMs];
const isOut = (ms: number) => ms >= fromMs && ms < untilMs;

describe('an outage of 10 minutes under 50 open tasks', () => {
  it.each([
    ['every poll is refused', 50],
    ['every poll waits for its deadline', minuteMs],
  ])('costs one request for each task and tick, and no row, when %s', async (_, waitMs) => {
    await using trial = await openTrial(namedRows(openCount + 10), {
      status: ({ queriedMs }) => (isOut(queriedMs.at(-1) ?? 0) ? unanswered : undefined),
      statusMs: ({ queriedMs }) => (isOut(queriedMs.at(-1) ?? 0) ? waitMs : 100),
    });
    const commitsMs: number[] = [];
    trial.checkpoint.onCommit = () => commitsMs.push(trial.clock.elapsedMs);
    expect(await trial.run({ concurrency: openCount })).toEqual({ reason: 'done', failure: null });

    expect(await trial.statuses()).toEqual(Array.from({ length: openCount + 10 }, () => 'completed'));
    expect(trial.tasks.creations).toHaveLength(openCount + 10);
    expect(commitsMs.filter(isOut)).toEqual([]);
    for (const { queriedMs } of trial.tasks.tasks.values()) {
      const asked = queriedMs.filter(isOut);
      const gaps = asked.slice(1).map((at, i) => at - (asked[i] ?? 0));
      expect(Math.min(tickMs, ...gaps)).toBe(tickMs);
    }
    const [first] = trial.tasks.tasksOf('Question 1');
    const asked = first?.queriedMs.filter(isOut) ?? [];
    expect(asked.length).toBeGreaterThan(4);
    expect(asked.length).toBeLessThanOrEqual((untilMs - fromMs) / tickMs);
    // With the first tick after the outage the tasks that were done meanwhile are known to be.
    expect(first?.queriedMs.find((at) => at >= untilMs)).toBeLessThanOrEqual(untilMs + 2 * minuteMs);
  });
});

describe('an outage of the line', () => {
  it('that cuts all connections and refuses new ones ends with every row completed, and paid once', async () => {
    let isDown = false;
    let isOver = false;
    let turnedAway = 0;
    const enough = Promise.withResolvers<void>();
    await using stage = await openStage({
      status: (task) => (isOver ? completed(task) : inProgress(task)),
    });
    const upstream = Number(new URL(stage.service.url).port);
    const joined = new Set<net.Socket>();
    await using relay = await startServer((socket) => {
      if (isDown) {
        socket.resetAndDestroy();
        turnedAway += 1;
        if (turnedAway === 30) enough.resolve();
        return;
      }
      const onward = net.connect(upstream, '127.0.0.1');
      joined.add(socket);
      socket.pipe(onward).pipe(socket);
      socket.on('close', () => onward.destroy());
      onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    });
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    await stage.write('q.csv', questions(...ids));
    const program = stage.start(runLine('q.csv', '--base-url', `http://127.0.0.1:${relay.port}`));
    const statusCount = () => stage.service.events.filter((event) => event.startsWith('status')).length;
    await stage.service.until(
      ({ taskIds }) => taskIds.size === ids.length && statusCount() >= 2 * ids.length,
    );

    isDown = true;
    for (const socket of joined) socket.resetAndDestroy();
    await enough.promise;
    isOver = true;
    isDown = false;

    expect((await program.ended).code).toBe(0);
    expect(stage.service.creations).toHaveLength(ids.length);
    expect(await stage.statuses()).toEqual(Object.fromEntries(ids.map((id) => [id, 'completed'])));
  });
});
