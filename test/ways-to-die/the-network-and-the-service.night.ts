import { expect } from 'vitest';
import { swiftly } from '../cli/support/program.ts';
import {
  bare,
  completed,
  errorEnvelope,
  inProgress,
  notFound,
  reset,
  type Script,
} from '../cli/support/scripted-service.ts';
import {
  areOpen,
  expectAllDone,
  firstLine,
  openQuestions,
  taskCount,
  testChapter,
} from './support/chapter.ts';
import { openNetwork } from './support/network.ts';

testChapter('The network and the service', {
  'The answer to a question is lost': async (told) => {
    await using stage = await openQuestions({
      create: ({ question }, accept) => {
        if (question !== 'Question q2') return undefined;
        accept();
        return reset;
      },
    });
    const ending = await stage.batch(firstLine());
    expect(ending.code).toBe(5);
    stage.service.follow({});
    const T = stage.service.taskIds.get('Question q2') ?? '';
    await expectAllDone(stage, await told.live(stage, ending, { T }));
  },

  'The network is down for minutes': async (told) => {
    await using stage = await openQuestions({ status: (task) => inProgress(task) });
    await using network = await openNetwork(stage.service.url);
    const env = { BATCH_BASE_URL: network.url };
    const program = stage.start(firstLine(), { env });
    await stage.service.until(areOpen('q1', 'q2', 'q3'));
    await network.cut();
    await program.said(/the service answers no status request/);
    stage.service.follow({});
    await network.mend();
    await expectAllDone(stage, await told.live(stage, await program.ended));
  },

  'The network is down for hours': async (told) => {
    await using stage = await openQuestions({});
    await using network = await openNetwork(stage.service.url);
    const env = { BATCH_BASE_URL: network.url };
    await stage.batch(firstLine('--limit', '1'), { env });
    await network.cut();
    const ending = await stage.batch(firstLine('--outage-timeout', '3s'), { env });
    expect(ending.code).toBe(4);
    expect(taskCount(stage)).toBe(1);
    await network.mend();
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The service is down': async (told) => {
    await using stage = await openQuestions({ create: () => bare(502, '<h1>Bad gateway</h1>') });
    const ending = await stage.batch(firstLine());
    expect(ending.code).toBe(5);
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The key is refused during a run': async (told) => {
    const refused = errorEnvelope('Unauthorized: Invalid API key', 401);
    let isRevoked = false;
    await using stage = await openQuestions({
      create: () => {
        if (isRevoked) return refused;
        isRevoked = true;
        return undefined;
      },
      status: () => refused,
      free: () => (isRevoked ? refused : undefined),
    });
    const ending = await stage.batch(firstLine());
    expect(ending.code).toBe(3);
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The account is empty': async (told) => {
    const refused = errorEnvelope('Not enough points');
    await using stage = await openQuestions(
      { create: ({ question }) => (question === 'Question q1' ? undefined : refused) },
      8,
    );
    const ending = await stage.batch(firstLine('-j', '1'));
    expect(ending.code).toBe(4);
    expect(taskCount(stage)).toBe(1);
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'The service forgets a task': async (told) => {
    let forgotten = '';
    const forgetful: Script = {
      status: (task) => {
        if (task.question === 'Question q1' && forgotten === '') forgotten = task.taskId;
        return task.taskId === forgotten ? notFound : completed(task);
      },
    };
    await using stage = await openQuestions(forgetful);
    const ending = await stage.batch(firstLine(), { node: swiftly });
    expect(ending.code).toBe(1);
    const last = await told.live(stage, ending);
    expect(last.code).toBe(0);
    expect(await stage.statuses()).toEqual({ q1: 'completed', q2: 'completed', q3: 'completed' });
    // The one task more is the one that the user ordered.
    expect(taskCount(stage)).toBe(4);
    expect(stage.service.taskIds.get('Question q1')).toBe('task-4');
  },

  'Links have expired': async (told) => {
    await using stage = await openQuestions({
      file: ({ count }) => (count === 1 ? bare(403, '<Error>Request has expired</Error>') : undefined),
    });
    const ending = await stage.batch(firstLine());
    expect(stage.service.fileRequests).toHaveLength(6);
    await expectAllDone(stage, await told.live(stage, ending));
  },
});
