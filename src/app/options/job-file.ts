/**
 * Parses each kind of value and says what a valid one is. One schema, made from the table of options, validates flags, job
 * files, options of programs and options saved with a run; the schema for editors is made from it too.
 */

import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, UsageError } from '../../errors.ts';
import { oddModes } from '../../input/doubts/odd-modes.ts';
import { isEncoding } from '../../input/read-encoding.ts';
import { type Choices, oneOfThese, wholeNumber } from '../../messages/choices.ts';
import { message } from '../../messages/message.ts';
import { frameChoices, qualities } from '../../money/item.ts';
import { autoRange } from '../../money/policy.ts';
import { fields } from '../../money/question.ts';
import { faultNames, parseFault } from '../../service/simulator/faults.ts';
import { parseByteSize } from '../../text/byte-size.ts';
import { htmlModes } from '../../text/cell-kinds.ts';
import { parseDurationMs } from '../../text/duration.ts';
import { doubledKey, jsonErrorColumn } from '../../text/json-text.ts';
import { languages } from '../../text/languages.ts';
import { nearWord } from '../../text/near-word.ts';
import { isBucketAddress } from '../files/bucket-address.ts';
import { goneError } from './gone.ts';
import { homePath } from './home-path.ts';
import { invalidOption } from './invalid-option.ts';
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
import { readTextFile } from './text-file.ts';

/** What is said of a value that is not valid, by the text that the schema carries. */
const faults = new Map<string, { readonly id: 'option.use' | 'option.empty'; readonly choices: Choices }>();

/** The text of the schema about a value that is none of these. */
function use(choices: Choices): string {
  const text = `use ${choices.en}`;
  faults.set(text, { id: 'option.use', choices });
  return text;
}

/** The same about no value at all. */
function fill(choices: Choices): string {
  const text = `is empty; use ${choices.en}`;
  faults.set(text, { id: 'option.empty', choices });
  return text;
}

const text = (what: Choices) => z.string({ error: use(what) }).min(1, { error: fill(what) });

const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, { error: use(oneOfThese(words)) });

/** A whole number from a flag (text) or a job file (number). */
function count(least: number) {
  const error = use(wholeNumber(least));
  return z
    .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/, { error })], { error })
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= least, { error });
}

/** The maximum of Node's timers: about 24 days. */
const longestTimerMs = 2 ** 31 - 1;

const duration = (example: string) => {
  const error = use({
    en: `a time such as ${example}: 250ms, 30s, 5m, 2h, or a plain number of seconds, up to 24 days`,
    zh: `时长，例如 ${example}：250ms、30s、5m、2h，或秒数，最长 24 天`,
  });
  return z
    .union([z.number(), z.string()], { error })
    .transform((value) => parseDurationMs(String(value)) ?? Number.NaN)
    .refine((ms) => ms >= 1 && ms <= longestTimerMs, { error });
};

const byteSize = (example: string) => {
  const error = use({
    en: `a size such as ${example}: 20MB, 500kB, 16MiB, or a plain number of bytes`,
    zh: `大小，例如 ${example}：20MB、500kB、16MiB，或字节数`,
  });
  return z
    .union([z.number(), z.string()], { error })
    .transform((value) => parseByteSize(String(value)) ?? Number.NaN)
    .refine((bytes) => bytes >= 1 && Number.isSafeInteger(bytes), { error });
};

const share = ({ en, zh }: Choices) => {
  const error = use({ en: `${en} as a share such as 0.02 or 2%`, zh: `${zh}，写成份额，例如 0.02 或 2%` });
  return z
    .union([z.number(), z.string().regex(/^\d+(\.\d+)?%?$/, { error })], { error })
    .transform((value) =>
      String(value).endsWith('%') ? Number.parseFloat(String(value)) / 100 : Number(value),
    )
    .refine((value) => value >= 0 && value <= 1, { error });
};

const haltError = use({
  en: 'a number of rows such as 20, or a share such as 10%',
  zh: '行数，例如 20，或份额，例如 10%',
});

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
const list = (what: Choices) =>
  z
    .union([z.string(), z.array(z.string())], { error: use(what) })
    .transform((value) => [value].flat().flatMap(splitPart))
    .transform((parts) => parts.map((part) => part.trim()).filter((part) => part !== ''))
    .refine((parts) => parts.length > 0, { error: use(what) });

