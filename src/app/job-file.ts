/**
 * Parses each kind of value and says what a valid one is. One schema, made from the table of options, validates flags, job
 * files, options of programs and options saved with a run; the schema for editors is made from it too.
 */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { htmlModes } from '../core/cell-kinds.ts';
import { frameChoices, qualities } from '../core/item.ts';
import { autoRange } from '../core/policy.ts';
import { fields } from '../core/question.ts';
import { parseByteSize } from '../core/text/byte-size.ts';
import { doubledKey } from '../core/text/doubled-key.ts';
import { parseDurationMs } from '../core/text/duration.ts';
import { languages } from '../core/text/languages.ts';
import { didYouMean } from '../core/text/near-word.ts';
import { messageOf, UsageError } from '../errors.ts';
import { faultNames, parseFault } from '../simulator/faults.ts';
import { isBucketAddress } from './bucket-address.ts';
import {
  formats,
  isRepeatable,
  type Option,
  reportChoices,
  type ValueKind,
  type ValueTypes,
} from './option-kinds.ts';
import {
  longName,
  longNamesWhere,
  type OptionName,
  type Options,
  optionNames,
  optionOf,
  type RawOptions,
} from './options.ts';

const text = (what: string) => z.string({ error: `use ${what}` }).min(1, { error: `is empty; use ${what}` });

const oneOf = <const T extends readonly [string, ...string[]]>(choices: T) =>
  z.enum(choices, { error: `use ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` });

/** A number from a flag (text) or a job file (number). */
function number(what: string, isGood: (value: number) => boolean) {
  const error = `use ${what}`;
  return z
    .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/, { error })], { error })
    .transform(Number)
    .refine(isGood, { error });
}

/** The maximum of Node's timers: about 24 days. */
const longestTimerMs = 2 ** 31 - 1;

const duration = (example: string) => {
  const error = `use a time such as ${example}: 250ms, 30s, 5m, 2h, or a plain number of seconds, up to 24 days`;
  return z
    .union([z.number(), z.string()], { error })
    .transform((value) => parseDurationMs(String(value)) ?? Number.NaN)
    .refine((ms) => ms >= 1 && ms <= longestTimerMs, { error });
};

const byteSize = (example: string) => {
  const error = `use a size such as ${example}: 20MB, 500kB, 16MiB, or a plain number of bytes`;
  return z
    .union([z.number(), z.string()], { error })
    .transform((value) => parseByteSize(String(value)) ?? Number.NaN)
    .refine((bytes) => bytes >= 1 && Number.isSafeInteger(bytes), { error });
};

const share = (what: string) => {
  const error = `use ${what} as a share such as 0.02 or 2%`;
  return z
    .union([z.number(), z.string().regex(/^\d+(\.\d+)?%?$/, { error })], { error })
    .transform((value) =>
      String(value).endsWith('%') ? Number.parseFloat(String(value)) / 100 : Number(value),
    )
    .refine((value) => value >= 0 && value <= 1, { error });
};

const haltError = 'use a number of rows such as 20, or a share such as 10%';

const halt = z
  .union([z.number(), z.string().regex(/^\d+%?$/, { error: haltError })], { error: haltError })
  .refine(
    (value) => {
      const amount = Number.parseInt(String(value), 10);
      return amount >= 1 && (amount <= 100 || !String(value).endsWith('%'));
    },
    { error: haltError },
  )
  .transform((value) => ({
    amount: Number.parseInt(String(value), 10),
    isPercent: String(value).endsWith('%'),
  }));

/** A part that names a file (`@FILE`) may contain commas; `@@` starts an id. */
const splitPart = (part: string): string[] => (/^\s*@(?!@)/.test(part) ? [part] : part.split(','));

/** Comma-separated text (a flag), or a list (a repeated flag, a job file). */
const list = (what: string) =>
  z
    .union([z.string(), z.array(z.string())], { error: `use ${what}` })
    .transform((value) => [value].flat().flatMap(splitPart))
    .transform((parts) => parts.map((part) => part.trim()).filter((part) => part !== ''))
    .refine((parts) => parts.length > 0, { error: `use ${what}` });

