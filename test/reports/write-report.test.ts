import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { FileInUseError } from '../../src/errors.ts';
import type { Source } from '../../src/money/question.ts';
import type { ReportFile } from '../../src/ports.ts';
import { reportColumns } from '../../src/reports/columns.ts';
import { type ReportFacts, writeReports } from '../../src/reports/write-report.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import { renderRowKey } from '../../src/text/ids/row-key.ts';
import { checkedFile } from '../support/written.ts';
import { rowOf, source } from './report-rows.ts';

const facts: ReportFacts = {
  out: './videos',
  folder: '/somewhere/videos',
  run: 'run-1',
  writtenAt: Date.UTC(2026, 2, 1),
  running: false,
  assets: { script: 'page()', style: 'a{}', mathScript: 'formulas()', mathStyle: 'b{}' },
};

/** A checkpoint that has rows to report, and counts how often they are read. */
function checkpointOf(rows: () => Iterable<ReportRow>, sources: readonly Source[] = [source]) {
  const checkpoint = {
    passes: 0,
    sources: async () => sources,
    async *reportPages() {
      checkpoint.passes += 1;
      for (const row of rows()) yield [row];
    },
  };
  return checkpoint;
}

/** An output tree in memory: `files` has the reports that were replaced, `open` counts those that still are being written. */
function treeInMemory(inUse: readonly string[] = []) {
  const files = new Map<string, string>();
  const state = { open: 0, longestWrite: 0 };
  const createReport = async (name: string): Promise<ReportFile> => {
    let text = '';
    state.open += 1;
    return {
      async write(more) {
        state.longestWrite = Math.max(state.longestWrite, more.length);
        text += more;
      },
      async commit() {
        if (inUse.includes(name)) throw new FileInUseError(name);
        files.set(name, checkedFile(name, text));
      },
      async commitNextTo() {
        files.set(`${name} copyPath`, text);
        return `${name} copyPath`;
      },
      async [Symbol.asyncDispose]() {
        state.open -= 1;
      },
    };
  };
  return { tree: { createReport }, files, state };
}

async function reportsOf(rows: readonly ReportRow[]): Promise<ReadonlyMap<string, string>> {
  const { tree, files } = treeInMemory();
  await writeReports(
    checkpointOf(() => rows),
    tree,
    facts,
  );
  return files;
}

function cellsOf(csv: string | undefined): string[][] {
  return parse(csv ?? '', { bom: true, record_delimiter: '\r\n' }) as string[][];
}

describe('report.csv', () => {
  test('has a byte order mark, the header and one line per row, ended with CRLF', async () => {
    const csv = (await reportsOf([rowOf(), rowOf({ row: 2, id: 'sum-2' })])).get('report.csv') ?? '';
    expect(csv.charCodeAt(0)).toBe(0xfeff);
    expect(csv.match(/\r\n/g)).toHaveLength(3);
    expect(csv.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(cellsOf(csv)).toEqual([
      [...reportColumns, 'input.chapter', 'batch'],
      ...['sum-1', 'sum-2'].map((id, index) => [
        String(index + 1),
        id,
        'completed',
        '10',
        'What is 1 + 1?',
        'm',
        'A sum',
        'sum-1/video.mp4',
        '0',
        '',
        'task-1',
        '2026-03-01T08:00:01Z',
        '2026-03-01T08:01:31.26Z',
        '2026-03-01T08:00:00.000Z',
        '90.3',
        '1',
        '',
        '',
        '',
        '',
        '',
        'sums',
        renderRowKey(facts.run, rowOf().item, 'What is 1 + 1?'),
      ]),
    ]);
  });

  test('leaves the points of an uncertain row empty', async () => {
    const csv = (await reportsOf([rowOf({ status: 'uncertain', points: null })])).get('report.csv');
    expect(cellsOf(csv)[1]?.[reportColumns.indexOf('points')]).toBe('');
  });

  test('runs no text of the service or of the input as a formula', async () => {
    const evil = '=cmd|calc';
    const csv = (
      await reportsOf([
        rowOf(
          { id: evil, title: evil, failure: evil, taskId: evil, createdAt: evil, finishAt: evil },
          { input: { question: evil } },
        ),
      ])
    ).get('report.csv');
    const cells = cellsOf(csv)[1] ?? [];
    expect(cells.filter((cell) => cell === `'${evil}`)).toHaveLength(7);
    expect(cells).not.toContain(evil);
  });
});

test('without rows every report is there and says so', async () => {
  const files = await reportsOf([]);
  expect(cellsOf(files.get('report.csv'))).toEqual([[...reportColumns, 'input.chapter', 'batch']]);
  expect(files.get('report.jsonl')).toBe('');
  expect(files.get('failed.csv')).toBe('\ufeff');
  expect(files.get('report.html')).toContain('</html>');
});

test.each([
  { running: true, copyPath: null },
  { running: false, copyPath: 'report.csv copyPath' },
])(
  'a report that another program has open keeps no other from being written: %o',
  async ({ running, copyPath }) => {
    const { tree, files, state } = treeInMemory(['report.csv']);
    const checkpoint = checkpointOf(() => [rowOf({ id: 'q1' })]);
    expect(await writeReports(checkpoint, tree, { ...facts, running })).toEqual([
      { name: 'report.csv', copyPath },
    ]);
    const names = copyPath === null ? [] : [copyPath];
    expect([...files.keys()].sort()).toEqual([...names, 'failed.csv', 'report.html', 'report.jsonl'].sort());
    expect(state.open).toBe(0);
  },
);

test('report.jsonl has no byte order mark and the rows in the order of the checkpoint, gone ones last', async () => {
  const files = await reportsOf([rowOf({ id: 'a' }), rowOf({ id: 'b' }), rowOf({ id: 'c' }, { gone: true })]);
  const lines = (files.get('report.jsonl') ?? '').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { id: 'a', row: 1 },
    { id: 'b', row: 1 },
    { id: 'c', row: null, gone: true },
  ]);
});

