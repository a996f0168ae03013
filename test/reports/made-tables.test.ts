import { expect, it } from 'vitest';
import { uncertainColumns } from '../../src/features/resolve/findings-table.ts';
import { markColumns } from '../../src/money/review/marks-table.ts';
import { reportColumns } from '../../src/reports/columns.ts';
import { madeTable } from '../../src/reports/made-tables.ts';
import { manifestColumns } from '../../src/reports/manifest.ts';

/** As they were written once: tables of every version are known. */
const written = {
  report:
    'row,id,status,points,question,quality,title,video,frames,failure,task_id,created_at,finish_at,submitted_at,seconds,attempts',
  manifest: 'path,id,question,answer,title,duration,points,sha256,captions,row,quality,attempt,run',
  marks: 'row,id,mark,note,attempt,status',
  uncertain: 'id,task_id,created_after,created_before,question',
} as const;
const now = {
  report: reportColumns,
  manifest: manifestColumns,
  marks: markColumns,
  uncertain: uncertainColumns,
};
const kinds = Object.keys(written) as (keyof typeof written)[];

it.each(kinds)('a table of %s is known by its header, whatever columns later versions add', (kind) => {
  const header = written[kind].split(',');
  const headers = [
    header,
    now[kind],
    [...now[kind], 'added'],
    [...header, 'chapter', 'batch'],
    ['chapter', ...header],
    [...header.slice(1), header[0] ?? ''],
    header.map((column) => column.toUpperCase()),
  ];
  for (const each of headers) expect(madeTable(each), each.join()).toBe(kind);
});

it.each([
  ['some columns of a report', ['id', 'status', 'question', 'answer', 'points', 'title']],
  ['all but one', reportColumns.filter((column) => column !== 'attempts')],
  ['none', ['question']],
])('a file with %s is one of questions', (_name, header) => {
  expect(madeTable(header)).toBeNull();
});
