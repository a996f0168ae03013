/** What is said of rows that ended badly, whose reasons are saved as English text, and of hooks, in Chinese. */

import { statuses } from '../../money/item.ts';
import { statusNames } from '../../text/status-names.ts';
import type { Sentence } from './sentences.ts';

export const commandSentences: readonly Sentence[] = [
  ...statuses.map((status): Sentence => [`{id} (${status})`, `{id}（${statusNames.zh[status]}）`]),
  ['{id} (no such row)', '{id}（没有这一行）'],
  ['{id} (no longer in the file: --gone)', '{id}（已不在文件中：--gone）'],
  [
    '{id} (attempt {attempt} is marked, the last one is {last})',
    '{id}（标记的是第 {attempt} 次尝试，最后一次是第 {last} 次）',
  ],
  ['{path} is open in another program; close it there', '{path} 正被其他程序打开；请在那里关闭'],
  [
    'the partial file of {path} was removed by another program, such as a virus scanner; let it leave the output folder alone',
    '{path} 的未完成文件被其他程序（例如杀毒软件）删除；请让它不要动输出文件夹',
  ],
  [
    'row {id} was changed by another batch process: the disk of this folder does not support locks; stop the other process, then run the same command again',
    '{id} 被另一个 batch 进程更改：这个文件夹所在的磁盘不支持锁；请停止另一个进程，再运行同一命令',
  ],
  ['other processes of the run have taken the room for these rows', '运行的其他进程已占用这些行的名额'],
  [
    '{path} was moved away while its files were written; run the same command again',
    '{path} 在写入文件时被移走；请再次运行同一命令',
  ],
  [
    'the files of {path} cannot be written: {why}; move away what is there and run the same command again',
    '{path} 的文件无法写入：{why}；请移走那里的内容，再运行同一命令',
  ],
  [
    '{path} is not a folder; move it away and run the same command again',
    '{path} 不是文件夹；请移走，再运行同一命令',
  ],

  ['is missing', '缺失'],
  ['is missing; the row has the video of another attempt', '缺失；这一行采用另一次尝试的视频'],
  ['is back, as it was saved', '已恢复，与保存时一致'],
  ['has {there} bytes, {saved} were saved', '有 {there} 字节，保存时是 {saved} 字节'],
  ['differs from what was saved', '与保存时不同'],
  ['cannot be read', '无法读取'],
  ['an earlier attempt made it, so it cannot be downloaded again', '由以前的尝试生成，无法重新下载'],
  ['a new attempt was ordered, so it is not downloaded again', '已安排新的尝试，因此不重新下载'],

  ['the row is no longer in the run', '这一行已不在运行中'],
  ['it is longer than {most}', '超过 {most}'],
  ['takes no value; true or false in a job file', '不带值；在作业文件中用 true 或 false'],
  ["fault '{fault}' needs a number of tasks: use capacity=20", "故障 '{fault}' 需要任务数：请用 capacity=20"],
  [
    "fault '{fault}' needs a rate from 0 to 1 or in percent: use {rate} or {percent}",
    "故障 '{fault}' 需要 0 至 1 之间的比例或百分数：请用 {rate} 或 {percent}",
  ],
  ['port {port} of {host} cannot be used ({why})', '{host} 的端口 {port} 无法使用（{why}）'],
  ['{path}, a picture of the row, is missing', '题目的图片 {path} 缺失'],
  ['{path}, a picture of the row, was changed', '题目的图片 {path} 有改动'],
  ['it is not a regular file', '不是普通文件'],
  ['its last line has no end', '最后一行没有结束'],
  [
    'corrected here, and changed in the file since; --only ID alone sends the text of the file',
    '在这里改正过，之后文件中又有改动；只用 --only ID 会发送文件中的文字',
  ],
  [
    'has {{placeholder}}, which is neither a column nor one of {names}; the columns are {columns}',
    '含有 {{placeholder}}，它既不是列，也不是 {names} 之一；现有的列：{columns}',
  ],
  [
    'has {{placeholder}}, which is neither a column nor one of {names}; did you mean {near}?; the columns are {columns}',
    '含有 {{placeholder}}，它既不是列，也不是 {names} 之一；是不是 {near}？；现有的列：{columns}',
  ],
  [
    'the store had forgotten {count} creations that this machine knows: they are in the run again, {known} with their tasks',
    '存储遗漏了本机知道的 {count} 次提交：它们已重新加入运行，其中 {known} 次带有任务',
  ],
  [
    'the store had forgotten {count} creations that this machine knows: they are in the run again, {known} with their tasks, {open} without, which are uncertain',
    '存储遗漏了本机知道的 {count} 次提交：它们已重新加入运行，其中 {known} 次带有任务，{open} 次没有，待确认',
  ],
  [
    'the store has forgotten that row {id} was sent: it is settled when its file is imported again (`batch run FILE --run NAME`) and its earlier task has ended, or by `batch resolve --accept-store`',
    '存储遗漏了 {id} 已发送：重新读入它的文件（`batch run FILE --run 名称`）且以前的任务结束后即可处理，或用 `batch resolve --accept-store`',
  ],
  [
    'the store has forgotten that row {id} was sent, and {count} more: it is settled when its file is imported again (`batch run FILE --run NAME`) and its earlier task has ended, or by `batch resolve --accept-store`',
    '存储遗漏了 {id} 已发送，另有 {count} 行：重新读入文件（`batch run FILE --run 名称`）且以前的任务结束后即可处理，或用 `batch resolve --accept-store`',
  ],
  [
    'the store has forgotten {count} creations that other machines sent: it is an older copy. Start a worker on each machine that worked on this run: it puts back what it sent. Of a machine that is lost look the tasks up in your account, name each with `batch resolve ID --task-id T`, then `batch resolve --accept-store`',
    '存储遗漏了其他机器的 {count} 次提交：它是旧副本。请在每台参加过这个运行的机器上启动工作进程，它会补回自己的提交。已丢失的机器，请在账号中查找任务，逐个用 `batch resolve ID --task-id T` 指明，再用 `batch resolve --accept-store`',
  ],

  ['its end is missing', '缺少结尾'],
  ['its list of columns is too long', '列的清单过长'],
  ['its groups have another number of rows than it says', '各组的行数与所写的不符'],
  ['a group has fewer rows than it says', '有一组的行数少于所写的'],
  ['a group has no valid number of rows', '有一组的行数无效'],
  [
    'a group of rows is larger than 512 MB; write the file with smaller groups',
    '有一组超过 512 MB；请用较小的组写出文件',
  ],
  ['reading it comes to no end', '读取没有结束'],

  ['it was not asked', '没有询问'],
  ['it could not be started ({why})', '无法启动（{why}）'],
  ['it printed more than 16 MB', '它的输出超过 16 MB'],
  ['the run was stopped', '运行已停止'],
  ['no end within {seconds} s', '{seconds} 秒内没有结束'],
  ['{code}: there is no such program', '{code}：没有这个程序'],
  ['ended by {signal}', '被 {signal} 结束'],
  ['exit code {code}', '退出码 {code}'],

  ['its tables are not those of batch', '其中的表不是 batch 的'],
  ['is not as it was saved', '与保存时不同'],
  ['is counted wrongly', '计数有误'],
  ['has lost its question', '丢失了题目'],
  ['row {id} is not as it was saved', '{id} 与保存时不同'],
  ['row {id} has lost its question', '{id} 丢失了题目'],
  ['row {id} has an attempt that was never made', '{id} 有一次从未进行的尝试'],
  ['row {id} has a file that makes no sense', '{id} 有一个不合理的文件'],
  ['row {id} has the folder of another row', '{id} 用的是另一行的文件夹'],

  ['has a single brace; write {{ or }} for a brace', '含有单个花括号；要写花括号请用 {{ 或 }}'],
  [
    'has a / at its start or end, or two in a row; a name is made of {id} and the like, with / only between folders',
    '开头或结尾有 /，或有两个相连的 /；名称由 {id} 等组成，/ 只写在文件夹之间',
  ],
  ['leads out of the folder; leave out the dots', '通到文件夹之外；请去掉点'],
  ['has a \\; write / between folders', '含有 \\；文件夹之间请写 /'],
  ['has more than {most} folders; use fewer', '文件夹超过 {most} 层；请减少'],
  [
    'names every video alike; use a placeholder such as {id}',
    '会给每个视频取同样的名字；请使用 {id} 之类的占位符',
  ],
  ['warning: {whatSaid}', '警告：{whatSaid}'],
  ['row {id} is {statusSaid}: {failureSaid}', '{id} {statusSaid}：{failureSaid}'],
  ['row-{id} is {statusSaid}: {failureSaid}', 'row-{id} {statusSaid}：{failureSaid}'],
  [
    'the task did not end within {minutes} minutes (--task-timeout)',
    '任务在 {minutes} 分钟内没有结束（--task-timeout）',
  ],
  [
    'the task did not end within {minutes} minutes (--task-timeout): {failure}',
    '任务在 {minutes} 分钟内没有结束（--task-timeout）：{failure}',
  ],
  ['the service last said "{state}"', '服务最后报告的状态是“{state}”'],
  [
    '--ping: {place} did not take it ({failure}); the run is as without it',
    '--ping：{place} 没有收下（{failure}）；运行不受影响',
  ],
];

/** What stands inside those sentences. */
export const commandParts: readonly Sentence[] = [
  ['no reason given', '未给出原因'],
  ['failed', '失败'],
  ['rejected', '被拒绝'],
  ['uncertain', '待确认'],
  ['undelivered', '未取回'],
  ['lost', '已丢失'],
  ['invalid', '无效'],
];
