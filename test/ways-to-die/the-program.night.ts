import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { insist } from '../cli/support/program.ts';
import {
  type Creation,
  clip,
  inProgress,
  type Reply,
  type Script,
  type ScriptedService,
  success,
} from '../cli/support/scripted-service.ts';
import {
  areOpen,
  expectAllDone,
  firstLine,
  numbered,
  openQuestions,
  testChapter,
} from './support/chapter.ts';
import { bytesOfPart } from './support/part.ts';

/** The creation of `q3` is accepted, and answered only once the gate is opened; the other tasks are being made. */
function heldAnswer(): { script: Script; open: () => void } {
  const gate = Promise.withResolvers<void>();
  const create = async ({ question }: Creation, accept: () => string): Promise<Reply | undefined> => {
    if (question !== 'Question q3') return undefined;
    const taskId = accept();
    await gate.promise;
    return success({ task_id: taskId });
  };
  return { script: { create, status: (task) => inProgress(task) }, open: gate.resolve };
}

const isInUse = (service: ScriptedService): boolean =>
  areOpen('q1', 'q2')(service) && service.events.includes('create Question q3');

/** The first bytes of every video come at once, and the rest never. */
const stuckInTheMiddle: Script = {
  file: () => (response) => {
    response.writeHead(200, { 'content-length': clip.length, etag: '"v1"' });
    response.write(clip.subarray(0, 1000));
  },
};

/** The rest of a video from where it was cut. */
const goesOn: Script = {
  file: ({ headers }) => {
    const offset = Number(/^bytes=(\d+)-$/.exec(headers.range ?? 'bytes=0-')?.[1]);
    const range = `bytes ${offset}-${clip.length - 1}/${clip.length}`;
    const rest = clip.subarray(offset);
    const status = headers.range === undefined ? 200 : 206;
    return (response) =>
      void response
        .writeHead(status, { 'content-length': rest.length, 'content-range': range, etag: '"v1"' })
        .end(rest);
  },
};

testChapter('The program', {
  'Killed while reading the questions': async (told) => {
    await using stage = await openQuestions({});
    await stage.remove('questions.csv');
    const pipe = join(stage.folder, 'questions.csv');
    execFileSync('mkfifo', [pipe]);
    const program = stage.start(firstLine());
    // A pipe opens once somebody reads it.
    await using half = await open(pipe, 'w');
    await half.write('id,question\nq1,Question q1\n');
    program.kill('SIGKILL');
    await program.ended;
    expect(stage.service.events).toEqual([]);
    await stage.remove('questions.csv');
    await stage.write('questions.csv', numbered(3));
    await expectAllDone(stage, await told.live(stage, null));
  },

  'Killed while a question is in flight': async (told) => {
    const { script, open } = heldAnswer();
    await using stage = await openQuestions(script);
    const program = stage.start(firstLine());
    await stage.service.until(isInUse);
    program.kill('SIGKILL');
    await program.ended;
    open();
    stage.service.follow({});
    const T = stage.service.taskIds.get('Question q3') ?? '';
    await expectAllDone(stage, await told.live(stage, null, { T }));
  },

  'Killed while videos are being made': async (told) => {
    await using stage = await openQuestions({ status: (task) => inProgress(task) });
    const program = stage.start(firstLine());
    await stage.service.until(areOpen('q1', 'q2', 'q3'));
    program.kill('SIGKILL');
    await program.ended;
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, null));
  },

  'Killed while videos are downloading': async (told) => {
    await using stage = await openQuestions(stuckInTheMiddle);
    const program = stage.start(firstLine());
    for (const id of ['q1', 'q2', 'q3']) await bytesOfPart(stage, id, 1000);
    program.kill('SIGKILL');
    await program.ended;
    const before = stage.service.fileRequests.length;
    stage.service.follow(goesOn);
    await expectAllDone(stage, await told.live(stage, null));
    const ranges = stage.service.fileRequests.slice(before).map(({ headers }) => headers.range);
    expect(ranges).toEqual(Array(3).fill('bytes=1000-'));
  },

  'Ctrl-C': async (told) => {
    const { script, open } = heldAnswer();
    await using stage = await openQuestions(script);
    const program = stage.start(firstLine());
    await stage.service.until(isInUse);
    program.kill('SIGINT');
    await program.said(/Stopping/);
    open();
    const ending = await program.ended;
    expect(ending.code).toBe(130);
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, ending));
  },

  'Ctrl-C twice': async (told) => {
    const { script, open } = heldAnswer();
    await using stage = await openQuestions(script);
    const program = stage.start(firstLine());
    await stage.service.until(isInUse);
    program.kill('SIGINT');
    await program.said(/Stopping/);
    const ending = await insist(program, 'SIGINT');
    expect(ending.code).toBe(130);
    open();
    stage.service.follow({});
    const T = stage.service.taskIds.get('Question q3') ?? '';
    await expectAllDone(stage, await told.live(stage, ending, { T }));
  },

  'The terminal is closed': async (told) => {
    await using stage = await openQuestions({ status: (task) => inProgress(task) });
    const program = stage.start(firstLine());
    await stage.service.until(areOpen('q1', 'q2', 'q3'));
    // The shell and the system both say so.
    program.kill('SIGHUP');
    program.kill('SIGHUP');
    expect((await program.ended).code).toBe(143);
    stage.service.follow({});
    await expectAllDone(stage, await told.live(stage, null));
  },
});
