/** What is said of the place where a run is saved: its checkpoint, or its database. */

import { both, type Words } from './both.ts';

/** A run in a database. */
interface Place {
  readonly schema: string;
  readonly name: string;
}

interface Versions {
  readonly version: number;
  readonly known: number;
}

interface OfJobs {
  readonly schema: string;
  readonly failure: string;
}

const keepAway = {
  en: 'keep programs that sync or back up files away from this folder while a run works in it',
  zh: '运行期间请不要让同步或备份程序使用这个文件夹',
} as const;

export const storeMessages = {
  'store.network-folder': both(
    ({ folder, system }: { readonly folder: string; readonly system: string }) =>
      `${folder} is on a network file system (${system}), where a run that goes cannot be changed: stop it with Ctrl-C, and change it then`,
    ({ folder, system }) =>
      `${folder} 在网络文件系统（${system}）上，正在进行的运行无法在那里更改：请按 Ctrl-C 停止，再更改`,
  ),
  'store.no-run': both(
    ({ run, command }: { readonly run: string; readonly command: string }) =>
      `the store has no run "${run}"; start one with \`${command}\``,
    ({ run, command }) => `存储中没有名为“${run}”的运行；请用 \`${command}\` 开始`,
  ),
  'store.checkpoint-damaged': both(
    () => 'the checkpoint is damaged (a saved text is not whole); put a good copy of the file in its place',
    () => '检查点已损坏（有一段保存的文字不完整）；请用完好的副本替换该文件',
  ),
  'store.no-packages': both(
    ({ command }: { readonly command: string }) =>
      `--store needs packages that are not installed: \`${command}\`, with -g where batch is installed with it`,
    ({ command }) => `--store 需要的软件包还没有安装：\`${command}\`；batch 是用 -g 安装的，这里也加 -g`,
  ),

  'store.long-name': both(
    ({ schema, most }: { readonly schema: string; readonly most: number }) =>
      `the schema name ${schema} is longer than ${most} bytes; use a shorter run name`,
    ({ schema, most }) => `模式名 ${schema} 超过 ${most} 字节；请用更短的运行名称`,
  ),
  'store.no-pg': both(
    () =>
      'a run on several machines needs the packages pg and pg-boss; install them with `npm install pg pg-boss`',
    () => '多台机器共享的运行需要软件包 pg 和 pg-boss；请用 `npm install pg pg-boss` 安装',
  ),
  'store.no-place': both(
    () =>
      `a new run needs a place for its videos: a folder that all machines see, or s3://BUCKET/PREFIX, with --out`,
    () => '新的运行需要存放视频的地方：请用 --out 给出所有机器都能看到的文件夹，或 s3://BUCKET/PREFIX',
  ),
  'store.place-due': both(
    ({ run }: { readonly run: string }) =>
      `run "${run}" has no place for its videos yet; \`batch run FILE --out DIR\` makes it`,
    ({ run }) => `运行“${run}”还没有存放视频的地方；用 \`batch run FILE --out DIR\` 建立`,
  ),
  'store.other-place': both(
    ({ run, place }: { readonly run: string; readonly place: string }) =>
      `the videos of run "${run}" are in ${place}; leave out --out`,
    ({ run, place }) => `运行“${run}”的视频在 ${place}；请去掉 --out`,
  ),
  'store.lost-question': both(
    ({ path, id }: { readonly path: string; readonly id: string }) =>
      `${path} is damaged (row ${id} has lost its question)`,
    ({ path, id }) => `${path} 已损坏（${id} 的题目已丢失）`,
  ),
  'store.other-question': both(
    ({ path }: Located) =>
      `the question in ${path} is not as it was saved; \`batch run FILE\` reads it again`,
    ({ path }) => `${path} 中的题目与保存时不同；\`batch run FILE\` 会重新读取`,
  ),
  'store.same-name': both(
    ({ name }: Named) => `${name} holds another run of this name; choose another --run`,
    ({ name }) => `${name} 中已有另一个同名的运行；请另选 --run`,
  ),
  'store.no-address': both(
    () =>
      'the store is no address of PostgreSQL; write postgres://USER@HOST/DATABASE, and %2F, %3F, %23, %25 and %40 for /, ?, #, % and @ in a name or password',
    () =>
      '存储不是 PostgreSQL 地址；请写 postgres://USER@HOST/DATABASE；名称或密码中的 /、?、#、%、@ 请写成 %2F、%3F、%23、%25、%40',
  ),
  'store.sslmode': both(
    ({ mode }: { readonly mode: string }) =>
      `sslmode ${mode} is unknown; choose disable, require, verify-ca or verify-full`,
    ({ mode }) => `不认识 sslmode ${mode}；请选 disable、require、verify-ca 或 verify-full`,
  ),
  'store.broke-off': both(
    ({ name, failure }: Unanswering) =>
      `${name} broke off (${failure}) while the file was read; nothing of it was imported: run the same command again`,
    ({ name, failure }) => `${name} 在读取文件时断开（${failure}）；没有读入任何内容：请再次运行同一命令`,
  ),
  'store.pooler': both(
    ({ name }: Named) =>
      `${name} is a connection pooler that does not keep the sessions of a run; name the server itself, or a pool in session mode that passes on search_path`,
    ({ name }) =>
      `${name} 是连接池，不保持运行所需的会话；请给出服务器本身，或会传递 search_path 的会话模式连接池`,
  ),
  'store.no-permission': both(
    ({ name, failure }: Unanswering) =>
      `${name} lacks a permission (${failure}); ask for it, then run the same command again`,
    ({ name, failure }) => `${name} 缺少权限（${failure}）；请取得权限，再运行同一命令`,
  ),
  'store.run-removed': both(
    ({ name }: Named) =>
      `the run in ${name} was removed, or another one is in its place; the same command again shows what is there now`,
    ({ name }) => `${name} 中的运行已被删除，或被另一个取代；再次运行同一命令即可看到那里现在的内容`,
  ),
  'store.no-tls': both(
    ({ name, failure }: Unanswering) =>
      `${name} cannot be reached by the sslmode asked for (${failure}); choose another one, or name the certificate with sslrootcert`,
    ({ name, failure }) =>
      `无法以所要求的 sslmode 连接 ${name}（${failure}）；请另选一种，或用 sslrootcert 指明证书`,
  ),
  'store.no-password': both(
    ({ name }: Named) => `${name} wants a password; put it into ~/.pgpass or PGPASSWORD`,
    ({ name }) => `${name} 要求密码；请写在 ~/.pgpass 或 PGPASSWORD 中`,
  ),
  'store.refuses': both(
    ({ name, failure }: Unanswering) => `${name} refuses: ${failure}`,
    ({ name, failure }) => `${name} 拒绝：${failure}`,
  ),
  'store.moves': both(
    ({ place }: { readonly place: string }) =>
      `this run moves, or has moved: \`batch resume ${place}\` goes on with it`,
    ({ place }) => `这个运行正在迁移，或已迁走：用 \`batch resume ${place}\` 继续`,
  ),
  'store.damaged-run': both(
    ({ name, failure }: Unanswering) => `the run in ${name} is damaged (${failure}); nothing was sent`,
    ({ name, failure }) => `${name} 中的运行已损坏（${failure}）；没有发送任何内容`,
  ),
  'store.read-only': both(
    ({ name, failure }: Unanswering) =>
      `${name} can only be read (${failure}); name the server that can be written`,
    ({ name, failure }) => `${name} 只能读取（${failure}）；请给出可以写入的服务器`,
  ),
  'store.ids-changed': both(
    () =>
      'another process changed the rows of the run while the file was read, and the ids may belong to other rows now; nothing was imported: run the same command again',
    () =>
      '读取文件期间，另一个进程更改了运行的各行，编号现在可能属于别的行；没有读入任何内容：请再次运行同一命令',
  ),
  'store.plan-changed': both(
    () =>
      'another command changed the rows of the run while this plan was shown; nothing was imported: run the same command again',
    () => '显示计划期间，另一个命令更改了运行的各行；没有读入任何内容：请再次运行同一命令',
  ),
  'store.has-no-run': both(
    ({ name, run }: { readonly name: string; readonly run: string }) => `${name} has no run ${run}`,
    ({ name, run }) => `${name} 中没有运行 ${run}`,
  ),
  'store.run-text-damaged': both(
    ({ name }: Named) => `the run in ${name} is damaged (a saved text is not whole)`,
    ({ name }) => `${name} 中的运行已损坏（有一段保存的文字不完整）`,
  ),
  'store.bad-name': both(
    ({ run }: { readonly run: string }) =>
      `${run} cannot name a run; use up to 40 lower-case letters, digits, hyphens and underscores`,
    ({ run }) => `${run} 不能作为运行名称；请用最多 40 个小写字母、数字、连字符和下划线`,
  ),
  'store.other-version': both(
    ({ schema, name }: { readonly schema: string; readonly name: string }) =>
      `the schema ${schema} in ${name} was made by another version of batch, or by another program; choose another --run`,
    ({ schema, name }) => `${name} 中的模式 ${schema} 由另一个版本的 batch 或其他程序建立；请另选 --run`,
  ),
  'store.other-tables': both(
    ({ schema, name }: { readonly schema: string; readonly name: string }) =>
      `the schema ${schema} in ${name} holds the tables of another program; choose another --run`,
    ({ schema, name }) => `${name} 中的模式 ${schema} 存有其他程序的表；请另选 --run`,
  ),
  'store.old-server': both(
    ({
      server,
      version,
      least,
    }: {
      readonly server: string;
      readonly version: string;
      readonly least: string;
    }) => `${server} is PostgreSQL ${version}; batch needs ${least} or newer`,
    ({ server, version, least }) => `${server} 是 PostgreSQL ${version}；batch 需要 ${least} 或更新版本`,
  ),
  'store.encoding': both(
    ({ name, encoding }: { readonly name: string; readonly encoding: string }) =>
      `${name} is a database in ${encoding}, which cannot keep every text; make one with \`createdb --encoding=UTF8 --template=template0\``,
    ({ name, encoding }) =>
      `${name} 是 ${encoding} 编码的数据库，无法保存所有文字；请用 \`createdb --encoding=UTF8 --template=template0\` 建立一个`,
  ),
  'store.not-durable': both(
    ({ name, settings }: { readonly name: string; readonly settings: string }) =>
      `${name} runs with ${settings} off: a power cut would make it forget what was paid for; switch it on`,
    ({ name, settings }) => `${name} 关闭了 ${settings}：断电会使它忘记已付费的内容；请打开`,
  ),
  'store.moved-by-another': both(
    () => 'another process moves this run; see where it is with `batch status`',
    () => '另一个进程正在迁移这个运行；用 `batch status` 查看它在哪里',
  ),
  'store.unchecked': both(
    ({ path }: Located) => `${path} could not be checked; run the same command again`,
    ({ path }) => `${path} 无法检查；请再次运行同一命令`,
  ),
  'store.held-by-other-version': both(
    ({ path }: Located) =>
      `another version of batch works on ${path}, or it is damaged; use the version that works on it`,
    ({ path }) => `另一个版本的 batch 正在使用 ${path}，或它已损坏；请使用正在用它的那个版本`,
  ),
  'store.older': both(
    ({ path }: Located) => `${path} is of an older version of batch; \`batch resume\` brings it up to date`,
    ({ path }) => `${path} 来自旧版本的 batch；用 \`batch resume\` 更新`,
  ),
  'store.disk': both(
    ({ path, failure }: Refused) =>
      `${path} cannot be written or read (${failure}); free space or repair the disk and run the same command again`,
    ({ path, failure }) => `${path} 无法写入或读取（${failure}）；请腾出空间或修复磁盘，再运行同一命令`,
  ),
  'store.locked': both(
    ({ path }: Located) => `${path} is locked by another program; close it and run the same command again`,
    ({ path }) => `${path} 被其他程序锁定；请关闭那个程序，再运行同一命令`,
  ),
  'store.text-damaged': both(
    ({ path }: Located) =>
      `${path} is damaged (a saved text is not whole); put a good copy of the file in its place`,
    ({ path }) => `${path} 已损坏（有一段保存的文字不完整）；请用完好的副本替换该文件`,
  ),
  'store.folder': both(
    ({ path }: Located) => `${path} is a folder; put the checkpoint in its place, or start in a new --out`,
    ({ path }) => `${path} 是文件夹；请把检查点放在那里，或另用 --out 开始`,
  ),
  'store.newer': both(
    ({ path, version, known }: { readonly path: string; readonly version: number; readonly known: number }) =>
      `${path} was written by a newer version of batch (schema ${version}, this one knows ${known}); update batch`,
    ({ path, version, known }) =>
      `${path} 由更新版本的 batch 写出（结构版本 ${version}，本版本只认识到 ${known}）；请更新 batch`,
  ),
  'store.old-copy': both(
    ({ path, known, sent }: { readonly path: string; readonly known: number; readonly sent: number }) =>
      `${path} knows ${known} of ${sent} creations: it is damaged, an old copy, or not the one of this folder; nothing was sent. Put the newest copy in its place; only without batch.lock are rows paid for again`,
    ({ path, known, sent }) =>
      `${path} 只知道 ${sent} 次提交中的 ${known} 次：它已损坏、是旧副本，或不属于这个文件夹；没有发送任何内容。请放回最新的副本；只有在没有 batch.lock 时才会重新为各行付费`,
  ),
  'store.lock-damaged': both(
    ({ path }: Located) => `${path} is damaged; remove it and run the same command again`,
    ({ path }) => `${path} 已损坏；请删除，再运行同一命令`,
  ),
  'store.replaced-unsaved': both(
    ({ path, failure }: Refused) =>
      `${path} was replaced, renamed or removed by another program, and what the run knows cannot be saved beside it (${failure}); put the newest copy of the file in its place`,
    ({ path, failure }) =>
      `${path} 被其他程序替换、改名或删除，而运行所知的内容无法保存在它旁边（${failure}）；请放回该文件的最新副本`,
  ),
  'store.lost': both(
    ({ folder, file }: { readonly folder: string; readonly file: string }) =>
      `${folder} holds files of a run, but not its ${file}; nothing was sent. Put that file back; a new --out would pay for every row again`,
    ({ folder, file }) =>
      `${folder} 中有运行的文件，但没有 ${file}；没有发送任何内容。请放回该文件；用新的 --out 会重新为每一行付费`,
  ),
  'store.unopened-folder': both(
    ({ path, failure }: Refused) => `${path} cannot be opened (${failure}); choose another --out`,
    ({ path, failure }) => `${path} 无法打开（${failure}）；请另选 --out`,
  ),
  'store.file-moves': both(
    ({ path }: Located) => `${path} moves, or has moved; \`batch status\` says where the run is`,
    ({ path }) => `${path} 正在迁移，或已迁走；\`batch status\` 说明运行在哪里`,
  ),
  'store.unopened': both(
    ({ path, failure }: Refused) => `${path} cannot be opened (${failure}); choose another one`,
    ({ path, failure }) => `${path} 无法打开（${failure}）；请另选一个`,
  ),
  'store.other-service': both(
    ({ service, address }: { readonly service: string; readonly address: string }) =>
      `the service of this run is ${service}, not ${address}; leave out --base-url`,
    ({ service, address }) => `这个运行的服务是 ${service}，不是 ${address}；请去掉 --base-url`,
  ),
  'store.other-key': both(
    () => 'this is another API key than that of the run; use the same one on all machines',
    () => '这个 API 密钥与运行的不同；请在所有机器上使用同一个',
  ),
  'store.workers': both(
    () => 'other processes work on this run; stop them, then run the same command again',
    () => '其他进程正在这个运行中工作；请停止它们，再运行同一命令',
  ),
  'store.submitting': both(
    () => 'the service may still answer a creation; run the same command again in a minute',
    () => '服务可能还会答复一次提交；请一分钟后再运行同一命令',
  ),
  'store.older-run': both(
    ({ schema, name }: Place) =>
      `the run ${schema} in ${name} is of an older version of batch; \`batch resume\` brings it up to date`,
    ({ schema, name }) => `${name} 中的运行 ${schema} 来自旧版本的 batch；用 \`batch resume\` 更新`,
  ),
  'store.newer-run': both(
    ({ schema, name, version, known }: Place & Versions) =>
      `the run ${schema} in ${name} is of a newer version of batch (schema ${version}, this one knows ${known}); update batch`,
    ({ schema, name, version, known }) =>
      `${name} 中的运行 ${schema} 来自更新版本的 batch（结构版本 ${version}，本版本只认识到 ${known}）；请更新 batch`,
  ),
  'store.damaged': both(
    ({ path, detail }: Located & { readonly detail: string }) =>
      `${path} is damaged (${detail}); nothing was sent. Keep the folder and put a good copy of the file in its place; a new --out would pay for every row again`,
    ({ path, detail }) =>
      `${path} 已损坏（${detail}）；没有发送任何内容。请保留文件夹，用完好的副本替换该文件；用新的 --out 会重新为每一行付费`,
  ),
  'store.read-only-file': both(
    ({ path, failure }: Refused) =>
      `${path} may not be written (${failure}); get write permission for its folder, or repair the disk, and run the same command again`,
    ({ path, failure }) =>
      `${path} 不能写入（${failure}）；请取得其文件夹的写入权限，或修复磁盘，再运行同一命令`,
  ),
  'store.away': both(
    ({ name, failure }: Unanswering) =>
      `${name} does not answer (${failure}); whatever was saved is saved, the same command goes on from there`,
    ({ name, failure }) => `${name} 没有答复（${failure}）；已保存的都在，再次运行同一命令即可继续`,
  ),
  'store.busy': both(
    ({ name, failure }: Unanswering) =>
      `${name} is busy (${failure}); whatever was saved is saved, the same command goes on from there`,
    ({ name, failure }) => `${name} 正忙（${failure}）；已保存的都在，再次运行同一命令即可继续`,
  ),
  'store.unsound': both(
    ({ schema, name, row, detail }: Place & { readonly row: string; readonly detail: string }) =>
      `the run ${schema} in ${name} is damaged (${row} ${detail}); nothing was sent. Restore the database from its newest copy`,
    ({ schema, name, row, detail }) =>
      `${name} 中的运行 ${schema} 已损坏（${row} ${detail}）；没有发送任何内容。请用最新的副本恢复数据库`,
  ),
  'store.rows-changed': both(
    ({ line, problem }: { readonly line: number | null; readonly problem: string }) =>
      `another process changed the rows of the run while the file was read: line ${line}: ${problem}; nothing was imported`,
    ({ line, problem }) =>
      `读取文件期间，另一个进程更改了运行的各行：第 ${line} 行：${problem}；没有读入任何内容`,
  ),
  'store.no-jobs': both(
    ({ schema, failure }: OfJobs) => `the jobs of the run in schema ${schema} cannot be opened: ${failure}`,
    ({ schema, failure }) => `模式 ${schema} 中运行的任务队列无法打开：${failure}`,
  ),
  'store.jobs-forbidden': both(
    ({ schema, failure }: OfJobs) =>
      `the jobs of the run in schema ${schema} cannot be opened: ${failure}; ask for the permission, then run the same command again`,
    ({ schema, failure }) =>
      `模式 ${schema} 中运行的任务队列无法打开：${failure}；请取得权限，再运行同一命令`,
  ),
  'store.gone': both(
    ({ path }: Located) =>
      `${path} was removed, or another one is in its place; \`batch view\` again shows what is there now`,
    ({ path }) => `${path} 已被删除，或被另一个取代；再次运行 \`batch view\` 可看到那里现在的内容`,
  ),
  'store.folder-replaced': both(
    ({ path }: Located) =>
      `${path} was replaced, renamed or removed by another program; put it back and run the same command again`,
    ({ path }) => `${path} 被其他程序替换、改名或删除；请放回，再运行同一命令`,
  ),
  'store.file-replaced': both(
    ({ path }: Located) =>
      `${path} was replaced, renamed or removed by another program; ${keepAway.en}, and run the same command again`,
    ({ path }) => `${path} 被其他程序替换、改名或删除；${keepAway.zh}，再运行同一命令`,
  ),
  'store.replaced-saved': both(
    ({ path, file }: Located & { readonly file: string }) =>
      `${path} was replaced, renamed or removed by another program; all that is known is saved in ${file} beside it; ${keepAway.en}`,
    ({ path, file }) =>
      `${path} 被其他程序替换、改名或删除；所知的内容都保存在它旁边的 ${file} 中；${keepAway.zh}`,
  ),
  'store.saved-copy': both(
    ({ path, file, older }: Located & { readonly file: string; readonly older: Words }) =>
      `${path} is the checkpoint of a run whose ${file} was replaced or removed by another program; nothing was sent. Rename it to ${file}${older.en}, in place of what is there now, and run the same command again`,
    ({ path, file, older }) =>
      `${path} 是一个运行的检查点，该运行的 ${file} 被其他程序替换或删除了；没有发送任何内容。请${older.zh}把它改名为 ${file}，取代现在的文件，再运行同一命令`,
  ),
  /** `error` is another message. */
  'store.unsaved-tasks': both(
    ({ error, tasks }: { readonly error: Words; readonly tasks: string }) =>
      `${error.en}; these tasks were accepted but could not be saved; settle them with \`batch resolve\`: ${tasks}`,
    ({ error, tasks }) =>
      `${error.zh}；这些任务已被服务接受，但无法保存；请用 \`batch resolve\` 处理：${tasks}`,
  ),
};

interface Located {
  readonly path: string;
}

interface Named {
  readonly name: string;
}

interface Unanswering {
  readonly failure: string;
  readonly name: string;
}

interface Refused {
  readonly failure: string;
  readonly path: string;
}
