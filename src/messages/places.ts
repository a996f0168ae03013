/** What is said of the input file, and of the folder of a run. */

import { both, counted, type Words } from './both.ts';
import { renderNumber } from './numbers.ts';

interface Located {
  readonly path: string;
}

interface InFolder {
  readonly folder: string;
}

interface OfInput extends InFolder {
  readonly file: string;
}

/** A process that works on a run. */
interface Worker {
  /** Null where it is not known. */
  readonly pid: number | null;
  /** Null for this machine. */
  readonly host: string | null;
}

interface Held extends InFolder, Worker {
  /** The folder as a word of the shell. */
  readonly words: string;
}

/** What a folder holds that this command cannot use. */
const holdings = {
  rehearsal: { en: 'a rehearsal (--simulate)', zh: '演练（--simulate）' },
  real: { en: 'a run of the real service', zh: '真实服务的运行' },
  other: { en: 'another run', zh: '另一个运行' },
} as const;

const use = {
  en: 'use an Excel, CSV, JSONL or Parquet file',
  zh: '请给出 Excel、CSV、JSONL 或 Parquet 文件',
} as const;

interface Needed extends Located {
  /** The command that goes on without the file; null where there is none. */
  readonly resume: string | null;
}

function without(resume: string | null): { readonly en: string; readonly zh: string } {
  if (resume === null) return { en: '', zh: '' };
  return { en: `, or continue without it: \`${resume}\``, zh: `，或不用它继续：\`${resume}\`` };
}

/** What was to be done to a file. */
const acts = {
  created: { en: 'cannot be created', zh: '无法创建' },
  opened: { en: 'cannot be opened', zh: '无法打开' },
  read: { en: 'cannot be read', zh: '无法读取' },
  written: { en: 'cannot be written', zh: '无法写入' },
} as const;

/** An error of the system, and its code. */
interface Refused {
  readonly failure: string;
  readonly code: string;
}

interface OfFile extends Located, Refused {
  readonly act: keyof typeof acts;
}

interface OfDisk extends InFolder, Refused {}

const outOfFiles = ({ failure }: Pick<Refused, 'failure'>): Words => ({
  en: `too many files are open (${failure}); close other programs, or raise the limit with \`ulimit -n\`, and run the same command again`,
  zh: `打开的文件过多（${failure}）；请关闭其他程序，或用 \`ulimit -n\` 提高上限，再运行同一命令`,
});

/** `said` and what to do. Where too many files are open, nothing is wrong with the disk. */
function refusal({ failure, code }: Refused, said: Words): Words {
  if (code === 'EMFILE' || code === 'ENFILE') return outOfFiles({ failure });
  const { en, zh } = remedies.find(({ codes }) => codes.includes(code)) ?? { en: 'fix that', zh: '解决' };
  return {
    en: `${said.en}; ${en} and run the same command again`,
    zh: `${said.zh}；请先${zh}，再运行同一命令`,
  };
}

/** What to do about these refusals of the system. */
const remedies: readonly (Words & { readonly codes: readonly string[] })[] = [
  { codes: ['ENOSPC', 'EDQUOT'], en: 'free space', zh: '腾出空间' },
  { codes: ['EROFS'], en: 'make that file system writable', zh: '让该文件系统可写' },
  { codes: ['EACCES', 'EPERM'], en: 'get permission for that', zh: '取得权限' },
];

const fileRefused = ({ path, act, failure, code }: OfFile): Words =>
  refusal(
    { failure, code },
    {
      en: `${path} ${acts[act].en} (${failure})`,
      zh: `${path} ${acts[act].zh}（${failure}）`,
    },
  );

const diskRefused = ({ folder, failure, code }: OfDisk): Words =>
  refusal(
    { failure, code },
    {
      en: `the disk of ${folder} refused a write: ${failure}`,
      zh: `${folder} 所在的磁盘拒绝写入：${failure}`,
    },
  );

