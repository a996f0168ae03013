import { describe, expect, test } from 'vitest';
import { cellDoubts, type NotedCell } from '../../../src/input/doubts/cell-doubts.ts';

const doubtsOf = (cell: NotedCell): string[] =>
  cellDoubts.filter((doubt) => doubt.isAbout(cell)).map(({ id }) => id);

describe('each note about cells', () => {
  test.each(cellDoubts.map((doubt) => ({ doubt, id: doubt.id })))(
    '$id: is about its example only',
    ({ doubt }) => {
      expect(doubtsOf(doubt.odd)).toEqual([doubt.id]);
      expect(doubtsOf(doubt.plain)).toEqual([]);
    },
  );

  test('has an id of its own, and its words in both languages', () => {
    expect(new Set(cellDoubts.map(({ id }) => id)).size).toBe(cellDoubts.length);
    for (const { id, what, so } of cellDoubts) {
      expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(what.en).toMatch(/^with /);
      expect(`${what.zh}${so.zh}`).toMatch(/^\p{Script=Han}/u);
    }
  });
});

test('what is noted of texts is not noted of other cells', () => {
  for (const { odd } of cellDoubts) expect(doubtsOf({ ...odd, field: 'id' })).toEqual([]);
});
