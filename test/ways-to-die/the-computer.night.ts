import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import {
  bare,
  clip,
  completed,
  content,
  inProgress,
  type Reply,
  reset,
  type Task,
} from '../cli/support/scripted-service.ts';
import type { Stage } from '../cli/support/stage.ts';
import { areOpen, expectAllDone, firstLine, openQuestions, testChapter } from './support/chapter.ts';

const hour = 3_600_000;

/** Arguments of Node that load a file before the program. */
const preload = (file: URL): string[] => ['--import', file.href];
const clockJump = preload(new URL('support/clock-jump.ts', import.meta.url));
const fullDisk = preload(new URL('support/full-disk.ts', import.meta.url));
const orderOfWrites = preload(new URL('support/order-of-writes.ts', import.meta.url));
const plainUser = [fileURLToPath(new URL('support/plain-user.ts', import.meta.url))];

/** A superuser may write everywhere; where `setpriv` cannot take that right away, nothing can be shut to the program. */
const cannotBeShut =
  process.getuid?.() === 0 && spawnSync('setpriv', ['--bounding-set=-dac_override', 'true']).status !== 0;

const isAboutFirst = (event: string): boolean => event === 'status Question q1';

/** Fails unless all of these stand in the record, in this order. */
function expectOrder(record: readonly string[], ...lines: readonly string[]): void {
  let place = -1;
  for (const line of lines) {
    place = record.indexOf(line, place + 1);
    expect(place, `${line} in its place in ${lines.join(', ')} in\n${record.join('\n')}`).not.toBe(-1);
  }
}

/** That whatever was relied on had been synced before. */
async function expectNothingOnTrust(stage: Stage): Promise<void> {
  const record = (await stage.read('order.txt')).trimEnd().split('\n');
  expect(new Set(record.filter((line) => line.startsWith('synchronous')))).toEqual(
    new Set(['synchronous 2']),
  );
  for (const [question, taskId] of stage.service.taskIds) {
    const id = question.replace('Question ', '');
    const asked = `sent /api/get_status/${taskId}`;
    expectOrder(record, `committed ${id} submitting`, `sent ${question}`, `committed ${id} open`, asked);
  }
  const [synced, renamed] = ['synced videos/q1/video.part', 'renamed videos/q1/video.webm'];
  expectOrder(record, synced, renamed, 'synced videos/q1', 'committed q1 completed');
  expectOrder(record, 'made videos', 'synced .', 'sent Question q1');
  expectOrder(record, 'made videos/q1', 'synced videos', 'committed q1 completed');
}

testChapter('The computer', {
  'The power fails': async (told) => {
    await using stage = await openQuestions({
      status: (task) => (task.question === 'Question q1' ? completed(task) : inProgress(task)),
    });
    const env = { ORDER_OF_WRITES: join(stage.folder, 'order.txt') };
    const line = firstLine('--verbose');
    const program = stage.start(line, { env, node: orderOfWrites });
    await program.said(/"id":"q1".*"to":"completed"/);
    await stage.service.until(areOpen('q2', 'q3'));
    program.kill('SIGKILL');
    await program.ended;
    await expectNothingOnTrust(stage);
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, null));
  },

  'The computer sleeps for eight hours': async (told) => {
    const isAwake = Promise.withResolvers<void>();
    await using stage = await openQuestions({
      status: (task) => {
        const isLate = task.question === 'Question q1' && task.queries === 2;
        return isLate
          ? (response) => void isAwake.promise.then(() => inProgress(task)(response))
          : inProgress(task);
      },
    });
    const env = { CLOCK_JUMPS_MS: String(8 * hour) };
    const program = stage.start(firstLine(), { env, node: clockJump });
    await stage.service.until(({ events }) => events.filter(isAboutFirst).length === 2);
    program.kill('SIGSTOP');
    // The network is not there at once when the computer wakes, and an answer of the evening before comes late.
    const asked = new Set<string>();
    const wakesUp = ({ taskId }: Task): Reply | undefined => {
      if (asked.has(taskId)) return undefined;
      asked.add(taskId);
      return reset;
    };
    stage.service.follow({ status: wakesUp });
    program.kill('SIGUSR2');
    program.kill('SIGCONT');
    await program.said(/the clock jumps/);
    isAwake.resolve();
    await expectAllDone(stage, await told.live(stage, await program.ended));
  },

  'The clock is corrected': async (told) => {
    const words = JSON.stringify({ status: 'error', data: { messages: 'busy' } });
    const busy = bare(503, words, { 'content-type': 'application/json', 'retry-after': '2' });
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using stage = await openQuestions({
      create: async ({ question, attempt }) => {
        if (question !== 'Question q3') return undefined;
        await answers[attempt - 1]?.promise;
        return busy;
      },
    });
    const env = { CLOCK_JUMPS_MS: [24 * hour, -24 * hour, 24 * hour].join() };
    const program = stage.start(firstLine('--verbose'), { env, node: clockJump });
    const jump = async (count: number): Promise<void> => {
      program.kill('SIGUSR2');
      await program.said(new RegExp(`(the clock jumps[\\s\\S]*){${count}}`));
    };
    await stage.service.until(({ creations }) => creations.length === 3);
    await jump(1);
    answers[0]?.resolve();
    await program.said(/"id":"q3".*"to":"pending"/);
    await jump(2);
    // The pause of two seconds does not end a day later...
    await stage.service.until(({ creations }) => creations.length === 4);
    await jump(3);
    answers[1]?.resolve();
    await program.said(/("id":"q3".*"to":"pending"[\s\S]*){2}/);
    program.kill('SIGTERM');
    await program.ended;
    stage.service.follow({});
    // ...nor does the next one, which was saved with a time of tomorrow.
    await expectAllDone(stage, await told.live(stage, null));
  },

  'The disk is full': async (told) => {
    const areAsked = Promise.withResolvers<void>();
    await using stage = await openQuestions({
      file: () => (response) => void areAsked.promise.then(() => content(clip)(response)),
    });
    const env = { FULL_DISK: join(stage.folder, 'full') };
    const program = stage.start(firstLine(), { env, node: fullDisk });
    await stage.service.until(({ fileRequests }) => fileRequests.length === 3);
    await stage.write('full', '');
    areAsked.resolve();
    const ending = await program.ended;
    expect(ending.code).toBe(4);
    await stage.remove('full');
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The disk cannot be written': {
    lacks: cannotBeShut ? 'setpriv' : null,
    test: async (told) => {
      await using stage = await openQuestions({ status: (task) => inProgress(task) });
      const program = stage.start(firstLine());
      await stage.service.until(areOpen('q1', 'q2', 'q3'));
      program.kill('SIGTERM');
      await program.ended;
      const videos = join(stage.folder, 'videos');
      await chmod(videos, 0o555);
      const ending = await stage.batch(firstLine(), { node: plainUser });
      expect(ending.code).toBe(4);
      await chmod(videos, 0o755);
      stage.service.follow({});
      await expectAllDone(stage, await told.live(stage, ending));
    },
  },
});
