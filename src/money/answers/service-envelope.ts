/** Reads the envelope of a service answer without trusting it: it may be whole, cut, or something else. */

import { type ReadJson, readJson } from './lenient-json.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The envelope found in a body. */
export interface Envelope {
  /** The status it states. */
  readonly says: 'success' | 'error' | 'nothing';
  /** False when only the beginning arrived, or something follows: `data` is then empty. */
  readonly whole: boolean;
  /** It is all of the answer: no notice or page stands around it. */
  readonly isAlone: boolean;
  readonly data: JsonObject;
  /** `data.task_id` as written, but for blanks around it; null where there is none to read. */
  readonly taskId: string | null;
}

const noData: JsonObject = {};

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property: inherited ones were not in the answer. */
export function field(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The entries of a list, or a single object as a list of one. Anything else has none. */
export function entriesOf(value: unknown): readonly JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

function saying(status: unknown): Envelope['says'] {
  const word = typeof status === 'string' ? status.trim().toLowerCase() : '';
  return word === 'success' || word === 'error' ? word : 'nothing';
}

/**
 * Finds the digits of a rounded number: the last `task_id` in the text that rounds to it. Parsing loses digits of long
 * numbers.
 */
function exactDigits(text: string, rounded: number): string | null {
  const spelled = [...text.matchAll(/"task_id"\s*:\s*(\d+)(?![\d.eE])/g)].map(([, digits = '']) => digits);
  return spelled.findLast((digits) => Number(digits) === rounded) ?? null;
}

/** The task id in an object of this text; null where there is none to read. */
function taskIdOf(value: unknown, text: string): string | null {
  return isObject(value) ? readTaskId(field(value, 'task_id'), text) : null;
}

function readTaskId(value: unknown, text: string): string | null {
  // Only well-formed text survives the checkpoint: an unpaired surrogate would come back as another id after a restart.
  if (typeof value === 'string') return value.trim().toWellFormed() || null;
  if (typeof value !== 'number') return null;
  return Number.isSafeInteger(value) && value >= 0 ? String(value) : exactDigits(text, value);
}

/**
 * Reads what it can from a body that is not one whole JSON value. Quotes inside a string are escaped, so an unescaped
 * quote is structure.
 */
function readPiece(text: string): Envelope {
  const statuses = [...text.matchAll(/"status"\s*:\s*"([^"\\]*)"/g)].map((match) => saying(match[1]));
  const says = statuses.includes('error') ? 'error' : (statuses[0] ?? 'nothing');
  const found =
    /"task_id"\s*:\s*(?:"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000})"|(\d+)\s*[,}])/.exec(
      text,
    );
  const [, quoted, digits] = found ?? [];
  const taskId = quoted === undefined ? digits : readTaskId(JSON.parse(`"${quoted}"`), text);
  return { says, whole: false, isAlone: false, data: noData, taskId: taskId ?? null };
}

/** The envelope in a body; null when the body is not a JSON object, nor the beginning of one. */
export function readEnvelope(text: string): Envelope | null {
  const body = readJson(text);
  if (body === null) return text.trimStart().startsWith('{') ? readPiece(text) : null;
  if (!isObject(body.value)) return null;
  const data = readData(body.value, body.text);
  return {
    says: saying(field(body.value, 'status')),
    whole: true,
    isAlone: body.isAlone,
    data: isObject(data.value) ? data.value : noData,
    taskId: taskIdOf(data.value, data.text),
  };
}

/** Some services write the inner object as a text. */
function readData(body: JsonObject, text: string): ReadJson {
  const value = field(body, 'data');
  return (typeof value === 'string' ? readJson(value) : null) ?? { value, text, isAlone: true };
}

/**
 * True for the service's own word that something is not so. It may cost a payment, so it counts only where nothing else was said
 * with it.
 */
export function isRefusal(envelope: Envelope | null): envelope is Envelope {
  return envelope?.whole === true && envelope.isAlone && envelope.says === 'error';
}

/** The task that a message of the service names, at its top or in `data`; null for none. */
export function namedTask(text: string): string | null {
  const body = readJson(text);
  if (body === null || !isObject(body.value)) return null;
  const data = readData(body.value, body.text);
  return taskIdOf(body.value, body.text) ?? taskIdOf(data.value, data.text);
}

/** Any JSON value as text; '' for none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join('; ');
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the stack: unreadable anyway.
    return '';
  }
}
