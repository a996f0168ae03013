/** What is said of a value that an option cannot have: what to use instead. */

import { UsageError } from '../../errors.ts';
import { oddModes } from '../../input/doubts/odd-modes.ts';
import { type Choices, oneOfThese, wholeNumber } from '../../messages/choices.ts';
import { message, type Said } from '../../messages/message.ts';
import { frameChoices, qualities } from '../../money/item.ts';
import { fields } from '../../money/question.ts';
import { faultNames } from '../../service/simulator/faults.ts';
import { htmlModes } from '../../text/cell-kinds.ts';
import { languages } from '../../text/languages.ts';
import { invalidOption } from './invalid-option.ts';
import { formats, type Option, reportChoices, type ValueKind } from './option-kinds.ts';
import { beforeApi, isServiceUrl, withScheme } from './service-url.ts';

const choices: {
  readonly [Kind in Exclude<ValueKind, 'switch'>]: (
    option: Extract<Option, { kind: Kind }>,
    value: unknown,
  ) => Choices;
} = {
  text: ({ write }) => write,
  file: ({ write }) => write,
  folder: ({ write }) => write,
  folders: ({ write }) => write,
  address: ({ write }, value) => addressFor(write, value),
  ping: () => ({
    en: 'http:// or https://, without user and fragment',
    zh: 'http:// 或 https://，不带用户名和片段',
  }),
  listen: () => ({ en: 'HOST:PORT such as 127.0.0.1:8080', zh: '主机:端口，例如 127.0.0.1:8080' }),
  count: ({ least }) => wholeNumber(least),
  concurrency: () => ({
    en: 'a whole number of at least 1, such as 10, a range such as 4-64, or auto',
    zh: '不小于 1 的整数，例如 10，或范围，例如 4-64，或 auto',
  }),
  duration: ({ example }) => ({
    en: `a time such as ${example}: 250ms, 30s, 5m, 2h, or a plain number of seconds, up to 24 days`,
    zh: `时长，例如 ${example}：250ms、30s、5m、2h，或秒数，最长 24 天`,
  }),
  size: ({ example }) => ({
    en: `a size such as ${example}: 20MB, 500kB, 16MiB, or a plain number of bytes`,
    zh: `大小，例如 ${example}：20MB、500kB、16MiB，或字节数`,
  }),
  share: ({ write: { en, zh } }) => ({
    en: `${en} as a share such as 0.02 or 2%`,
    zh: `${zh}，写成份额，例如 0.02 或 2%`,
  }),
  points: () => ({ en: 'a number of points of at least 0, or none', zh: '不小于 0 的积分数，或 none' }),
  rows: () => ({ en: 'a whole number of at least 0, or none', zh: '不小于 0 的整数，或 none' }),
  halt: () => ({
    en: 'a number of rows such as 20, or a share such as 10%',
    zh: '行数，例如 20，或份额，例如 10%',
  }),
  quality: () => oneOfThese(qualities),
  frames: () => oneOfThese(frameChoices),
  format: () => oneOfThese(formats),
  report: () => oneOfThese(reportChoices),
  html: () => oneOfThese(htmlModes),
  odd: () => oneOfThese(oddModes),
  language: () => oneOfThese(languages),
  character: ({ write }) => write,
  encoding: ({ write }) => write,
  command: () => ({
    en: 'a command such as ./upload.sh, or in a job file the list of its words',
    zh: '命令，例如 ./upload.sh；作业文件中可写成单词列表',
  }),
  name: ({ write }) => write,
  ids: ({ write }) => write,
  columns: () => pairOf('FIELD=COLUMN', fields),
  faults: () => pairOf('NAME=RATE', faultNames),
};

function pairOf(example: string, names: readonly string[]): Choices {
  return {
    en: `${example}; the names are ${names.join(', ')}`,
    zh: `${example}；名称有 ${names.join('、')}`,
  };
}

/** The address that was meant, where one can be seen. */
function addressFor(write: Choices, value: unknown): Choices {
  if (typeof value !== 'string' || value === '') return write;
  if (isServiceUrl(value)) {
    const address = beforeApi(value);
    return { en: `${address}, the part before /api`, zh: `${address}，即 /api 之前的部分` };
  }
  const whole = withScheme(value);
  if (whole !== null) return { en: whole, zh: whole };
  return {
    en: `${write.en}: http:// or https://, without user, query or fragment`,
    zh: `${write.zh}：http:// 或 https://，不带用户名、查询和片段`,
  };
}

/** Kinds of a text that must not be empty. */
const textKinds: ReadonlySet<ValueKind> = new Set([
  'text',
  'file',
  'folder',
  'folders',
  'address',
  'listen',
  'character',
  'encoding',
  'name',
]);

/** The error about a value; `shown` is the option as the user wrote it, `sentence` what was found wrong, if anything. */
export function invalidValue(
  option: Option,
  shown: string,
  value: unknown,
  sentence: Said | null,
): UsageError {
  const { kind } = option;
  // A value with one of these characters may be an address that contains a password or key.
  const isShown = typeof value === 'string' && value !== '' && !/[@?#]/.test(value) && kind !== 'ping';
  const odd = (failure: Said): UsageError =>
    new UsageError(
      isShown
        ? message('option.odd-value', { option: shown, value, failure })
        : message('option.odd', { option: shown, failure }),
    );
  if (kind === 'switch') return odd(message('value.switch'));
  if (sentence !== null) return odd(sentence);
  // TypeScript cannot call a union of functions with a union of arguments.
  const choose = choices[kind] as (option: Option, value: unknown) => Choices;
  const instead = choose(option, value);
  if (isShown) return invalidOption(shown, value, instead);
  const id = value === '' && textKinds.has(kind) ? 'option.empty' : 'option.use';
  return new UsageError(message(id, { option: shown, choices: instead }));
}
