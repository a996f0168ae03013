/** Commands and options that earlier versions had: on a command line, in a job file, in a program and saved with a run. */

import { UsageError } from '../../errors.ts';
import type { Choices } from '../../messages/choices.ts';
import { message } from '../../messages/message.ts';

/** What to do instead, by what is gone. */
const ways: Readonly<Record<string, Choices>> = {
  'batch marks': {
    en: 'use `batch retry --marked` for marks saved with the run, or --only @FILE once for each exported table',
    zh: '请用 `batch retry --marked`（随运行保存的标记），或对每个导出的表各用一次 --only @FILE',
  },
  'batch hooks': {
    en: 'use `batch collect --on-row CMD`, which makes the calls that `batch status` lists',
    zh: '请用 `batch collect --on-row CMD`，它会补上 `batch status` 列出的调用',
  },
  'batch move without DIR': {
    en: 'a run stays in its store; `batch export` puts its videos into a folder',
    zh: '运行留在它的存储中；`batch export` 把视频放进文件夹',
  },
  '--metrics-file': {
    en: 'use `batch status --json` for numbers, or --events FILE',
    zh: '请用 `batch status --json` 取数字，或用 --events FILE',
  },
  '--hook-jobs': { en: 'two calls go on at once; leave it out', zh: '同时进行两个调用；请去掉它' },
  '--hook-timeout': {
    en: 'a call may take 5 minutes; for less use --on-row "timeout 60 CMD"',
    zh: '一次调用最长 5 分钟；需要更短请用 --on-row "timeout 60 CMD"',
  },
  '--hook-shell': { en: 'use --on-row "sh -c \'CMD\'"', zh: '请用 --on-row "sh -c \'CMD\'"' },
  '--scratch': { en: 'set BATCH_SCRATCH in the environment', zh: '请设置环境变量 BATCH_SCRATCH' },
  '--s3-endpoint': { en: 'set AWS_ENDPOINT_URL in the environment', zh: '请设置环境变量 AWS_ENDPOINT_URL' },
  '--capacity': { en: 'use --fault capacity=N', zh: '请用 --fault capacity=N' },
};

/** The names, such as `batch marks` and `--seed`. */
export const goneNames: readonly string[] = Object.keys(ways);

/** The error about one of them, as the user wrote it; null for any other word. */
export function goneError(name: string, written = name): UsageError | null {
  const choices = Object.hasOwn(ways, name) ? ways[name] : undefined;
  return choices === undefined ? null : new UsageError(message('usage.gone', { word: written, choices }));
}

/** Saved options without those that are gone: the run continues. */
export function withoutGone(saved: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(saved).filter(([name]) => goneError(`--${name}`) === null));
}
