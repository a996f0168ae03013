import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { picture } from '../../cli/support/scripted-service.ts';
import { openStage, runLine } from '../../cli/support/stage.ts';

describe.concurrent('a picture that the service could not take', () => {
  it('makes its row invalid with the reason, before a byte of it is read, and the others run', async () => {
    await using stage = await openStage();
    await stage.write('small.png', picture);
    await stage.write('big.png', picture);
    // Nothing on the disk and 200 MB for whoever would read it.
    await truncate(join(stage.folder, 'big.png'), 200_000_000);
    await stage.write('q.csv', 'id,question,image\na,One,small.png\nb,Two,big.png\n');
    const check = await stage.batch(['check', 'q.csv']);
    expect(check.code).toBe(1);
    expect(check.stderr).toContain(
      'q.csv:3: questionImages: "big.png" is 200 MB, more than --max-image-bytes allows (20 MB); make it smaller\n',
    );
    expect((await stage.batch(runLine('q.csv'))).code).toBe(1);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'invalid' });
    expect((await stage.report())[1]?.failure).toContain(
      'is 200 MB, more than --max-image-bytes allows (20 MB)',
    );
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['One']);
  });

  it('is sent once the limit is raised, also by resume, and the limit is kept with the run', async () => {
    await using stage = await openStage();
    await stage.write('a.png', picture);
    await stage.write('q.csv', 'id,question,image\na,One,a.png\n');
    const line = runLine('q.csv', '--max-image-bytes', '10');
    expect((await stage.batch(line)).code).toBe(1);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(1);
    expect((await stage.batch(['resume'])).code).toBe(1);
    expect(stage.service.creations).toEqual([]);
    expect((await stage.batch(['resume', '--max-image-bytes', '1MB'])).code).toBe(0);
    expect(stage.service.creations[0]?.body.questionImages).toEqual([picture.toString('base64')]);
  });

  it('is not sent where it grew after its row was taken up', async () => {
    await using stage = await openStage();
    await stage.write('a.png', picture);
    await stage.write('b.png', picture);
    await stage.write('q.csv', 'id,question,image\na,One,a.png\nb,Two,b.png\n');
    expect((await stage.batch(runLine('q.csv', '--limit', '1'))).code).toBe(4);
    await truncate(join(stage.folder, 'b.png'), 200_000_000);
    expect((await stage.batch(['resume'])).code).toBe(1);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'invalid' });
    expect(stage.service.creations).toHaveLength(1);
  });

  it.for(['', '0', '20 MBit', '-1', 'large'])('a limit of %j is refused in one line', async (size) => {
    await using stage = await openStage();
    await stage.write('q.csv', 'question\nOne\n');
    const ending = await stage.batch(['check', 'q.csv', `--max-image-bytes=${size}`]);
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toMatch(/--max-image-bytes.*use a size such as 20MB/);
  });
});
