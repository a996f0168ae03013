/** What the help says besides the texts of commands and options, and where those are in another language. */

import type { Language } from '../../text/languages.ts';

/** The fixed words of the help, and those of commands and options. */
export interface HelpTexts {
  readonly sentence: string;
  readonly common: string;
  readonly check: string;
  readonly run: string;
  readonly rehearse: string;
  readonly commands: string;
  readonly version: string;
  readonly arguments: string;
  readonly examples: string;
  readonly exitCodes: string;
  readonly colon: string;
  readonly semicolon: string;
  /** Before the lists of a help that a screen shows: where the rest is. */
  rest(command: string): string;
  repeated(meaning: string): string;
  otherwise(value: string): string;
  /** A sentence of its own. */
  whole(summary: string): string;
  /** A text of a command or an option, which is English. */
  of(english: string): string;
}

const english: HelpTexts = {
  sentence: 'Turns a file of questions into a folder of videos. Nothing is paid for twice.',
  common: 'Common commands:',
  check: 'every problem, and the plan',
  run: 'the videos; the same line resumes',
  rehearse: 'a rehearsal: no account, no points',
  commands: '`batch --help` lists all commands, `batch COMMAND --help` their options.',
  version: '`batch COMMAND --help` shows its options, `batch --version` the version.',
  arguments: 'Arguments',
  examples: 'Examples',
  exitCodes: 'Exit codes',
  colon: ':',
  semicolon: '; ',
  rest: (command) => `More, and more about these: \`${command}\``,
  repeated: (meaning) => `${meaning}; may be repeated`,
  otherwise: (value) => ` (default: ${value})`,
  whole: (summary) => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
  of: (text) => text,
};

const chinese: Omit<HelpTexts, 'of'> = {
  sentence: '把一份题目文件变成一文件夹的讲解视频。任何题目都不会付两次钱。',
  common: '常用命令：',
  check: '列出每个问题和所在的行，显示计划；不联网',
  run: '在预算内制作视频；再输入同一行命令即可继续',
  rehearse: '演练：不用账号，不花积分',
  commands: '`batch --help` 列出所有命令，`batch COMMAND --help` 列出它们的选项。',
  version: '`batch COMMAND --help` 列出命令的选项，`batch --version` 显示版本。',
  arguments: '参数',
  examples: '示例',
  exitCodes: '退出码',
  colon: '：',
  semicolon: '；',
  rest: (command) => `其余选项和更多说明：\`${command}\``,
  repeated: (meaning) => `${meaning}；可以重复`,
  otherwise: (value) => `（默认：${value}）`,
  whole: (summary) => `${summary}。`,
};

/** The texts of the help in a language; only that language is loaded. */
export async function helpTexts(language: Language): Promise<HelpTexts> {
  if (language === 'en') return english;
  const { commandTexts } = await import('./commands-zh.ts');
  const { optionTexts } = await import('./options-zh.ts');
  return { ...chinese, of: (text) => commandTexts[text] ?? optionTexts[text] ?? text };
}
