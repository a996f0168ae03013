/** What is said of the folder where a run is saved, and of its checkpoint. */

import { both, type Words } from '../both.ts';

interface InFolder {
  readonly folder: string;
}

interface Located {
  readonly path: string;
}

interface Refused {
  readonly failure: string;
  readonly path: string;
}

const keepAway = {
  en: 'keep programs that sync or back up files away from this folder while a run works in it',
  zh: '运行期间请不要让同步或备份程序使用这个文件夹',
} as const;

export const checkpointMessages = {
  'store.network-folder': both(
    ({ folder, system }: { readonly folder: string; readonly system: string }) =>
      `${folder} is on a network file system (${system}), where a run that goes cannot be changed: stop it with Ctrl-C, and change it then`,
    ({ folder, system }) =>
      `${folder} 在网络文件系统（${system}）上，正在进行的运行无法在那里更改：请按 Ctrl-C 停止，再更改`,
  ),
  'store.checkpoint-damaged': both(
    () => 'the checkpoint is damaged (a saved text is not whole); put a good copy of the file in its place',
    () => '检查点已损坏（有一段保存的文字不完整）；请用完好的副本替换该文件',
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
  'store.disk': both(
    ({ path, failure }: Refused) =>
      `${path} cannot be written or read (${failure}); free space or repair the disk and run the same command again`,
    ({ path, failure }) => `${path} 无法写入或读取（${failure}）；请腾出空间或修复磁盘，再运行同一命令`,
  ),
  'store.no-locks': both(
    ({ folder }: InFolder) =>
      `the disk of ${folder} has no file locks, so a second run could not be kept out; choose an --out on a local disk, or mount this one with locks`,
    ({ folder }) =>
      `${folder} 所在的磁盘不支持文件锁，无法阻止第二个运行；请把 --out 放在本地磁盘上，或在挂载时启用锁`,
  ),
  'store.no-shared-memory': both(
    ({ folder, failure }: InFolder & Pick<Refused, 'failure'>) =>
      `the disk of ${folder} has no shared memory for the checkpoint (${failure}); choose an --out on a local disk`,
    ({ folder, failure }) =>
      `${folder} 所在的磁盘不能为检查点提供共享内存（${failure}）；请把 --out 放在本地磁盘上`,
  ),
  'store.no-folder-sync': both(
    ({ folder, failure }: InFolder & Pick<Refused, 'failure'>) =>
      `the disk of ${folder} does not sync folders (${failure}), so a power cut could lose what was paid for; choose an --out on a local disk`,
    ({ folder, failure }) =>
      `${folder} 所在的磁盘不能同步文件夹（${failure}），断电时可能丢失已付费的结果；请把 --out 放在本地磁盘上`,
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
