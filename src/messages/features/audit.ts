/** What `batch audit` says of a statement and of the books of a run. */

import { both, counted, type Words } from '../both.ts';
import { type MadeTable, tables as madeNames } from '../input.ts';
import { renderNumber, renderPoints } from '../numbers.ts';

interface Columns {
  readonly columns: Words;
}

interface Task {
  readonly task: string;
}

/** An attempt of a run. */
interface Booked extends Task {
  readonly run: string;
  readonly row: number;
  readonly id: string;
  readonly attempt: number;
  /** Points; null where unknown. */
  readonly ours: number | null;
}

interface Billed {
  /** Line of the statement. */
  readonly line: number;
  /** Points; null where they cannot be read. */
  readonly theirs: number | null;
}

interface Points {
  readonly count: number;
  readonly ours: number;
  readonly theirs: number;
}

const words = {
  matched: { en: 'matched', zh: '一致' },
  nothing: { en: 'nothing to compare', zh: '无可比对' },
  learned: { en: 'price learned', zh: '得知价格' },
  'not-yet': { en: 'not yet billed', zh: '尚未入账' },
  price: { en: 'price differs', zh: '价格不同' },
  twice: { en: 'twice in the statement', zh: '账单中重复' },
  unreadable: { en: 'amount not readable', zh: '金额无法读取' },
  spoiled: { en: 'task id spoiled', zh: '任务编号已损坏' },
  'ours-only': { en: 'ours only', zh: '仅我方有' },
  'theirs-only': { en: 'theirs only', zh: '仅账单有' },
} as const;

const unknown = (points: number | null): string => (points === null ? '?' : renderNumber(points));

