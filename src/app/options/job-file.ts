/**
 * One schema, made from the table of options, validates flags, job files, options of programs and options saved with a run;
 * the schema for editors is made from it too.
 */

import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { saidOf, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { doubledKey, jsonErrorColumn } from '../../text/json-text.ts';
import { nearWord } from '../../text/near-word.ts';
import { isBucketAddress } from '../files/bucket-address.ts';
import { goneError } from './gone.ts';
import { homePath } from './home-path.ts';
import { isRepeatable, type Option } from './option-kinds.ts';
import { schemaOf } from './option-schemas.ts';
import { longName, longNamesWhere, type Options, optionNames, optionOf, type RawOptions } from './options.ts';
import { readTextFile } from './text-file.ts';
import { invalidValue } from './valid-values.ts';

/** By their long names. */
const known = new Map<string, Option>(optionNames.map((name) => [longName(name), optionOf(name)]));
const listNames = longNamesWhere(({ kind }) => isRepeatable(kind) || kind === 'command');

const givenOptions = z
  .strictObject(Object.fromEntries([...known].map(([name, option]) => [name, schemaOf(option)])))
  .partial();

/** Validates one source of options; `place` turns a name into what the user wrote: `--limit` or `job.json: "limit"`. */
export function parseOptions(raw: RawOptions, place: (name: string) => string): Options {
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
  const answer = givenOptions.safeParse(given);
  if (answer.success) return answer.data as Options;
  const issue = answer.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const name = issue.keys[0] ?? '';
    const gone = goneError(`--${name}`, place(name));
    if (gone !== null) throw gone;
    const near = nearWord(name, [...known.keys()]);
    throw new UsageError(
      near === null
        ? message('refused.no-option', { option: place(name) })
        : message('refused.near-option', { option: place(name), near }),
    );
  }
  const name = String(issue?.path[0] ?? '');
  const value = given[name];
  if (Array.isArray(value) && !listNames.has(name)) {
    throw new UsageError(message('option.repeated', { option: place(name), times: value.length }));
  }
  const option = known.get(name);
  if (option === undefined) throw answer.error;
  throw invalidValue(option, place(name), value, failureIn(issue));
}

/** The sentence of an issue that brings one. */
function failureIn(issue: z.core.$ZodIssue | undefined): string | null {
  return issue?.code === 'custom' ? (issue.params?.failure ?? null) : null;
}

/** Options of a job file that are paths, relative to the job file's folder. */
const pathNames = longNamesWhere(({ kind }) => ['file', 'folder', 'folders'].includes(kind));

/** False for `-`, a bucket, and the word that removes saved paths. */
function isPath(value: unknown): value is string {
  return typeof value === 'string' && !['', '-', 'none'].includes(value) && !isBucketAddress(value);
}

/** The options of a job file, with its paths made absolute. */
export function readJobFile(path: string): { readonly raw: RawOptions; readonly options: Options } {
  let content: unknown;
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    throw new UsageError(message('refused.job-unreadable', { path, failure: saidOf(error) }), error);
  }
  try {
    content = JSON.parse(text);
  } catch (error) {
    const above = text.slice(0, jsonErrorColumn(text) - 1).split('\n');
    const column = (above.at(-1) ?? '').length + 1;
    throw new UsageError(message('refused.job-json', { path, above: above.length, column }), error);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError(message('refused.job-no-object', { path }));
  }
  // JSON.parse silently takes the last one, which may be the higher of two caps.
  const doubled = doubledKey(text);
  if (doubled !== null) throw new UsageError(message('refused.job-doubled', { path, option: doubled }));
  const { $schema: _, ...written } = content as Record<string, unknown>;
  const raw: Record<string, unknown> = { ...written };
  for (const name of pathNames) {
    const value = raw[name];
    const folder = dirname(path);
    const absolute = (one: unknown): unknown =>
      isPath(one) ? resolve(folder, homePath(one, `${path}: "${name}"`, folder)) : one;
    if (name in raw) raw[name] = Array.isArray(value) ? value.map(absolute) : absolute(value);
  }
  return { raw, options: parseOptions(raw, (name) => `${path}: "${name}"`) };
}

/** The JSON schema of job files, for editors. */
export function jobFileSchema(): object {
  const schema = z.toJSONSchema(givenOptions, { io: 'input', target: 'draft-7' });
  const { properties, ...rest } = schema;
  const described = { $schema: { type: 'string' }, ...properties };
  return {
    ...rest,
    title: 'A job file of batch',
    description: 'Options of `batch run` by their long names, plus `input`.',
    properties: described,
  };
}
