/**
 * Makes workbooks with exactly the parts that a test wants. The pictures in cells are rebuilt from the published
 * structures of their programs.
 */

import { type ZipPart, zip } from './zip.ts';

/** A cell: a text (shared), a number with a style, or its XML. */
export type TestCell = string | number | { readonly xml: (place: string) => string } | null;

/** A row: its cells, or their texts with `|` between them, where an empty one is no cell; null leaves the row out. */
export type TestRow = string | readonly TestCell[] | null;

interface TestSheet {
  readonly name?: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** By row from the first. */
  readonly rows: readonly TestRow[];
  /** Rows (from 1) that are hidden. */
  readonly hidden?: readonly number[];
  /** In points, by row (from 1). */
  readonly heights?: Readonly<Record<number, number>>;
  /** Before the rows. */
  readonly head?: string;
  /** XML of the anchors, which name pictures as `rId1` and so on. */
  readonly anchors?: readonly string[];
  /** After the rows. */
  readonly tail?: string;
  readonly relations?: string;
}

export interface TestBook {
  readonly sheets: readonly TestSheet[];
  /** Codes of number formats: the styles 1, 2 and so on. */
  readonly formats?: readonly string[];
  /** Parts `xl/media/…`; anchors, cell pictures and rich values refer to them by place in this list, from 1. */
  readonly media?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Names of WPS's cell pictures, in the order of `media`. */
  readonly cellImages?: readonly string[];
  /** The year in the address of WPS's relation. */
  readonly wpsYear?: number;
  /** Pictures placed in cells, by place in `media`. */
  readonly placed?: readonly number[];
  readonly date1904?: boolean;
  /** The XML of how it is calculated. */
  readonly calculation?: string;
  readonly more?: readonly ZipPart[];
  /** Names the parts with backslashes, as some programs of Windows do. */
  readonly backslashes?: boolean;
  /** Leaves these parts out. */
  readonly without?: readonly string[];
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006/relationships';

export const pictures = {
  png: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  /** Another one, with these bytes at its end. */
  other: (mark: string): Buffer => Buffer.concat([pictures.png, Buffer.from(mark)]),
  emf: Buffer.concat([Buffer.from([1, 0, 0, 0]), Buffer.alloc(36), Buffer.from(' EMF'), Buffer.alloc(40)]),
};

/** A cell that shows a picture of WPS. */
export const dispimg = (name: string): TestCell => ({
  xml: (place) =>
    `<c r="${place}" t="str"><f>_xlfn.DISPIMG(&quot;${name}&quot;,1)</f><v>=DISPIMG(&quot;${name}&quot;,1)</v></c>`,
});

/** A cell with a picture placed in it. */
export const placedPicture = (number: number): TestCell => ({
  xml: (place) => `<c r="${place}" t="e" vm="${number}"><v>#VALUE!</v></c>`,
});

/** The corner of an anchor; `offset` is in EMU. */
export const corner = (name: 'from' | 'to', column: number, row: number, offset: number): string =>
  `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${offset}</xdr:rowOff></xdr:${name}>`;

/** A picture above the sheet; `relation` counts from 1, row and column from 0. */
export function anchor(
  relation: number,
  {
    row,
    column,
    offset = 0,
    toRow = row,
    toColumn = column + 1,
    toOffset = 100,
  }: {
    readonly row: number;
    readonly column: number;
    readonly offset?: number;
    readonly toRow?: number;
    readonly toColumn?: number;
    readonly toOffset?: number;
  },
  content = pictureXml(relation),
): string {
  return `<xdr:twoCellAnchor>${corner('from', column, row, offset)}${corner('to', toColumn, toRow, toOffset)}${content}<xdr:clientData/></xdr:twoCellAnchor>`;
}

/** One that has a size in place of an end; in EMU. */
export function sizedAnchor(
  relation: number,
  {
    row,
    column,
    offset = 0,
    width = 100,
    height,
  }: {
    readonly row: number;
    readonly column: number;
    readonly offset?: number;
    readonly width?: number;
    readonly height: number;
  },
  content = pictureXml(relation),
): string {
  return `<xdr:oneCellAnchor>${corner('from', column, row, offset)}<xdr:ext cx="${width}" cy="${height}"/>${content}<xdr:clientData/></xdr:oneCellAnchor>`;
}

export function pictureXml(relation: number, crop = ''): string {
  return `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${relation}" name="P${relation}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${relation}"/>${crop}<a:stretch/></xdr:blipFill><xdr:spPr/></xdr:pic>`;
}

export function workbook(book: TestBook): Buffer {
  const shared: string[] = [];
  const { media = [], formats = [] } = book;
  const parts: ZipPart[] = [
    { name: '[Content_Types].xml', content: `${head}<Types/>` },
    {
      name: '_rels/.rels',
      content: relations([[`${office}/officeDocument`, 'xl/workbook.xml']]),
    },
    {
      name: 'xl/workbook.xml',
      content: `${head}<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${book.date1904 ? ' date1904="1"' : ''}/><sheets>${book.sheets
        .map(
          ({ name, state }, at) =>
            `<sheet name="${escaped(name ?? `Sheet${at + 1}`)}" sheetId="${at + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${at + 1}"/>`,
        )
        .join('')}</sheets>${book.calculation ?? ''}</workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations([
        ...book.sheets.map((_, at): [string, string] => [
          `${office}/worksheet`,
          `worksheets/sheet${at + 1}.xml`,
        ]),
        [`${office}/sharedStrings`, 'sharedStrings.xml'],
        [`${office}/styles`, '/xl/styles.xml'],
        ...(book.cellImages === undefined
          ? []
          : [
              [`http://www.wps.cn/officeDocument/${book.wpsYear ?? 2020}/cellImage`, 'cellimages.xml'] as [
                string,
                string,
              ],
            ]),
        ...(book.placed === undefined
          ? []
          : ([
              [`${office}/sheetMetadata`, 'metadata.xml'],
              [
                'http://schemas.microsoft.com/office/2017/06/relationships/rdRichValue',
                'richData/rdrichvalue.xml',
              ],
              [
                'http://schemas.microsoft.com/office/2017/06/relationships/rdRichValueStructure',
                'richData/rdrichvaluestructure.xml',
              ],
              [
                'http://schemas.microsoft.com/office/2022/10/relationships/richValueRel',
                'richData/richValueRel.xml',
              ],
            ] as [string, string][])),
      ]),
    },
    ...book.sheets.flatMap((sheet, at) =>
      sheetParts(
        sheet,
        at + 1,
        shared,
        media.map(({ name }) => name),
      ),
    ),
    ...media.map(({ name, bytes }) => ({ name: `xl/media/${name}`, content: bytes, store: true })),
    ...wpsParts(book),
    ...placedParts(book),
    {
      name: 'xl/styles.xml',
      content: `${head}<styleSheet xmlns="${main}"><numFmts>${formats
        .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`)
        .join(
          '',
        )}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
        .map((_, at) => `<xf numFmtId="${164 + at}"/>`)
        .join('')}</cellXfs></styleSheet>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${head}<sst xmlns="${main}">${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
    ...(book.more ?? []),
  ];
  const replaced = new Set((book.more ?? []).map(({ name }) => name));
  const isFirst = (part: ZipPart, at: number): boolean =>
    !replaced.has(part.name) || at >= parts.length - replaced.size;
  const kept = parts.filter((part, at) => isFirst(part, at) && !(book.without ?? []).includes(part.name));
  return zip(
    book.backslashes ? kept.map((part) => ({ ...part, name: part.name.replaceAll('/', '\\') })) : kept,
  );
}

