/** What is said where a command cannot start, in Chinese. */

import type { Sentence } from './sentences.ts';

export const usageSentences: readonly Sentence[] = [
  [
    'the service address {address} is from this folder, which you have not used on this machine; if it may get your key, give --base-url {again}',
    '服务地址 {address} 来自此文件夹，您在本机尚未使用过它；如果可以向它发送您的密钥，请给出 --base-url {again}',
  ],
  [
    '{file} does not exist; use an Excel, CSV or JSONL file',
    '{file} 不存在；请给出 Excel、CSV 或 JSONL 文件',
  ],
  [
    '{file} does not exist; use an Excel, CSV or JSONL file, or continue without it: {command}',
    '{file} 不存在；请给出 Excel、CSV 或 JSONL 文件，或不用它继续：{command}',
  ],
  [
    '{file} cannot be read; use an Excel, CSV or JSONL file',
    '{file} 无法读取；请给出 Excel、CSV 或 JSONL 文件',
  ],
  ['{file} is a folder; use an Excel, CSV or JSONL file', '{file} 是文件夹；请给出 Excel、CSV 或 JSONL 文件'],
  [
    'this is the address of a Google sheet; there, choose File > Download > Microsoft Excel (.xlsx), and give that file',
    '这是 Google 表格的网址；请在那里选择“文件 > 下载 > Microsoft Excel (.xlsx)”，再给出那个文件',
  ],
  [
    'this is an address and not a file; download it, and give the file',
    '这是网址，不是文件；请下载后给出文件',
  ],
  [
    '{file} changed while it was read; wait until it is complete, then run the same command again; nothing was imported',
    '{file} 在读取时有改动；请等它写完，再运行同一命令；没有读入任何内容',
  ],
  [
    '{folder} holds another run: none of its rows is in {file}; choose another --out, or --add to add these rows',
    '{folder} 中是另一个运行：它的各行都不在 {file} 中；请另选 --out，或用 --add 加入这些行',
  ],
  [
    '{folder} holds another run: none of its rows is in {file}; `run` needs another --out, or --add',
    '{folder} 中是另一个运行：它的各行都不在 {file} 中；`run` 需要另选 --out，或加 --add',
  ],
  [
    '{folder} is in use by another batch process; wait for it or stop it (`batch status` shows its progress)',
    '{folder} 正由另一个 batch 进程使用；请等待或停止它（`batch status` 显示进度）',
  ],
  [
    'there is no run in {folder}; start one with `batch run FILE --out DIR`',
    '{folder} 中没有运行；请用 `batch run FILE --out DIR` 开始',
  ],
  [
    '{file} would be overwritten by the run in {folder}; choose another --out, or another name for the file',
    '{file} 会被 {folder} 中的运行覆盖；请另选 --out，或给文件换个名字',
  ],
  [
    '{file} exists, does not belong to a run, and would be overwritten; move it away, or choose another --out',
    '{file} 已存在，不属于任何运行，会被覆盖；请移走，或另选 --out',
  ],
  ['{folder} holds {kindSaid}; choose another folder', '{folder} 中是{kindSaid}；请另选文件夹'],
  [
    'the output folder {folder} is not a folder; choose another --out',
    '输出位置 {folder} 不是文件夹；请另选 --out',
  ],
  [
    '--simulate and --base-url name two services; use one of them',
    '--simulate 和 --base-url 是两个不同的服务；请只用一个',
  ],
  [
    '--only good: no mark saved with this run calls a row of the file good; review with `batch view --review`, or give exported marks: --only @marks.csv',
    '--only good：本次运行中没有为文件中的行保存“好”的标记；请用 `batch view --review` 审阅，或给出导出的标记：--only @marks.csv',
  ],
  [
    '--unsent N names all its rows; leave out the other choices of rows',
    '--unsent N 已指定全部行；请去掉其他行选择',
  ],
  ['--attempt N goes with --only ID,ID', '--attempt N 须与 --only ID,ID 一起使用'],
  [
    '--until N goes with --failed, --rejected or --lost alone',
    '--until N 只能与 --failed、--rejected 或 --lost 一起使用',
  ],
  ['--only: no row has the id {ids}', '--only：没有编号为 {ids} 的行'],
  [
    'task {task} belongs to an earlier attempt of this row; look the task up again',
    '任务 {task} 属于这一行以前的一次尝试；请重新查找任务',
  ],
  ['task {task} belongs to row {id}; look the task up again', '任务 {task} 属于行 {id}；请重新查找任务'],
  [
    'no input: use `batch run FILE`, or set `input` in a job file',
    '没有输入：请用 `batch run FILE`，或在作业文件中写 `input`',
  ],
  [
    'no service address: give --base-url URL or set BATCH_BASE_URL, or rehearse with --simulate',
    '没有服务地址：请给出 --base-url 网址，或设置 BATCH_BASE_URL，或用 --simulate 演练',
  ],
  [
    'no API key: set BATCH_API_KEY, or give --api-key-file FILE',
    '没有 API 密钥：请设置 BATCH_API_KEY，或给出 --api-key-file 文件',
  ],
  ['{place} is empty; put the API key there', '{place} 是空的；请把 API 密钥放在那里'],
  [
    'the key file {file} cannot be read; give a readable file with --api-key-file',
    '密钥文件 {file} 无法读取；请用 --api-key-file 给出可读的文件',
  ],
  [
    '{place} is not an API key: it contains spaces, line breaks or characters outside ASCII',
    '{place} 不是 API 密钥：其中有空格、换行或 ASCII 以外的字符',
  ],
  ['{option}: "{value}" is not valid; use {choices}', '{option}：“{value}”无效；请用 {choices}'],
  ['{option} was given {count} times; give it once', '{option} 给出了 {count} 次；请只给一次'],
  [
    '--sample chooses the rows itself; use it without --limit and --only',
    '--sample 自己选行；请不要与 --limit 和 --only 同用',
  ],
  ['no command was given; `batch --help` lists the commands', '没有给出命令；`batch --help` 列出所有命令'],
  [
    '--{option} is not an option of this command; `batch COMMAND --help` lists its options',
    '此命令没有 --{option} 选项；`batch COMMAND --help` 列出它的选项',
  ],
  [
    '"{word}" is not known here; `batch --help` lists the commands, `batch COMMAND --help` their options',
    '这里不认识“{word}”；`batch --help` 列出所有命令，`batch COMMAND --help` 列出它们的选项',
  ],
  ['"{word}" is not known here; did you mean {other}?', '这里不认识“{word}”；是不是 {other}？'],
  ['"{word}" is a file; use {command}', '“{word}”是文件；请用 {command}'],
  [
    'an argument is missing; `batch COMMAND --help` shows which',
    '少了一个参数；`batch COMMAND --help` 说明是哪一个',
  ],
  [
    'an argument is missing: use `batch check FILE`, or `batch check --online` for the account alone',
    '少了一个参数：请用 `batch check FILE`；只查账号用 `batch check --online`',
  ],
  ['{folder} was last run on another computer, as {path}', '{folder} 上次是在另一台电脑上运行的（{path}）'],
  ['{folder} was last run as {path}', '{folder} 上次运行时是 {path}'],
  [
    '{folder} is not the folder that was last run here, but a copy of it',
    '{folder} 不是上次在这里运行的文件夹，而是它的副本',
  ],
  ['{folder} is a copy of {path}, which is still there', '{folder} 是 {path} 的副本，后者仍在原处'],
  ['the run {run} was last run in another database', '运行 {run} 上次是在另一个数据库里'],
  ['{folder} was copied or moved from {path}', '{folder} 是从 {path} 复制或移动来的'],
  ['a run in each would pay twice for the waiting rows', '两处都运行的话，等待中的行会付两次费'],
  ['if no run is going in the other one, use --moved', '如果另一处没有运行，请用 --moved'],
  ['Reports in {folder}: {files}', '报告在 {folder}：{files}'],
  ['say where the videos go, once: --to DIR', '请说明视频放到哪里，只说一次：--to DIR'],
  [
    '--to is a folder; `rclone copy` takes it from there to a bucket',
    '--to 是文件夹；用 `rclone copy` 把它送到存储桶',
  ],
  [
    '--to {folder} and the folder of the run lie in one another; choose another --to',
    '--to {folder} 与运行的文件夹互相包含；请另选 --to',
  ],
  [
    '--link and --copy exclude each other; leave out both to link where that is possible',
    '--link 与 --copy 不能同时用；两个都不写，则尽可能用链接',
  ],
  [
    '--link: the videos are in a bucket, so only copies of them can be here',
    '--link：视频在存储桶中，这里只能有它们的副本',
  ],
  [
    '{file} cannot be a hard link: the export must be on the disk of the run, and that disk must have hard links; leave out --link',
    '{file} 不能是硬链接：导出的文件夹必须与运行在同一磁盘上，并且该磁盘支持硬链接；请去掉 --link',
  ],
  [
    '{file} is not of an export and would be overwritten; move it away, or choose another --to',
    '{file} 不属于任何导出，会被覆盖；请移走，或另选 --to',
  ],
  [
    'no video is exported, so --delete would remove all; nothing was removed',
    '没有导出任何视频，--delete 会删除全部；没有删除任何文件',
  ],
  ['--only {word} chooses the rows itself; leave out the others', '--only {word} 自己选行；请去掉其他的'],
  ['interrupted; nothing was submitted', '已中断；没有提交任何内容'],
  [
    'this is a bug in batch; what was saved is safe, the same command resumes',
    '这是 batch 自身的错误；已保存的都安全，再输入同一命令即可继续',
  ],
  ['row {id} is {statusSaid}: {failureSaid}', '{id} {statusSaid}：{failureSaid}'],
  ['row-{id} is {statusSaid}: {failureSaid}', 'row-{id} {statusSaid}：{failureSaid}'],
  [
    'Sample: {count} of {all} rows from {groups} groups by quality, length of text and number of pictures (seed {seed}); without --sample the run goes on with the rest',
    '样本：从 {all} 行中选出 {count} 行，按清晰度、文字长度和图片数分 {groups} 组（seed {seed}）；不加 --sample 则继续做其余的',
  ],
  [
    'Sample: the {count} rows chosen before, {waiting} of them to submit; without --sample the run goes on with the rest',
    '样本：以前选出的 {count} 行，其中 {waiting} 行待提交；不加 --sample 则继续做其余的',
  ],
  [
    '--on-row failed for {id} ({failure}); the run goes on, and its end says what to type',
    '--on-row 为 {id} 调用失败（{failure}）；运行继续，结束时会说明该输入什么',
  ],
  [
    'calls of --on-row to make: {count}; Ctrl-C leaves them to the next start',
    '还要调用 --on-row：{count} 次；按 Ctrl-C 留给下次启动',
  ],
  ['calls of --on-row that the next start makes: {count}', '留给下次启动的 --on-row 调用：{count} 次'],
  [
    'calls of --on-row that failed: {count}; `{command} --on-row CMD` repeats them',
    '失败的 --on-row 调用：{count} 次；`{command} --on-row CMD` 重新调用',
  ],
  ['--on-end failed ({failure})', '--on-end 调用失败（{failure}）'],
  [
    '--ping: {place} did not take it ({failure}); the run is as without it',
    '--ping：{place} 没有收下（{failure}）；运行不受影响',
  ],
  ['--events could not be written: {failure}', '--events 无法写入：{failure}'],
];

export const usageParts: readonly Sentence[] = [
  ['no reason given', '未给出原因'],
  ['a rehearsal (--simulate)', '演练（--simulate）'],
  ['a run of the real service', '真实服务的运行'],
  ['failed', '失败'],
  ['rejected', '被拒绝'],
  ['uncertain', '待确认'],
  ['undelivered', '未取回'],
  ['lost', '已丢失'],
  ['invalid', '无效'],
];
