import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorEnvelope } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

describe.concurrent('a folder whose service address this user has not used', () => {
  it.for([
    ['resume'],
    ['collect'],
    ['retry', '--only', 'a'],
    ['links', '--only', 'a'],
    ['check', '--online'],
  ])('gets no key from %s before the user names the address, and is known from then on', async (line) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const address = ['--base-url', stage.service.url];
    expect((await stage.batch(runLine('q.csv', '--limit', '1', ...address))).code).toBe(4);
    const before = stage.service.events.length;
    // Another user of another machine, to whom the folder was sent.
    const env = { BATCH_BASE_URL: undefined, XDG_STATE_HOME: join(stage.folder, 'state of another') };
    for (const words of [line, [...line, '--yes']]) {
      const refused = await stage.batch(words, { env });
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(`give --base-url ${stage.service.url}\n`);
    }
    expect(stage.service.events).toHaveLength(before);
    await stage.batch(['resume', ...address], { env });
    expect((await stage.batch(line, { env })).code).not.toBe(2);
  });

  it('is asked about no more where the run was made by this user', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '--limit', '1', '--base-url', stage.service.url));
    const ending = await stage.batch(['resume'], { env: { BATCH_BASE_URL: undefined } });
    expect(ending.code).toBe(0);
    expect(ending.stderr).toContain(`Service: ${stage.service.url}\n`);
  });

  it('gets no key from resolve, which settles nothing then', async () => {
    await using stage = await openStage({ create: () => (response) => void response.destroy() });
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv', '--base-url', stage.service.url));
    expect(await stage.statuses()).toEqual({ a: 'uncertain' });
    const before = stage.service.events.length;
    await stage.write('found.csv', 'id,task_id\na,task-1\n');
    const env = { BATCH_BASE_URL: undefined, XDG_STATE_HOME: join(stage.folder, 'state of another') };
    for (const words of [
      ['a', '--task-id', 'task-1'],
      ['--from', 'found.csv'],
    ]) {
      const refused = await stage.batch(['resolve', ...words], { env });
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(`give --base-url ${stage.service.url}\n`);
    }
    expect(stage.service.events).toHaveLength(before);
    expect(await stage.statuses()).toEqual({ a: 'uncertain' });
    const asked = await stage.batch(
      ['resolve', 'a', '--task-id', 'task-1', '--base-url', stage.service.url],
      { env },
    );
    expect(asked.stderr).toContain('the service does not know the task task-1');
  });

  it('leaves every row as it was when a retry is refused', async () => {
    await using stage = await openStage({
      create: () => errorEnvelope('no'),
    });
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv', '--base-url', stage.service.url));
    const before = await stage.statuses();
    expect(before).toEqual({ a: 'rejected' });
    const env = { BATCH_BASE_URL: undefined, XDG_STATE_HOME: join(stage.folder, 'state of another') };
    expect((await stage.batch(['retry', '--rejected', '--max-points', '7'], { env })).code).toBe(2);
    await stage.batch(['report'], { env });
    expect(await stage.statuses()).toEqual(before);
    expect((await stage.batch(['status'])).stdout).not.toMatch(/--unsent|pending/);
  });
});
