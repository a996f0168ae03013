/** Reads a LaTeX table, as exam questions have them. What it cannot read is for the reader to see as it is written. */

import { splitFormulas, type TextPiece } from './formulas.ts';

/** A table to be drawn. */
export interface LatexTable {
  readonly rows: readonly (readonly LatexCell[])[];
}

/** One cell with the lines around it. */
export interface LatexCell {
  readonly pieces: readonly TextPiece[];
  readonly align: Align;
  /** Columns it spans. */
  readonly span: number;
  readonly isLineBefore: boolean;
  readonly isLineAfter: boolean;
  readonly isLineAbove: boolean;
  readonly isLineBelow: boolean;
}

type Align = 'left' | 'center' | 'right';

interface Column {
  readonly align: Align;
  readonly isLineBefore: boolean;
  readonly isLineAfter: boolean;
}

/** A horizontal line, from one column to another (from 0, both included). */
interface Rule {
  readonly from: number;
  readonly to: number;
}

/** More would be no table that people read. */
const mostColumns = 60;
const mostCells = 2_000;

/** The table in an environment, from `\begin` to `\end`; null where it cannot be read. */
export function parseLatexTable(text: string): LatexTable | null {
  const [head = '', name = ''] = /^\\begin\{(tabular[*x]?|array)\}/.exec(text) ?? [];
  const foot = `\\end{${name}}`;
  if (head === '' || !text.endsWith(foot)) return null;
  const width = /^tabular[*x]$/.test(name) ? groupAt(text, head.length) : { content: '', end: head.length };
  const option = /\s*(?:\[[^\]]*\])?/y;
  option.lastIndex = width?.end ?? 0;
  option.exec(text);
  const spec = width === null ? null : groupAt(text, option.lastIndex);
  const columns = spec === null ? null : parseColumns(spec.content);
  if (spec === null || columns === null) return null;
  const lines = splitRows(text.slice(spec.end, -foot.length));
  if (lines.reduce((count, cells) => count + cells.length, 0) > mostCells) return null;
  return arrangeRows(lines, columns);
}

/** The content of the braces at this place, after blanks; null where there are none. */
function groupAt(text: string, start: number): { readonly content: string; readonly end: number } | null {
  const rest = text.slice(start);
  const at = start + rest.length - rest.trimStart().length;
  if (text[at] !== '{') return null;
  let depth = 0;
  for (let place = at; place < text.length; place++) {
    const letter = text[place];
    if (letter === '\\') place += 1;
    else if (letter === '{') depth += 1;
    else if (letter === '}') depth -= 1;
    if (depth === 0) return { content: text.slice(at + 1, place), end: place + 1 };
  }
  return null;
}

const alignOf: Readonly<Record<string, Align>> = { c: 'center', r: 'right' };

/** The columns of `|l|c|r|`; null where something in it is unknown. */
function parseColumns(spec: string): Column[] | null {
  const columns: Column[] = [];
  let isLine = false;
  let rest = spec.trim();
  while (rest !== '') {
    const letter = rest.charAt(0);
    rest = rest.slice(1).trimStart();
    const last = columns.at(-1);
    if (letter === '|') {
      if (last === undefined) isLine = true;
      else columns[columns.length - 1] = { ...last, isLineAfter: true };
    } else if (/[lcrXS]/.test(letter)) {
      columns.push({ align: alignOf[letter] ?? 'left', isLineBefore: isLine, isLineAfter: false });
      isLine = false;
    } else {
      const group = groupAt(rest, 0);
      if (group === null) return null;
      rest = rest.slice(group.end).trimStart();
      if (/[pmb]/.test(letter)) rest = `l${rest}`;
      else if (letter === '*') {
        const again = groupAt(rest, 0);
        const count = Number(group.content);
        if (again === null || !(count >= 1 && count <= mostColumns)) return null;
        rest = again.content.repeat(count) + rest.slice(again.end);
      } else if (!/[@!<>]/.test(letter)) return null;
    }
    if (columns.length > mostColumns || rest.length > mostCells) return null;
  }
  return columns.length === 0 ? null : columns;
}

const token = /\\begin\{|\\end\{|\\\\\*?(?:[^\S\n]*\[[^\]\n]*\])?|\\tabularnewline(?![a-zA-Z])|\\.|[{}&]/gs;

/** The cells of each row; what stands between braces, and in an environment, is of one cell. */
function splitRows(body: string): string[][] {
  const rows: string[][] = [[]];
  let depth = 0;
  let start = 0;
  const endCell = (at: number, next: number): void => {
    rows.at(-1)?.push(body.slice(start, at).trim());
    start = next;
  };
  for (const { 0: sign, index } of body.matchAll(token)) {
    // A brace of `\begin{` ends with its name, and the environment with that of `\end{`.
    if (sign === '{') depth += 1;
    else if (sign === '\\begin{') depth += 2;
    else if (sign === '}' || sign === '\\end{') depth -= sign === '}' ? 1 : 0;
    else if (depth > 0) continue;
    else if (sign === '&') endCell(index, index + 1);
    else if (/^\\(?:\\|tabularnewline)/.test(sign)) {
      endCell(index, index + sign.length);
      rows.push([]);
    }
  }
  endCell(body.length, body.length);
  return rows;
}

const ruleStart =
  /^(?:\\(?:hline|toprule|midrule|bottomrule)(?![a-zA-Z])(?:\s*\[[^\]]*\])?|\\(?:cline|cmidrule)\s*(?:\([^)]*\))?\s*\{\s*(\d+)\s*-\s*(\d+)\s*\})\s*/;

