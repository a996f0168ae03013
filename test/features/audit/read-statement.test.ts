/** Statements as pages and spreadsheets save them. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Options } from '../../../src/app/options/options.ts';
import { InputError, type UsageError } from '../../../src/errors.ts';
import { readStatement, type Statement } from '../../../src/features/audit/read-statement.ts';
import type { StatementLine } from '../../../src/features/audit/statement-books.ts';
import type { StatementColumns } from '../../../src/features/audit/statement-columns.ts';
import { promisedColumns } from '../../../src/reports/columns.ts';
import { manifestColumns } from '../../../src/reports/manifest.ts';
import { renderRowKey } from '../../../src/text/ids/row-key.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type TestRow, workbook } from '../../support/workbook.ts';

interface Read extends Statement {
  readonly lines: readonly StatementLine[];
}

async function read(
  name: string,
  content: string | Uint8Array,
  { options = {}, given = {} }: { readonly options?: Options; readonly given?: StatementColumns } = {},
): Promise<Read> {
  await using folder = await temporaryFolder();
  const file = join(folder.path, name);
  await writeFile(file, content);
  const lines: StatementLine[] = [];
  const statement = await readStatement(file, options, {
    given,
    zone: null,
    wantsText: () => true,
    add: (line) => lines.push(line),
  });
  return { ...statement, lines };
}

const pairs = ({ lines }: Read) => lines.map(({ taskId, amount }) => [taskId, amount.point ?? amount.comma]);
const expected = [
  ['t-1', 10],
  ['t-2', 1234.5],
];

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
/** `任务编号,积分` in GB18030. */
const gbHeader = Buffer.from('c8cecef1b1e0bac52cbbfdb7d60a', 'hex');

const book = (...rows: TestRow[]): Buffer =>
  workbook({ sheets: [{ name: 'about', rows: ['Statement'] }, { rows }] });
const formula = (xml: string) => ({ xml: (place: string) => `<c r="${place}"${xml}</c>` });

const key = renderRowKey('0123456789abcdef', { key: 1, attempt: 1, token: null }, 'a');
const manifest = Object.fromEntries(manifestColumns.map((column) => [column, 'x']));

