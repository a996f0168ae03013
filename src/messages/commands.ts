/** What the commands say that settle rows of a run, steer it, or ask for its links. */

import { both, type Words } from './both.ts';
import { renderNames, renderNamesInChinese, renderNumber, renderRows } from './numbers.ts';

interface Counted {
  readonly count: number;
}

interface Failed {
  readonly failure: string;
}

interface OfRow {
  readonly id: string;
}

interface Call extends OfRow {
  readonly attempt: number;
}

/** Calls of `--on-row`, and the command that makes those that are left. */
interface HookTotals extends Typed {
  readonly made: number;
  readonly failed: number;
  readonly owed: number;
}

interface Doubtful {
  readonly ids: readonly string[];
  readonly age: string;
}

interface Typed {
  readonly command: string;
}

interface Unanswered extends Typed {
  /** ISO 8601, UTC. */
  readonly after: string;
  readonly before: string;
}

interface Until {
  /** Null for a pause without an end. */
  readonly time: string | null;
}

const pause = {
  en: ({ time }: Until) =>
    `submitting is paused${time === null ? '' : ` until ${time}`}; polls and downloads go on`,
  zh: ({ time }: Until) => `提交已暂停${time === null ? '' : `，至 ${time}`}；查询和下载照常`,
};

export const commandMessages = {
  'steering.running': both(
    () => 'the run goes by it within two seconds',
    () => '运行中的进程两秒内生效',
  ),
  'steering.next-waits': both(
    () => 'no process works on the run; the next one waits',
    () => '目前没有进程在运行；下一个进程会等待',
  ),
  'steering.next-uses': both(
    () => 'no process works on the run; the next one uses it',
    () => '目前没有进程在运行；下一个进程生效',
  ),
  'steering.no-pause': both(
    () => 'there was no pause; nothing was changed',
    () => '没有暂停；没有改动任何内容',
  ),
  'steering.goes-on': both(
    () => 'submitting goes on within two seconds',
    () => '两秒内继续提交',
  ),
  'steering.pause-ended': both(
    () => 'the pause has ended, but no process works on the run',
    () => '暂停已结束，但目前没有进程在运行',
  ),
  'steering.tuned': both(
    ({ changes }: { readonly changes: Words }) => `tuned: ${changes.en}`,
    ({ changes }) => `已调整：${changes.zh}`,
  ),

  'steering.run-tuned': both(
    ({ changes }: { readonly changes: Words }) => `the run was tuned: ${changes.en}`,
    ({ changes }) => `运行已调整：${changes.zh}`,
  ),
  'steering.pause': both(pause.en, pause.zh),
  'steering.pause-ends': both(
    ({ time, command }: Until & { readonly command: string }) =>
      `${pause.en({ time })}; \`${command}\` ends the pause`,
    ({ time, command }) => `${pause.zh({ time })}；用 \`${command}\` 结束暂停`,
  ),
  'steering.pause-over': both(
    () => 'submitting goes on: the pause has ended',
    () => '继续提交：暂停已结束',
  ),

  'stop.ordered': both(
    () => '`batch stop` ends this process',
    () => '`batch stop` 要求结束这个进程',
  ),
  'stop.abandoned': both(
    () => 'npx, or the npm that started this process, is gone: nobody waits for it any more',
    () => '启动这个进程的 npx 或 npm 已不在，没有人再等待它',
  ),
  'stop.beginning': both(
    ({ pid }: { readonly pid: number }) =>
      `process ${pid} is about to begin there; it is stopped once it has begun`,
    ({ pid }) => `进程 ${pid} 即将在那里开始；它一开始就会被停止`,
  ),
  'stop.none': both(
    ({ run }: { readonly run: string }) => `no process works on the run ${run}; nothing was changed`,
    ({ run }) => `没有进程在运行 ${run} 中工作；没有改动任何内容`,
  ),
  'stop.no-worker': both(
    ({ worker, others }: { readonly worker: string; readonly others: string }) =>
      `no worker ${worker} works on the run; nothing was changed (workers: ${others})`,
    ({ worker, others }) => `没有名为 ${worker} 的工作进程在运行；没有改动任何内容（工作进程：${others}）`,
  ),
  'stop.told': both(
    ({ pid, host }: { readonly pid: number; readonly host: string | null }) =>
      `told process ${pid}${host === null ? '' : ` on ${host}`} to stop; waiting for its end`,
    ({ pid, host }) => `已要求${host === null ? '' : ` ${host} 上的`}进程 ${pid} 停止；正在等待它结束`,
  ),
  'stop.told-workers': both(
    ({ workers }: { readonly workers: string }) => `told to stop: ${workers}; waiting for the end`,
    ({ workers }) => `已要求停止：${workers}；正在等待结束`,
  ),
  'stop.unknown': both(
    ({ out }: { readonly out: string }) =>
      `it is not known which process works in ${out}, so it cannot be told to stop; type the command again, or use Ctrl-C there`,
    ({ out }) => `不知道哪个进程在 ${out} 中工作，因此无法要求它停止；请再次输入命令，或在那里按 Ctrl-C`,
  ),

  'hooks.row-failed': both(
    ({ id, failure }: OfRow & Failed) =>
      `--on-row failed for ${id} (${failure}); the run goes on, and its end says what to type`,
    ({ id, failure }) => `--on-row 为 ${id} 调用失败（${failure}）；运行继续，结束时会说明该输入什么`,
  ),
  'hooks.to-make': both(
    ({ count }: Counted) =>
      `calls of --on-row to make: ${renderNumber(count)}; Ctrl-C leaves them to the next start`,
    ({ count }) => `还要调用 --on-row：${renderNumber(count)} 次；按 Ctrl-C 留给下次启动`,
  ),
  'hooks.next-start': both(
    ({ count }: Counted) => `calls of --on-row that the next start makes: ${renderNumber(count)}`,
    ({ count }) => `留给下次启动的 --on-row 调用：${renderNumber(count)} 次`,
  ),
  'hooks.left': both(
    ({ made, failed, owed, command }: HookTotals) =>
      `calls of --on-row: ${made} made, ${failed} failed, ${owed} to make; \`${command}\` makes those that are left`,
    ({ made, failed, owed, command }) =>
      `--on-row 调用：已完成 ${made}，失败 ${failed}，待调用 ${owed}；\`${command}\` 会补上这些调用`,
  ),
  'hooks.call-failed': both(
    ({ id, attempt, failure }: Call & Failed) => `${id}, attempt ${attempt}: ${failure}`,
    ({ id, attempt, failure }) => `${id}，第 ${attempt} 次尝试：${failure}`,
  ),
  'hooks.call-owed': both(
    ({ id, attempt }: Call) => `${id}, attempt ${attempt}: never made`,
    ({ id, attempt }) => `${id}，第 ${attempt} 次尝试：尚未调用`,
  ),
  'hooks.more': both(
    ({ count }: Counted) => `... and ${renderNumber(count)} more`,
    ({ count }) => `…… 还有 ${renderNumber(count)} 次`,
  ),
  'hooks.failed': both(
    ({ count, command }: Counted & { readonly command: string }) =>
      `calls of --on-row that failed: ${renderNumber(count)}; \`${command}\` repeats them`,
    ({ count, command }) => `失败的 --on-row 调用：${renderNumber(count)} 次；\`${command}\` 重新调用`,
  ),
  'hooks.no-program': both(
    ({ option, program }: { readonly option: string; readonly program: string }) =>
      `--${option}: there is no program "${program}" that can be run; correct its name or path, or use sh -c '...'`,
    ({ option, program }) =>
      `--${option}：没有可以运行的程序“${program}”；请改正名称或路径，或使用 sh -c '...'`,
  ),
  'hooks.end-failed': both(
    ({ failure }: Failed) => `--on-end failed (${failure})`,
    ({ failure }) => `--on-end 调用失败（${failure}）`,
  ),
  'hooks.no-events': both(
    ({ failure }: Failed) => `--events could not be written: ${failure}`,
    ({ failure }) => `--events 无法写入：${failure}`,
  ),

  'resolve.pending': both(
    ({ id }: OfRow) => `row ${id} is pending: it will be submitted again`,
    ({ id }) => `${id} 待提交：将重新提交`,
  ),
  'resolve.pending-gone': both(
    ({ id }: OfRow) => `row ${id} is pending: its row is no longer in the file`,
    ({ id }) => `${id} 待提交：已不在文件中`,
  ),
  'resolve.open': both(
    ({ id, task }: OfRow & { readonly task: string }) => `row ${id} is open: its task is ${task}`,
    ({ id, task }) => `${id} 生成中：任务是 ${task}`,
  ),
  'resolve.no-longer': both(
    ({ task }: { readonly task: string }) => `, no longer ${task}`,
    ({ task }) => `，不再是 ${task}`,
  ),
  'resolve.adopted': both(
    ({ count }: Counted) => `${renderRows(count)} open with the tasks of the table`,
    ({ count }) => `${renderNumber(count)} 行按表中的任务转为生成中`,
  ),
  'resolve.returned': both(
    ({ count }: Counted) => `${renderRows(count)} pending, to be submitted again`,
    ({ count }) => `${renderNumber(count)} 行待提交，将重新提交`,
  ),
  'resolve.gone': both(
    ({ count }: Counted) => ` (${renderRows(count)} no longer in the file)`,
    ({ count }) => `（其中 ${renderNumber(count)} 行已不在文件中）`,
  ),
  'resolve.left': both(
    ({ count }: Counted) => `${renderRows(count)} of the table left unchanged`,
    ({ count }) => `表中 ${renderNumber(count)} 行未改动`,
  ),
  'resolve.none': both(
    () => 'no row is uncertain',
    () => '没有待确认的行',
  ),
  'resolve.fill-in': both(
    ({ count, path, command }: Counted & { readonly path: string | null; readonly command: string }) =>
      `${renderRows(count)} uncertain${path === null ? '' : `, listed in ${path}`}: fill in task_id, or not-created where there is no task, then \`${command}\``,
    ({ count, path, command }) =>
      `${renderNumber(count)} 行待确认${path === null ? '' : `，已写入 ${path}`}：在表中填好 task_id，没有任务的填 not-created，然后 \`${command}\``,
  ),

  /** `age`, here and below, is that of the youngest creation, in the language of the user. */
  'resolve.young': both(
    ({ ids, age }: Doubtful) =>
      `${renderRows(ids.length)} sent ${age} ago, so the task may still be made: ${renderNames(ids)}`,
    ({ ids, age }) =>
      `${renderNumber(ids.length)} 行在 ${age}前才发送，任务可能还会生成：${renderNamesInChinese(ids)}`,
  ),
  'resolve.answered': both(
    ({ ids, age }: Doubtful) =>
      `${renderRows(ids.length)} sent ${age} ago and answered, though without a readable task id, so a task may exist: ${renderNames(ids)}`,
    ({ ids, age }) =>
      `${renderNumber(ids.length)} 行在 ${age}前发送并得到了答复，只是读不到任务编号，任务可能存在：${renderNamesInChinese(ids)}`,
  ),
  'resolve.say-yes': both(
    ({ command }: Typed) => `look for it in your account; where there is none, type \`${command}\``,
    ({ command }) => `请在账号中查找；确实没有时，输入 \`${command}\``,
  ),
  'resolve.nothing-changed': both(
    () => 'nothing was changed',
    () => '没有任何改动',
  ),

  'links.which': both(
    () => 'which rows? Use `batch links [DIR] --only ID,ID`',
    () => '哪些行？请用 `batch links [DIR] --only ID,ID`',
  ),
  'links.rehearsal': both(
    () => 'this run is a rehearsal (--simulate): its links work only while it goes',
    () => '这是一次演练（--simulate）：链接只在运行期间有效',
  ),
  /** `why` is in the language of the user. */
  'links.none': both(
    ({ id, why }: OfRow & { readonly why: string }) => `row ${id} has no link to a video: ${why}`,
    ({ id, why }) => `${id} 没有视频链接：${why}`,
  ),
  'links.inline': both(
    ({ size }: { readonly size: string }) => `(${size} in the link itself; --json prints it whole)`,
    ({ size }) => `（内容在链接中，${size}；--json 输出全文）`,
  ),
  'links.no-task': both(
    () => 'it has no task, so nothing was made for it',
    () => '没有任务，所以什么也没有生成',
  ),
  'links.uncertain': both(
    ({ after, before, command }: Unanswered) =>
      `its task id is not known, but a task may exist: look in your account for one made between ${after} and ${before}, then \`${command}\``,
    ({ after, before, command }) =>
      `任务编号未知，但任务可能存在：请在账号中查找 ${after} 至 ${before} 之间创建的任务，然后 \`${command}\``,
  ),
  'links.being-made': both(
    () => 'the service is still making it',
    () => '服务还在生成',
  ),
  'links.no-video': both(
    () => 'the service completed the task without a video',
    () => '服务完成了任务，但没有视频',
  ),
  'hooks.not-called': both(
    ({ failure }: Failed) => `a hook could not be called: ${failure}`,
    ({ failure }) => `无法调用命令：${failure}`,
  ),
};
