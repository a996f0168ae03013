import { setTimeout as pass } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { clip, type Reply, type Script, success } from './support/scripted-service.ts';
import { openOne, runLine } from './support/stage.ts';

const deadlineMs = 1_000;
const timeout = 60_000;

/** Answers once the gate is opened. */
function held(gate: Promise<void>, answer: Reply): Reply {
  return (response) => void gate.then(() => answer(response));
}

const videoFile: Reply = (response) =>
  void response.writeHead(200, { 'content-length': clip.length }).end(clip);

/** What is on its way when the program is stopped, and how the ledger tells that it is. */
const places: readonly (readonly [string, string, (gate: Promise<void>) => Script])[] = [
  [
    'a creation',
    'create Question a',
    (gate) => ({
      create: async (_, accept) => held(gate, success({ task_id: accept() })),
    }),
  ],
  ['a video', 'file Question a', (gate) => ({ file: () => held(gate, videoFile) })],
];

describe
  .skipIf(process.platform !== 'linux')
  .concurrent('a program that was stopped for longer than the deadline', () => {
    it.for(places)('hears the answer to %s that came meanwhile', { timeout }, async ([, event, script]) => {
      const gate = Promise.withResolvers<void>();
      await using stage = await openOne(script(gate.promise));
      const program = stage.start(runLine('q.csv', '--request-timeout', `${deadlineMs}ms`, '--verbose'));
      await stage.service.until(({ events }) => events.some((one) => one.startsWith(event)));
      await program.suspend();
      gate.resolve();
      // The deadline itself has to pass.
      await pass(1.5 * deadlineMs);
      program.kill('SIGCONT');
      const ending = await program.ended;
      expect(ending).toMatchObject({ code: 0 });
      expect(ending.stderr).not.toMatch(/uncertain|could not be downloaded/);
      expect(stage.service.events.filter((one) => one.startsWith(event))).toHaveLength(1);
    });

    it('hears the answer to a status that came meanwhile', { timeout }, async () => {
      const gate = Promise.withResolvers<void>();
      await using stage = await openOne({
        status: ({ taskId, link }) => {
          const result = [{ type: 'video', content: link('video') }];
          const consumption = [{ type: 'score', value: 10 }];
          const done = success({ task_id: taskId, status: 'COMPLETED', result, consumption });
          return held(gate.promise, done);
        },
      });
      const program = stage.start([
        'run',
        'q.csv',
        '--request-timeout',
        `${deadlineMs}ms`,
        '--poll-interval',
        '1h',
        '--verbose',
      ]);
      const queries = (): number => stage.service.events.filter((one) => one.startsWith('status')).length;
      await stage.service.until(() => queries() === 1);
      await program.suspend();
      gate.resolve();
      await pass(1.5 * deadlineMs);
      program.kill('SIGCONT');
      const ending = await program.ended;
      expect(ending.code).toBe(0);
      expect(ending.stderr).not.toContain('a poll got no answer');
      expect(queries()).toBe(1);
    });
  });