function sheetParts(sheet: TestSheet, number: number, shared: string[], media: readonly string[]): ZipPart[] {
  const rows = sheet.rows.map((row, at) => {
    if (row === null) return '';
    const cells = typeof row === 'string' ? row.split('|').map((text) => text || null) : row;
    const hidden = sheet.hidden?.includes(at + 1) ? ' hidden="1"' : '';
    const height = sheet.heights?.[at + 1];
    return `<row r="${at + 1}"${hidden}${height === undefined ? '' : ` ht="${height}"`}>${cells.map((cell, column) => cellXml(cell, `${letters(column)}${at + 1}`, shared)).join('')}</row>`;
  });
  const hasDrawing = sheet.anchors !== undefined;
  const links = `${hasDrawing ? relation(1, `${office}/drawing`, `../drawings/drawing${number}.xml`) : ''}${sheet.relations ?? ''}`;
  return [
    {
      name: `xl/worksheets/sheet${number}.xml`,
      content: `${head}<worksheet xmlns="${main}" xmlns:r="${office}">${sheet.head ?? ''}<sheetData>${rows.join('')}</sheetData>${sheet.tail ?? ''}${hasDrawing ? '<drawing r:id="rId1"/>' : ''}</worksheet>`,
    },
    ...(links === ''
      ? []
      : [
          {
            name: `xl/worksheets/_rels/sheet${number}.xml.rels`,
            content: `${head}<Relationships xmlns="${packages}">${links}</Relationships>`,
          },
        ]),
    ...(hasDrawing
      ? [
          {
            name: `xl/drawings/drawing${number}.xml`,
            content: `${head}<xdr:wsDr xmlns:xdr="d" xmlns:a="a" xmlns:r="${office}" xmlns:mc="mc" xmlns:m="m">${sheet.anchors?.join('')}</xdr:wsDr>`,
          },
          {
            name: `xl/drawings/_rels/drawing${number}.xml.rels`,
            content: relations(media.map((name) => [`${office}/image`, `../media/${name}`])),
          },
        ]
      : []),
  ];
}