/** `NAME=VALUE`, repeated (flags, job files), or an object (job files). */
function pairs<const T extends readonly [string, ...string[]]>(names: T, example: string) {
  const error = `use ${example}; the names are ${names.join(', ')}`;
  const record = z.partialRecord(z.enum(names), z.union([z.string(), z.number()]));
  return z
    .union([z.string(), z.array(z.string()), record], { error })
    .transform((value) =>
      typeof value === 'string' || Array.isArray(value)
        ? [value].flat()
        : Object.entries(value).map(([name, content]) => `${name}=${content}`),
    )
    .refine(
      (entries) => entries.every((entry) => (names as readonly string[]).includes(splitPair(entry)[0])),
      { error },
    );
}

function splitPair(pair: string): [name: string, content: string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** `FIELD=COLUMN` -> field to column. */
const columnMap = pairs(fields, 'FIELD=COLUMN').transform((entries) =>
  Object.fromEntries(entries.map(splitPair)),
);

/** `NAME=RATE` -> fault to share. */
const faultRates = pairs(faultNames, 'NAME=RATE').transform((entries, context) => {
  try {
    return new Map(entries.map(parseFault).map(({ name, rate }) => [name, rate]));
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) });
    return z.NEVER;
  }
});

/** `HOST:PORT`, or a port alone; removes brackets around IPv6. */
const listenAddress = text('HOST:PORT such as 127.0.0.1:8080')
  .transform((value) => {
    const [, host, port = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(value) ?? [];
    return {
      host: host?.replace(/^\[|\]$/g, '') || '127.0.0.1',
      port: port === '' ? Number.NaN : Number(port),
    };
  })
  .refine(({ port }) => port <= 65_535, { error: 'use HOST:PORT such as 127.0.0.1:8080' });

const webAddress = (what: string) =>
  text(what).refine(isServiceUrl, {
    error: `use ${what}: http:// or https://, without user, query or fragment`,
  });

function isServiceUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  const isPlain = url.username === '' && url.password === '' && !value.includes('?') && !value.includes('#');
  return (url.protocol === 'http:' || url.protocol === 'https:') && isPlain;
}

const pingError = 'use http:// or https://, without user and fragment';

const pingAddress = z.string({ error: pingError }).refine(isPingAddress, { error: pingError });

function isPingAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username + password === '' && !value.includes('#');
}

const commandError = 'use a command such as ./upload.sh, or in a job file the list of its words';

const command = z.union(
  [z.string().regex(/\S/, { error: commandError }), z.array(z.string()).min(1, { error: commandError })],
  {
    error: commandError,
  },
);

const concurrencyError = 'use a whole number of at least 1, such as 10, a range such as 4-64, or auto';

/** `10`, `4-64` or `auto`. */
const concurrency = z
  .union([z.number(), z.literal('auto'), z.string().regex(/^\d+(-\d+)?$/, { error: concurrencyError })], {
    error: concurrencyError,
  })
  .transform((value): ValueTypes['concurrency']['parsed'] => {
    if (value === 'auto') return { from: autoRange.from, most: autoRange.to };
    const [first, last] = String(value).split('-').map(Number);
    return last === undefined ? { from: null, most: first ?? Number.NaN } : { from: first ?? 0, most: last };
  })
  .refine(({ from, most }) => Number.isSafeInteger(most) && (from ?? 1) >= 1 && most >= (from ?? 1), {
    error: concurrencyError,
  });

const capError = 'use a number of points of at least 0, or none';

/** A number of points, or `none`, which removes a saved cap. */
const pointsCap = z
  .union([z.literal('none'), z.number(), z.string().regex(/^\d+(\.\d+)?$/, { error: capError })], {
    error: capError,
  })
  .transform((value) => (value === 'none' ? null : Number(value)))
  .refine((value) => value === null || value >= 0, { error: capError });

const rowsError = 'use a whole number of at least 0, or none';

/** A number of rows, or `none`, which removes a limit. */
const rowsLimit = z
  .union([z.literal('none'), z.number(), z.string().regex(/^\d+$/, { error: rowsError })], {
    error: rowsError,
  })
  .transform((value) => (value === 'none' ? null : Number(value)))
  .refine((value) => value === null || (Number.isSafeInteger(value) && value >= 0), { error: rowsError });

