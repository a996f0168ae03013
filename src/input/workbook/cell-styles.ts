/** The styles of cells: how they show values. */

import { codeOf, createShow, type NumberLibrary } from './number-formats.ts';
import { readPart } from './parts.ts';
import { isSymbolFont } from './symbol-font.ts';
import type { Attributes } from './xml.ts';
import type { Package, Part } from './zip.ts';

/** The styles of a workbook's cells, by their numbers. */
export interface CellStyles {
  /** The number as a cell with this style shows it. */
  readonly number: (value: number, style: number) => string;
  readonly text: (text: string, style: number) => string;
  /** True for cells in the font Symbol. */
  readonly isSymbol: (style: number) => boolean;
  /** True where any cell may be. */
  readonly hasSymbol: boolean;
}

/** A style of cells: numbers of a format and of a font. */
interface Style {
  readonly format: number;
  readonly font: number;
}

const codeMaxLength = 1_000;

/** Reads the styles. `is1904`: dates count from 1904. */
export async function readCellStyles(
  source: Package,
  part: Part | null,
  { library, is1904 }: { readonly library: NumberLibrary; readonly is1904: boolean },
): Promise<CellStyles> {
  const codes = new Map<number, string>();
  const styles: Style[] = [];
  const symbolFonts = new Set<number>();
  let fontCount = 0;
  let section = '';
  if (part !== null) {
    await readPart(source, part, {
      open(name, attributes: Attributes) {
        if (name === 'cellXfs' || name === 'fonts') section = name;
        else if (name === 'xf' && section === 'cellXfs')
          styles.push({ format: Number(attributes.numFmtId ?? 0), font: Number(attributes.fontId ?? 0) });
        else if (name === 'font' && section === 'fonts') fontCount += 1;
        else if (name === 'name' && section === 'fonts' && isSymbolFont(attributes.val ?? ''))
          symbolFonts.add(fontCount - 1);
        else if (name === 'numFmt')
          codes.set(Number(attributes.numFmtId), (attributes.formatCode ?? '').slice(0, codeMaxLength));
      },
      close(name) {
        if (name === section) section = '';
      },
      text() {},
    });
  }
  const shows = styles.map(({ format }) => createShow(codeOf(format, codes), library, is1904));
  const plain = createShow(null, library, is1904);
  return {
    number: (value, style) => (shows[style] ?? plain).number(value),
    text: (text, style) => (shows[style] ?? plain).text(text),
    isSymbol: (style) => symbolFonts.has(styles[style]?.font ?? -1),
    hasSymbol: styles.some(({ font }) => symbolFonts.has(font)),
  };
}
