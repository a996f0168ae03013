import { expect, test } from 'vitest';
import { reportLine } from '../../src/reports/columns.ts';
import { createPageBody, type PageRoom } from '../../src/reports/page-body.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { rowOf } from './report-rows.ts';

function bodyOf(batches: readonly (readonly ReportRow[])[], room?: PageRoom) {
  const body = createPageBody(() => null, room === undefined ? {} : { room });
  const texts = batches.map((batch) => body.render(batch, batch.map(reportLine)));
  return { body, texts };
}

const long = rowOf({}, { input: { question: 'x'.repeat(1_000) } });

test('a page that is full accepts no more rows, and counts those it leaves out', () => {
  for (const room of [
    { rows: 3, length: 1e9 },
    { rows: 1e9, length: 3_000 },
  ]) {
    const { body, texts } = bodyOf([[long, long], [long], [long, long], [long]], room);
    expect(texts.map((text) => text !== '')).toEqual([true, true, false, false]);
    expect(body.leftOut).toBe(3);
  }
});

test('a page of some thousand rows leaves none out', () => {
  const batch = Array.from({ length: 3_000 }, () => long);
  expect(bodyOf([batch, batch]).body.leftOut).toBe(0);
});

test('formulas are looked for in question, answer and title of the rows on the page', () => {
  const question = rowOf({ title: null }, { input: { question: 'Solve $x^2 = 4$.' } });
  const title = rowOf({ title: 'Why $e^{i\\pi} = -1$' });
  const plain = rowOf({ title: 'A sum' });
  const withMath = (...rows: ReportRow[]) => bodyOf([[plain], rows]).body.withMath;
  expect([withMath(question), withMath(title), withMath(plain)]).toEqual([true, true, false]);
  expect(bodyOf([[plain], [question]], { rows: 1, length: 1e9 }).body.withMath).toBe(false);
});
