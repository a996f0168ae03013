/**
 * A message is its id in a catalogue and its values; each language renders it from these. Errors, logs and reports hold the
 * English text; a terminal says it in the language of its user.
 */

import type { Language } from '../text/languages.ts';
import type { Words } from './both.ts';
import { commandMessages } from './commands.ts';
import { decisionMessages } from './decisions.ts';
import { endingMessages } from './endings.ts';
import { auditMessages } from './features/audit.ts';
import { doctorMessages } from './features/doctor.ts';
import { droppedMessages } from './features/dropped.ts';
import { exportMessages } from './features/export.ts';
import { reuseMessages } from './features/reuse.ts';
import { watchSampleMessages } from './features/watch-sample.ts';
import { fleetMessages, memoryMessages } from './fleet.ts';
import { formatMessages } from './formats.ts';
import { columnMessages } from './input/columns.ts';
import { markMessages } from './input/marks.ts';
import { otherFileMessages } from './input/other-files.ts';
import { inputMessages } from './input.ts';
import { longWorkMessages } from './long-work.ts';
import { outputMessages } from './outputs.ts';
import { placeMessages } from './places.ts';
import { cellFlawMessages, cellMessages } from './reasons/cells.ts';
import { damageMessages } from './reasons/damage.ts';
import { fileMessages, lineFileMessages, savedFileMessages } from './reasons/files.ts';
import { hookMessages, pingMessages } from './reasons/hooks.ts';
import { flawMessages, kindMessages, pictureMessages, rowMessages } from './reasons/rows.ts';
import { taskMessages } from './reasons/tasks.ts';
import { valueMessages } from './reasons/values.ts';
import { refusalMessages } from './refusals.ts';
import { retryMessages } from './retry.ts';
import { returnedMessages } from './returned.ts';
import { runningMessages } from './running.ts';
import type { Message, Said } from './said.ts';
import { settlingMessages } from './settling.ts';
import { checkpointMessages } from './stores/checkpoint.ts';
import { serverMessages } from './stores/server.ts';
import { sharedRunMessages } from './stores/shared-run.ts';
import { usageMessages } from './usage.ts';
import { workbookMessages } from './workbook.ts';

export type { Message, Said } from './said.ts';

/** Every message that knows both languages. */
export const catalogue = {
  ...retryMessages,
  ...usageMessages,
  ...placeMessages,
  ...exportMessages,
  ...droppedMessages,
  ...commandMessages,
  ...runningMessages,
  ...endingMessages,
  ...inputMessages,
  ...columnMessages,
  ...otherFileMessages,
  ...markMessages,
  ...formatMessages,
  ...workbookMessages,
  ...returnedMessages,
  ...decisionMessages,
  ...doctorMessages,
  ...auditMessages,
  ...longWorkMessages,
  ...checkpointMessages,
  ...serverMessages,
  ...sharedRunMessages,
  ...settlingMessages,
  ...refusalMessages,
  ...reuseMessages,
  ...watchSampleMessages,
  ...fleetMessages,
  ...memoryMessages,
  ...outputMessages,
  ...flawMessages,
  ...pictureMessages,
  ...kindMessages,
  ...rowMessages,
  ...cellFlawMessages,
  ...cellMessages,
  ...fileMessages,
  ...savedFileMessages,
  ...lineFileMessages,
  ...hookMessages,
  ...pingMessages,
  ...taskMessages,
  ...damageMessages,
  ...valueMessages,
};

type MessageId = keyof typeof catalogue;

/** Values of an entry: a message may stand for any of their texts. */
type Given<Value> = Value extends string
  ? string extends Value
    ? Said
    : Value
  : Value extends object
    ? { readonly [Name in keyof Value]: Given<Value[Name]> }
    : Value;

export function message<Id extends MessageId>(
  id: Id,
  ...values: Given<Parameters<(typeof catalogue)[Id]['en']>>
): Message {
  return { id, values, text: entryOf(id).en(...values.map((each) => spoken('en', each))) };
}

/** A value with its messages as texts of that language. */
function spoken(language: Language, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isMessage(value)) return sayIn(language, value);
  if (Array.isArray(value)) return value.map((each) => spoken(language, each));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoken(language, each)]));
}

function isMessage(value: object): value is Message {
  return 'id' in value && 'values' in value && 'text' in value;
}

/** As logs, reports and programs have it. */
export function inEnglish(said: Said): string {
  return typeof said === 'string' ? said : said.text;
}

/** The same with each of its texts changed. */
export function withTexts(said: Said, change: (text: string) => string): Said {
  return typeof said === 'string' ? change(said) : withValues(said, change);
}

/** Values that are sentences themselves: the reason for what is said, and words that may be known only in English. */
const reasonNames: ReadonlySet<string> = new Set(['failure', 'detail', 'problem', 'zh']);

/** The same with its reasons changed, as into another language. */
export function withReasons(said: Message, change: (text: string) => string): Message {
  return withValues(said, (text, name) => (reasonNames.has(name) ? change(text) : text));
}

/** `change` gets each text with its name, '' for one without. */
function withValues(said: Message, change: (text: string, name: string) => string): Message {
  const changed = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return change(value, name);
    if (Array.isArray(value)) return value.map((each) => changed(each, name));
    if (typeof value !== 'object' || value === null) return value;
    if (isMessage(value)) return withValues(value, change);
    return Object.fromEntries(Object.entries(value).map(([each, own]) => [each, changed(own, each)]));
  };
  const values = said.values.map((each) => changed(each));
  return { id: said.id, values, text: change(said.text, '') };
}

/** The same in both languages, to stand inside another sentence. */
export function inBoth(said: Said): Words {
  return typeof said === 'string' ? { en: said, zh: said } : { en: said.text, zh: sayIn('zh', said) };
}

/** Several sentences in one line. */
export function several(messages: readonly Message[]): Message {
  return { id: 'several', values: messages, text: messages.map(({ text }) => text).join('; ') };
}

export function sayIn(language: Language, { id, values, text }: Message): string {
  if (language === 'en') return text;
  // Only `several` and `message` make messages: the values are those of the entry.
  if (id === 'several') return (values as readonly Message[]).map((one) => sayIn(language, one)).join('；');
  return entryOf(id)[language](...values.map((each) => spoken(language, each)));
}

function entryOf(id: string): Readonly<Record<Language, (...values: readonly unknown[]) => string>> {
  return catalogue[id as MessageId] as never;
}
