/** What is said where a command line cannot be carried out as it is written. */

import { both, type Words } from './both.ts';
import type { Choices } from './choices.ts';

interface Word {
  readonly word: string;
}

export const usageMessages = {
  'usage.no-command': both(
    () => 'no command was given; `batch --help` lists the commands',
    () => '没有给出命令；`batch --help` 列出所有命令',
  ),
  'usage.no-folder': both(
    () => 'the folder that you are in was removed or cannot be read; change to another one with `cd`',
    () => '当前文件夹已被删除或无法读取；请用 `cd` 换到另一个文件夹',
  ),
  'usage.other-option': both(
    ({ option }: { readonly option: string }) =>
      `--${option} is not an option of this command; \`batch COMMAND --help all\` lists its options`,
    ({ option }) => `此命令没有 --${option} 选项；\`batch COMMAND --help all\` 列出它的选项`,
  ),
  'usage.unknown': both(
    ({ word }: Word) =>
      `"${word}" is not known here; \`batch --help\` lists the commands, \`batch COMMAND --help all\` their options`,
    ({ word }) =>
      `这里不认识“${word}”；\`batch --help\` 列出所有命令，\`batch COMMAND --help all\` 列出它们的选项`,
  ),
  'usage.near': both(
    ({ word, near }: Word & { readonly near: string }) =>
      `"${word}" is not known here; did you mean ${near}?`,
    ({ word, near }) => `这里不认识“${word}”；是不是 ${near}？`,
  ),
  'usage.gone': both(
    ({ word, choices }: Word & { readonly choices: Choices }) => `${word} is gone: ${choices.en}`,
    ({ word, choices }) => `${word} 已取消：${choices.zh}`,
  ),
  'usage.file': both(
    ({ word, command }: Word & { readonly command: string }) => `"${word}" is a file; use \`${command}\``,
    ({ word, command }) => `“${word}”是文件；请用 \`${command}\``,
  ),
  'usage.argument-missing': both(
    () => 'an argument is missing; `batch COMMAND --help` shows which',
    () => '少了一个参数；`batch COMMAND --help` 说明是哪一个',
  ),
  'usage.check-what': both(
    () => 'an argument is missing: use `batch check FILE`, or `batch check --online` for the account alone',
    () => '少了一个参数：请用 `batch check FILE`；只查账号用 `batch check --online`',
  ),
  'usage.no-input': both(
    () => 'no input: use `batch run FILE`, or set `input` in a job file',
    () => '没有输入：请用 `batch run FILE`，或在作业文件中写 `input`',
  ),
  'usage.interrupted': both(
    () => 'interrupted; nothing was submitted',
    () => '已中断；没有提交任何内容',
  ),
  'usage.bug': both(
    () => 'this is a bug in batch; what was saved is safe, the same command resumes',
    () => '这是 batch 自身的错误；已保存的都安全，再输入同一命令即可继续',
  ),

  'option.invalid': both(
    ({ option, value, choices }: Limited & { readonly value: string }) =>
      `${option}: "${value}" is not valid; use ${choices.en}`,
    ({ option, value, choices }) => `${option}：“${value}”无效；请用${spaced(choices)}`,
  ),
  'option.use': both(
    ({ option, choices }: Limited) => `${option}: use ${choices.en}`,
    ({ option, choices }) => `${option}：请用${spaced(choices)}`,
  ),
  'option.empty': both(
    ({ option, choices }: Limited) => `${option}: is empty; use ${choices.en}`,
    ({ option, choices }) => `${option}：是空的；请用${spaced(choices)}`,
  ),
  'option.repeated': both(
    ({ option, times }: Given & { readonly times: number }) =>
      `${option} was given ${times} times; give it once`,
    ({ option, times }) => `${option} 给出了 ${times} 次；请只给一次`,
  ),
  'option.sample-alone': both(
    () => '--sample chooses the rows itself; use it without --limit and --only',
    () => '--sample 自己选行；请不要与 --limit 和 --only 同用',
  ),
  'option.two-services': both(
    () => '--simulate and --base-url name two services; use one of them',
    () => '--simulate 和 --base-url 是两个不同的服务；请只用一个',
  ),
  'option.only-unknown': both(
    ({ names }: { readonly names: string }) => `--only: no row has the id ${names}`,
    ({ names }) => `--only：没有编号为 ${names} 的行`,
  ),
  'option.only-word': both(
    ({ word }: Word) => `--only ${word} chooses the rows itself; leave out the others`,
    ({ word }) => `--only ${word} 自己选行；请去掉其他的`,
  ),
  'option.only-good': both(
    () =>
      '--only good: no mark saved with this run calls a row of the file good; review with `batch view --review`, or give exported marks: --only @marks.csv',
    () =>
      '--only good：本次运行中没有为文件中的行保存“好”的标记；请用 `batch view --review` 审阅，或给出导出的标记：--only @marks.csv',
  ),

  'key.no-address': both(
    () => 'no service address; give --base-url URL or set BATCH_BASE_URL, or rehearse with --simulate',
    () => '没有服务地址；请给出 --base-url 网址，或设置 BATCH_BASE_URL，或用 --simulate 演练',
  ),
  'key.missing': both(
    () => 'no API key; set BATCH_API_KEY, or give --api-key-file FILE',
    () => '没有 API 密钥；请设置 BATCH_API_KEY，或给出 --api-key-file 文件',
  ),
  'key.no-address-and-key': both(
    () =>
      'no service address and no API key; give --base-url URL or set BATCH_BASE_URL, and set BATCH_API_KEY or give --api-key-file FILE; or rehearse with --simulate',
    () =>
      '没有服务地址，也没有 API 密钥；请给出 --base-url 网址或设置 BATCH_BASE_URL，并设置 BATCH_API_KEY 或给出 --api-key-file 文件；或用 --simulate 演练',
  ),
  'key.empty': both(
    ({ what }: KeyPlace) => `${what.en} is empty; put the API key there`,
    ({ what }) => `${what.zh} 是空的；请把 API 密钥放在那里`,
  ),
  'key.unreadable': both(
    ({ path }: Located) => `the key file ${path} cannot be read; give a readable file with --api-key-file`,
    ({ path }) => `密钥文件 ${path} 无法读取；请用 --api-key-file 给出可读的文件`,
  ),
  'key.folder': both(
    ({ path }: Located) =>
      `${path} is a folder; give the file in it that holds the API key with --api-key-file`,
    ({ path }) => `${path} 是文件夹；请用 --api-key-file 给出其中存放 API 密钥的文件`,
  ),
  'key.too-long': both(
    ({ path, most }: Located & { readonly most: string }) =>
      `${path} is no key file: it is too long (more than ${most}); give one that holds only the API key with --api-key-file`,
    ({ path, most }) =>
      `${path} 不是密钥文件：太长（超过 ${most}）；请用 --api-key-file 给出只存放 API 密钥的文件`,
  ),
  'key.no-key': both(
    ({ what }: KeyPlace) =>
      `${what.en} is not an API key: it contains spaces, line breaks or characters outside ASCII`,
    ({ what }) => `${what.zh} 不是 API 密钥：其中有空格、换行或 ASCII 以外的字符`,
  ),
  'key.quoted': both(
    ({ what }: KeyPlace) => `${what.en} has quotes around the key: leave them out`,
    ({ what }) => `${what.zh} 的密钥两边有引号：请去掉`,
  ),
  'key.new-address': both(
    ({ address, from }: { readonly address: string; readonly from: string }) =>
      `the service address ${address} is from ${from}, and you have not used it on this machine; if it may get your key, give --base-url ${address}`,
    ({ address, from }) =>
      `服务地址 ${address} 来自 ${from}，您在本机尚未使用过它；如果可以向它发送您的密钥，请给出 --base-url ${address}`,
  ),
  'key.not-asked': both(
    () => 'the service was not asked',
    () => '没有询问服务',
  ),
  'key.no-question': both(
    () => 'it was not asked',
    () => '没有询问',
  ),
  'key.nothing-changed': both(
    () => 'the service was not asked; nothing was changed',
    () => '没有询问服务；没有任何改动',
  ),
  'usage.parser': both(
    ({ fault }: { readonly fault: string }) => `${fault}; \`batch --help\` lists the commands`,
    ({ fault }) => `命令行有误（${fault}）；\`batch --help\` 列出所有命令`,
  ),
  /** `failure`, here and below, is what the schema says of the value. */
  'option.odd': both(
    ({ option, failure }: Given & Odd) => `${option}: ${failure}`,
    ({ option, failure }) => `${option}：请改正：${failure}`,
  ),
  'option.odd-value': both(
    ({ option, value, failure }: Given & Odd & { readonly value: string }) =>
      `${option}: "${value}" is not valid; ${failure}`,
    ({ option, value, failure }) => `${option}：“${value}”无效；${failure}`,
  ),
};

interface Given {
  /** As the user wrote it: `--limit`, or `job.json: "limit"`. */
  readonly option: string;
}

interface Odd {
  readonly failure: string;
}

interface Limited extends Given {
  readonly choices: Choices;
}

/** Where a key was found. */
interface KeyPlace {
  readonly what: Words;
}

interface Located {
  readonly path: string;
}

/** Chinese puts a space before what is not. */
function spaced({ zh }: Choices): string {
  return /^[!-~]/.test(zh) ? ` ${zh}` : zh;
}
