import { expect, it } from 'vitest';
import { isDrop, planDrop } from '../../src/release/drop-plan.ts';

it('a table is checked in its own folder, with videos beside it that bear its name', () => {
  expect(planDrop('check', ['C:\\题 目\\数学.v2.xlsx'])).toEqual({
    folder: 'C:\\题 目\\',
    plan: ['check', '数学.v2.xlsx', '--out=数学.v2-videos'],
    run: null,
  });
});

it('a run shows its plan without sending anything, and asks no second time', () => {
  expect(planDrop('run', ['q.csv'])).toEqual({
    folder: '.',
    plan: ['run', 'q.csv', '--out=q-videos', '--dry-run'],
    run: ['run', 'q.csv', '--out=q-videos', '--yes'],
  });
});

it.each([
  ['a name like an option', '/d/-q.csv', './-q.csv', '--out=-q-videos'],
  ['a name without an ending', '/d/q', 'q', '--out=q-videos'],
  ['a name that is all ending', '/d/.csv', '.csv', '--out=.csv-videos'],
])('%s', (_, path, word, out) => {
  expect(planDrop('check', [path])).toMatchObject({ plan: ['check', word, out] });
});

it('no table, and several, are told instead', () => {
  const [none, two] = [planDrop('run', []), planDrop('run', ['a.csv', 'b.csv'])];
  expect([none, two].map(isDrop)).toEqual([false, false]);
  expect(none).toMatchObject({ id: 'dropped.none' });
  expect(two).toMatchObject({ text: '2 files were dropped; one at a time, please. Nothing was done.' });
  expect(isDrop(planDrop('check', ['a.csv']))).toBe(true);
});
