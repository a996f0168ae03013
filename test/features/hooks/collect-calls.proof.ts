import { expect, it } from 'vitest';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

it('`collect` makes the calls that failed or were never made, once each, and submits nothing', async () => {
  await using stage = await openStage();
  await stage.write('q.csv', questions('a', 'b', 'c'));
  await stage.write('call.sh', 'test ! -e bad && echo "$BATCH_ROW_ID" >> heard');
  const hook = ['--on-row', 'sh call.sh'];
  const onRow = async () => JSON.parse((await stage.batch(['status', '--json'])).stdout).onRow;
  await stage.write('bad', '');
  await stage.batch(runLine('q.csv', '--limit', '1', ...hook));
  await stage.batch(['resume', '--yes', '--limit', '1']);
  expect(await onRow()).toMatchObject({ failed: 1, owed: 1, done: 0 });
  await stage.remove('bad');
  // A start that pays makes only those that were never made.
  await stage.batch(['resume', '--yes', '--limit', '0', ...hook]);
  expect(await onRow()).toMatchObject({ failed: 1, owed: 0, done: 1 });
  await stage.batch(['collect', ...hook]);
  await stage.batch(['collect', ...hook]);
  expect(await onRow()).toEqual({ failed: 0, owed: 0, done: 2, calls: [] });
  expect((await stage.read('heard')).trimEnd().split('\n').toSorted()).toEqual(['a', 'b']);
  expect(stage.service.creations).toHaveLength(2);
});
