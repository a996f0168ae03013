/** The schemas in `docs/`, and the tables of `docs/columns.md`, made from the same schemas. */

import { basename } from 'node:path';
import * as z from 'zod';
import { reasons } from '../../src/messages/endings.ts';
import { reportColumns } from '../../src/reports/columns.ts';
import { manifestColumns } from '../../src/reports/manifest.ts';
import { manifestEntry } from '../../src/schemas/manifest.ts';
import { onRowInput, reportEntry } from '../../src/schemas/report.ts';
import { onEndInput, statusOutput, summaryOutput } from '../../src/schemas/run-state.ts';
import { eventLine } from './events-schema.ts';
import { table } from './table.ts';

/** By the path of the file below `docs/`. */
export const schemas: Readonly<Record<string, z.ZodType>> = {
  'schemas/report.schema.json': reportEntry,
  'schemas/manifest.schema.json': manifestEntry,
  'schemas/status.schema.json': statusOutput,
  'schemas/summary.schema.json': summaryOutput,
  'schemas/on-row.schema.json': onRowInput,
  'schemas/on-end.schema.json': onEndInput,
  'events.schema.json': eventLine,
};

type Json = z.core.JSONSchema.JSONSchema;

/** The text of a schema; the last part of its `$id` is its version, as validators refuse keywords that they do not know. */
export function renderSchema(path: string, schema: z.ZodType): string {
  const name = basename(path, '.schema.json');
  const { version, ...rest } = jsonOf(schema);
  const { $schema, title, ...body } = rest;
  const head = { $schema, $id: `urn:batch-video:${name}:${version}`, title: `${title} (version ${version})` };
  // Links lead somewhere on a page alone.
  const text = JSON.stringify({ ...head, ...body }, null, 2).replace(/\[([\w ]+)\]\([\w.#-]+\)/g, '$1');
  return `${text}\n`;
}

function jsonOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, {
    target: 'draft-7',
    override: ({ jsonSchema, path }) => {
      // Every whole number of JSON has this bound.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      delete jsonSchema.readOnly;
      // Of an output that is part of another one.
      if (path.length > 0) for (const name of ['title', 'version']) delete jsonSchema[name];
    },
  });
}

/** A field of an output: its path, type, meaning. */
type Field = readonly [path: string, type: string, meaning: string];

/** An output with its fields. */
interface Output {
  readonly name: string;
  readonly fields: readonly Field[];
}

/** The tables, by the name of the marks that they stand between. */
export function renderFields(): Readonly<Record<string, string>> {
  const report = fieldsOf(jsonOf(reportEntry));
  const manifest = fieldsOf(jsonOf(manifestEntry));
  return {
    schemas: table(['schema', 'of', 'version'], Object.entries(schemas).map(schemaRow)),
    'fields of a row': fieldTable([
      { name: 'report.csv', fields: columnsOf(report, reportColumns) },
      { name: 'report.jsonl', fields: report },
      { name: 'manifest.csv', fields: columnsOf(manifest, [...manifestColumns, 'url']) },
      { name: 'manifest.jsonl', fields: manifest },
    ]),
    'fields of a run': fieldTable([
      { name: 'status', fields: fieldsOf(jsonOf(statusOutput)) },
      { name: 'summary', fields: fieldsOf(jsonOf(summaryOutput)) },
      { name: '--on-end', fields: fieldsOf(jsonOf(onEndInput)) },
    ]),
    reasons: table(
      ['reason', 'meaning'],
      Object.entries(reasons).map(([reason, { en }]) => [`\`${reason}\``, en]),
    ),
  };
}

/** The page with these blocks between their marks. Throws where a mark is missing. */
export function withBlocks(page: string, blocks: Readonly<Record<string, string>>): string {
  return Object.entries(blocks).reduce((text, [name, block]) => {
    const [before, , after] = text.split(
      new RegExp(`(?<=<!-- ${name} -->\n)([\\s\\S]*?)(?=<!-- /${name} -->)`),
    );
    if (after === undefined) throw new Error(`the page has no block ${name}`);
    return `${before}${block}\n${after}`;
  }, page);
}

/** Paths of fields that say nothing about themselves. */
export function silentFields(): readonly string[] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    fieldsOf(jsonOf(schema))
      .filter(([, , meaning]) => meaning === '')
      .map(([path]) => `${name}: ${path}`),
  );
}

function schemaRow([path, schema]: readonly [string, z.ZodType]): readonly string[] {
  const { title, version } = jsonOf(schema);
  return [`[${basename(path)}](${path})`, String(title), String(version)];
}

/** A table has these columns, those of the input, and the key. */
function columnsOf(fields: readonly Field[], columns: readonly string[]): readonly Field[] {
  const known = new Set([...columns, 'input', 'batch']);
  return fields.filter(([path]) => known.has(path));
}

/** Each field once, with the outputs that have it. */
function fieldTable(outputs: readonly Output[]): string {
  const rows = new Map<string, { readonly field: Field; readonly having: string[] }>();
  for (const { name, fields } of outputs)
    for (const field of fields) {
      const row = rows.get(field.join('\n')) ?? { field, having: [] };
      if (!row.having.includes(name)) row.having.push(name);
      rows.set(field.join('\n'), row);
    }
  return table(
    ['field', 'type', 'meaning', 'in'],
    [...rows.values()].map(({ field: [path, type, meaning], having }) => [
      `\`${path}\``,
      type,
      meaning,
      having.length === outputs.length ? 'all' : having.join(', '),
    ]),
  );
}

/** The fields below a schema, each with its path. */
function fieldsOf(schema: Json, path = ''): readonly Field[] {
  const { anyOf = [], oneOf = [], items, properties = {} } = schema;
  const below = Object.entries(properties).flatMap(([name, value]) => {
    const field = value as Json;
    const here = path === '' ? name : `${path}.${name}`;
    return [[here, typeOf(field), field.description ?? ''] as const, ...fieldsOf(field, here)];
  });
  const inside = [
    ...[...anyOf, ...oneOf].map((one) => fieldsOf(one as Json, path)),
    ...[items].flat().map(itemFields),
  ];
  return [...below, ...inside.flat()];

  function itemFields(item: unknown): readonly Field[] {
    return typeof item === 'object' && item !== null ? fieldsOf(item as Json, `${path}[]`) : [];
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
};

/** In words; a field that may be absent says so itself. */
function typeOf({ anyOf, const: only, enum: words, type, pattern }: Json): string {
  if (anyOf !== undefined) return anyOf.map((one) => typeOf(one as Json)).join(' or ');
  if (only !== undefined) return `\`${only}\``;
  if (words !== undefined) return words.length > 3 ? 'word' : words.map((word) => `\`${word}\``).join(', ');
  if (pattern?.includes('T\\d') === true) return 'time';
  return [type]
    .flat()
    .map((one) => typeNames[one ?? ''] ?? one)
    .join(' or ');
}
