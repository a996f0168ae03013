import { appendFile, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { picture } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

const csv = 'id,question,image\na,One,a.png\nb,Two,b.png\nc,Three,c.png\n';
const other = Buffer.concat([picture, Buffer.from('another one')]);

/** A run of which the first row has been sent. */
async function openHalfWay(): Promise<Stage> {
  const stage = await openStage();
  for (const name of ['a', 'b', 'c']) await stage.write(`${name}.png`, picture);
  await stage.write('q.csv', csv);
  expect((await stage.batch(runLine('q.csv', '--limit', '1'))).code).toBe(4);
  return stage;
}

const sent = (stage: Stage) =>
  stage.service.creations.map(({ question, body }) => [question, (body.questionImages as string[])[0]]);

describe.concurrent('a picture that changes after its row was taken up', () => {
  it.for([
    ['by being written', (path: string) => appendFile(path, 'x')],
    [
      'by another one in its place, as old as it was',
      async (path: string, stage: Stage) => {
        await stage.write('new.png', other.subarray(0, picture.length).fill(1, 100, 200));
        await utimes(join(stage.folder, 'new.png'), 1_000_000, 1_000_000);
        await rename(join(stage.folder, 'new.png'), path);
      },
    ],
  ] as const)('is not sent: %s; the file that is read again says what it is now', async ([, change]) => {
    await using stage = await openHalfWay();
    await change(join(stage.folder, 'b.png'), stage);
    const resumed = await stage.batch(['resume', '--poll-interval', '100ms']);
    expect(resumed.code).toBe(1);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'invalid', c: 'completed' });
    expect((await stage.report())[1]?.failure).toBe(
      '"b.png" has changed since the row was read; `batch run FILE` reads it again',
    );
    // Looked at again it is no other than before: resume does not send it.
    expect((await stage.batch(['resume'])).code).toBe(1);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(sent(stage).map(([question]) => question)).toEqual(['One', 'Three', 'Two']);
    expect(sent(stage)[2]?.[1]).not.toBe(picture.toString('base64'));
  });

  it('is sent where it was touched and is the same, byte for byte', async () => {
    await using stage = await openHalfWay();
    await stage.write('b.png', picture);
    await utimes(join(stage.folder, 'c.png'), 1_000_000, 1_000_000);
    expect((await stage.batch(['resume', '--poll-interval', '100ms'])).code).toBe(0);
    expect(new Set(sent(stage).map(([, image]) => image))).toEqual(new Set([picture.toString('base64')]));
  });

  it('is sent where it was not there when its row was taken up', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question,image\na,One,a.png\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(1);
    await stage.write('a.png', picture);
    expect((await stage.batch(['resume', '--poll-interval', '100ms'])).code).toBe(0);
    expect(sent(stage)).toEqual([['One', picture.toString('base64')]]);
  });
});