describe('report.html', () => {
  const pageOf = async (question: string): Promise<string> => {
    const files = await reportsOf([rowOf({ title: null }, { input: { question } })]);
    return files.get('report.html') ?? '';
  };

  test('draws formulas only where a text may contain one', async () => {
    expect(await pageOf('Solve $x^2 = 4$.')).toContain('formulas()');
    expect(await pageOf('What is 1 + 1?')).not.toContain('formulas()');
  });
});

describe('failed.csv', () => {
  const withLevel: Source = {
    ...source,
    file: 'more.csv',
    columns: ['question', 'level'],
    fields: { question: 'question' },
  };

  /** Enough rows that the first batch is out before the last row comes. */
  function* rowsOfTwoSources(): Generator<ReportRow> {
    yield rowOf({ id: 'first', status: 'failed' });
    for (let row = 2; row <= 1_000; row++) yield rowOf({ row, id: `row-${row}` });
    yield rowOf(
      { id: 'last', status: 'failed' },
      { input: { question: 'q', level: '3' }, source: withLevel },
    );
  }

  test('is written again where a second source brings a column late', async () => {
    const { tree, files, state } = treeInMemory();
    const checkpoint = checkpointOf(rowsOfTwoSources);
    await writeReports(checkpoint, tree, facts);
    expect(checkpoint.passes).toBe(2);
    expect(state.open).toBe(0);
    expect(cellsOf(files.get('failed.csv'))).toEqual([
      ['id', 'question', 'quality', 'chapter', 'level', 'failure', 'batch'],
      [
        'first',
        'What is 1 + 1?',
        '',
        'sums',
        '',
        '',
        renderRowKey(facts.run, rowOf().item, 'What is 1 + 1?'),
      ],
      ['', 'q', '', '', '3', '', renderRowKey(facts.run, rowOf().item, 'q')],
    ]);
  });

  test('of a run of a workbook has its twin, also where the first rows came from another file since', async () => {
    const { tree, files } = treeInMemory();
    files.set('failed.xlsx', 'of the run before');
    const workbook: Source = { ...source, file: 'q.xlsx', format: 'xlsx' };
    const withPictures = { ...facts, readPicture: async () => new Uint8Array() };
    await writeReports(
      checkpointOf(() => [rowOf()], [workbook, source]),
      tree,
      withPictures,
    );
    expect(files.get('failed.xlsx')).not.toBe('of the run before');
  });

  test('needs no second pass with one source', async () => {
    const { tree, files } = treeInMemory();
    const checkpoint = checkpointOf(() => [
      rowOf({ status: 'failed' }),
      rowOf(),
      rowOf({ status: 'invalid' }),
    ]);
    await writeReports(checkpoint, tree, facts);
    expect(checkpoint.passes).toBe(1);
    expect(cellsOf(files.get('failed.csv'))).toHaveLength(3);
  });
});

describe('a long run', () => {
  test('is written in small pieces, and the event loop gets its turns', async () => {
    const { tree, files, state } = treeInMemory();
    let turns = 0;
    const takeTurn = () => {
      turns += 1;
      beat = setImmediate(takeTurn);
    };
    let beat = setImmediate(takeTurn);
    const rows = function* () {
      for (let row = 1; row <= 5_000; row++) yield rowOf({ row, id: `row-${row}`, status: 'failed' });
    };
    await writeReports(checkpointOf(rows), tree, facts);
    clearImmediate(beat);
    expect(turns).toBeGreaterThan(10);
    expect(state.longestWrite).toBeLessThan(256 * 1024);
    const ids = (files.get('report.jsonl') ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(Array.from({ length: 5_000 }, (_, index) => `row-${index + 1}`));
    expect(cellsOf(files.get('report.csv'))).toHaveLength(5_001);
    expect(cellsOf(files.get('failed.csv'))).toHaveLength(5_001);
  });

  test('that is asked to stop leaves the reports that were there, and closes its files', async () => {
    const { tree, files, state } = treeInMemory();
    files.set('report.csv', 'the one before');
    const stop = new AbortController();
    const rows = function* () {
      for (let row = 1; row <= 5_000; row++) {
        if (row === 2_000) stop.abort(new Error('told to stop'));
        yield rowOf({ row });
      }
    };
    await expect(writeReports(checkpointOf(rows), tree, facts, stop.signal)).rejects.toThrow('told to stop');
    expect([...files]).toEqual([['report.csv', 'the one before']]);
    expect(state.open).toBe(0);
  });

  test('whose checkpoint fails half way replaces nothing', async () => {
    const { tree, files, state } = treeInMemory();
    const rows = function* () {
      yield rowOf();
      throw new Error('disk I/O error');
    };
    await expect(writeReports(checkpointOf(rows), tree, facts)).rejects.toThrow('disk I/O error');
    expect(files.size).toBe(0);
    expect(state.open).toBe(0);
  });
});
