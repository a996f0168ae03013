/** What is said while a run goes, and by the commands that change one, in Chinese. */

import type { Sentence } from './sentences.ts';

export const commandSentences: readonly Sentence[] = [
  ['warning: {whatSaid}', '警告：{whatSaid}'],

  ['{count} row{s} to get a new attempt', '{count} 行重新尝试'],
  [
    '{count} row{s} of --only already under way, continued: {ids}',
    '--only 中有 {count} 行正在进行，继续：{ids}',
  ],
  [
    '{count} row{s} of --only skipped, attempted again since the mark: {ids}',
    '--only 中跳过 {count} 行，标记之后已重新尝试：{ids}',
  ],
  [
    '{count} row{s} whose preferred attempt is marked: the new attempt will stand for the row: {ids}',
    '{count} 行所选用的尝试被标记：将改用新的尝试：{ids}',
  ],
  [
    '{file} has {count} row{s} mended, which a retry does not send; send them with `{command}`, or remove the file to retry the rows as they were',
    '{file} 中改正了 {count} 行，重做不会发送它们；请用 `{command}` 发送，或删除该文件以按原样重做',
  ],
  [
    '{count} row{s} mended in {file} not sent; they are kept in {copy}, for `batch run` with --rerun-changed',
    '{file} 中改正的 {count} 行没有发送；已保存在 {copy}，可用 `batch run` 加 --rerun-changed 发送',
  ],
  ['{file} cannot be read; a copy is kept in {copy}', '无法读取 {file}；副本保存在 {copy}'],
  [
    '{count} row{s} of --only not sent yet, `batch resume` sends the corrected text: {ids}',
    '--only 中有 {count} 行尚未发送，`batch resume` 会发送改正后的文字：{ids}',
  ],
  [
    '{count} row{s} of --only under way without the corrected text; use the table again once they have ended: {ids}',
    '--only 中有 {count} 行正在制作，未用改正后的文字；待其结束后请再次使用该表：{ids}',
  ],
  [
    '{count} row{s} of --only skipped, no new attempt possible: {ids}',
    '--only 中跳过 {count} 行，无法重新尝试：{ids}',
  ],
  [
    '{count} row has its video and is paid for again: {ids}, {points} point{s} so far',
    '{count} 行已有视频，将重新付费：{ids}，至今 {points} 积分',
  ],
  [
    '{count} rows have their videos and are paid for again: {ids}, {points} point{s} so far',
    '{count} 行已有视频，将重新付费：{ids}，至今 {points} 积分',
  ],
  ['{count} row has its video and is paid for again: {ids}', '{count} 行已有视频，将重新付费：{ids}'],
  ['{count} rows have their videos and are paid for again: {ids}', '{count} 行已有视频，将重新付费：{ids}'],
  ['{count} row{s} left of the retry, ordered before', '重做还剩 {count} 行，此前已安排'],
  ['{count} row{s} left as they are: --limit', '另有 {count} 行保持不变：--limit'],
  [
    '{count} row{s} left waiting, not submitted now; use `batch resume`',
    '等待中的 {count} 行现在不提交；请用 `batch resume`',
  ],
  [
    '{count} row{s} of them changed in the file since: sent with the new text',
    '其中 {count} 行在文件中有改动：按新内容发送',
  ],
  [
    '{count} row{s} skipped that cannot be sent as they are in the file; correct them and run the file again',
    '跳过 {count} 行，文件中的内容无法发送；请改正后重新运行文件',
  ],
  [
    '{count} row{s} of --only skipped, reviewers contradict each other: {ids}',
    '--only 中跳过 {count} 行，审阅者意见不一：{ids}',
  ],
  [
    '{count} row{s} of --only with corrected text: only `batch retry` takes it',
    '--only 中有 {count} 行带有改正的文字：只有 `batch retry` 会采用',
  ],
  ['{count} row{s} sent with corrected text:', '{count} 行按改正后的文字发送：'],
  ['  {id} question: {before} -> {after}', '  {id} 题目：{before} -> {after}'],
  ['  {id} answer: {before} -> {after}', '  {id} 答案：{before} -> {after}'],
  ['  and {count} row{s} more; --dry-run --json lists all', '  还有 {count} 行；--dry-run --json 列出全部'],
  [
    '{count} row{s} of them sent with the text corrected for an earlier attempt',
    '其中 {count} 行按以前尝试时改正的文字发送',
  ],
  [
    '{count} row{s} of them changed in the file since: the corrections are dropped: {ids}',
    '其中 {count} 行在文件中有改动，不再用改正的文字：{ids}',
  ],
  [
    'choose rows with --failed, --rejected, --lost, or --only ID,ID',
    '请用 --failed、--rejected、--lost 或 --only ID,ID 选择行',
  ],
  [
    '--failure narrows a choice of rows down: add --failed, --rejected or --lost',
    '--failure 用来缩小范围：请加上 --failed、--rejected 或 --lost',
  ],
  [
    '--failure: no {which} row of the file has the failure {failure}; `batch status` lists the failures',
    '--failure：文件中没有失败原因为 {failure} 的行（{which}）；`batch status` 列出了原因',
  ],
  ['--only: nothing is left to retry', '--only：没有可重做的行'],

  ['the run goes by it within two seconds', '运行中的进程两秒内生效'],
  ['no process works on the run; the next one waits', '目前没有进程在运行；下一个进程会等待'],
  ['no process works on the run; the next one uses it', '目前没有进程在运行；下一个进程生效'],
  ['there was no pause; nothing was changed', '没有暂停；没有改动任何内容'],
  ['submitting goes on within two seconds', '两秒内继续提交'],
  ['the pause has ended, but no process works on the run', '暂停已结束，但目前没有进程在运行'],
  ['tuned: {changes}', '已调整：{changes}'],
  ['the run was tuned: {changes}', '运行已调整：{changes}'],
  ['submitting goes on: the pause has ended', '继续提交：暂停已结束'],
  ['submitting is paused', '提交已暂停'],
  ['submitting is paused until {until}', '提交已暂停，至 {until}'],
  ['polls and downloads go on', '查询和下载照常'],
  ['`{command}` ends the pause', '用 `{command}` 结束暂停'],

  ['row {id} is pending: it will be submitted again', '{id} 待提交：将重新提交'],
  ['row {id} is pending: its row is no longer in the file', '{id} 待提交：已不在文件中'],
  ['row {id} is open: its task is {task}', '{id} 生成中：任务是 {task}'],
  ['{count} row{s} open with the tasks of the table', '{count} 行按表中的任务转为生成中'],
  ['{count} row{s} pending, to be submitted again', '{count} 行待提交，将重新提交'],
  ['{count} row{s} of the table left unchanged', '表中 {count} 行未改动'],
  ['no row is uncertain', '没有待确认的行'],
  [
    '{count} row{s} uncertain: fill in task_id, or not-created where there is no task, then `{command}`',
    '{count} 行待确认：在表中填好 task_id，没有任务的填 not-created，然后 `{command}`',
  ],

  ['nothing more is submitted', '不再提交'],
  ['nothing more is submitted: {failure}', '不再提交：{failure}'],
  ['nothing more is submitted (--halt)', '不再提交（--halt）'],
  ['{count} rows ended badly', '{count} 行没做成'],
  ['submitting goes on', '继续提交'],
  ['the outcome of what was sent last is unknown', '最近发出的请求结果未知'],
  ['the service refused several creations in a row for the same reason', '服务因同一原因连续拒绝了几次提交'],
  ['the service does not know several tasks in a row that it accepted', '服务连续几次不认识自己接受过的任务'],
  ['a creation was answered, but not by the service', '答复提交请求的不是该服务'],
  [
    'the service has refused all creations for as long as --outage-timeout allows',
    '在整个 --outage-timeout 期间，服务拒绝了每一次提交',
  ],
  ['the service cannot be reached', '无法连接服务'],
  ['the service answers again', '服务恢复答复'],
  ['the service knows its tasks again', '服务又认识自己的任务了'],
  ['a video is delivered again; submitting goes on', '又取到了一个视频；继续提交'],
  [
    'videos that are paid for cannot be fetched; nothing more is submitted until one is: {failure}',
    '已付费的视频无法下载；取到一个之前不再提交：{failure}',
  ],
  [
    'videos of earlier runs wait to be fetched ({count}): until one is delivered, rows are submitted one at a time',
    '以前运行的视频还待下载（{count} 个）：取到一个之前，每次只提交一行',
  ],
  ['other workers of this run could not fetch them', '本次运行的其他工作进程无法下载'],
  [
    'the service refuses creations for now ({failure}): they are sent when it accepts them again',
    '服务暂时拒绝提交（{failure}）：等它重新接受时再发',
  ],
  ['concurrency is now {count}', '同时任务数现为 {count}'],
  [
    'concurrency is now {count}: the service refuses creations for now ({failure})',
    '同时任务数现为 {count}：服务暂时拒绝提交（{failure}）',
  ],
  [
    'the service refuses to tell the status of {id} (task {task}), and no other: {failure}',
    '服务拒绝回答 {id} 的状态（任务 {task}），只此一个：{failure}',
  ],
  [
    'the service refuses to tell the status of row {id} (task {task}), and no other: {failure}',
    '服务拒绝回答 {id} 的状态（任务 {task}），只此一个：{failure}',
  ],
  [
    '{id} is refused, and perhaps no other; it waits until that is known: {failure}',
    '{id} 被拒绝，可能只此一行；查明之前先等待：{failure}',
  ],
  [
    'row {id} is refused, and perhaps no other; it waits until that is known: {failure}',
    '{id} 被拒绝，可能只此一行；查明之前先等待：{failure}',
  ],
  ['the service refuses the API key', '服务拒绝了 API 密钥'],
  ['the service says that the account has no points left', '服务称账号积分已用完'],
  ['the service says that the API key lacks permission', '服务称 API 密钥权限不足'],
  ['the service accepts creations again', '服务重新接受提交'],
  ['the first creation goes alone', '第一次提交单独进行'],
  ['row {id} has no link to a video: {failure}', '{id} 没有视频链接：{failure}'],
  ['it has no task, so nothing was made for it', '没有任务，所以什么也没有生成'],
  ['the service is still making it', '服务还在生成'],
  ['the service completed the task without a video', '服务完成了任务，但没有视频'],
  ['which rows? Use `batch links [DIR] --only ID,ID`', '哪些行？请用 `batch links [DIR] --only ID,ID`'],
  [
    'this run is a rehearsal (--simulate): its links work only while it goes',
    '这是一次演练（--simulate）：链接只在运行期间有效',
  ],
  ['--only: no row has the id {ids}', '--only：没有编号为 {ids} 的行'],
  ['the points cap is reached ({spent} spent)', '已达积分上限（已用 {spent}）'],
  [
    'the points cap is reached ({spent} spent, {reserved} more reserved by tasks that may still be charged)',
    '已达积分上限（已用 {spent}，另有 {reserved} 预留给可能收费的任务）',
  ],
  [
    'the service has not said what a task of quality {qualities} costs, so --max-points cannot be guaranteed',
    '服务没有给出清晰度 {qualities} 的任务价格，无法保证 --max-points',
  ],
  [
    'spent and reserved points have reached 80 % of the cap of {cap}',
    '已用和预留的积分已达上限 {cap} 的 80 %',
  ],
  [
    '{path} is not in a known video format; check it before you rely on it',
    '{path} 不是已知的视频格式；使用前请检查',
  ],
  [
    'the service answers no status request; polling goes on at every tick: {failure}',
    '服务不答复状态查询；继续按时查询：{failure}',
  ],
  [
    'everything else is done; callbacks may still settle the uncertain rows. Ctrl-C ends the wait',
    '其余都已完成；回调仍可能确认待确认的行。按 Ctrl-C 结束等待',
  ],
  [
    'the reports could not be written: {why}; `batch report` writes them again',
    '报告无法写出：{why}；`batch report` 可重新写出',
  ],
];
