/** What values an option can have: one schema for each kind. What is said of others is in `valid-values.ts`. */

import * as z from 'zod';
import { oddModes } from '../../input/doubts/odd-modes.ts';
import { isEncoding } from '../../input/encoding/choose-encoding.ts';
import { message } from '../../messages/message.ts';
import { frameChoices, qualities } from '../../money/item.ts';
import { autoRange } from '../../money/policy.ts';
import { fields } from '../../money/question.ts';
import { type FaultName, faultNames, parseFault } from '../../service/simulator/faults.ts';
import { parseByteSize } from '../../text/byte-size.ts';
import { htmlModes } from '../../text/cell-kinds.ts';
import { parseDurationMs } from '../../text/duration.ts';
import { languages } from '../../text/languages.ts';
import { formats, type Option, reportChoices, type ValueKind, type ValueTypes } from './option-kinds.ts';
import { beforeApi, isServiceUrl } from './service-url.ts';

const text = z.string().min(1);

/** A number from a job file, or one from a flag, which is written like this. */
const numberOr = (written: RegExp) => z.union([z.number(), z.string().regex(written)]);

const plainNumber = /^\d+(\.\d+)?$/;

const count = (least: number) =>
  numberOr(plainNumber)
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= least);

/** The maximum of Node's timers: about 24 days. */
const longestTimerMs = 2 ** 31 - 1;

const duration = z
  .union([z.number(), z.string()])
  .transform((value) => parseDurationMs(String(value)) ?? Number.NaN)
  .refine((ms) => ms >= 1 && ms <= longestTimerMs);

const byteSize = z
  .union([z.number(), z.string()])
  .transform((value) => parseByteSize(String(value)) ?? Number.NaN)
  .refine((bytes) => bytes >= 1 && Number.isSafeInteger(bytes));

const share = numberOr(/^\d+(\.\d+)?%?$/)
  .transform((value) =>
    String(value).endsWith('%') ? Number.parseFloat(String(value)) / 100 : Number(value),
  )
  .refine((value) => value >= 0 && value <= 1);

const halt = numberOr(/^\d+%?$/)
  .refine((value) => {
    const amount = Number.parseInt(String(value), 10);
    return amount >= 1 && (amount <= 100 || !String(value).endsWith('%'));
  })
  .transform((value) => ({
    amount: Number.parseInt(String(value), 10),
    isPercent: String(value).endsWith('%'),
  }));

/** A part that names a file (`@FILE`) may contain commas; `@@` starts an id. */
const splitPart = (part: string): string[] => (/^\s*@(?!@)/.test(part) ? [part] : part.split(','));

/** Comma-separated text (a flag), or a list (a repeated flag, a job file). */
const list = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap(splitPart))
  .transform((parts) => parts.map((part) => part.trim()).filter((part) => part !== ''))
  .refine((parts) => parts.length > 0);

/** One path (a flag), or a list (a repeated flag, a job file); `none` removes saved ones. */
const folders = z
  .union([text, z.array(text).min(1)])
  .transform((value) => [value].flat())
  .transform((paths) => (paths.length === 1 && paths[0] === 'none' ? [] : paths));

/** `NAME=VALUE`, repeated (flags, job files), or an object (job files). */
function pairs<const T extends readonly [string, ...string[]]>(names: T) {
  const record = z.partialRecord(z.enum(names), z.union([z.string(), z.number()]));
  return z
    .union([z.string(), z.array(z.string()), record])
    .transform((value) =>
      typeof value === 'string' || Array.isArray(value)
        ? [value].flat()
        : Object.entries(value).map(([name, content]) => `${name}=${content}`),
    )
    .refine((entries) =>
      entries.every((entry) => (names as readonly string[]).includes(splitPair(entry)[0])),
    );
}

