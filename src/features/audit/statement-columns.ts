/**
 * Pure. Which columns of an account's statement are the task, its points, and what else is compared. Nobody knows what the
 * page of an account calls them: a name that is nearly known is taken and said, two that are equally good are not.
 */

import { findColumn, quoteColumns } from '../../input/columns/columns.ts';
import { headerKey } from '../../input/columns/known-names.ts';
import { type Message, message } from '../../messages/message.ts';
import { shellOption } from '../../text/shell-word.ts';

/** What a line of a statement is read as, by the names that `--map` takes. */
export const statementFields = ['task_id', 'amount', 'time', 'question', 'kind'] as const;
type StatementField = (typeof statementFields)[number];

/** Field -> column, as far as it was chosen. */
export type StatementColumns = Readonly<Partial<Record<StatementField, string>>>;

/** The columns of one header. */
export interface ChosenColumns {
  readonly columns: StatementColumns;
  /** Columns with other amounts, which are not compared. */
  readonly others: readonly string[];
  /** Why task or amount cannot be told, each with what to type; none where both are known. */
  readonly problems: readonly Message[];
  /** The field of a guess: its name says something near. */
  readonly guessed: readonly StatementField[];
}

/** How well a header names a field: the lowest wins; from `guess` on it is said, and `noPoints` are never compared unasked. */
const guess = 2;
const noPoints = 4;

const taskWord = /task|任务|任務/;
const numberWord = /id|no|number|编号|編號|号|號/;
const pointsWord = /积分|積分|点数|點數|points?|credits?|score/;
const spentWord =
  /amount|cost|consum|charge|deduct|spent|spend|usage|消耗|扣费|扣費|扣除|扣减|扣点|消费|消費|花费|支出|用量/;
const currencyWord = /元|[¥￥$€£]|rmb|cny|usd|eur|yuan|人民币|人民幣/;
/** Some say so of points. */
const moneyWord = /currency|money|金额|金額|price|fee|费用|費用|价格/;
const standWord =
  /余额|餘額|剩余|结余|balance|remain|left|before|after|之前|之后|total|累计|合计|discount|优惠/;
const timeWord = /time|date|时间|時間|日期|(created|finish(ed)?|charged|ended|submitted)at/;
const beganWord = /creat|submit|创建|創建|提交|生成/;

type Rank = (key: string) => number | null;

const rankOfTask: Rank = (key) => {
  if (/^(task|gentask|videotask)(id|no|number)$|^任务(id|编号|号)$|^任務(id|編號|號)$/.test(key)) return 0;
  return taskWord.test(key) && numberWord.test(key) ? guess : null;
};

const rankOfAmount: Rank = (key) => {
  if (standWord.test(key)) return null;
  if (currencyWord.test(key)) return noPoints;
  const [isPoints, isSpent, isMoney] = [pointsWord, spentWord, moneyWord].map((word) => word.test(key));
  if (isPoints && !isMoney) return isSpent ? 0 : 1;
  if (isMoney) return 3;
  return isSpent ? guess : null;
};

const rankOfTime: Rank = (key) => {
  if (!timeWord.test(key)) return null;
  return beganWord.test(key) ? 0 : 1;
};

const rankOfQuestion: Rank = (key) => {
  if (/^(question|questiontext|题目|題目|题干|问题)$/.test(key)) return 0;
  return /^(content|text|内容|內容|题目内容|任务内容|prompt|提示词)$/.test(key) ? 1 : null;
};

const rankOfKind: Rank = (key) =>
  /^(type|kind|类型|類型|类别|(交易|业务|消费|变动|流水)类型)$/.test(key) ? 0 : null;

const ranks: Readonly<Record<StatementField, Rank>> = {
  task_id: rankOfTask,
  amount: rankOfAmount,
  time: rankOfTime,
  question: rankOfQuestion,
  kind: rankOfKind,
};

/** `given` is what `--map` says, field -> column. */
export function chooseColumns(columns: readonly string[], given: StatementColumns): ChosenColumns {
  const found: Partial<Record<StatementField, string>> = {};
  const problems: Message[] = [];
  const guessed: StatementField[] = [];
  for (const field of statementFields) {
    const wanted = given[field];
    if (wanted === undefined) continue;
    const column = findColumn(columns, wanted);
    if (column === undefined)
      problems.push(
        message('columns.no-column', { map: `${field}=${wanted}`, columns: quoteColumns(columns) }),
      );
    else found[field] = column;
  }
  const taken = new Set(Object.values(found));
  for (const field of statementFields) {
    if (given[field] !== undefined) continue;
    const named = ranked(columns, field).filter(({ column, rank }) => !taken.has(column) && rank < noPoints);
    const best = named.filter(({ rank }) => rank === named[0]?.rank);
    const isNeeded = field === 'task_id' || field === 'amount';
    const [first] = best;
    if (isNeeded && best.length !== 1) problems.push(unsure(field, columns, best));
    else if (first !== undefined) {
      found[field] = first.column;
      taken.add(first.column);
      if (isNeeded && first.rank >= guess) guessed.push(field);
    }
  }
  const others = ranked(columns, 'amount').map(({ column }) => column);
  return { columns: found, others: others.filter((column) => !taken.has(column)), problems, guessed };
}

/** True for a header with a task and an amount. */
export function isStatementHeader(columns: readonly string[], given: StatementColumns): boolean {
  return chooseColumns(columns, given).problems.length === 0;
}

/** How many fields a row would name: of rows that are no header, the one to complain about names most. */
export function namedCount(columns: readonly string[], given: StatementColumns): number {
  const named = statementFields.filter((field) => {
    const wanted = given[field];
    return wanted === undefined
      ? ranked(columns, field).length > 0
      : findColumn(columns, wanted) !== undefined;
  });
  return named.length;
}

function ranked(
  columns: readonly string[],
  field: StatementField,
): readonly { readonly column: string; readonly rank: number }[] {
  return columns
    .flatMap((column) => {
      const rank = ranks[field](headerKey(column));
      return rank === null ? [] : [{ column, rank }];
    })
    .sort((one, other) => one.rank - other.rank);
}

function unsure(
  field: 'task_id' | 'amount',
  columns: readonly string[],
  best: readonly { readonly column: string }[],
): Message {
  if (best.length === 0)
    return message(field === 'task_id' ? 'audit.no-task' : 'audit.no-amount', {
      columns: quoteColumns(columns),
      option: `--map ${field}=COLUMN`,
    });
  return message('audit.two-columns', {
    columns: quoteColumns(best.map(({ column }) => column)),
    field,
    options: best.map(({ column }) => shellOption('map', `${field}=${column}`)).join(', '),
  });
}
