import { describe, expect, it } from 'vitest';
import { completed } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

/** Arguments of Node under which a signal makes the program err where nobody is to catch it. */
function erringBy(statement: string): readonly string[] {
  const code = `process.on('SIGUSR2', () => { ${statement} })`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

describe.concurrent('an error that nobody catches ends the run in order', () => {
  it.for([
    ['a promise that nobody awaits', "Promise.reject(new Error('astray'))"],
    ['an exception outside every call', "throw new Error('astray')"],
  ] as const)('%s: the creation on its way gets its answer, and its task is saved', async ([, statement]) => {
    const gate = Promise.withResolvers<void>();
    await using stage = await openStage({
      create: async (_creation, accept) => {
        const taskId = accept();
        await gate.promise;
        return (response) =>
          void response.end(JSON.stringify({ status: 'success', data: { task_id: taskId } }));
      },
    });
    await stage.write('q.csv', questions('a', 'b'));
    const program = stage.start(runLine('q.csv', '-j', '1'), { node: erringBy(statement) });
    await stage.service.until(({ creations }) => creations.length === 1);
    program.kill('SIGUSR2');
    // It has heard of the error once it says so in its log.
    while (!(await stage.read('videos/batch.log')).includes('astray'));
    gate.resolve();
    const ending = await program.ended;
    expect(ending).toMatchObject({ code: 70, stdout: '' });
    expect(ending.stderr).toMatch(
      /^batch: astray\nbatch: this is a bug in batch; .* batch\.log has where it is$/m,
    );
    expect(ending.stderr).not.toContain('    at ');
    expect(await stage.read('videos/batch.log')).toMatch(/Error: astray.*\\n {4}at /);
    expect(await stage.statuses()).toEqual({ a: 'open', b: 'pending' });
    stage.service.follow({ status: (task) => completed(task) });
    expect((await stage.batch(['resume'])).code).toBe(0);
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['Question a', 'Question b']);
  });

  it('a command that is no run ends at once, with one line', async () => {
    await using stage = await openStage();
    const node = erringBy("throw new Error('astray')");
    const program = stage.start(['simulate', '--port', '0', '--api-key', 'k'], { node });
    await program.said(/http:/);
    program.kill('SIGUSR2');
    const ending = await program.ended;
    expect(ending.code).toBe(70);
    expect(ending.stderr).toContain('batch: astray\n');
    expect(ending.stderr).not.toContain('    at ');
  });
});