function cellXml(cell: TestCell, place: string, shared: string[]): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell !== 'string') return cell.xml(place);
  shared.push(`<t xml:space="preserve">${escaped(cell)}</t>`);
  return `<c r="${place}" t="s"><v>${shared.length - 1}</v></c>`;
}

/** A number in a cell with the format of that place in `formats`, from 1. */
export const styled = (value: number, style: number): TestCell => ({
  xml: (place) => `<c r="${place}" s="${style}"><v>${value}</v></c>`,
});

/** A text that is in the cell itself; XML of runs or of a `t`. */
export const inline = (content: string): TestCell => ({
  xml: (place) => `<c r="${place}" t="inlineStr"><is>${content}</is></c>`,
});

function wpsParts({ cellImages, media = [] }: TestBook): ZipPart[] {
  if (cellImages === undefined) return [];
  const images = cellImages.map(
    (name, at) =>
      `<etc:cellImage><xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${at + 2}" name="${name}"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${at + 1}"/></xdr:blipFill></xdr:pic></etc:cellImage>`,
  );
  return [
    {
      name: 'xl/cellimages.xml',
      content: `${head}<etc:cellImages xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" xmlns:xdr="d" xmlns:a="a" xmlns:r="${office}">${images.join('')}</etc:cellImages>`,
    },
    {
      name: 'xl/_rels/cellimages.xml.rels',
      content: relations(media.map(({ name }) => [`${office}/image`, `media/${name}`])),
    },
  ];
}

function placedParts({ placed, media = [] }: TestBook): ZipPart[] {
  if (placed === undefined) return [];
  const counts = placed.map((_, at) => at);
  return [
    {
      name: 'xl/metadata.xml',
      content: `${head}<metadata xmlns="${main}" xmlns:xlrd="x"><metadataTypes count="1"><metadataType name="XLRICHVALUE"/></metadataTypes><futureMetadata name="XLRICHVALUE" count="${placed.length}">${counts
        .map(
          (at) =>
            `<bk><extLst><ext uri="{3e2802c4-a4d2-4d8b-9148-e3be6c30e623}"><xlrd:rvb i="${at}"/></ext></extLst></bk>`,
        )
        .join('')}</futureMetadata><valueMetadata count="${placed.length}">${counts
        .map((at) => `<bk><rc t="1" v="${at}"/></bk>`)
        .join('')}</valueMetadata></metadata>`,
    },
    {
      name: 'xl/richData/rdrichvaluestructure.xml',
      content: `${head}<rvStructures xmlns="r" count="1"><s t="_localImage"><k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/></s></rvStructures>`,
    },
    {
      name: 'xl/richData/rdrichvalue.xml',
      content: `${head}<rvData xmlns="r">${counts.map((at) => `<rv s="0"><v>${at}</v><v>5</v></rv>`).join('')}</rvData>`,
    },
    {
      name: 'xl/richData/richValueRel.xml',
      content: `${head}<richValueRels xmlns="r" xmlns:r="${office}">${placed.map((at) => `<rel r:id="rId${at}"/>`).join('')}</richValueRels>`,
    },
    {
      name: 'xl/richData/_rels/richValueRel.xml.rels',
      content: relations(media.map(({ name }) => [`${office}/image`, `../media/${name}`])),
    },
  ];
}

function relations(list: readonly (readonly [type: string, target: string])[]): string {
  return `${head}<Relationships xmlns="${packages}">${list.map(([type, target], at) => relation(at + 1, type, target)).join('')}</Relationships>`;
}

function relation(number: number, type: string, target: string): string {
  return `<Relationship Id="rId${number}" Type="${type}" Target="${target}"/>`;
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
