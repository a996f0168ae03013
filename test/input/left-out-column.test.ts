import { expect, test } from 'vitest';
import { readFile } from './read-file.ts';

const csv = 'id,question,failure\n1,One,No idea\n';

test('the column with the failures is left out, as if it had never been there', async () => {
  const { rows, source, found } = await readFile(csv, { leftOut: 'failure' });
  const without = await readFile('id,question\n1,One\n', { leftOut: 'failure' });
  expect({ rows, source, found }).toEqual({
    rows: without.rows,
    source: without.source,
    found: without.found,
  });
});

test('a column of that name is kept where it is a field, and in lines of JSON', async () => {
  const mapped = await readFile(csv, { leftOut: 'failure', columns: { answer: 'failure' } });
  expect(mapped.rows[0]?.input).toEqual({ id: '1', question: 'One', failure: 'No idea' });
  const line = await readFile('{"question":"One","failure":"x"}\n', {
    leftOut: 'failure',
    format: 'jsonl',
  });
  expect(line.source.columns).toEqual(['question', 'failure']);
  expect((await readFile(csv)).source.columns).toEqual(['id', 'question', 'failure']);
});
