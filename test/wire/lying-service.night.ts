/**
 * The whole program against a service that lies at random, stopped by its breakers and started again until nothing is
 * left to do: no question is asked for twice, every task that was made is in the report, and each exit code is true.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  clip,
  completed,
  errorEnvelope,
  type Reply,
  type Script,
  success,
} from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';
import { Dice } from '../sim/dice.ts';
import { nightSeed } from '../support/nightly.ts';
import { type Lie, whole } from './lies.ts';
import { malformedBodies } from './malformed-bodies.ts';
import { malformedWire } from './malformed-wire.ts';
import { mutate } from './mutations.ts';

const rowCount = 40;
const seeds = Array.from({ length: 40 }, (_, at) => nightSeed + at);

type Choice = [Lie, ...Lie[]];
const chosen = (lies: Readonly<Record<string, Lie>>, isFit: (name: string, lie: Lie) => boolean): Choice =>
  Object.entries(lies)
    .filter(([name, lie]) => isFit(name, lie))
    .map(([, lie]) => lie) as Choice;

/** Quick ones, around the right body: whoever hears them may know the task or not. */
const wireLies = chosen(
  malformedWire,
  (name, { hangs }) => hangs !== true && !/bomb|MB|TB|without an end/.test(name),
);
/** Bodies that name no task, and refuse none. */
const doubtful = chosen(malformedBodies, (_, lie) => lie.creation === undefined);
const links = chosen(malformedBodies, (name) => /^a (page|fragment|link)|^an answer in XML/.test(name));

/** Says what a lie says, and closes: the server behind does not know that the answer is over. */
const lie =
  (told: Lie, honest: Buffer): Reply =>
  ({ socket }) => {
    if (socket === null) return;
    told.tell(honest)(socket);
    socket.end();
  };

/** What a reply of the scripted service would have said, as bytes. */
const bodyOf = (data: object): Buffer => Buffer.from(JSON.stringify({ status: 'success', data }));

function lyingScript(seed: number): Script {
  return {
    create({ question }, accept) {
      const dice = new Dice(seed, `create ${question}`);
      const kind = dice.next();
      if (kind < 0.6) return undefined;
      if (kind < 0.7) return errorEnvelope(`no ${question}`);
      if (kind < 0.8) return lie(dice.pick(doubtful), Buffer.alloc(0));
      const honest = bodyOf({ task_id: accept() });
      if (kind < 0.9) return lie(dice.pick(wireLies), honest);
      return lie(dice.pick(doubtful), honest);
    },
    status(task) {
      const dice = new Dice(seed, `status ${task.question} ${task.queries}`);
      if (task.queries > 3) return completed(task);
      const data = { task_id: task.taskId, status: 'IN_PROGRESS', progress: [] };
      const kind = dice.next();
      if (kind < 0.3) return success(data);
      if (kind < 0.6) return lie(dice.pick(wireLies), bodyOf(data));
      if (kind < 0.8) return lie(dice.pick(doubtful), bodyOf(data));
      const bytes = whole(mutate(JSON.stringify({ status: 'success', data }), dice));
      return ({ socket }) => void socket?.end(bytes);
    },
    file({ question, name, count }) {
      const dice = new Dice(seed, `file ${question} ${name} ${count}`);
      return count === 1 && dice.chance(0.3) ? lie(dice.pick(links), clip) : undefined;
    },
  };
}

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly task_id: string | null;
  readonly points: number | null;
}

async function entriesOf(stage: Stage): Promise<Entry[]> {
  const lines = (await stage.read('videos/report.jsonl')).trim().split('\n');
  return lines.map((line): Entry => JSON.parse(line));
}

/** The exit code that these rows ask for. */
function trueCode(entries: readonly Entry[]): number {
  const has = (...statuses: readonly string[]) => entries.some(({ status }) => statuses.includes(status));
  if (has('uncertain', 'submitting')) return 5;
  if (has('pending', 'open', 'downloading')) return 4;
  return has('failed', 'rejected', 'undelivered', 'lost', 'invalid') ? 1 : 0;
}

describe.concurrent(`${rowCount} rows and a service that lies`, () => {
  it.for(seeds)('by seed %i', { timeout: 300_000 }, async (seed) => {
    await using stage = await openStage(lyingScript(seed));
    const ids = Array.from({ length: rowCount }, (_, i) => `r${i + 1}`);
    await stage.write('q.csv', questions(...ids));
    let entries: Entry[] = [];
    for (let run = 0; run < rowCount; run++) {
      const ending = await stage.batch(runLine('q.csv', '-j', '8', '--request-timeout', '5s'));
      entries = await entriesOf(stage);
      expect(ending, `run ${run}`).toMatchObject({ code: trueCode(entries), signal: null });
      if (!entries.some(({ status }) => status === 'pending')) break;
    }
    // Nothing is left to do, and asking for it again sends nothing.
    await stage.batch(runLine('q.csv'));
    await stage.batch(['resume']);

    const { creations, taskIds } = stage.service;
    expect(creations.map(({ question }) => question).sort()).toEqual(
      ids.map((id) => `Question ${id}`).sort(),
    );
    expect(entries.filter(({ status }) => status === 'uncertain')).not.toEqual([]);
    for (const { id, status, task_id, points } of entries) {
      const taskId = taskIds.get(`Question ${id}`);
      if (taskId === undefined) expect(['uncertain', 'rejected'], id).toContain(status);
      else expect(['uncertain', 'completed'], id).toContain(status);
      if (status !== 'completed') continue;
      expect({ task_id, points }, id).toEqual({ task_id: taskId, points: 10 });
      expect(clip.equals(await readFile(join(stage.folder, `videos/${id}/video.webm`))), id).toBe(true);
    }
  });
});
