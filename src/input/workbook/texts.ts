/** The texts of cells: plain, rich, and those that all sheets share. */

import { message } from '../../messages/message.ts';
import { fromSymbolFont, isSymbolFont } from './symbol-font.ts';
import { WorkbookError } from './workbook-error.ts';
import { type Attributes, readXml, type XmlEvents } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** A text of cells. */
export interface CellText {
  readonly text: string;
  /** True where it has raised or lowered letters. */
  readonly isRaised: boolean;
  /** True where it has letters in the font Symbol. */
  readonly isSymbol: boolean;
}

/** The text of one cell while its elements come. */
export interface TextBuilder extends XmlEvents {
  /** The text so far; the next one starts empty. */
  take(): CellText;
  /** The next text is that of a cell in the font Symbol, or of another one. */
  begin(isSymbolCell: boolean): void;
}

/** Excel's own limit is 32,767 characters. */
const textMaxLength = 4 * 1024 * 1024;

/**
 * Joins the runs of a rich text. Raised and lowered letters are written as in formulas, `x^2` and `H_2O`: without a
 * mark, `x` squared would be sent as `x2`. Runs that follow each other and are raised alike are one: programs begin
 * another where the font changes, as in `-1`. Reading aids above the text (`rPh`) are left out.
 */
export function createTextBuilder(): TextBuilder {
  let text = '';
  let isText = false;
  let aids = 0;
  let mark = '';
  let run = '';
  let isRaised = false;
  let isSymbol = false;
  let isSymbolCell = false;
  /** The font of the run; null: that of the cell. */
  let font: string | null = null;
  /** Raised or lowered letters to which the next run may belong. */
  let open = { mark: '', letters: '' };

  const written = (): string =>
    open.mark === '' || open.letters.trim() === '' ? open.letters : marked(open.mark, open.letters);
  const endRun = (): void => {
    const shown = (font === null ? isSymbolCell : isSymbolFont(font)) ? fromSymbolFont(run) : run;
    if (shown !== run) isSymbol = true;
    run = shown;
    font = null;
    if (open.mark !== mark) {
      text += written();
      open = { mark, letters: '' };
    }
    open.letters += run;
    if (mark !== '' && run.trim() !== '') isRaised = true;
    run = '';
    mark = '';
  };
  return {
    begin(isSymbolFirst) {
      isSymbolCell = isSymbolFirst;
    },
    open(name: string, { val }: Attributes) {
      if (name === 'rPh') aids += 1;
      else if (name === 't') isText = aids === 0;
      else if (name === 'rFont') font = val ?? null;
      else if (name === 'vertAlign') mark = val === 'superscript' ? '^' : val === 'subscript' ? '_' : '';
    },
    close(name) {
      if (name === 'rPh') aids -= 1;
      else if (name === 't') isText = false;
      else if (name === 'r') endRun();
    },
    text(piece) {
      if (!isText) return;
      run += piece;
      if (text.length + open.letters.length + run.length > textMaxLength)
        throw new WorkbookError(message('workbook.long-cell'));
    },
    take() {
      endRun();
      const taken = { text: withoutEscapes(text + written()), isRaised, isSymbol };
      text = '';
      open = { mark: '', letters: '' };
      isRaised = false;
      isSymbol = false;
      return taken;
    },
  };
}

/** One letter stands by itself; more are put in braces, as in LaTeX. */
function marked(mark: string, run: string): string {
  const letters = run.trim();
  const [before = '', after = ''] = run.split(letters);
  return `${before}${mark}${[...letters].length === 1 ? letters : `{${letters}}`}${after}`;
}

/** Excel writes control characters as `_x000D_`, and a `_` that looks like that as `_x005F_`. */
export function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The texts that cells refer to by number. */
export interface SharedTexts {
  /** The text as a cell shows it that is in the font Symbol, or in another one; null for none of this number. */
  get(index: number, isSymbolCell: boolean): CellText | null;
}

/** As many texts and bytes as a full sheet of questions needs. */
const sharedMaxBytes = 1024 * 1024 * 1024;
const sharedPartMaxBytes = 3 * sharedMaxBytes;
const blockBytes = 1024 * 1024;

/**
 * Reads the shared texts into blocks of UTF-8: as strings a hundred thousand questions would take several times as much
 * memory.
 */
export async function readSharedTexts(
  source: Package,
  part: Part | null,
  { hasSymbol }: { readonly hasSymbol: boolean },
): Promise<SharedTexts> {
  const blocks: Buffer[] = [];
  const places: { block: number[]; start: number[]; end: number[] } = { block: [], start: [], end: [] };
  const raised = new Set<number>();
  const symbol = new Set<number>();
  /** In a cell of the font Symbol: where some letters have a font of their own. */
  const inSymbolCell = new Map<number, CellText>();
  let used = blockBytes;
  let total = 0;
  const add = (text: string): void => {
    const bytes = Buffer.byteLength(text);
    total += bytes;
    if (total > sharedMaxBytes) throw new WorkbookError(message('workbook.long-texts'));
    if (used + bytes > (blocks.at(-1)?.length ?? 0)) {
      blocks.push(Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes)));
      used = 0;
    }
    blocks.at(-1)?.write(text, used);
    places.block.push(blocks.length - 1);
    places.start.push(used);
    used += bytes;
    places.end.push(used);
  };

  const builder = createTextBuilder();
  const symbolBuilder = hasSymbol ? createTextBuilder() : null;
  symbolBuilder?.begin(true);
  const endText = (): void => {
    const { text, isRaised, isSymbol } = builder.take();
    add(text);
    const index = places.block.length - 1;
    if (isRaised) raised.add(index);
    if (isSymbol) symbol.add(index);
    const other = symbolBuilder?.take();
    if (other !== undefined && other.text !== fromSymbolFont(text)) inSymbolCell.set(index, other);
  };
  if (part !== null) {
    await readXml(source.stream(part, sharedPartMaxBytes), part.name, {
      open(name, attributes) {
        builder.open(name, attributes);
        symbolBuilder?.open(name, attributes);
      },
      close(name) {
        builder.close(name);
        symbolBuilder?.close(name);
        if (name === 'si') endText();
      },
      text(piece) {
        builder.text(piece);
        symbolBuilder?.text(piece);
      },
    });
  }
  return {
    get(index, isSymbolCell) {
      const block = blocks[places.block[index] ?? -1];
      if (block === undefined) return null;
      const other = isSymbolCell ? inSymbolCell.get(index) : undefined;
      if (other !== undefined) return other;
      const text = block.toString('utf8', places.start[index], places.end[index]);
      const shown = isSymbolCell ? fromSymbolFont(text) : text;
      return { text: shown, isRaised: raised.has(index), isSymbol: shown !== text || symbol.has(index) };
    },
  };
}