/** `NAME=VALUE`, repeated (flags, job files), or an object (job files). */
function pairs<const T extends readonly [string, ...string[]]>(names: T, example: string) {
  const error = use({
    en: `${example}; the names are ${names.join(', ')}`,
    zh: `${example}；名称有 ${names.join('、')}`,
  });
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

const hostAndPort: Choices = {
  en: 'HOST:PORT such as 127.0.0.1:8080',
  zh: '主机:端口，例如 127.0.0.1:8080',
};

/** `HOST:PORT`, or a port alone; removes brackets around IPv6. */
const listenAddress = text(hostAndPort)
  .transform((value) => {
    const [, host, port = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(value) ?? [];
    return {
      host: host?.replace(/^\[|\]$/g, '') || '127.0.0.1',
      port: port === '' ? Number.NaN : Number(port),
    };
  })
  .refine(({ port }) => port <= 65_535, { error: use(hostAndPort) });

const webAddress = (what: Choices) =>
  text(what)
    .refine(isServiceUrl, {
      abort: true,
      error: ({ input }) => {
        const whole = withScheme(String(input));
        if (whole !== null) return use({ en: whole, zh: whole });
        return use({
          en: `${what.en}: http:// or https://, without user, query or fragment`,
          zh: `${what.zh}：http:// 或 https://，不带用户名、查询和片段`,
        });
      },
    })
    .refine((value) => beforeApi(value) === null, {
      error: ({ input }) => {
        const address = beforeApi(String(input));
        return use({ en: `${address}, the part before /api`, zh: `${address}，即 /api 之前的部分` });
      },
    });

/** The address that a host alone means, with a path and a port where they are named; null for any other text. */
function withScheme(value: string): string | null {
  const [, host = ''] =
    /^(localhost|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})?(?:\/[\w./-]*)?$/i.exec(value.trim()) ?? [];
  if (host === '') return null;
  const whole = `${/^(?:localhost|[\d.]+)$/i.test(host) ? 'http' : 'https'}://${value.trim()}`;
  return isServiceUrl(whole) ? (beforeApi(whole) ?? whole) : null;
}

/** The address of a service, out of that of one of its requests; null where it is none. */
function beforeApi(value: string): string | null {
  return /^(.*?)\/+api\/+(?:gen_video|get_status)\b/.exec(value)?.[1] ?? null;
}

function isServiceUrl(value: string): boolean {
  // The parser drops line breaks and tabs.
  if (/\s/.test(value.trim()) || !URL.canParse(value)) return false;
  const url = new URL(value);
  const isPlain = url.username === '' && url.password === '' && !value.includes('?') && !value.includes('#');
  return (url.protocol === 'http:' || url.protocol === 'https:') && isPlain;
}

const pingError = use({
  en: 'http:// or https://, without user and fragment',
  zh: 'http:// 或 https://，不带用户名和片段',
});

const pingAddress = z.string({ error: pingError }).refine(isPingAddress, { error: pingError });

function isPingAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username + password === '' && !value.includes('#');
}

const commandError = use({
  en: 'a command such as ./upload.sh, or in a job file the list of its words',
  zh: '命令，例如 ./upload.sh；作业文件中可写成单词列表',
});

const command = z.union(
  [z.string().regex(/\S/, { error: commandError }), z.array(z.string()).min(1, { error: commandError })],
  {
    error: commandError,
  },
);

const concurrencyError = use({
  en: 'a whole number of at least 1, such as 10, a range such as 4-64, or auto',
  zh: '不小于 1 的整数，例如 10，或范围，例如 4-64，或 auto',
});

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

const capError = use({ en: 'a number of points of at least 0, or none', zh: '不小于 0 的积分数，或 none' });

/** A number of points, or `none`, which removes a saved cap. */
const pointsCap = z
  .union([z.literal('none'), z.number(), z.string().regex(/^\d+(\.\d+)?$/, { error: capError })], {
    error: capError,
  })
  .transform((value) => (value === 'none' ? null : Number(value)))
  .refine((value) => value === null || value >= 0, { error: capError });

const rowsError = use({ en: 'a whole number of at least 0, or none', zh: '不小于 0 的整数，或 none' });

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
  count: ({ least }) => count(least),
  concurrency: () => concurrency,
  duration: ({ example }) => duration(example),
  size: ({ example }) => byteSize(example),
  share: ({ write }) => share(write),
  points: () => pointsCap,
  rows: () => rowsLimit,
  halt: () => halt,
  quality: () => oneOf(qualities),
  frames: () => oneOf(frameChoices),
  format: () => oneOf(formats),
  report: () => oneOf(reportChoices),
  html: () => oneOf(htmlModes),
  odd: () => oneOf(oddModes),
  language: () => oneOf(languages),
  character: ({ write }) =>
    text(write).refine((value) => /^(.|tab|\\t)$/u.test(value), { error: use(write) }),
  encoding: ({ write }) => text(write).refine(isEncoding, { error: use(write) }),
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
    const gone = goneError(`--${name}`, place(name));
    if (gone !== null) throw gone;
    const near = nearWord(name, longNames);
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
  // A value with one of these characters may be an address that contains a password or key.
  const isShown = typeof value === 'string' && value !== '' && !/[@?#]/.test(value) && !secretNames.has(name);
  const fault = issue?.message ?? 'is not valid';
  const known = faults.get(fault);
  if (known === undefined)
    throw new UsageError(
      isShown
        ? message('option.odd-value', { option: place(name), value, failure: fault })
        : message('option.odd', { option: place(name), failure: fault }),
    );
  const { id, choices } = known;
  if (isShown) throw invalidOption(place(name), value, choices);
  throw new UsageError(message(id, { option: place(name), choices }));
}

/** Options of a job file that are paths, relative to the job file's folder. */
const pathNames = longNamesWhere(({ kind }) => kind === 'file' || kind === 'folder');

/** The options of a job file, with its paths made absolute. */
export function readJobFile(path: string): { readonly raw: RawOptions; readonly options: Options } {
  let content: unknown;
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    throw new UsageError(message('refused.job-unreadable', { path, failure: messageOf(error) }), error);
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
    const isPath = typeof value === 'string' && value !== '' && value !== '-' && !isBucketAddress(value);
    const folder = dirname(path);
    if (isPath) raw[name] = resolve(folder, homePath(value, `${path}: "${name}"`, folder));
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
