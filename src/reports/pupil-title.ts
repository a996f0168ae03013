/** Pure. What a video is called on the page of an export. */

import { splitFormulas, type TextPiece } from '../text/formulas.ts';

/** Characters of a question that stand for a title, and of a formula that begins it. */
const titleLength = 80;

/** The title of the service, else the start of the question, whose formulas stay whole; empty for a question without text. */
export function pupilTitle(title: string | null, question: string): string {
  const given = title?.trim() ?? '';
  return given === '' ? startOf(question) : given;
}

function startOf(question: string): string {
  let start = '';
  for (const piece of splitFormulas(question)) {
    const left = titleLength - start.length;
    const text = inTitle(piece);
    if (text === null || text.length > left) return `${cut(piece, start, left)}…`.replace(/^…$/, '');
    start += text;
  }
  return start.trim();
}

/** A table has no place in a title. */
function inTitle({ kind, text }: TextPiece): string | null {
  if (kind === 'table') return null;
  return kind === 'text' ? text.replace(/\s+/g, ' ') : `\\(${text.replace(/\s+/g, ' ')}\\)`;
}

/** What is left room for. Words are cut between two, where there are blanks near. */
function cut({ kind, text }: TextPiece, start: string, left: number): string {
  if (kind !== 'text') return start.trim();
  const letters = Array.from(text.replace(/\s+/g, ' ')).slice(0, left).join('');
  return (start + letters.replace(/(?<=.{20}) \S*$/, '')).trim();
}
