import { describe, expect, it } from 'vitest';
import type { IncomingRow } from '../../../src/money/question.ts';
import { incomingRows, type WrittenRow } from '../incoming-rows.ts';
import { completed } from '../saved-lives.ts';
import type { Runs } from './runs.ts';

/** Rows with the bytes of their pictures. */
const withBytes = (bytes: string, ...rows: readonly WrittenRow[]): IncomingRow[] =>
  incomingRows(...rows).map((row) =>
    row.written === null ? row : { ...row, content: `${row.written} with ${bytes}` },
  );

const rows = [
  { id: 'a', question: 'A', image: '1.png' },
  { question: 'B', image: '2.png' },
  { question: 'B', image: '2.png' },
  { question: 'C' },
];

/** Rows with local pictures. */
export function describePictures(runs: Runs): void {
  describe('rows whose HTML is read as text from now on', () => {
    const html = [
      { id: 'a', question: '<p>A</p>' },
      { question: '<p>B</p>' },
      { question: '<p>B</p>' },
      { question: 'C' },
    ];
    const asText = html.map(({ question, ...row }) => ({
      ...row,
      question: question.replace(/<[^>]*>/g, ''),
    }));
    /** Rows as they are read now, known by what they were before as well. */
    const other = (now: readonly WrittenRow[], before: readonly WrittenRow[]): IncomingRow[] => {
      const contents = incomingRows(...before).map(({ content }) => content);
      return incomingRows(...now).map((row, at) => ({
        ...row,
        written: contents[at] === row.content ? null : (contents[at] ?? null),
      }));
    };

    it('are the same rows, and those that wait are sent as text', async () => {
      await using run = await runs.openScratch();
      await run.ingest(incomingRows(...html));
      await run.live('row-2', ...completed('task-2'));
      const known = { newRows: 0, changedSent: 0, gone: 0, toSubmit: 3 };
      expect((await run.ingest(other(asText, html))).plan).toMatchObject(known);
      expect((await run.ingest(other(asText, html))).plan).toMatchObject(known);
      const texts = await Promise.all(
        (await run.all()).map(async ({ key }) => (await run.checkpoint.input(key)).input.question),
      );
      expect(texts).toEqual(['A', 'B', 'B', 'C']);
      expect((await run.ingest(other(html, asText))).plan).toMatchObject(known);
    });
  });

  describe('a row whose picture cannot be read', () => {
    const missing = (...written: readonly WrittenRow[]): IncomingRow[] =>
      incomingRows(...written).map((row) =>
        row.written === null ? row : { ...row, failure: 'questionImages: "1.png" is missing or not a file' },
      );

    it('is the row that it was when it was paid', async () => {
      await using run = await runs.openScratch();
      await run.ingest(withBytes('bytes', ...rows));
      for (const [at, id] of ['a', 'row-2'].entries()) await run.live(id, ...completed(`task-${at}`));
      expect((await run.ingest(missing(...rows))).plan).toMatchObject({
        newRows: 0,
        changedSent: 0,
        gone: 0,
        toSubmit: 1,
      });
      expect((await run.ingest(withBytes('bytes', ...rows))).plan).toMatchObject({
        newRows: 0,
        gone: 0,
        toSubmit: 2,
      });
    });

    it('waits once it can be read, and is known by its bytes then', async () => {
      await using run = await runs.openScratch();
      expect((await run.ingest(missing(...rows))).plan).toMatchObject({ unsendable: 3, toSubmit: 1 });
      expect((await run.ingest(withBytes('bytes', ...rows))).plan).toMatchObject({
        newRows: 0,
        unsendable: 0,
        toSubmit: 4,
      });
      expect((await run.ingest(withBytes('others', ...rows))).plan).toMatchObject({ newRows: 2, gone: 2 });
    });
  });
}