/** The schema of each kind of option. */
const schemas: {
  readonly [Kind in ValueKind]: (
    option: Extract<Option, { kind: Kind }>,
  ) => z.ZodType<ValueTypes[Kind]['parsed']>;
} = {
  switch: () => z.boolean({ error: 'takes no value; true or false in a job file' }),
  text: ({ write }) => text(write),
  file: ({ write }) => text(write),
  folder: ({ write }) => text(write),
  address: ({ write }) => webAddress(write),
  ping: () => pingAddress,
  listen: () => listenAddress,
  count: ({ write, least }) => number(write, (value) => Number.isSafeInteger(value) && value >= least),
  concurrency: () => concurrency,
  duration: ({ write }) => duration(write),
  size: ({ write }) => byteSize(write),
  share: ({ write }) => share(write),
  points: () => pointsCap,
  rows: () => rowsLimit,
  halt: () => halt,
  quality: () => oneOf(qualities),
  frames: () => oneOf(frameChoices),
  format: () => oneOf(formats),
  report: () => oneOf(reportChoices),
  html: () => oneOf(htmlModes),
  language: () => oneOf(languages),
  character: ({ write }) =>
    text(write).refine((value) => /^(.|tab|\\t)$/u.test(value), { error: `use ${write}` }),
  encoding: ({ write }) => text(write),
  command: () => command,
  name: ({ write }) => text(write),
  ids: ({ write }) => list(write),
  columns: () => columnMap,
  faults: () => faultRates,
};

function schemaOf(name: OptionName): z.ZodType {
  const option = optionOf(name);
  const { help, inJobFile = `${help.charAt(0).toUpperCase()}${help.slice(1)}.` } = option;
  // TypeScript cannot call a union of functions with a union of arguments.
  const make = schemas[option.kind] as (option: Option) => z.ZodType;
  return make(option).describe(inJobFile);
}

const longNames = optionNames.map(longName);
const listNames = longNamesWhere(({ kind }) => isRepeatable(kind) || kind === 'command');
/** Options whose values no message shows. */
const secretNames = longNamesWhere(({ kind }) => kind === 'ping');

const givenOptions = z
  .strictObject(Object.fromEntries(optionNames.map((name) => [longName(name), schemaOf(name)])))
  .partial();

/** Validates one source of options; `place` turns a name into what the user wrote: `--limit` or `job.json: "limit"`. */
export function parseOptions(raw: RawOptions, place: (name: string) => string): Options {
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
  const answer = givenOptions.safeParse(given);
  if (answer.success) return answer.data as Options;
  const issue = answer.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const name = issue.keys[0] ?? '';
    throw new UsageError(
      `${place(name)} is not an option${didYouMean(name, longNames) || '; `batch run --help` lists them'}`,
    );
  }
  const name = String(issue?.path[0] ?? '');
  const value = given[name];
  if (Array.isArray(value) && !listNames.has(name)) {
    throw new UsageError(`${place(name)} was given ${value.length} times; give it once`);
  }
  // A value with one of these characters may be an address that contains a password or key.
  const isShown = typeof value === 'string' && value !== '' && !/[@?#]/.test(value) && !secretNames.has(name);
  const shown = isShown ? `"${value}" is not valid; ` : '';
  throw new UsageError(`${place(name)}: ${shown}${issue?.message ?? 'is not valid'}`);
}

/** Options of a job file that are paths, relative to the job file's folder. */
const pathNames = longNamesWhere(({ kind }) => kind === 'file' || kind === 'folder');

/** The options of a job file, with its paths made absolute. */
export function readJobFile(path: string): { readonly raw: RawOptions; readonly options: Options } {
  let content: unknown;
  let text: string;
  try {
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    content = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} cannot be read as a job file: ${messageOf(error)}`, error);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new UsageError(`${path} must be one JSON object of options`);
  }
  // JSON.parse silently takes the last one, which may be the higher of two caps.
  const doubled = doubledKey(text);
  if (doubled !== null) throw new UsageError(`${path}: "${doubled}" is given twice; remove one of them`);
  const { $schema: _, ...written } = content as Record<string, unknown>;
  const raw: Record<string, unknown> = { ...written };
  for (const name of pathNames) {
    const value = raw[name];
    const isPath = typeof value === 'string' && value !== '' && value !== '-' && !isBucketAddress(value);
    if (isPath) raw[name] = resolve(dirname(path), value);
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
