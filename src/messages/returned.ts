/** What is said of the lines of a table that people send back. */

import { both, counted } from './both.ts';
import { renderNames, renderNumber } from './numbers.ts';

interface OfRow {
  readonly id: string;
}

interface OfTable {
  readonly table: string;
}

/** Ids that a spreadsheet has changed. */
interface Renamed {
  readonly count: number;
  /** The first ones. */
  readonly renamed: readonly { readonly was: string; readonly id: string }[];
}

export const returnedMessages = {
  'returned.other-run': both(
    ({ table }: OfTable) =>
      `${table} belongs to another run; nothing was done: name the folder (or store) of that run`,
    ({ table }) => `${table} 属于另一个运行；没有做任何事：请给出那个运行的文件夹（或存储）`,
  ),
  'returned.run-in': both(
    ({ table, folder }: OfTable & { readonly folder: string }) =>
      `${table} belongs to the run in ${folder}; nothing was done: name that folder`,
    ({ table, folder }) => `${table} 属于 ${folder} 中的运行；没有做任何事：请给出那个文件夹`,
  ),
  'returned.type': both(
    ({ table, folder, command }: OfTable & { readonly folder: string; readonly command: string }) =>
      `${table} belongs to the run in ${folder}; nothing was done: use \`${command}\``,
    ({ table, folder, command }) => `${table} 属于 ${folder} 中的运行；没有做任何事：请用 \`${command}\``,
  ),
  'returned.as-new': both(
    () => 'without its column "batch" the rows are new questions',
    () => '去掉“batch”列后，各行才算新题目',
  ),
  'returned.no-key': both(
    ({ key }: { readonly key: string }) =>
      `the column "batch" has ${key}, which is not the key of a row; take it from the table that batch wrote, or empty the cell to go by the id`,
    ({ key }) => `“batch”列中的 ${key} 不是行的标识；请从 batch 写出的表中取用，或清空该单元格，改按编号识别`,
  ),
  'returned.no-row': both(
    ({ id }: OfRow) =>
      `the run does not have the row of this key (id ${id}); use a table of this run, or empty the cell in the column "batch" to go by the id`,
    ({ id }) =>
      `运行中没有这个标识所指的行（编号 ${id}）；请用这个运行的表，或清空“batch”列的单元格，改按编号识别`,
  ),
  'returned.key-twice': both(
    ({ id, line }: OfRow & { readonly line: number }) =>
      `the row ${id} stands on line ${line} already, by its key in the column "batch"`,
    ({ id, line }) => `按“batch”列的标识，行 ${id} 已在第 ${line} 行出现`,
  ),
  'returned.stray-text': both(
    ({ id, other }: OfRow & { readonly other: string }) =>
      `the text is that of row ${other}, but the key is that of row ${id}; put the cells of each row on one line again, or empty the cell in the column "batch" to go by the id`,
    ({ id, other }) =>
      `文字是行 ${other} 的，标识却是行 ${id} 的；请把每行的单元格放回同一行，或清空“batch”列的单元格，改按编号识别`,
  ),
  'returned.same-number': both(
    ({ id, others }: OfRow & { readonly others: readonly string[] }) =>
      `the id ${id} may also be ${others.join(' or ')}, which a spreadsheet makes the same number; write the id as text, or use a table that still has its column "batch"`,
    ({ id, others }) =>
      `编号 ${id} 也可能是 ${others.join(' 或 ')}，电子表格会把它们当成同一个数；请把编号写成文本，或用仍有“batch”列的表`,
  ),
  'returned.other-status': both(
    ({ id, status }: OfRow & { readonly status: string }) =>
      `row ${id} is ${status}, so this line may be about another row; use a newer table that still has its column "batch"`,
    ({ id, status }) => `行 ${id} 的状态是 ${status}，这一行可能说的是另一行；请用较新的、仍有“batch”列的表`,
  ),
  'returned.other-text': both(
    ({ id }: OfRow) =>
      `row ${id} has another question than this line, so the line may be about another row; use a newer table that still has its column "batch"`,
    ({ id }) => `行 ${id} 的题目与这一行的不同，这一行可能说的是另一行；请用较新的、仍有“batch”列的表`,
  ),
  'returned.other-attempt': both(
    ({ table, ids }: OfTable & { readonly ids: readonly string[] }) =>
      `${table}: ${renderNames(ids)}: ${ids.length === 1 ? 'this row has' : 'these rows have'} an attempt that the table does not know; nothing was done for ${ids.length === 1 ? 'it' : 'them'}`,
    ({ table, ids }) => `${table}：${renderNames(ids)}：表中没有这些行现有的尝试；没有为它们做任何事`,
  ),
  'returned.none-as-seen': both(
    ({ table, ids }: OfTable & { readonly ids: readonly string[] }) =>
      `${table}: every line is about a text or an attempt that its row has left (${renderNames(ids)}); nothing was done: use a table that was written since`,
    ({ table, ids }) =>
      `${table}：每一行说的文字或尝试，所在的行都已不再有（${renderNames(ids)}）；没有做任何事：请用之后写出的表`,
  ),
  'returned.left-alone': both(
    ({ ids }: { readonly ids: readonly string[] }) =>
      `${counted(ids.length, 'line')} of a text or an attempt that the row has left, nothing is done for ${ids.length === 1 ? 'it' : 'them'}: ${renderNames(ids)}`,
    ({ ids }) => `${ids.length} 行的文字或尝试，所在的行都已不再有，不为它们做任何事：${renderNames(ids)}`,
  ),
  'returned.renamed': both(
    ({ count, renamed }: Renamed) =>
      `${counted(count, 'id')} ${count === 1 ? 'is' : 'are'} not as the run has them, and the rows are known by the column "batch": ${renamed.map(({ was, id }) => `${was} is ${id}`).join(', ')}${count > renamed.length ? ', ...' : ''}`,
    ({ count, renamed }) =>
      `${renderNumber(count)} 个编号与运行中的不同，各行按“batch”列识别：${renamed.map(({ was, id }) => `${was} 即 ${id}`).join('，')}${count > renamed.length ? '……' : ''}`,
  ),
};