export const placeMessages = {
  'input.missing': both(
    ({ path, resume }: Needed) => `${path} does not exist; ${use.en}${without(resume).en}`,
    ({ path, resume }) => `${path} 不存在；${use.zh}${without(resume).zh}`,
  ),
  'input.unreadable': both(
    ({ path, resume }: Needed) => `${path} cannot be read; ${use.en}${without(resume).en}`,
    ({ path, resume }) => `${path} 无法读取；${use.zh}${without(resume).zh}`,
  ),
  'input.resolve-list': both(
    () => '`batch resolve --list` prints the table to fill in',
    () => '`batch resolve --list` 给出要填写的表',
  ),
  'input.folder': both(
    ({ path }: Located) => `${path} is a folder; ${use.en}`,
    ({ path }) => `${path} 是文件夹；${use.zh}`,
  ),
  'input.google': both(
    () =>
      'this is the address of a Google sheet; there, choose File > Download > Microsoft Excel (.xlsx), and give that file',
    () => '这是 Google 表格的网址；请在那里选择“文件 > 下载 > Microsoft Excel (.xlsx)”，再给出那个文件',
  ),
  'input.address': both(
    () => 'this is an address and not a file; download it, and give the file',
    () => '这是网址，不是文件；请下载后给出文件',
  ),
  'input.changed': both(
    ({ path }: Located) =>
      `${path} changed while it was read; wait until it is complete, then run the same command again; nothing was imported`,
    ({ path }) => `${path} 在读取时有改动；请等它写完，再运行同一命令；没有读入任何内容`,
  ),

  'folder.other-run': both(
    ({ folder, file }: OfInput) =>
      `${folder} holds another run: none of its rows is in ${file}; choose another --out, or --add to add these rows`,
    ({ folder, file }) =>
      `${folder} 中是另一个运行：它的各行都不在 ${file} 中；请另选 --out，或用 --add 加入这些行`,
  ),
  'folder.other-run-checked': both(
    ({ folder, file }: OfInput) =>
      `${folder} holds another run: none of its rows is in ${file}; \`run\` needs another --out, or --add`,
    ({ folder, file }) =>
      `${folder} 中是另一个运行：它的各行都不在 ${file} 中；\`run\` 需要另选 --out，或加 --add`,
  ),
  'folder.held': both(
    ({ folder }: InFolder) => `${folder} is in use by another batch process; wait for it or stop it`,
    ({ folder }) => `${folder} 正由另一个 batch 进程使用；请等待或停止它`,
  ),
  'folder.of-shared-run': both(
    ({ folder, run, words }: InFolder & { readonly run: string; readonly words: string }) =>
      `${folder} has the videos of the shared run ${run}: name its store, ${words}, or set BATCH_STORE; for another run, choose another folder`,
    ({ folder, run, words }) =>
      `${folder} 中是共享运行 ${run} 的视频：请指明它的存储，${words}，或设置 BATCH_STORE；其他运行请另选文件夹`,
  ),
  'folder.of-own-run': both(
    ({ folder }: InFolder) =>
      `${folder} is the folder of a run without a store; choose another --out, or \`batch move\` that run into the store`,
    ({ folder }) =>
      `${folder} 是一个不在存储中的运行的文件夹；请另选 --out，或用 \`batch move\` 把那个运行移入存储`,
  ),
  'folder.no-run': both(
    ({ folder }: InFolder) => `there is no run in ${folder}; start one with \`batch run FILE --out DIR\``,
    ({ folder }) => `${folder} 中没有运行；请用 \`batch run FILE --out DIR\` 开始`,
  ),
  'folder.no-run-store': both(
    ({ folder }: InFolder) =>
      `there is no run in ${folder}; BATCH_STORE is set: --run NAME is a run in that store`,
    ({ folder }) => `${folder} 中没有运行；已设置 BATCH_STORE：--run 名称 指那个存储中的运行`,
  ),
  'folder.input-in-the-way': both(
    ({ folder, file }: OfInput) =>
      `${file} would be overwritten by the run in ${folder}; choose another --out, or another name for the file`,
    ({ folder, file }) => `${file} 会被 ${folder} 中的运行覆盖；请另选 --out，或给文件换个名字`,
  ),
  'folder.file-in-the-way': both(
    ({ path }: Located) =>
      `${path} exists, does not belong to a run, and would be overwritten; move it away, or choose another --out`,
    ({ path }) => `${path} 已存在，不属于任何运行，会被覆盖；请移走，或另选 --out`,
  ),
  'folder.holds': both(
    ({ folder, kind }: InFolder & { readonly kind: keyof typeof holdings }) =>
      `${folder} holds ${holdings[kind].en}; choose another folder`,
    ({ folder, kind }) => `${folder} 中是${holdings[kind].zh}；请另选文件夹`,
  ),
  'folder.no-folder': both(
    ({ folder }: InFolder) => `the output folder ${folder} is not a folder; choose another --out`,
    ({ folder }) => `输出位置 ${folder} 不是文件夹；请另选 --out`,
  ),
  'folder.reports': both(
    ({ folder, names }: InFolder & { readonly names: string }) => `Reports in ${folder}: ${names}`,
    ({ folder, names }) => `报告在 ${folder}：${names}`,
  ),

  'run.held': both(
    ({ folder, words, pid, host }: Held) =>
      `${folder} is in use by another batch process${pid === null ? '' : ` (${pid}${host === null ? '' : ` on ${host}`})`}; \`batch stop ${words}\` ends it, \`batch status ${words}\` shows its progress`,
    ({ folder, words, pid, host }) =>
      `${folder} 正由另一个 batch 进程${pid === null ? '' : `（${host === null ? '' : `${host} 上的 `}${pid}）`}使用；\`batch stop ${words}\` 结束它，\`batch status ${words}\` 显示进度`,
  ),
  'run.worked-on': both(
    ({ pid, host }: Worker) =>
      pid === null ? 'another process' : `process ${pid}${host === null ? '' : ` on ${host}`}`,
    ({ pid, host }) => (pid === null ? '另一个进程' : `${host === null ? '' : `${host} 上的`}进程 ${pid}`),
  ),
  'run.imported-first': both(
    () =>
      'another command imported the first rows of this run meanwhile; nothing was imported: choose another --run, or run the same command again to compare the file with those rows',
    () =>
      '另一个命令刚刚读入了这个运行最初的各行；没有读入任何内容：请另选 --run，或再次运行同一命令，把文件与那些行比较',
  ),

  'system.files': both(
    (refused: Pick<Refused, 'failure'>) => outOfFiles(refused).en,
    (refused) => outOfFiles(refused).zh,
  ),
  'disk.file': both(
    (refused: OfFile) => fileRefused(refused).en,
    (refused) => fileRefused(refused).zh,
  ),
  'disk.refused': both(
    (refused: OfDisk) => diskRefused(refused).en,
    (refused) => diskRefused(refused).zh,
  ),

  'moved.machine': both(
    ({ folder, path }: InFolder & Located) => `${folder} was last run on another computer, as ${path}`,
    ({ folder, path }) => `${folder} 上次是在另一台电脑上运行的（${path}）`,
  ),
  'moved.renamed': both(
    ({ folder, path }: InFolder & Located) => `${folder} was last run as ${path}`,
    ({ folder, path }) => `${folder} 上次运行时是 ${path}`,
  ),
  'moved.replaced': both(
    ({ folder }: InFolder) => `${folder} is not the folder that was last run here, but a copy of it`,
    ({ folder }) => `${folder} 不是上次在这里运行的文件夹，而是它的副本`,
  ),
  'moved.copy': both(
    ({ folder, path }: InFolder & Located) => `${folder} is a copy of ${path}, which is still there`,
    ({ folder, path }) => `${folder} 是 ${path} 的副本，后者仍在原处`,
  ),
  'moved.either': both(
    ({ folder, path }: InFolder & Located) => `${folder} was copied or moved from ${path}`,
    ({ folder, path }) => `${folder} 是从 ${path} 复制或移动来的`,
  ),
  'moved.database': both(
    ({ run }: { readonly run: string }) => `the run ${run} was last run in another database`,
    ({ run }) => `运行 ${run} 上次是在另一个数据库里`,
  ),
  'moved.danger': both(
    () => 'a run in each would pay twice for the waiting rows',
    () => '两处都运行的话，等待中的行会付两次费',
  ),
  'moved.advice': both(
    () => 'if no run is going in the other one, use --moved',
    () => '如果另一处没有运行，请用 --moved',
  ),

  'task.earlier': both(
    ({ task }: { readonly task: string }) =>
      `task ${task} belongs to an earlier attempt of this row; look the task up again`,
    ({ task }) => `任务 ${task} 属于这一行以前的一次尝试；请重新查找任务`,
  ),
  'task.other-row': both(
    ({ task, id }: { readonly task: string; readonly id: string }) =>
      `task ${task} belongs to row ${id}; look the task up again`,
    ({ task, id }) => `任务 ${task} 属于行 ${id}；请重新查找任务`,
  ),

  'sample.chosen': both(
    ({ count, rows, groups, seed }: Sampled) =>
      `Sample: ${renderNumber(count)} of ${renderNumber(rows)} rows from ${renderNumber(groups)} groups by quality, length of text and number of pictures (seed ${seed}); without --sample the run goes on with the rest`,
    ({ count, rows, groups, seed }) =>
      `样本：从 ${renderNumber(rows)} 行中选出 ${renderNumber(count)} 行，按清晰度、文字长度和图片数分 ${renderNumber(groups)} 组（seed ${seed}）；不加 --sample 则继续做其余的`,
  ),
  'sample.goes-on': both(
    ({ count, waiting }: { readonly count: number; readonly waiting: number }) =>
      `Sample: the ${counted(count, 'row')} chosen before, ${renderNumber(waiting)} of them to submit; without --sample the run goes on with the rest`,
    ({ count, waiting }) =>
      `样本：以前选出的 ${renderNumber(count)} 行，其中 ${renderNumber(waiting)} 行待提交；不加 --sample 则继续做其余的`,
  ),
  'folder.network': both(
    ({ folder, system }: InFolder & { readonly system: string }) =>
      `${folder} is on a network file system (${system}), where the lock may not prevent a second run: run only one at a time, on all machines, or choose an --out on a local disk`,
    ({ folder, system }) =>
      `${folder} 在网络文件系统（${system}）上，锁未必能阻止第二个运行：所有机器上同时只运行一个，或把 --out 放在本地磁盘上`,
  ),
  'folder.synced': both(
    ({ folder, program }: InFolder & { readonly program: string }) =>
      `${folder} is synced by ${program}, which may replace files that a run has open; pause it while the run goes, or choose an --out outside its folder`,
    ({ folder, program }) =>
      `${folder} 由 ${program} 同步，它可能替换运行正在使用的文件；运行期间请暂停同步，或把 --out 放在它的文件夹之外`,
  ),
};

interface Sampled {
  readonly count: number;
  readonly rows: number;
  readonly groups: number;
  readonly seed: number;
}
