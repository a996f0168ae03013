import { describe, expect, it } from 'vitest';
import { completed, inProgress, type Reply } from '../cli/support/scripted-service.ts';
import { questions } from '../cli/support/stage.ts';
import { askedCount, call, openListening, untilAsked } from './callers.ts';

/** Answers that are held back until a test lets them go. */
function createGate() {
  const held: (() => void)[] = [];
  return {
    get count() {
      return held.length;
    },
    hold:
      (reply: Reply): Reply =>
      (response) =>
        void held.push(() => reply(response)),
    open: () => {
      for (const release of held) release();
    },
  };
}

/** Calls an address many times, in as many lanes as a busy service has. */
async function callOften(times: number, make: () => Promise<number>): Promise<Set<number>> {
  const answers = new Set<number>();
  let left = times;
  const lane = async (): Promise<void> => {
    while (left-- > 0) answers.add(await make());
  };
  await Promise.all(Array.from({ length: 40 }, lane));
  return answers;
}

describe.concurrent('thousands of callbacks', () => {
  it('to an open row are one question to the service while it has not answered, and the run ends', async () => {
    const gate = createGate();
    await using stage = await openListening(questions('a'), {
      status: (task) => (task.queries === 1 ? inProgress(task) : gate.hold(completed(task))),
    });
    await untilAsked(stage, 'Question a');
    const address = stage.addressOf('Question a');
    expect(await callOften(3_000, () => call(address))).toEqual(new Set([204]));
    expect(gate.count).toBe(1);
    gate.open();
    expect((await stage.program.ended).code).toBe(0);
    expect(askedCount(stage, 'Question a')).toBe(2);
  });

  it('to a row that is done change nothing: not its points, not its files, not what the service is asked', async () => {
    await using stage = await openListening(questions('a', 'b'), {
      status: (task) =>
        task.question === 'Question b' && task.queries < 3 ? inProgress(task) : completed(task),
    });
    await stage.program.said(/"id":"a",.*"to":"completed"/);
    const address = stage.addressOf('Question a');
    const body = JSON.stringify({ task_id: stage.service.taskIds.get('Question b'), status: 'FAILED' });
    expect(await callOften(1_000, () => call(address, body))).toEqual(new Set([204]));
    expect(askedCount(stage, 'Question a')).toBe(1);
    expect(askedCount(stage, 'Question b')).toBe(1);
    await call(stage.addressOf('Question b'));
    await stage.service.until(
      ({ events }) => events.filter((event) => event === 'status Question b').length === 2,
    );
    await call(stage.addressOf('Question b'));
    expect((await stage.program.ended).code).toBe(0);
    expect((await stage.report()).map(({ status, points, attempts }) => [status, points, attempts])).toEqual([
      ['completed', '10', '1'],
      ['completed', '10', '1'],
    ]);
    expect(stage.service.fileRequests).toHaveLength(2);
  });
});
