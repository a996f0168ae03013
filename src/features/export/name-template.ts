/** Pure. `--name`: how an exported file is named after its row. Reads the template; `export-name.ts` fills it in. */

import { type Message, message } from '../../messages/message.ts';
import { nearWord } from '../../text/near-word.ts';

/** What a placeholder may stand for besides the columns of the input. */
const factNames = ['id', 'row', 'title', 'quality', 'attempt'] as const;
export type FactName = (typeof factNames)[number];

/** One piece of a template: text as written, or the place of a value. */
export type NamePiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fact'; readonly name: FactName }
  | { readonly kind: 'column'; readonly name: string };

/** The folders of a name, then the name itself, each of pieces. */
export type NameTemplate = readonly (readonly NamePiece[])[];

/** A template, or why it is none. */
export type ParsedTemplate =
  | { readonly template: NameTemplate; readonly failure: null; readonly unknown: null }
  | { readonly template: null; readonly failure: Message; readonly unknown: string | null };

/** Deeper paths are too long for Windows. */
const mostFolders = 4;

/**
 * `{chapter}/{id} {title}`: folders end with `/`, and `{input.title}` is the column where a column has the name of a fact.
 * `{{` and `}}` are braces. `unknown` is the first placeholder that is neither a fact nor one of these columns.
 */
export function parseNameTemplate(text: string, columns: readonly string[]): ParsedTemplate {
  const segments: NamePiece[][] = [[]];
  for (const [token] of text.matchAll(/\{\{|\}\}|\{[^}]*\}|[^{}/]+|./gsu)) {
    const last = segments.at(-1) as NamePiece[];
    if (token === '/') segments.push([]);
    else if (token === '{{' || token === '}}') last.push({ kind: 'text', text: token.charAt(0) });
    else if (token === '{' || token === '}') return refusal(message('template.brace'));
    else if (token.startsWith('{')) {
      const name = token.slice(1, -1);
      const piece = placeholder(name, columns);
      if (piece === null) return unknownName(name, columns);
      last.push(piece);
    } else last.push({ kind: 'text', text: token });
  }
  const failure = whyUnusable(segments);
  return failure === null ? { template: segments, failure, unknown: null } : refusal(failure);
}

function placeholder(name: string, columns: readonly string[]): NamePiece | null {
  const fact = factNames.find((each) => each === name);
  if (fact !== undefined) return { kind: 'fact', name: fact };
  const wanted = name.startsWith('input.') ? name.slice('input.'.length) : name;
  const column = columns.find((each) => each === name) ?? findColumn(wanted, columns);
  return column === undefined ? null : { kind: 'column', name: column };
}

/** The column with this name, else one whose name is written otherwise. */
export function findColumn(name: string, columns: readonly string[]): string | undefined {
  return columns.find((each) => each === name) ?? columns.find((each) => folded(each) === folded(name));
}

/** Headers are often typed with other capitals or spaces. */
function folded(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

function whyUnusable(segments: NameTemplate): Message | null {
  if (segments.some((pieces) => pieces.length === 0)) return message('template.slash');
  const texts = segments.map((pieces) => pieces.map((piece) => (piece.kind === 'text' ? piece.text : 'x')));
  if (texts.some((pieces) => /^\.+$/.test(pieces.join('')))) return message('template.dots');
  if (texts.flat().some((piece) => piece.includes('\\'))) return message('template.backslash');
  if (segments.length > mostFolders + 1) return message('template.folders', { most: mostFolders });
  const isFixed = segments.flat().every(({ kind }) => kind === 'text');
  return isFixed ? message('template.fixed') : null;
}

function unknownName(name: string, columns: readonly string[]): ParsedTemplate {
  const known = [...factNames, ...columns];
  const near = nearWord(name, known);
  const said = { placeholder: `{${name}}`, names: factNames.join(', '), known: columns.join(', ') };
  const failure =
    near === null ? message('template.unknown', said) : message('template.near', { ...said, near });
  return { template: null, failure, unknown: name };
}

function refusal(failure: Message): ParsedTemplate {
  return { template: null, failure, unknown: null };
}
