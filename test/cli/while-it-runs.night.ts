import { describe, expect, it } from 'vitest';
import { completed, inProgress } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

const noneYet = {
  pending: 0,
  submitting: 0,
  open: 0,
  downloading: 0,
  completed: 0,
  failed: 0,
  rejected: 0,
  uncertain: 0,
  undelivered: 0,
  lost: 0,
  invalid: 0,
};

describe.concurrent('while a run goes on', () => {
  async function openRunning() {
    const stage = await openStage({
      status: (task) => (task.question === 'Question a' ? completed(task) : inProgress(task)),
    });
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const program = stage.start(runLine('q.csv', '-j', '1'));
    await stage.service.until(
      ({ events }) => events.filter((event) => event === 'status Question b').length >= 2,
    );
    return { stage, program };
  }

  it('status says where it stands, to people and to programs', async () => {
    const { stage, program } = await openRunning();
    await using _ = stage;
    const json = await stage.batch(['status', './videos', '--json']);
    expect(json).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({
      rows: 3,
      statuses: { ...noneYet, completed: 1, open: 1, pending: 1 },
      paused: null,
      points: { spent: 10, reserved: 10 },
      out: './videos',
      pointsPerVideo: 10,
      failures: [],
      areAllFailures: true,
      next: 'batch status ./videos',
      reports: null,
      running: true,
      pid: expect.any(Number),
      onRow: { owed: 0, failed: 0, done: 0, calls: [] },
    });
    const words = await stage.batch(['status']);
    expect(words.stdout).toContain('3 rows: 1 completed, 1 pending, 1 open');
    stage.service.follow({});
    expect((await program.ended).code).toBe(0);
    const after = JSON.parse((await stage.batch(['status', '--json'])).stdout);
    expect(after).toMatchObject({
      statuses: { ...noneYet, completed: 3 },
      points: { spent: 30, reserved: 0 },
    });
  });

  it('report writes the reports as of now, and disturbs nothing', async () => {
    const { stage, program } = await openRunning();
    await using _ = stage;
    expect(await stage.batch(['report'])).toMatchObject({ code: 0, stderr: '' });
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'open', c: 'pending' });
    expect(await stage.read('videos/report.html')).toContain('"running":true');
    stage.service.follow({});
    expect((await program.ended).code).toBe(0);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed', c: 'completed' });
  });
});