function splitPair(pair: string): [name: string, content: string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair, ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** `FIELD=COLUMN` -> field to column. */
const columnMap = pairs(fields).transform((entries) => Object.fromEntries(entries.map(splitPair)));

/** `NAME=RATE` -> fault to share. */
const faultRates = pairs(faultNames).transform((entries, context) => {
  const rates = new Map<FaultName, number>();
  for (const text of entries) {
    const [name] = splitPair(text);
    const fault = parseFault(text);
    if (fault !== null) rates.set(fault.name, fault.rate);
    else {
      const failure = message(name === 'capacity' ? 'fault.capacity' : 'fault.rate', { text, name });
      context.addIssue({ code: 'custom', params: { failure } });
      return z.NEVER;
    }
  }
  return rates;
});

/** `HOST:PORT`, or a port alone; removes brackets around IPv6. */
const listenAddress = text
  .transform((value) => {
    const [, host, port = ''] = /^(?:(.*):)?(\d{1,5})$/.exec(value) ?? [];
    return {
      host: host?.replace(/^\[|\]$/g, '') || '127.0.0.1',
      port: port === '' ? Number.NaN : Number(port),
    };
  })
  .refine(({ port }) => port <= 65_535);

const webAddress = text.refine((value) => isServiceUrl(value) && beforeApi(value) === null);

function isPingAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username + password === '' && !value.includes('#');
}

const command = z.union([z.string().regex(/\S/), z.array(z.string()).min(1)]);

/** `10`, `4-64` or `auto`. */
const concurrency = z
  .union([z.number(), z.literal('auto'), z.string().regex(/^\d+(-\d+)?$/)])
  .transform((value): ValueTypes['concurrency']['parsed'] => {
    if (value === 'auto') return { from: autoRange.from, most: autoRange.to };
    const [first, last] = String(value).split('-').map(Number);
    return last === undefined ? { from: null, most: first ?? Number.NaN } : { from: first ?? 0, most: last };
  })
  .refine(({ from, most }) => Number.isSafeInteger(most) && (from ?? 1) >= 1 && most >= (from ?? 1));

/** A number of points, or `none`, which removes a saved cap. */
const pointsCap = z
  .union([z.literal('none'), z.number(), z.string().regex(plainNumber)])
  .transform((value) => (value === 'none' ? null : Number(value)))
  .refine((value) => value === null || value >= 0);

/** A number of rows, or `none`, which removes a limit. */
const rowsLimit = z
  .union([z.literal('none'), z.number(), z.string().regex(/^\d+$/)])
  .transform((value) => (value === 'none' ? null : Number(value)))
  .refine((value) => value === null || (Number.isSafeInteger(value) && value >= 0));

const schemas: {
  readonly [Kind in ValueKind]: (
    option: Extract<Option, { kind: Kind }>,
  ) => z.ZodType<ValueTypes[Kind]['parsed']>;
} = {
  switch: () => z.boolean(),
  text: () => text,
  file: () => text,
  folder: () => text,
  folders: () => folders,
  address: () => webAddress,
  ping: () => z.string().refine(isPingAddress),
  listen: () => listenAddress,
  count: ({ least }) => count(least),
  concurrency: () => concurrency,
  duration: () => duration,
  size: () => byteSize,
  share: () => share,
  points: () => pointsCap,
  rows: () => rowsLimit,
  halt: () => halt,
  quality: () => z.enum(qualities),
  frames: () => z.enum(frameChoices),
  format: () => z.enum(formats),
  report: () => z.enum(reportChoices),
  html: () => z.enum(htmlModes),
  odd: () => z.enum(oddModes),
  language: () => z.enum(languages),
  character: () => text.refine((value) => /^(.|tab|\\t)$/u.test(value)),
  encoding: () => text.refine(isEncoding),
  command: () => command,
  name: () => text,
  ids: () => list,
  columns: () => columnMap,
  faults: () => faultRates,
};

export function schemaOf(option: Option): z.ZodType {
  const { help, inJobFile = `${help.charAt(0).toUpperCase()}${help.slice(1)}.` } = option;
  // TypeScript cannot call a union of functions with a union of arguments.
  const make = schemas[option.kind] as (option: Option) => z.ZodType;
  return make(option).describe(inJobFile);
}
