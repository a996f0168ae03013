/** The parts of a workbook as bytes: what all workbooks that are written share. */

import { constants, crc32, deflateRawSync } from 'node:zlib';

export const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** The names of a sheet or workbook. */
export const names = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"`;
export const kind = 'application/vnd.openxmlformats-officedocument';

/** The first row stays in view. */
export const frozenHeader =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** The number format of texts, `@`: what is typed into such a cell, `2/3`, `1.10` or `007`, stays as it is typed. */
export const textFormat = 49;

/** How a column looks, its empty cells included. */
export interface ColumnLook {
  /** Index of a style. */
  readonly style: number;
  /** In characters; the usual one where absent. */
  readonly width?: number | undefined;
}

/** The usual width, which a program may not know where a column has none. */
const usualWidth = 9.140625;

/** The columns of a sheet, which stand before its rows. */
export function columnList(columns: readonly ColumnLook[]): string {
  const list = columns.map(
    ({ style, width }, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${width ?? usualWidth}" style="${style}"${width === undefined ? '' : ' customWidth="1"'}/>`,
  );
  return `<cols>${list.join('')}</cols>`;
}

/** Links to other parts, or with `External` to files and pages; `rId1` and so on, in this order. */
export function relations(
  list: readonly (readonly [type: string, target: string, mode?: 'External'])[],
): string {
  const links = list.map(
    ([type, target, mode], at) =>
      `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"${mode === undefined ? '' : ` TargetMode="${mode}"`}/>`,
  );
  return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links.join('')}</Relationships>`;
}

/** Control characters as `_x000D_`, and texts that look like that as `_x005F_…`: the reader undoes both. */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (letter) => `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A part as it stands in the package, and its entry in the list at the end. Pictures are packed already. */
export function zipPart(
  name: string,
  bytes: Buffer,
  offset: number,
): { readonly local: Buffer; readonly entry: Buffer } {
  const isPicture = name.startsWith('xl/media/');
  const packed = isPicture ? bytes : deflateRawSync(bytes);
  const facts = { crc: crc32(bytes), packedBytes: packed.length, sizeBytes: bytes.length };
  const shared = sharedHeader(name, isPicture ? 'stored' : 'deflated', facts);
  return {
    local: Buffer.concat([localMark, shared, Buffer.from(name), packed]),
    entry: entryOf(name, shared, offset),
  };
}

const localMark = Buffer.from([0x50, 0x4b, 3, 4]);

interface PartFacts {
  readonly crc: number;
  readonly packedBytes: number;
  readonly sizeBytes: number;
}

const unknownFacts: PartFacts = { crc: 0, packedBytes: 0, sizeBytes: 0 };

/** What the header of a part and its entry in the list have in common. */
function sharedHeader(
  name: string,
  way: 'stored' | 'deflated' | 'streamed',
  { crc, packedBytes, sizeBytes }: PartFacts,
): Buffer {
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  // The facts of a part that is streamed stand behind it.
  shared.writeUInt16LE(way === 'streamed' ? 8 : 0, 2);
  shared.writeUInt16LE(way === 'stored' ? 0 : 8, 4);
  // 1980-01-01, the first day of the format: the same rows make the same file.
  shared.writeUInt16LE(0x21, 8);
  shared.writeUInt32LE(crc, 10);
  shared.writeUInt32LE(packedBytes, 14);
  shared.writeUInt32LE(sizeBytes, 18);
  shared.writeUInt16LE(Buffer.byteLength(name), 22);
  return shared;
}

function entryOf(name: string, shared: Buffer, offset: number): Buffer {
  const start = Buffer.alloc(46);
  start.writeUInt32LE(0x02014b50, 0);
  shared.copy(start, 6);
  start.writeUInt32LE(offset, 42);
  return Buffer.concat([start, Buffer.from(name)]);
}

/** A part that is written piece by piece; each method returns the bytes that follow in the package. */
export class StreamedPart {
  readonly #name: string;
  readonly #offset: number;
  #facts = unknownFacts;

  constructor(name: string, offset: number) {
    this.#name = name;
    this.#offset = offset;
  }

  /** Bytes of the part so far, unpacked. */
  get sizeBytes(): number {
    return this.#facts.sizeBytes;
  }

  start(): Buffer {
    return Buffer.concat([
      localMark,
      sharedHeader(this.#name, 'streamed', unknownFacts),
      Buffer.from(this.#name),
    ]);
  }

  /** Each piece is packed by itself: a flush ends it at a whole byte, and the next one continues from there. */
  piece(text: string): Buffer {
    return this.#pack(Buffer.from(text), constants.Z_SYNC_FLUSH);
  }

  /** The last bytes, and the entry in the list at the end. */
  end(): { readonly bytes: Buffer; readonly entry: Buffer } {
    const last = this.#pack(Buffer.alloc(0), constants.Z_FINISH);
    const shared = sharedHeader(this.#name, 'streamed', this.#facts);
    const descriptor = Buffer.concat([Buffer.from([0x50, 0x4b, 7, 8]), shared.subarray(10, 22)]);
    return { bytes: Buffer.concat([last, descriptor]), entry: entryOf(this.#name, shared, this.#offset) };
  }

  #pack(bytes: Buffer, finishFlush: number): Buffer {
    const packed = deflateRawSync(bytes, { finishFlush, level: constants.Z_BEST_SPEED });
    const { crc, packedBytes, sizeBytes } = this.#facts;
    this.#facts = {
      crc: crc32(bytes, crc),
      packedBytes: packedBytes + packed.length,
      sizeBytes: sizeBytes + bytes.length,
    };
    return packed;
  }
}

/** Ends every package that the program writes; programs that save it anew leave it out. */
const ownComment = Buffer.from('batch');

/** True for a package that ends with these bytes and is as the program wrote it. */
export function isOwnPackage(tail: Uint8Array): boolean {
  return ownComment.equals(tail.subarray(-ownComment.length));
}

/** The list of parts that ends a package; `offset` is where it stands. */
export function zipEnd(entries: readonly Buffer[], offset: number): Buffer {
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(ownComment.length, 20);
  return Buffer.concat([list, end, ownComment]);
}