describe('a statement is read', () => {
  it.each<[string, string, string | Uint8Array]>([
    ['as CSV', 's.csv', 'task_id,points\nt-1,10\nt-2,"1,234.5"\n'],
    ['with semicolons', 's.csv', 'Task ID;Consumption\r\nt-1;10\r\nt-2;1234,5\r\n'],
    ['with tabs', 's.tsv', '任务ID\t消耗\nt-1\t10\nt-2\t1,234.5\n'],
    ['as UTF-16', 's.csv', utf16('任务ID\t消耗积分\r\nt-1\t10\r\nt-2\t1234.5\r\n')],
    ['as GB18030', 's.csv', Buffer.concat([gbHeader, Buffer.from('t-1,10\nt-2,1234.5\n')])],
    ['below titles', 's.csv', 'Account,Anna\nPeriod,November\n\ntask_id,points\nt-1,10\nt-2,1234.5\n'],
    ['with formulas', 's.csv', 'task_id,points\n="t-1",="10"\n"=""t-2""",=1234.5\n'],
    ['with apostrophes', 's.csv', 'task_id,points\n\'="t-1",\'+10\nt-2,1234.5\n'],
    ['with a column named as that of our keys', 's.csv', 'task_id,points,batch\nt-1,10,b1\nt-2,"1,234.5",\n'],
    ['as JSONL', 's.jsonl', '{"task_id":"t-1","points":10}\n{"task_id":"t-2","points":1234.5,"more":1}\n'],
    [
      'as a workbook',
      's.xlsx',
      book(['Statement of November'], ['task_id', 'points'], ['t-1', 10], ['t-2', 1234.5]),
    ],
    [
      'of calculated cells',
      's.xlsx',
      book(
        ['task_id', 'points'],
        [formula(' t="str"><f>"t"&amp;"-1"</f><v>t-1</v>'), formula('><f>5*2</f><v>10</v>')],
        ['t-2', 1234.5],
      ),
    ],
  ])('%s', async (_, name, content) => {
    expect(pairs(await read(name, content))).toEqual(expected);
  });

  it('with everything that a line may have, and lines without a task are counted', async () => {
    const { lines, unnamed, others } = await read(
      's.csv',
      '任务ID,时间,类型,题目,积分,金额(元)\nt-1,2026-11-27T08:00:00Z,扣费,"1, 2",10,1\nt-1,,退款,,10,1\n,,充值,,1000,100\nt-2,,,,-,\nt-3,,,,¥3,\n-,,,,5,\n合计,,,,23,\n',
    );
    expect(lines).toMatchObject([
      {
        line: 2,
        taskId: 't-1',
        amount: { point: 10 },
        isRefund: false,
        at: Date.UTC(2026, 10, 27, 8),
        text: '1, 2',
      },
      { line: 3, taskId: 't-1', amount: { point: 10 }, isRefund: true, at: null, day: '', text: '' },
      { line: 5, taskId: 't-2', amount: { point: 0 } },
      { line: 6, taskId: 't-3', amount: { point: null, comma: null } },
    ]);
    expect([unnamed, others]).toEqual([3, ['金额(元)']]);
  });

  it('though a cell was never calculated: its amount is not known', async () => {
    const content = book(['task_id', 'points'], ['t-1', formula('><f>5*2</f>')], ['t-2', 3]);
    expect(pairs(await read('s.xlsx', content))).toEqual([
      ['t-1', null],
      ['t-2', 3],
    ]);
  });

  it.each<[string, string | Uint8Array, { options?: Options; given?: StatementColumns }]>([
    ['s.csv', 'ref,sum\nt-1,10\nt-2,1234.5\n', { given: { task_id: 'ref', amount: 'SUM' } }],
    ['s.csv', 'task_id|points\nt-1|10\nt-2|1234.5\n', {}],
    ['s.csv', 'task_id~points\nt-1~10\nt-2~1234.5\n', { options: { delimiter: '~' } }],
    ['s.csv', 'task_id,points\ntask_id,cost\nt-1,10\nt-2,1234.5\n', { options: { 'header-row': 2 } }],
    [
      's.txt',
      '{"ref":"t-1","points":"10"}\n{"ref":"t-2","points":"1234.5"}\n',
      { given: { task_id: 'ref' } },
    ],
    [
      's.xlsx',
      book(['task_id', 'points'], ['id', 'cost'], ['t-1', 10], ['t-2', 1234.5]),
      {
        options: { sheet: 'Sheet2', 'header-row': 2 },
        given: { task_id: 'id' },
      },
    ],
  ])('as options say: %s %#', async (name, content, more) => {
    expect(pairs(await read(name, content, more))).toEqual(expected);
  });

  it.each<[string, string, string | Uint8Array, RegExp]>([
    ['is empty', 's.csv', '', /the file is empty/],
    ['has no task', 's.csv', 'time,points\n1,2\n', /no column is surely the task id/],
    [
      'has no task in any sheet',
      's.xlsx',
      book(['time', 'points'], ['1', 2]),
      /the statement has "time", "points"/,
    ],
    ['is a list', 's.json', '[{"task_id":"t","points":1}]\n', /one JSON object per line|array|list/],
    ['is broken', 's.csv', 'task_id,points\n"t-1,10\nt-2,3\n', /quote/],
    [
      'is a report',
      's.csv',
      `${promisedColumns.join()}\n`,
      /this is a report that batch wrote, not a statement/,
    ],
    [
      'is a manifest',
      's.jsonl',
      `${JSON.stringify(manifest)}\n`,
      /the manifest of an export that batch wrote/,
    ],
    [
      'is a table of failed rows',
      's.csv',
      'id,question,batch,failure_2,batch_2\n',
      /a table that batch wrote/,
    ],
    [
      'is a report with other columns',
      's.csv',
      `task_id,points,batch\nt,10,${key}\n`,
      /a table that batch wrote/,
    ],
    ['is Parquet', 's.parquet', 'PAR1xxxxPAR1\n', /./],
    ['is not there', 'none/s.csv', '', /./],
  ])('unless it %s', async (_, name, content, says) => {
    const failure = await read(name, content).catch((error: InputError | UsageError) => error);
    const text = failure instanceof InputError ? failure.problems[0]?.message : (failure as Error).message;
    expect(text).toMatch(says);
  });
});
