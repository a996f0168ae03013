/**
 * `failed.xlsx`, the twin of `failed.csv` for runs of workbooks: the same rows in the same columns, with their pictures,
 * to be mended in Excel or WPS and fed back.
 */

import { imageExtension } from '../files/file-kind.ts';
import { parseImage, unsendableReason } from '../files/image-source.ts';
import { cellMaxLength, defuse } from '../text/spreadsheet-text.ts';
import {
  columnList,
  frozenHeader,
  head,
  kind,
  names,
  office,
  relations,
  textFormat,
  xmlText,
  zipEnd,
  zipPart,
} from './workbook-parts.ts';

/** A cell of the table: a text, or the entries of a list of images. */
export type FailedCell = string | readonly string[];

/** The whole table in memory: `failed.csv` has all rows, this one up to so many. */
export const mostFailedRows = 10_000;

/** Where a picture stands: row and column from 0. */
interface Placed {
  readonly row: number;
  readonly column: number;
  readonly sha256: string;
}

/** Reads a picture that the run keeps; rejects where it is missing. */
type ReadPicture = (sha256: string) => Promise<Uint8Array>;

/**
 * The bytes of the workbook, one picture at a time; null where its rows cannot stand in a workbook. The first row names
 * the columns.
 */
export function renderFailedWorkbook(
  rows: readonly (readonly FailedCell[])[],
  readPicture: ReadPicture,
): AsyncIterable<Uint8Array> | null {
  const placed: Placed[] = [];
  const texts = rows.map((cells, row) =>
    cells.map((cell, column) => {
      if (typeof cell === 'string') return cell;
      const { pictures, entries } = splitImages(cell);
      for (const sha256 of pictures) placed.push({ row, column, sha256 });
      return entries.join('\n');
    }),
  );
  const isTooMuch =
    rows.length > mostFailedRows || texts.some((row) => row.some(({ length }) => length > cellMaxLength));
  return isTooMuch ? null : packageOf(texts, placed, readPicture);
}

/**
 * The pictures of a cell, and the entries of its text. A reader puts pictures before the text, so that one after an
 * address stays in the text, as `failed.csv` names it: images in another order would be another question, and paid for.
 */
function splitImages(cell: readonly string[]): {
  readonly pictures: readonly string[];
  readonly entries: readonly string[];
} {
  const images = cell.map((entry) => ({ entry, image: parseImage(entry, '/') }));
  const firstEntry = images.findIndex(({ image }) => image.kind !== 'kept');
  // The user removes what cannot be sent: no picture may go with it.
  const keepsOrder = firstEntry >= 0 && !cell.some((entry) => unsendableReason(entry) !== null);
  const split = { pictures: [] as string[], entries: [] as string[] };
  for (const [at, { entry, image }] of images.entries())
    if (image.kind === 'kept' && !(keepsOrder && at > firstEntry)) split.pictures.push(image.sha256);
    else split.entries.push(entry);
  return split;
}

async function* packageOf(
  rows: readonly (readonly string[])[],
  placed: readonly Placed[],
  readPicture: ReadPicture,
): AsyncGenerator<Uint8Array> {
  const entries: Buffer[] = [];
  let offset = 0;
  const part = (name: string, content: Uint8Array | string): Buffer => {
    const { local, entry } = zipPart(name, Buffer.from(content), offset);
    entries.push(entry);
    offset += local.length;
    return local;
  };
  const digests = [...new Set(placed.map(({ sha256 }) => sha256))];
  const media: string[] = [];
  for (const [at, sha256] of digests.entries())
    media.push(`image${at + 1}.${imageExtension(await readPicture(sha256)) ?? 'png'}`);
  yield part('[Content_Types].xml', contentTypes(media));
  yield part('_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']]));
  yield part(
    'xl/workbook.xml',
    `${head}<workbook ${names}><sheets><sheet name="failed" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  yield part(
    'xl/_rels/workbook.xml.rels',
    relations([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
  );
  yield part('xl/styles.xml', styles);
  yield part('xl/worksheets/sheet1.xml', sheetXml(rows, new Set(placed.map(({ row }) => row))));
  if (digests.length > 0) {
    yield part('xl/worksheets/_rels/sheet1.xml.rels', relations([['drawing', '../drawings/drawing1.xml']]));
    yield part('xl/drawings/drawing1.xml', drawingXml(placed, digests));
    yield part(
      'xl/drawings/_rels/drawing1.xml.rels',
      relations(media.map((name) => ['image', `../media/${name}`])),
    );
    for (const [at, sha256] of digests.entries())
      yield part(`xl/media/${media[at]}`, await readPicture(sha256));
  }
  yield zipEnd(entries, offset);
}

/** `media` are the names of the pictures, which end in their kinds. */
function contentTypes(media: readonly string[]): string {
  const endings = [...new Set(media.map((name) => name.slice(name.lastIndexOf('.') + 1)))];
  const images = endings.map(
    (ending) => `<Default Extension="${ending}" ContentType="image/${ending === 'jpg' ? 'jpeg' : ending}"/>`,
  );
  const drawing =
    media.length > 0
      ? `<Override PartName="/xl/drawings/drawing1.xml" ContentType="${kind}.drawing+xml"/>`
      : '';
  return `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${images.join('')}<Override PartName="/xl/workbook.xml" ContentType="${kind}.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kind}.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${kind}.spreadsheetml.styles+xml"/>${drawing}</Types>`;
}

/** Every cell is text. Some programs ignore the first style: cells have the second. */
const textStyle = `<xf numFmtId="${textFormat}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
const styles = `${head}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="${textFormat}" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2">${textStyle}${textStyle}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Index in `styles`. */
const textIndex = 1;

/** `drawn` are the rows with pictures, which are as high as these: none reaches into the next row. */
function sheetXml(rows: readonly (readonly string[])[], drawn: ReadonlySet<number>): string {
  const height = ` ht="${Math.ceil(pictureSize / 12_700)}" customHeight="1"`;
  const lines = rows.map(
    (cells, at) => `<row r="${at + 1}"${drawn.has(at) ? height : ''}>${cells.map(cellXml).join('')}</row>`,
  );
  const columns = columnList((rows[0] ?? []).map(() => ({ style: textIndex })));
  return `${head}<worksheet ${names}>${frozenHeader}${columns}<sheetData>${lines.join('')}</sheetData>${drawn.size > 0 ? '<drawing r:id="rId1"/>' : ''}</worksheet>`;
}

function cellXml(content: string): string {
  return content === ''
    ? `<c s="${textIndex}"/>`
    : `<c s="${textIndex}" t="inlineStr"><is><t xml:space="preserve">${xmlText(defuse(content))}</t></is></c>`;
}

/** About 2.5 by 2.5 cm, from the upper left corner of the cell; several in one cell side by side would leave it. */
const pictureSize = 900_000;

function drawingXml(placed: readonly Placed[], digests: readonly string[]): string {
  const anchors = placed.map(({ row, column, sha256 }, at) => {
    const picture = `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${at + 2}" name="Picture ${at + 1}"/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${digests.indexOf(sha256) + 1}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>`;
    return `<xdr:oneCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext cx="${pictureSize}" cy="${pictureSize}"/>${picture}<xdr:clientData/></xdr:oneCellAnchor>`;
  });
  return `${head}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${office}">${anchors.join('')}</xdr:wsDr>`;
}
