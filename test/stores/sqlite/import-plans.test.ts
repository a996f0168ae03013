/** The time of an import grows with its rows, and no faster: no statement walks a table for each row of another. */

import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { IncomingRow } from '../../../src/money/question.ts';
import type { ImportCopy, ImportDifference, IngestOptions } from '../../../src/stores/port/import.ts';
import { openImportCopy } from '../../../src/stores/sqlite/import/import-copy.ts';
import { importTables } from '../../../src/stores/tables.ts';
import { incomingRows, type WrittenRow } from '../../support/incoming-rows.ts';
import { plainImport } from '../../support/store-run.ts';

const rowCount = 60;

/** How often each statement ran, with the plan it had when it was made. */
const seen = new Map<string, { times: number; plan: readonly Step[] }>();

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

interface StatementMethods {
  run(...values: unknown[]): unknown;
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown;
}

const { prepare, exec } = Database.prototype;

function note(db: Database.Database, text: string): void {
  if (seen.has(text) || !/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE)/i.test(text)) return;
  const asked = `EXPLAIN QUERY PLAN ${text.replace(/@\w+|\?/g, "'1'")}`;
  seen.set(text, { times: 0, plan: (prepare.call(db, asked) as Database.Statement<[]>).all() as Step[] });
}

/** The statements in the triggers that note an import, as if they ran for each row of their table. */
function noteTriggers(db: Database.Database): void {
  const read = `SELECT sql FROM sqlite_temp_schema WHERE type = 'trigger'`;
  for (const sql of prepare.call(db, read).pluck().all() as string[]) {
    const [, table, body = ''] = /ON main\.(\w+).*BEGIN(.*)END$/s.exec(sql) ?? [];
    for (const statement of body.split(';')) {
      const row = /NEW|OLD/.exec(statement)?.[0];
      note(db, statement.replace('WHERE', `FROM ${table} AS ${row} WHERE`));
    }
  }
}

beforeAll(() => {
  Database.prototype.exec = function (text) {
    const done = exec.call(this, text);
    if (text.includes('TRIGGER')) noteTriggers(this);
    else
      for (const statement of text.split(';')) if (!statement.includes('TEMP TABLE')) note(this, statement);
    return done;
  };
  Database.prototype.prepare = function (this: Database.Database, text: string) {
    const statement = prepare.call(this, text);
    note(this, text);
    const found = seen.get(text);
    if (found !== undefined) countRuns(statement as StatementMethods, found);
    return statement;
  } as typeof prepare;
});

afterAll(() => {
  Object.assign(Database.prototype, { prepare, exec });
});

function countRuns(statement: StatementMethods, found: { times: number }): void {
  for (const name of ['run', 'get', 'all'] as const) {
    const plain = statement[name].bind(statement);
    statement[name] = (...values) => {
      found.times += 1;
      return plain(...values);
    };
  }
}

/** A table is read from end to end; a list in JSON is no table. */
const isWalk = ({ detail }: Step): boolean =>
  /^SCAN /.test(detail) && !/VIRTUAL TABLE|CONSTANT ROW/.test(detail);
const isLoop = ({ detail }: Step): boolean => /^(SCAN|SEARCH) /.test(detail);

/** Walks that are made for each row of another table: next to the first loop of a join, or within what depends on its row. */
function repeatedWalks(plan: readonly Step[]): string[] {
  const below = ({ id }: Pick<Step, 'id'>): Step[] => plan.filter(({ parent }) => parent === id);
  const isWithin = (step: Step): boolean => {
    const parent = plan.find(({ id }) => id === step.parent);
    return parent !== undefined && (/^CORRELATED/.test(parent.detail) || isWithin(parent));
  };
  const inner = [{ id: 0 }, ...plan].flatMap((step) => below(step).filter(isLoop).slice(1));
  return plan
    .filter((step) => isWalk(step) && (inner.includes(step) || isWithin(step)))
    .map(({ detail }) => detail);
}

/** A copy of a run with these rows. */
async function copyOf(rows: readonly IncomingRow[]): Promise<ImportCopy> {
  await using first = openImportCopy();
  first.taken();
  const made = await difference(first, rows);
  const copy = openImportCopy();
  for (const table of importTables)
    copy.take(
      table,
      [...made.rows(table, 'new')].map((row) => row.map(asText)),
    );
  copy.taken();
  return copy;
}

const asText = (value: string | number | Uint8Array | null): string | null =>
  value === null ? null : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);

async function difference(
  copy: ImportCopy,
  rows: readonly IncomingRow[],
  how: Partial<IngestOptions> = {},
): Promise<ImportDifference> {
  const options = { ...plainImport, ...how };
  await copy.add(rows);
  await copy.match(options);
  await copy.plan({ ...options, only: null, column: 'question' });
  await copy.idFacts();
  return copy.difference(options);
}

const numbers = Array.from({ length: rowCount }, (_, at) => at + 1);
const named = (text: (n: number) => string): WrittenRow[] =>
  numbers.map((n) => ({ id: `q${n}`, question: text(n) }));
const nameless = (text: (n: number) => string): WrittenRow[] => numbers.map((n) => ({ question: text(n) }));

const edits: readonly (readonly [string, WrittenRow[], WrittenRow[], Partial<IngestOptions>?])[] = [
  ['has one line more at its top', nameless((n) => `A ${n}`), nameless((n) => `A ${n - 1}`)],
  [
    'is the same under another name',
    named((n) => `A ${n}`),
    named((n) => `A ${n}`),
    { source: { ...plainImport.source, file: 'other.csv' } },
  ],
  [
    'has another quality for all',
    named((n) => `A ${n}`),
    named((n) => `A ${n}`).map((row) => ({ ...row, quality: 'h' })),
  ],
  ['has other texts', named((n) => `A ${n}`), named((n) => `B ${n}`)],
  ['has other texts without ids', nameless((n) => `A ${n}`), nameless((n) => `B ${n}`)],
  ['has ids where it had none', nameless((n) => `A ${n}`), named((n) => `A ${n}`)],
  ['has no ids where it had some', named((n) => `A ${n}`), nameless((n) => `A ${n}`)],
  ['has its ids at other rows', named((n) => `A ${n}`), named((n) => `A ${(n % rowCount) + 1}`)],
  ['is added', named((n) => `A ${n}`), nameless((n) => `A ${n}`), { add: true }],
  ['is one text', nameless(() => 'A'), nameless(() => 'A').slice(1)],
  [
    'has other pictures',
    named((n) => `A ${n}`).map((row) => ({ ...row, image: 'a.png' })),
    named((n) => `A ${n}`).map((row) => ({ ...row, image: 'b.png' })),
  ],
  ['is what failed', named((n) => `A ${n}`), nameless((n) => `B ${n}`), { add: true, isMended: true }],
];

it.each(edits.map(([what, before, after, how = {}]) => [what, before, after, how] as const))(
  'a file that %s is imported in the time of its rows',
  async (_, before, after, how) => {
    const rows = incomingRows(...before);
    await using copy = await copyOf(rows);
    seen.clear();
    const made = await difference(copy, incomingRows(...after), how);
    for (const table of importTables)
      for (const which of ['new', 'outdated'] as const) expect([...made.rows(table, which)]).toBeDefined();
    const slow = [...seen].filter(([, { times, plan }]) => {
      const isForEachRow = times >= rowCount / 2;
      return repeatedWalks(plan).length > 0 || (isForEachRow && plan.some(isWalk));
    });
    expect(slow).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  },
);
