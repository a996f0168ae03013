/**
 * The tables of a run, as both stores keep them: what they select, insert, copy and move is made from these lists. Columns
 * and tables have the core's names here; `requestHash` is `request_hash` in a database.
 */

import { type Artifact, type Item, unsentLife } from '../money/item.ts';
import type { Final } from '../money/review/final.ts';
import type { Correction, ReviewMark } from '../money/review.ts';
import type { EarlierCorrection } from '../money/standing-attempt.ts';
import type { ArchivedAttempt, ArchivedEdit, ArchivedHookCall } from './port/archive.ts';
import type { Decision } from './port/decisions.ts';
import type { ImportTable } from './port/import.ts';
import type { Attempt } from './port/reading.ts';

/** A row of `items`. */
export type ItemRow = Omit<Item, 'artifacts'>;

/** With the key of its item. */
export type Owned<T> = T & { readonly item: number };

export type ArtifactRow = Owned<Artifact>;
export type AttemptRow = Owned<Attempt>;

/** A row of `earlier_inputs`; the input is JSON. */
export interface EarlierInputRow {
  readonly item: number;
  readonly attempt: number;
  readonly source: number;
  readonly input: string;
}

export type EarlierCorrectionRow = Owned<EarlierCorrection>;

/** All fields of a type: one that is left out does not compile. */
function fieldsOf<T>(fields: Readonly<Record<keyof T & string, true>>): readonly string[] {
  return Object.keys(fields);
}

/** What changes in the life of an item. */
const lifeFields = Object.keys(unsentLife);

const itemFields = ['key', 'row', 'id', 'folder', ...lifeFields];

const attemptFields = fieldsOf<Attempt>({
  attempt: true,
  quality: true,
  submittedAt: true,
  endedAt: true,
  status: true,
  taskId: true,
  points: true,
  failure: true,
  title: true,
  createdAt: true,
  finishAt: true,
});

const correctionFields = fieldsOf<Correction>({
  question: true,
  answer: true,
  ofQuestion: true,
  ofAnswer: true,
  since: true,
});

/** What a table keeps, in the order in which rows can be inserted. */
export const tables = {
  settings: ['name', 'value'],
  sources: ['key', 'source'],
  items: [
    ...itemFields,
    ...['identity', 'occurrence', 'content', 'inputDigest', 'source', 'gone', 'endedRound'],
  ],
  questions: ['item', 'input'],
  pictured: ['item', 'written'],
  pictures: ['path', 'sizeBytes', 'modifiedAt', 'digest'],
  edits: [
    'item',
    ...fieldsOf<ArchivedEdit>({
      content: true,
      inputDigest: true,
      source: true,
      quality: true,
      failure: true,
      input: true,
    }),
  ],
  attempts: [
    'item',
    ...attemptFields,
    ...fieldsOf<Omit<ArchivedAttempt, keyof Attempt>>({ token: true, requestHash: true }),
  ],
  artifacts: [
    'item',
    ...fieldsOf<Artifact>({
      kind: true,
      ordinal: true,
      remoteId: true,
      state: true,
      path: true,
      sizeBytes: true,
      sha256: true,
      tries: true,
    }),
  ],
  hookCalls: [
    'item',
    ...fieldsOf<ArchivedHookCall>({ attempt: true, state: true, tries: true, endedAt: true, failure: true }),
  ],
  inspections: ['sha256', 'facts', 'findings'],
  marks: [
    'item',
    ...fieldsOf<ReviewMark>({
      reviewer: true,
      mark: true,
      note: true,
      attempt: true,
      question: true,
      answer: true,
      at: true,
    }),
  ],
  earlierInputs: ['item', 'attempt', 'source', 'input'],
  earlierCorrections: ['item', 'attempt', ...correctionFields],
  corrections: ['item', ...correctionFields],
  preferences: ['item', 'attempt'],
  orders: ['item', 'round'],
  finals: ['item', ...fieldsOf<Omit<Final, 'isDraftStanding'>>({ quality: true, draft: true, since: true })],
  decisions: [
    'number',
    ...fieldsOf<Decision>({
      at: true,
      userName: true,
      machine: true,
      command: true,
      kind: true,
      item: true,
      detail: true,
    }),
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Table = keyof typeof tables;

/** The schema since which runs keep these tables; one of an earlier schema, which is only looked at, has none. */
export const tablesSince = { decisions: 2, finals: 3 } as const satisfies Partial<Record<Table, number>>;

/** The tables that a run of this schema does not keep. */
export function missingTables(schema: number): readonly (keyof typeof tablesSince)[] {
  return (Object.keys(tablesSince) as (keyof typeof tablesSince)[]).filter(
    (table) => schema < tablesSince[table],
  );
}

/**
 * What the import of a file reads and writes, in the order in which rows can be inserted: the column that names the
 * owner of a row.
 */
export const importOwners = {
  sources: 'key',
  items: 'key',
  questions: 'item',
  pictured: 'item',
  pictures: 'path',
  edits: 'item',
  finals: 'item',
  artifacts: 'item',
} as const satisfies Readonly<Record<ImportTable, string>>;

export const importTables = Object.keys(importOwners) as readonly ImportTable[];

/** Those of them whose rows belong to items. */
export const importedWithItems = importTables.filter((table) => importOwners[table] === 'item');

export const tableNames = Object.keys(tables) as readonly Table[];

/** Columns of bytes: outside the databases their digits in hexadecimal. */
export const byteColumns: ReadonlySet<string> = new Set(['identity', 'content', 'inputDigest', 'written']);

/** The database's name of a table or column. */
export function databaseName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns for an INSERT or COPY. */
export function columnList(fields: readonly string[]): string {
  return fields.map(databaseName).join(', ');
}

/** The columns under the core's names, for a SELECT. */
export function selectList(
  fields: readonly string[],
  read: (column: string, field: string) => string = readPlain,
): string {
  return fields.map((field) => `${read(databaseName(field), field)} AS "${field}"`).join(', ');
}

/** PostgreSQL keeps points as decimals, which its client gives as texts. */
export function readPlain(column: string): string {
  return column === 'points' ? 'CAST(points AS double precision)' : column;
}

export const itemColumns = selectList(itemFields);
export const attemptColumns = selectList(['item', ...attemptFields]);
export const artifactColumns = selectList(tables.artifacts);

/** What a change of an item replaces, for an UPDATE with named parameters. */
export const lifeAssignments = lifeFields.map((field) => `${databaseName(field)} = @${field}`).join(', ');

/** The fields that an item shares with its latest attempt. */
export const sharedWithAttempt = [
  'token',
  'status',
  'taskId',
  'points',
  'failure',
  'submittedAt',
  'endedAt',
] as const satisfies readonly (keyof Item)[];

/** True when a field of the attempt changed; a saved frame, for example, changes none. */
export function changesAttempt(before: Item, after: Item): boolean {
  return sharedWithAttempt.some((field) => before[field] !== after[field]);
}

/** Groups rows by their item. */
export function groupByItem<T extends { readonly item: number }>(
  rows: readonly T[],
): ReadonlyMap<number, T[]> {
  return Map.groupBy(rows, ({ item }) => item);
}

/** Without the key of its item. */
export function withoutItem<T extends { readonly item: number }>({ item: _, ...rest }: T): Omit<T, 'item'> {
  return rest;
}