export const auditMessages = {
  'audit.no-statement': both(
    () => 'name the statement of the account: `batch audit STATEMENT [DIR...]`',
    () => '请给出账户的账单：`batch audit STATEMENT [DIR...]`',
  ),
  'audit.map': both(
    ({ value, fields }: { readonly value: string; readonly fields: string }) =>
      `--map ${value} is not valid; use FIELD=COLUMN, where FIELD is one of ${fields}`,
    ({ value, fields }) => `--map ${value} 无效；请用 字段=列名，字段为 ${fields} 之一`,
  ),
  'audit.text': both(
    ({ option }: { readonly option: string }) => `${option} needs one value`,
    ({ option }) => `${option} 需要一个值`,
  ),
  'audit.no-task': both(
    ({ columns, option }: Columns & { readonly option: string }) =>
      `no column is surely the task id; the statement has ${columns.en}: name it with ${option}`,
    ({ columns, option }) => `无法确定哪一列是任务编号；账单有 ${columns.zh}：请用 ${option} 指明`,
  ),
  'audit.no-amount': both(
    ({ columns, option }: Columns & { readonly option: string }) =>
      `no column is surely the points; the statement has ${columns.en}: name it with ${option}`,
    ({ columns, option }) => `无法确定哪一列是积分；账单有 ${columns.zh}：请用 ${option} 指明`,
  ),
  'audit.two-columns': both(
    ({ columns, field, options }: Columns & { readonly field: string; readonly options: string }) =>
      `${columns.en} are equally likely for ${field}; choose one: ${options}`,
    ({ columns, field, options }) => `${columns.zh} 都可能是 ${field}；请选一个：${options}`,
  ),
  'audit.made': both(
    ({ made }: { readonly made: MadeTable | null }) =>
      `this is ${made === null ? 'a table' : madeNames[made].en} that batch wrote, not a statement; use the one that the page of your account exports`,
    ({ made }) =>
      `这是 batch 写出的${made === null ? '表格' : madeNames[made].zh}，不是账单；请使用账户页面导出的账单`,
  ),
  'audit.zone': both(
    ({ zone }: { readonly zone: string }) => `--zone ${zone} is not valid; use UTC, or hours such as +08:00`,
    ({ zone }) => `--zone ${zone} 无效；请用 UTC，或 +08:00 这样的时差`,
  ),
  'audit.marks': both(
    ({ mark }: { readonly mark: string }) => `--decimals ${mark} is not valid; use point or comma`,
    ({ mark }) => `--decimals ${mark} 无效；请用 point 或 comma`,
  ),
  'audit.decimals': both(
    ({ line, point, comma }: TwoAmounts) =>
      `line ${line}: the amount may be ${point} or ${comma}, and nothing else in the statement or the run tells which; use --decimals point for ${point}, --decimals comma for ${comma}`,
    ({ line, point, comma }) =>
      `账单第 ${line} 行：金额可能是 ${point} 或 ${comma}，账单和运行中都没有别的依据；${point} 请用 --decimals point，${comma} 请用 --decimals comma`,
  ),
  'audit.no-parquet': both(
    () => 'a statement in Parquet cannot be read; export it as CSV or as a workbook',
    () => '无法读取 Parquet 格式的账单；请导出为 CSV 或工作簿',
  ),
  'audit.same-run': both(
    ({ first, second }: { readonly first: string; readonly second: string }) =>
      `${first} and ${second} are the same run, or copies of it; name it once`,
    ({ first, second }) => `${first} 和 ${second} 是同一个运行或其副本；请只给一次`,
  ),
  'audit.no-by': both(
    ({ by, columns }: Columns & { readonly by: string }) =>
      `--by ${by}: the input has no such column; it has ${columns.en}`,
    ({ by, columns }) => `--by ${by}：输入中没有这一列；有 ${columns.zh}`,
  ),
  'audit.read': both(
    ({ file, count, taskCount, points }: ReadStatement) =>
      `${file}: ${counted(count, 'line')} of ${counted(taskCount, 'task')}, ${renderPoints(points)}`,
    ({ file, count, taskCount, points }) =>
      `${file}：${renderNumber(count)} 行，${renderNumber(taskCount)} 个任务，${renderNumber(points)} 积分`,
  ),
  'audit.period': both(
    ({ first, last }: { readonly first: string; readonly last: string }) =>
      `its times are ${first} to ${last}`,
    ({ first, last }) => `时间从 ${first} 到 ${last}`,
  ),
  'audit.local': both(
    () => 'its times without a zone are read as of this machine',
    () => '未注明时区的时间按本机时区读取',
  ),
  'audit.no-times': both(
    () =>
      'no times are known of it: what was charged last counts as ours only, and no task is proposed for uncertain rows; name the column with --map time=COLUMN',
    () =>
      '账单没有可读的时间：最近扣费的会算作仅我方有，也无法为待确认的行推荐任务；可用 --map time=列名 指明',
  ),
  'audit.no-zone': both(
    () =>
      'its times have no zone, and the matched tasks do not tell it: what was charged last counts as ours only, and no task is proposed for uncertain rows; name the zone, such as --zone UTC or --zone +08:00',
    () =>
      '账单的时间没有注明时区，一致的任务也无法说明：最近扣费的会算作仅我方有，也不为待确认的行推荐任务；请指明时区，例如 --zone UTC 或 --zone +08:00',
  ),
  'audit.other-zone': both(
    ({ zone }: { readonly zone: string }) =>
      `by the tasks that the run has too, its times are those of ${zone}, not of this machine: what was charged last counts as ours only, and no task is proposed for uncertain rows; add --zone ${zone}`,
    ({ zone }) =>
      `从运行中也有的任务看，账单的时间是 ${zone} 的，不是本机时区的：最近扣费的会算作仅我方有，也不为待确认的行推荐任务；请加上 --zone ${zone}`,
  ),
  'audit.spoiled': both(
    () =>
      'a spreadsheet made numbers of these ids, and their last digits are lost, so they match no task; export the statement again, and do not save it with a spreadsheet',
    () =>
      '表格软件把这些编号变成了数字，末尾的数位已丢失，因此无法对应任何任务；请重新导出账单，不要用表格软件另存',
  ),
  'audit.columns': both(
    ({ chosen }: { readonly chosen: string }) => `columns: ${chosen}`,
    ({ chosen }) => `所用的列：${chosen}`,
  ),
  'audit.guessed': both(
    ({ column, field }: { readonly column: string; readonly field: string }) =>
      `${column} is taken for ${field}, by its name; if it is another one, use --map ${field}=COLUMN`,
    ({ column, field }) => `按列名把 ${column} 当作 ${field}；若不对，请用 --map ${field}=列名`,
  ),
  'audit.others': both(
    ({ columns }: Columns) => `not compared, though it holds amounts: ${columns.en}`,
    ({ columns }) => `含有金额但未比对的列：${columns.zh}`,
  ),
  'audit.negative': both(
    () => 'its charges are written as negative numbers',
    () => '账单中的扣费写作负数',
  ),
  'audit.unnamed': both(
    ({ count }: { readonly count: number }) => `not compared: ${counted(count, 'line')} without a task id`,
    ({ count }) => `${renderNumber(count)} 行没有任务编号，未比对`,
  ),
  'audit.compared': both(
    ({ count, runs }: { readonly count: number; readonly runs: string }) =>
      `compared with ${counted(count, 'attempt')} of ${runs}`,
    ({ count, runs }) => `与 ${runs} 的 ${renderNumber(count)} 次尝试比对`,
  ),
  'audit.verdict': both(
    ({ outcome, count, ours, theirs }: Points & { readonly outcome: keyof typeof words }) =>
      `${words[outcome].en}: ${renderNumber(count)} (ours ${renderNumber(ours)}, theirs ${renderNumber(theirs)})`,
    ({ outcome, count, ours, theirs }) =>
      `${words[outcome].zh}：${renderNumber(count)}（我方 ${renderNumber(ours)}，账单 ${renderNumber(theirs)}）`,
  ),
  'audit.pair': both(
    ({ run, row, id, attempt, task, ours, line, theirs }: Booked & Billed) =>
      `${run} row ${row}, ${id}, attempt ${attempt}, task ${task}: ours ${unknown(ours)}, theirs ${unknown(theirs)} (line ${line})`,
    ({ run, row, id, attempt, task, ours, line, theirs }) =>
      `${run} 第 ${row} 行，${id}，第 ${attempt} 次尝试，任务 ${task}：我方 ${unknown(ours)}，账单 ${unknown(theirs)}（第 ${line} 行）`,
  ),
  'audit.ours': both(
    ({ run, row, id, attempt, task, ours }: Booked) =>
      `${run} row ${row}, ${id}, attempt ${attempt}, task ${task}: ours ${unknown(ours)}`,
    ({ run, row, id, attempt, task, ours }) =>
      `${run} 第 ${row} 行，${id}，第 ${attempt} 次尝试，任务 ${task}：我方 ${unknown(ours)}`,
  ),
  'audit.theirs': both(
    ({ task, line, theirs }: Task & Billed) => `line ${line}, task ${task}: theirs ${unknown(theirs)}`,
    ({ task, line, theirs }) => `账单第 ${line} 行，任务 ${task}：账单 ${unknown(theirs)}`,
  ),
  'audit.more': both(
    ({ count }: { readonly count: number }) => `and ${renderNumber(count)} more; --json names all of them`,
    ({ count }) => `另有 ${renderNumber(count)} 个；--json 列出全部`,
  ),
  'audit.sums': both(
    ({ what }: { readonly what: Words }) => `by ${what.en}:`,
    ({ what }) => `按${what.zh}：`,
  ),
  'audit.sum': both(
    ({ what, count, ours, theirs }: Points & { readonly what: Words }) =>
      `${what.en}: ${counted(count, 'task')}, ours ${renderNumber(ours)}, theirs ${renderNumber(theirs)}`,
    ({ what, count, ours, theirs }) =>
      `${what.zh}：${renderNumber(count)} 个任务，我方 ${renderNumber(ours)}，账单 ${renderNumber(theirs)}`,
  ),
  'audit.clean': both(
    ({ count, points }: { readonly count: number; readonly points: number }) =>
      `clean: ${counted(count, 'task')} matched, ${renderPoints(points)}, and no difference is left`,
    ({ count, points }) => `相符：${renderNumber(count)} 个任务一致，${renderNumber(points)} 积分，没有差异`,
  ),
  'audit.differs': both(
    ({ count }: { readonly count: number }) => `${counted(count, 'difference')} to look into`,
    ({ count }) => `有 ${renderNumber(count)} 处差异需要核查`,
  ),
  'audit.no-lines': both(
    () => 'the statement has no line with a task: nothing was compared',
    () => '账单中没有带任务编号的行：没有比对任何内容',
  ),
  'audit.no-match': both(
    () => 'no line of the statement matches: is it of another account, another time or another run?',
    () => '账单没有一行一致：是否属于别的账户、别的时间或别的运行？',
  ),
  'audit.proposed': both(
    ({ count, command }: { readonly count: number; readonly command: string | null }) =>
      `${counted(count, 'uncertain row')} may be of a task that is theirs only; ${command === null ? 'write them to a file with --to FILE' : `look through the table, then \`${command}\``}`,
    ({ count, command }) =>
      `${renderNumber(count)} 个待确认的行可能对应仅账单有的任务；${command === null ? '用 --to FILE 写入文件' : `请查看该表，然后运行 \`${command}\``}`,
  ),
  'audit.none-proposed': both(
    ({ path }: { readonly path: string }) =>
      `${path} was not written: no task that is theirs only fits one uncertain row alone`,
    ({ path }) => `没有写入 ${path}：仅账单有的任务中，没有一个只对应一个待确认的行`,
  ),
  'audit.proposal': both(
    ({ id, task }: Task & { readonly id: string }) => `${id}: task ${task}?`,
    ({ id, task }) => `${id}：任务 ${task}？`,
  ),
};

interface TwoAmounts {
  readonly line: number;
  readonly point: string;
  readonly comma: string;
}

interface ReadStatement {
  readonly file: string;
  /** Its lines. */
  readonly count: number;
  readonly taskCount: number;
  readonly points: number;
}
