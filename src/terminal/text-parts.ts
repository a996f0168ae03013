/** Where a line of text may break. */

/** A part of a text that a line may begin with. */
export interface TextPart {
  readonly text: string;
  /** What precedes it in its line: a space, or nothing. */
  readonly gap: '' | ' ';
}

/** Chinese breaks after any letter, but not before what closes nor after what opens; all else breaks at spaces. */
const parts =
  /( *)([（“‘《「]*(?:[\u2e80-\u2fdf\u3040-\u9fff\uf900-\ufaff]|[^ \u2e80-\u9fff\uf900-\ufaff\uff01-\uff60]+)?[\u3001-\u3003\uff01-\uff07\uff09-\uff60”’》」…]*)/gu;

/** The parts of a text, in order. */
export function textParts(text: string): readonly TextPart[] {
  return Array.from(text.matchAll(parts), ([, gap = '', part = '']) => ({
    text: part,
    gap: gap === '' ? ('' as const) : (' ' as const),
  })).filter((part) => part.text !== '');
}
