/** Recognizes texts that are no table by their first lines: their rows would be sent as something else. */

import type { OtherFile } from '../messages/input/other-files.ts';
import { isFieldName } from './columns/known-names.ts';

/** A text that is no table, and the line that shows it. */
interface OtherText {
  readonly other: OtherFile;
  readonly line: number;
}

/** A file that stands for another one, by its first bytes as text, whatever its name; null for none. */
export function pointerIn(head: string): OtherFile | null {
  if (head.startsWith('version https://git-lfs.github.com/spec/')) return 'lfs';
  if (/^\[InternetShortcut\]/i.test(head)) return 'shortcut';
  if (/^<\?xml[^>]*>\s*<!DOCTYPE plist[^>]*>[\s\S]{0,200}<key>URL<\/key>/i.test(head)) return 'shortcut';
  return isGoogleShortcut(head) ? 'google' : null;
}

const shortcutKeys = new Set(['', 'url', 'doc_id', 'email', 'resource_id', 'resource_key']);

/** What Google Drive leaves on a disk in place of a document: `{"doc_id": ...}` and nothing of the document itself. */
function isGoogleShortcut(head: string): boolean {
  if (!/^\s*\{[^{]*"(?:doc|resource)_id"/.test(head)) return false;
  try {
    return Object.keys(JSON.parse(head)).every((key) => shortcutKeys.has(key));
  } catch {
    return false;
  }
}

/** What a text is that is no table; null for one that may be. With a delimiter of the user's, lines of Markdown are rows. */
export function otherTextIn(start: string, delimiter: string | null): OtherText | null {
  const pointer = pointerIn(start);
  if (pointer !== null) return { other: pointer, line: 1 };
  const lines = start
    .split(/\r\n|[\r\n]/, searchedLines)
    .map((text, at) => ({ text, line: at + 1 }))
    .filter(({ text }) => text.trim() !== '');
  const bank = lines.find(({ text }) => /^"?NewQuestion"?[,;\t]\s*"?[A-Z]{1,3}"?\s*(?:[,;\t]|$)/.test(text));
  if (bank !== undefined) return { other: 'd2l', line: bank.line };
  return (delimiter === null ? markdownIn(lines) : null) ?? yamlIn(lines);
}

type Lines = readonly { readonly text: string; readonly line: number }[];

const searchedLines = 20;

const markdownLine = /^\s*(?:\|\s*:?-+:?\s*\||\|?\s*:?-+:?\s*\|\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?)\s*$/;

/** A line `|---|---|` below the names of columns, with nothing above them but titles. */
function markdownIn(lines: Lines): OtherText | null {
  const at = lines.findIndex(({ text }) => markdownLine.test(text));
  const names = lines[at - 1];
  if (names === undefined || !/^\s*[^"\s].*\||^\s*\|/.test(names.text)) return null;
  if (lines.slice(0, at - 1).some(({ text }) => /["|,;\t，]/.test(text))) return null;
  return { other: 'markdown', line: names.line };
}

const yamlEntry = /^\s*-\s+(["']?)([\p{L}_][\p{L}\w ]{0,30})\1:(?:\s|$)/u;
const yamlList = /^(["']?)[\p{L}_][\p{L}\w]{0,30}\1:\s*$/u;

/** A list of rows with the names of fields, or a name with a list below it. */
function yamlIn(lines: Lines): OtherText | null {
  const [first, second] = lines.filter(({ text }) => !/^(?:#|%YAML|---\s*$)/.test(text));
  if (first === undefined) return null;
  const isEntry = isFieldName(yamlEntry.exec(first.text)?.[2] ?? '');
  const isList = yamlList.test(first.text) && /^\s*-\s+\S/.test(second?.text ?? '');
  return isEntry || isList ? { other: 'yaml', line: first.line } : null;
}

const ankiKey =
  /^#(separator|html|tags|columns|notetype|deck|if matches|(?:notetype|deck|tags|guid) column):(.*)$/i;
const ankiSeparators: Readonly<Record<string, string>> = {
  tab: '\t',
  comma: ',',
  semicolon: ';',
  space: ' ',
  pipe: '|',
  colon: ':',
};

/** The head of an export of Anki, `#separator:tab`. */
interface AnkiHead {
  /** The text with the names of the columns as its header, on their line; null where the head does not name them. */
  readonly text: string | null;
  /** null where the head does not say it. */
  readonly delimiter: string | null;
}

/** Null for a text without such a head. */
export function ankiHeadOf(start: string): AnkiHead | null {
  if (!start.startsWith('#')) return null;
  let text = '';
  let rest = start;
  let delimiter: string | null = null;
  let isNamed = false;
  let isHead = false;
  for (;;) {
    const [, line = '', end = ''] = /^([^\r\n]*)(\r\n|[\r\n]|$)/.exec(rest) ?? [];
    const [, key, value = ''] = ankiKey.exec(line) ?? [];
    if (key === undefined) break;
    isHead = true;
    const name = key.toLowerCase();
    if (name === 'separator') delimiter = ankiSeparators[value.trim().toLowerCase()] ?? (value || null);
    if (name === 'columns') isNamed = true;
    text += `${name === 'columns' ? value : ''}${end}`;
    rest = rest.slice(line.length + end.length);
  }
  return isHead ? { text: isNamed ? text + rest : null, delimiter } : null;
}
