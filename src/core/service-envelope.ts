/** The envelope around every answer of the service, read without trust: whole, cut, or something else. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a body turned out to be. */
export interface Envelope {
  /** What the envelope says of itself. */
  readonly says: 'success' | 'error' | 'nothing';
  /** False when only the beginning arrived, or something follows: `data` is then empty. */
  readonly whole: boolean;
  readonly data: JsonObject;
  /** `data.task_id`, exactly as written; null where there is none to read. */
  readonly taskId: string | null;
}

const noData: JsonObject = {};

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own field: what an object inherits was not in the answer. */
export function field(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The entries of a list that may also be a single object. Anything else has none. */
export function entriesOf(value: unknown): readonly JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

function saying(status: unknown): Envelope['says'] {
  const word = typeof status === 'string' ? status.trim().toLowerCase() : '';
  return word === 'success' || word === 'error' ? word : 'nothing';
}

/** The last number under `task_id` in the text that is this number: parsing rounds the digits of long ones away. */
function exactDigits(text: string, rounded: number): string | null {
  const spelled = [...text.matchAll(/"task_id"\s*:\s*(\d+)(?![\d.eE])/g)].map(([, digits = '']) => digits);
  return spelled.findLast((digits) => Number(digits) === rounded) ?? null;
}

function readTaskId(value: unknown, text: string): string | null {
  // Well-formed as the checkpoint keeps it: half a character would not be the same id after a restart.
  if (typeof value === 'string') return value.trim() === '' ? null : value.toWellFormed();
  if (typeof value !== 'number') return null;
  return Number.isSafeInteger(value) && value >= 0 ? String(value) : exactDigits(text, value);
}

/** Reads what a body still tells when it is not one whole JSON value. Its quotes cannot come from inside a string: there they are escaped. */
function readPiece(text: string): Envelope {
  const statuses = [...text.matchAll(/"status"\s*:\s*"([^"\\]*)"/g)].map((match) => saying(match[1]));
  const says = statuses.includes('error') ? 'error' : (statuses[0] ?? 'nothing');
  const found =
    /"task_id"\s*:\s*(?:"((?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000})"|(\d+)\s*[,}])/.exec(
      text,
    );
  const [, quoted, digits] = found ?? [];
  const taskId = quoted === undefined ? digits : readTaskId(JSON.parse(`"${quoted}"`), text);
  return { says, whole: false, data: noData, taskId: taskId ?? null };
}

/** The envelope in a body; null when the body is no JSON object, not even the beginning of one. */
export function readEnvelope(text: string): Envelope | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text.trimStart().startsWith('{') ? readPiece(text) : null;
  }
  if (!isObject(body)) return null;
  const data = field(body, 'data');
  return {
    says: saying(field(body, 'status')),
    whole: true,
    data: isObject(data) ? data : noData,
    taskId: isObject(data) ? readTaskId(field(data, 'task_id'), text) : null,
  };
}

/** Any JSON value as text; '' where there is nothing to say. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join('; ');
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the stack: nobody could read it anyway.
    return '';
  }
}
