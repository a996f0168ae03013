/**
 * Every option, once: what it may be and what to write instead. Flags, job files and the options saved with a run are
 * validated by the same schema, and the schema for editors is made from it.
 */

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { didYouMean } from './commands/near-word.ts';
import { parseByteSize } from './core/byte-size.ts';
import { doubledKey } from './core/doubled-key.ts';
import { parseDurationMs } from './core/duration.ts';
import { frameChoices, qualities } from './core/item.ts';
import { fields } from './core/question.ts';
import { messageOf, UsageError } from './errors.ts';
import { faultNames, parseFault } from './simulator/faults.ts';

const text = (what: string) => z.string({ error: `use ${what}` }).min(1, { error: `is empty; use ${what}` });

const oneOf = <const T extends readonly [string, ...string[]]>(choices: T) =>
  z.enum(choices, { error: `use ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}` });

const flag = (meaning: string) =>
  z.boolean({ error: 'takes no value; true or false in a job file' }).describe(meaning);

/** A number from a flag (text) or a job file (number). */
function number(what: string, isGood: (value: number) => boolean) {
  const error = `use ${what}`;
  return z
    .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/, { error })], { error })
    .transform(Number)
    .refine(isGood, { error });
}

const count = (what: string, least: number) =>
  number(what, (value) => Number.isSafeInteger(value) && value >= least);

/** Node's timers take no more: 24 days and some. */
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
  .refine((value) => Number.parseInt(String(value), 10) >= 1, { error: haltError })
  .transform((value) => ({
    amount: Number.parseInt(String(value), 10),
    isPercent: String(value).endsWith('%'),
  }));

/** A part that names a file, `@FILE`, may hold commas; `@@` begins an id. */
const splitPart = (part: string): string[] => (/^\s*@(?!@)/.test(part) ? [part] : part.split(','));

/** One text with commas (a flag), or a list (a repeated flag, a job file). */
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

/** `HOST:PORT`, or a port alone; brackets around IPv6 come off. */
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

const capError = 'use a number of points of at least 0, or none';

/** A number of points, or `none`, which takes the cap of earlier runs away. */
const pointsCap = z
  .union([z.literal('none'), z.number(), z.string().regex(/^\d+(\.\d+)?$/, { error: capError })], {
    error: capError,
  })
  .transform((value) => (value === 'none' ? null : Number(value)))
  .refine((value) => value === null || value >= 0, { error: capError });

/** All options by their long names. */
const optionSchema = z.strictObject({
  input: text('a path').describe('The questions: a CSV or JSONL file, relative to the job file.'),
  out: text('a folder').describe('Output folder and checkpoint.'),
  'base-url': webAddress('the address of the service').describe('Address of the service.'),
  'api-key-file': text('the path of a file that holds the key').describe('File that holds the API key.'),
  simulate: flag('Use the embedded service: no account, no points.'),
  concurrency: count('a whole number of at least 1, such as 10', 1).describe(
    'Most tasks open at the service at once.',
  ),
  'poll-interval': duration('30s').describe('Time between status requests (the tick).'),
  quality: oneOf(qualities).describe('Quality of rows that do not set their own: high, medium, low.'),
  frames: oneOf(frameChoices).describe('Which progress frames to keep.'),
  format: oneOf(['csv', 'jsonl']).describe('How to read the input.'),
  delimiter: text('one character, or tab').refine((value) => /^(.|tab|\\t)$/u.test(value), {
    error: 'use one character, or tab',
  }),
  encoding: text('an encoding such as utf-8 or gb18030'),
  map: columnMap.describe('Which column is which field; none for no column.'),
  'max-image-bytes': byteSize('20MB').describe(
    'Largest image that is sent; all images of a row may have 2.5 times that.',
  ),
  limit: count('a whole number of at least 0', 0).describe('Submit at most this many more rows now.'),
  only: list('ids with commas between them').describe(
    'Submit only these rows: ids, or @FILE for those of a CSV file.',
  ),
  'max-points': pointsCap.describe('Cap on spent and reserved points; none removes it.'),
  halt: halt.describe('Stop submitting once this many rows, or this share, have ended badly.'),
  'task-timeout': duration('6h').describe('Give up waiting for a task after this.'),
  'request-timeout': duration('60s').describe('Total deadline for one API request.'),
  'outage-timeout': duration('10m').describe(
    'How long submitting waits for a service that is unreachable or too busy.',
  ),
  'dry-run': flag('Show the plan and the estimate, and stop before the first request.'),
  yes: flag('Answer yes to every question.'),
  moved: flag('Continue in a folder that was copied or moved; make sure no run is going in the other one.'),
  listen: listenAddress.describe('Listen for completion callbacks.'),
  'public-url': webAddress('the address at which the service reaches --listen').describe(
    'Address at which the service reaches --listen.',
  ),
  'rerun-changed': flag('Pay again for rows that changed after they were submitted.'),
  add: flag('Add these rows to those of another file.'),
  json: flag('Print the summary as one JSON object.'),
  quiet: flag('Print only warnings and the summary.'),
  verbose: flag('Print every change of every row.'),
  'no-color': flag('No colours.'),
  duration: duration('3s').describe('Embedded service: typical length of a task.'),
  'fail-rate': share('a rate').describe('Embedded service: share of tasks that fail.'),
  fault: faultRates.describe('Embedded service: share of requests with a fault.'),
  seed: count('a whole number', 0).describe('Embedded service: the same seed, the same run.'),
});

/** Options as they were written, by long name. */
export type RawOptions = Readonly<Record<string, unknown>>;

const givenOptions = optionSchema.partial();

/** Options that were given, validated. */
export type Options = z.output<typeof givenOptions>;

const optionNames = Object.keys(optionSchema.shape);

/** Validates one layer of options; `place` turns a name into what the user wrote: `--limit` or `job.json: "limit"`. */
export function parseOptions(raw: RawOptions, place: (name: string) => string): Options {
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
  const answer = givenOptions.safeParse(given);
  if (answer.success) return answer.data;
  const issue = answer.error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const name = issue.keys[0] ?? '';
    throw new UsageError(
      `${place(name)} is not an option${didYouMean(name, optionNames) || '; `batch run --help` lists them'}`,
    );
  }
  const name = String(issue?.path[0] ?? '');
  const value = given[name];
  if (Array.isArray(value) && !['only', 'map', 'fault'].includes(name)) {
    throw new UsageError(`${place(name)} was given ${value.length} times; give it once`);
  }
  // What holds one of these may be an address with a password or a key in it.
  const isShown = typeof value === 'string' && value !== '' && !/[@?#]/.test(value);
  const shown = isShown ? `"${value}" is not valid; ` : '';
  throw new UsageError(`${place(name)}: ${shown}${issue?.message ?? 'is not valid'}`);
}

/** Options of a job file that are paths; they start from the job file's folder. */
const pathOptions = ['input', 'out', 'api-key-file'];

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
    throw new UsageError(`${path} must hold one JSON object of options`);
  }
  // The last one would count, without a word: of two caps it may be the higher one.
  const doubled = doubledKey(text);
  if (doubled !== null) throw new UsageError(`${path}: "${doubled}" is given twice; remove one of them`);
  const { $schema: _, ...written } = content as Record<string, unknown>;
  const raw: Record<string, unknown> = { ...written };
  for (const name of pathOptions) {
    const value = raw[name];
    if (typeof value === 'string' && value !== '' && value !== '-') raw[name] = resolve(dirname(path), value);
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