/** The lines above a row, and its first cell without them. */
function splitRules(cell: string): { readonly rules: readonly Rule[]; readonly rest: string } {
  const rules: Rule[] = [];
  let rest = cell;
  for (let found = ruleStart.exec(rest); found !== null; found = ruleStart.exec(rest)) {
    const [all, from, to] = found;
    rules.push(
      from === undefined ? { from: 0, to: mostCells } : { from: Number(from) - 1, to: Number(to) - 1 },
    );
    rest = rest.slice(all.length);
  }
  return { rules, rest };
}

function arrangeRows(lines: readonly (readonly string[])[], columns: readonly Column[]): LatexTable {
  const rows = lines.map(([first = '', ...others]) => {
    const { rules, rest } = splitRules(first);
    return { rules, cells: [rest, ...others] };
  });
  // After the last `\\` there are only lines.
  const end = rows.filter(({ cells }, at) => at === rows.length - 1 && cells.every((cell) => cell === ''));
  const shown = rows.slice(0, rows.length - end.length);
  const endRules = end.flatMap(({ rules }) => rules);
  return {
    rows: shown.map(({ rules, cells }, index) => {
      const below = index === shown.length - 1 ? endRules : [];
      let at = 0;
      return cells.map((cell) => {
        const made = cellAt(cell, at, columns);
        const isUnder = ({ from, to }: Rule): boolean => from <= at && at + made.span - 1 <= to;
        const lines = { isLineAbove: rules.some(isUnder), isLineBelow: below.some(isUnder) };
        at += made.span;
        return { ...made, ...lines };
      });
    }),
  };
}

/** Rows with more cells than columns continue with the last column. */
function cellAt(text: string, at: number, columns: readonly Column[]) {
  const spanned = parseSpan(text);
  const own = columns[Math.min(at, columns.length - 1)] as Column;
  const { column, span, content } = spanned ?? { column: own, span: 1, content: text };
  return { ...column, span, pieces: splitFormulas(withoutFrame(content)).map(cleaned) };
}

/** `\multicolumn{2}{|c|}{text}`. */
function parseSpan(text: string) {
  const command = '\\multicolumn';
  if (!text.startsWith(command)) return null;
  const count = groupAt(text, command.length);
  const spec = count === null ? null : groupAt(text, count.end);
  const content = spec === null ? null : groupAt(text, spec.end);
  const [column] = parseColumns(spec?.content ?? '') ?? [];
  const span = Number(count?.content);
  if (content === null || column === undefined || !(span >= 1 && span <= mostColumns)) return null;
  return { span: Math.floor(span), column, content: content.content + text.slice(content.end) };
}

/** Commands that only say how their last argument looks. */
const frame = /^\\(?:(?:textbf|textit|textrm|emph|mbox|text|makecell|multirow)(?![a-zA-Z]))/;

/** The text of a cell that is as a whole the argument of such commands. */
function withoutFrame(cell: string): string {
  const text = cell.trim();
  const [command] = frame.exec(text) ?? [];
  if (command === undefined) return text;
  // `\multirow{2}{*}{text}`, and without the braces of the star.
  const [skipped] = /^\\multirow\s*\{[^{}]*\}\s*(?:\{[^{}]*\}|\*)/.exec(text) ?? [command];
  const content = groupAt(text, skipped.length);
  return content?.end === text.length ? withoutFrame(content.content) : text;
}

/** Text outside formulas without the commands that LaTeX needs there. */
function cleaned(piece: TextPiece): TextPiece {
  if (piece.kind !== 'text') return piece;
  const text = piece.text
    .replace(/\\underline\{(?:\\hspace\*?\{[^{}]*\}|\\q?quad|[\s~])*\}/g, '______')
    .replace(/\\(?:textbf|textit|textrm|emph|mbox|text)\{([^{}\\]*)\}/g, '$1')
    .replace(
      /\\(?:centering|raggedright|bfseries|itshape|small|footnotesize|large|bf|it)(?![a-zA-Z])\s*/g,
      '',
    )
    .replace(/\\(?:q?quad(?![a-zA-Z])|hspace\*?\{[^{}]*\})/g, '  ')
    .replace(/(?:\\\\|\\newline(?![a-zA-Z]))\s*/g, '\n')
    .replace(/\\([%&_#{}])/g, '$1');
  return { kind: 'text', text };
}
