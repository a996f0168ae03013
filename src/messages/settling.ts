/** What the commands say that move a run, show it, and settle or choose among its rows. */

import type { Status } from '../money/item.ts';
import { statusNames } from '../text/status-names.ts';
import { both, counted, type Words } from './both.ts';
import { renderNames, renderNamesInChinese, renderNumber, renderRows } from './numbers.ts';

interface Typed {
  readonly command: string;
}

interface Attempted {
  readonly attempt: number;
}

export const settlingMessages = {
  'simulate.listens': both(
    ({ address }: { readonly address: string }) =>
      `The embedded service listens at ${address}, its ledger is at ${address}/ledger`,
    ({ address }) => `内置服务的地址是 ${address}，账本在 ${address}/ledger`,
  ),
  'move.name-both': both(
    () => 'name the store and the run: `batch move DIR --store URL --run NAME`',
    () => '请指明存储和运行：`batch move DIR --store URL --run 名称`',
  ),
  'move.has-moved': both(
    ({ run, place }: { readonly run: string; readonly place: string }) =>
      `the run ${run} has moved: \`batch resume ${place}\` goes on with it`,
    ({ run, place }) => `运行 ${run} 已迁走：用 \`batch resume ${place}\` 继续`,
  ),
  'move.on-its-way': both(
    ({ run, place }: { readonly run: string; readonly place: string }) =>
      `the run ${run} is on its way from ${place}: type the same \`batch move\` again to finish it`,
    ({ run, place }) => `运行 ${run} 正从 ${place} 迁来：再次输入同一条 \`batch move\` 完成迁移`,
  ),
  'move.name-store': both(
    () => 'name the store and the run: --store URL --run NAME',
    () => '请指明存储和运行：--store URL --run 名称',
  ),
  'move.other-run': both(
    ({ place }: { readonly place: string }) =>
      `there is another run already: batch status ${place}; choose another place`,
    ({ place }) => `那里已有另一个运行：batch status ${place}；请另选位置`,
  ),
  'move.rehearsal': both(
    ({ folder }: InFolder) =>
      `${folder} holds a rehearsal (--simulate), whose service is in its folder; start another`,
    ({ folder }) => `${folder} 中是演练（--simulate），它的服务在该文件夹中；请另开一个`,
  ),
  'move.listens': both(
    () => 'this run has --listen, and a shared run takes no callbacks; it cannot move',
    () => '这次运行用了 --listen，而共享运行不接收回调；无法迁移',
  ),
  'resolve.no-row': both(
    ({ id }: OfRow) => `no row has the id ${id}; report.csv lists the uncertain rows`,
    ({ id }) => `没有编号为 ${id} 的行；report.csv 列出待确认的行`,
  ),
  'resolve.submitting': both(
    ({ id, seconds }: { readonly id: string; readonly seconds: number }) =>
      `row ${id} is submitting, and its answer may come for another ${seconds} s; settle it then if it is uncertain`,
    ({ id, seconds }) => `${id} 正在提交，答复在 ${seconds} 秒内还可能到达；到时仍待确认再处理`,
  ),
  'resolve.unknown-task': both(
    ({ task, failure }: { readonly task: string; readonly failure: string }) =>
      `the service does not know the task ${task} (${failure}); check its id; nothing was changed`,
    ({ task, failure }) => `服务不认识任务 ${task}（${failure}）；请检查编号；没有任何改动`,
  ),
  'resolve.unasked': both(
    ({ file, so }: { readonly file: string; readonly so: Words }) =>
      `the service could not be asked about the tasks in ${file}: ${so.en}; nothing was changed`,
    ({ file, so }) => `无法向服务询问 ${file} 中的任务：${so.zh}；没有任何改动`,
  ),
  'resolve.unanswered': both(
    ({
      ids,
      so,
      command,
    }: {
      readonly ids: readonly string[];
      readonly so: Words;
      readonly command: string;
    }) =>
      `${renderRows(ids.length)} left as before, ${renderNames(ids)}: the service did not answer about ${counted(ids.length, 'task')}, ${so.en}; \`${command}\` asks again`,
    ({ ids, so, command }) =>
      `${renderNumber(ids.length)} 行保持原样，${renderNamesInChinese(ids)}：服务没有回答其任务，${so.zh}；\`${command}\` 会再次询问`,
  ),
  'resolve.no-columns': both(
    ({ file }: { readonly file: string }) =>
      `${file} has no columns "id" and "task_id"; use a CSV file like the one that \`batch resolve --list\` prints`,
    ({ file }) => `${file} 没有 "id" 和 "task_id" 列；请用 \`batch resolve --list\` 给出的那种 CSV 文件`,
  ),
  'prefer.no-row': both(
    ({ ids }: { readonly ids: string }) => `no row has the id ${ids}`,
    ({ ids }) => `没有编号为 ${ids} 的行`,
  ),
  'resolve.settled': both(
    ({ id, status }: OfRow & { readonly status: Status }) =>
      `row ${id} is ${status}, neither uncertain nor lost; there is nothing to resolve`,
    ({ id, status }) => `${id} ${statusNames.zh[status]}，既不是待确认也不是已丢失；没有需要处理的`,
  ),
  'resolve.unknown-task-of': both(
    ({ task, failure }: { readonly task: string; readonly failure: string }) =>
      `the service does not know the task ${task} (${failure}); check its id`,
    ({ task, failure }) => `服务不认识任务 ${task}（${failure}）；请检查编号`,
  ),
  'resolve.unchecked': both(
    ({ task, so }: { readonly task: string; readonly so: Words }) =>
      `task ${task} is accepted unchecked: ${so.en}`,
    ({ task, so }) => `任务 ${task} 未经查询即采用：${so.zh}`,
  ),
  'resolve.store-same': both(
    () => 'the store has forgotten nothing; there is nothing to settle',
    () => '存储没有遗漏任何内容；没有需要处理的',
  ),
  'resolve.store-accepted': both(
    ({ count }: { readonly count: number }) =>
      `${counted(count, 'forgotten creation')} ${count === 1 ? 'counts' : 'count'} as settled; submitting goes on`,
    ({ count }) => `${renderNumber(count)} 次遗漏的提交按已处理计；继续提交`,
  ),

  'retry.none-in-file': both(
    ({ names }: { readonly names: string }) => `--only: no row of the file has the id ${names}`,
    ({ names }) => `--only：文件中没有编号为 ${names} 的行`,
  ),
  'retry.left-the-file': both(
    ({ names }: { readonly names: string }) =>
      `--only: no row of the file has the id ${names}; --gone includes rows that have left the file`,
    ({ names }) => `--only：文件中没有编号为 ${names} 的行；--gone 包括已不在文件中的行`,
  ),
  'retry.uncertain': both(
    ({ id, status }: OfRow & { readonly status: Status }) =>
      `row ${id} is ${status}: settle it with \`batch resolve\` first`,
    ({ id, status }) => `${id} ${statusNames.zh[status]}：请先用 \`batch resolve\` 处理`,
  ),
  'retry.not-ended': both(
    ({ id, status }: OfRow & { readonly status: Status }) =>
      `row ${id} is ${status}: a row gets a new attempt once it has ended`,
    ({ id, status }) => `${id} ${statusNames.zh[status]}：一行结束后才能重新尝试`,
  ),

  'prefer.no-video': both(
    ({ id, attempt }: OfRow & Attempted) => `row ${id} has no video of attempt ${attempt}: it has no video`,
    ({ id, attempt }) => `${id} 没有第 ${attempt} 次尝试的视频：它没有视频`,
  ),
  'prefer.one-video': both(
    ({ id, attempt, made }: OfRow & Attempted & { readonly made: number }) =>
      `row ${id} has no video of attempt ${attempt}: it has that of attempt ${made}`,
    ({ id, attempt, made }) => `${id} 没有第 ${attempt} 次尝试的视频：它有第 ${made} 次的`,
  ),
  'prefer.other-videos': both(
    ({ id, attempt, attempts }: OfRow & Attempted & { readonly attempts: string }) =>
      `row ${id} has no video of attempt ${attempt}: it has those of attempts ${attempts}`,
    ({ id, attempt, attempts }) => `${id} 没有第 ${attempt} 次尝试的视频：它有第 ${attempts} 次的`,
  ),
  'prefer.of-file': both(
    ({ count }: { readonly count: number }) => `${renderRows(count)} have the videos of the file`,
    ({ count }) => `${renderNumber(count)} 行采用了文件中所写的视频`,
  ),
  'prefer.latest': both(
    ({ id }: OfRow) => `row ${id} has its latest video`,
    ({ id }) => `${id} 采用最新的视频`,
  ),
  'prefer.attempt': both(
    ({ id, attempt }: OfRow & Attempted) => `row ${id} has the video of attempt ${attempt}`,
    ({ id, attempt }) => `${id} 采用第 ${attempt} 次尝试的视频`,
  ),
  'prefer.running': both(
    () => 'the run writes its reports with it within a minute',
    () => '运行中的进程一分钟内据此写出报告',
  ),
  'prefer.next': both(
    ({ command }: Typed) => `${command}   writes the reports with it`,
    ({ command }) => `${command}   据此写出报告`,
  ),

  'move.before': both(
    () => 'The run has moved already',
    () => '运行已经迁走',
  ),
  'move.done': both(
    ({ count, files }: { readonly count: number; readonly files: number }) =>
      `Moved ${renderRows(count)} and ${counted(files, 'file')}`,
    ({ count, files }) => `已迁移 ${renderNumber(count)} 行和 ${renderNumber(files)} 个文件`,
  ),
  'move.flawed': both(
    ({ count, command }: { readonly count: number } & Typed) =>
      `${counted(count, 'file')} ${count === 1 ? 'is' : 'are'} damaged or missing; \`${command}\` downloads ${count === 1 ? 'it' : 'them'} again`,
    ({ count, command }) => `${renderNumber(count)} 个文件已损坏或缺失；\`${command}\` 重新下载`,
  ),
  'move.pictures': both(
    ({ count }: { readonly count: number }) =>
      `${counted(count, 'local picture')} ${count === 1 ? 'is' : 'are'} missing or not as ${count === 1 ? 'it was' : 'they were'} when the file was read`,
    ({ count }) => `${renderNumber(count)} 幅本地图片缺失，或与读取文件时不同`,
  ),

  'detach.imported': both(
    () => 'Imported; nothing is sent yet.',
    () => '已读入；还没有发送任何内容。',
  ),
  'detach.anywhere': both(
    ({ command }: Typed) => `${command}   on any number of machines`,
    ({ command }) => `${command}   机器数量不限`,
  ),

  'view.showing': both(
    ({ folder, address }: { readonly folder: string; readonly address: string }) =>
      `Showing ${folder}: ${address}`,
    ({ folder, address }) => `正在显示 ${folder}：${address}`,
  ),
  'view.showing-run': both(
    ({ run, address }: { readonly run: string; readonly address: string }) =>
      `Showing run ${run}: ${address}`,
    ({ run, address }) => `正在显示运行 ${run}：${address}`,
  ),
  'view.moved': both(
    ({ command }: Typed) => `this run has moved, and is shown as it was then: \`${command}\` shows it now`,
    ({ command }) => `这个运行已迁走，显示的是当时的样子：\`${command}\` 显示现在的`,
  ),
  'view.port-taken': both(
    ({ port }: { readonly port: number }) =>
      `port ${port} is taken; marks made at that address do not appear here`,
    ({ port }) => `端口 ${port} 已被占用；在那个地址做的标记不会出现在这里`,
  ),
  'view.saves': both(
    () => 'marks are saved with the run',
    () => '标记随运行保存',
  ),
  'view.saves-by': both(
    ({ name }: { readonly name: string }) => `marks are saved with the run, by ${name}`,
    ({ name }) => `标记随运行保存，署名 ${name}`,
  ),
  'view.stop': both(
    () => 'Ctrl-C stops this server; the run continues',
    () => '按 Ctrl-C 停止这个页面服务；运行照常继续',
  ),
  'view.no-browser': both(
    () => 'no browser could be opened; open the address',
    () => '无法打开浏览器；请自行打开上面的地址',
  ),

  'verify.not-looked': both(
    ({ failure }: { readonly failure: string }) => `the videos could not be looked into: ${failure}`,
    ({ failure }) => `无法查看视频内容：${failure}`,
  ),
  'findings.no-id': both(
    () => 'a task without the id of its row',
    () => '有任务，却没有行的编号',
  ),
  'findings.same-id': both(
    ({ id, above }: OfRow & { readonly above: number }) => `the id ${id} stands on line ${above} already`,
    ({ id, above }) => `编号 ${id} 已在第 ${above} 行出现`,
  ),
  'findings.same-task': both(
    ({ task, above }: { readonly task: string; readonly above: number }) =>
      `the task ${task} stands on line ${above} already`,
    ({ task, above }) => `任务 ${task} 已在第 ${above} 行出现`,
  ),
  'findings.no-row': both(
    ({ id }: OfRow) => `no row has the id ${id}`,
    ({ id }) => `没有编号为 ${id} 的行`,
  ),
  'findings.submitting': both(
    ({ id, seconds, until }: OfRow & { readonly seconds: number; readonly until: string }) =>
      `row ${id} is submitting, and its answer may come for another ${seconds} s, until ${until}; settle it then if it is uncertain`,
    ({ id, seconds, until }) =>
      `${id} 正在提交，答复在 ${seconds} 秒内（至 ${until}）还可能到达；到时仍待确认再处理`,
  ),
  'findings.lost': both(
    ({ id, status }: OfRow & { readonly status: Status }) =>
      `row ${id} is ${status}, not uncertain; settle a lost row by itself, with its id`,
    ({ id, status }) => `${id} ${statusNames.zh[status]}，不是待确认；已丢失的行请用它的编号单独处理`,
  ),
  'findings.other-attempt': both(
    ({ id }: OfRow) =>
      `row ${id} has an attempt that this table does not know; nothing was done: list the uncertain rows again with \`batch resolve --list\``,
    ({ id }) => `行 ${id} 现有的尝试不在这张表中；没有做任何事：请用 \`batch resolve --list\` 重新列出`,
  ),
  'findings.settled': both(
    ({ id, status }: OfRow & { readonly status: Status }) =>
      `row ${id} is ${status}, not uncertain; there is nothing to resolve; take its line out or leave its task_id empty`,
    ({ id, status }) =>
      `${id} ${statusNames.zh[status]}，不是待确认；没有需要处理的；请删去这一行，或让 task_id 空着`,
  ),
};

interface InFolder {
  readonly folder: string;
}

interface OfRow {
  readonly id: string;
}
