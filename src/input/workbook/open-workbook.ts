/** Opens a workbook: its sheets, and what all of them share. */

import type { OtherFile } from '../../messages/input/other-files.ts';
import { message } from '../../messages/message.ts';
import type { FileAccess } from '../../ports.ts';
import { type FindCellPicture, readCellPictures } from './cell-pictures.ts';
import { type CellStyles, readCellStyles } from './cell-styles.ts';
import { createMedia, type Media } from './media.ts';
import type { NumberLibrary } from './number-formats.ts';
import { type Relation, readPart, readRelations, relatedPart, requirePart } from './parts.ts';
import { readSharedTexts, type SharedTexts } from './texts.ts';
import { WorkbookError } from './workbook-error.ts';
import { openPackage, type Package, type Part } from './zip.ts';

/** A sheet with cells. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: Part;
}

export interface Workbook {
  readonly source: Package;
  readonly sheets: readonly Sheet[];
  readonly shared: SharedTexts;
  readonly styles: CellStyles;
  readonly pictureIn: FindCellPicture;
  readonly media: Media;
  /** It asks the program that opens it to calculate every formula: those that say 0 may never have been. */
  readonly isUncalculated: boolean;
}

/** Opens the package that is a workbook. Throws `WorkbookError` for another one. */
export async function openWorkbook(file: FileAccess, numbers: NumberLibrary): Promise<Workbook> {
  const source = await openPackage(file);
  const office = relatedPart(source, await readRelations(source, ''), 'officeDocument');
  if (office === null || !isWorkbook(source, office.name))
    throw new WorkbookError(message('workbook.other-file', { other: await otherPackage(source) }));
  const relations = await readRelations(source, office.name);
  const { sheets, is1904, isUncalculated } = await readSheets(source, office, relations);
  const styles = await readCellStyles(source, relatedPart(source, relations, 'styles'), {
    library: numbers,
    is1904,
  });
  return {
    source,
    sheets,
    shared: await readSharedTexts(source, relatedPart(source, relations, 'sharedStrings'), styles),
    styles,
    pictureIn: await readCellPictures(source, relations),
    media: createMedia(source),
    isUncalculated,
  };
}

async function readSheets(
  source: Package,
  office: Part,
  relations: ReadonlyMap<string, Relation>,
): Promise<Pick<Workbook, 'sheets' | 'isUncalculated'> & { readonly is1904: boolean }> {
  const sheets: Sheet[] = [];
  let is1904 = false;
  let isUncalculated = false;
  const isYes = (value: string | undefined): boolean => value === '1' || value === 'true';
  await readPart(source, office, {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = isYes(attributes.date1904);
      if (name === 'calcPr') isUncalculated = isYes(attributes.fullCalcOnLoad);
      if (name !== 'sheet') return;
      const relation = relations.get(attributes[':id'] ?? '');
      // Sheets of charts, dialogs and old macros have no rows of questions.
      if (relation?.type !== 'worksheet' || relation.isOutside) return;
      const isHidden = attributes.state === 'hidden' || attributes.state === 'veryHidden';
      sheets.push({ name: attributes.name ?? '', isHidden, part: requirePart(source, relation.target) });
    },
    close() {},
    text() {},
  });
  if (sheets.length === 0) throw new WorkbookError(message('workbook.no-cells'));
  return { sheets, is1904, isUncalculated };
}

function isWorkbook(source: Package, office: string): boolean {
  const isXml = /\.xml$/i.test(office);
  return isXml && source.names.some((name) => /^xl\//i.test(name)) && !/^(word|ppt)\//i.test(office);
}

/** What a package is that is not a workbook. */
async function otherPackage(source: Package): Promise<OtherFile> {
  const has = (name: RegExp): boolean => source.names.some((each) => name.test(each));
  const mimetype = source.part('mimetype');
  const type = mimetype === null ? '' : Buffer.from(await source.read(mimetype, 1_000)).toString('latin1');
  if (has(/^xl\/workbook\.bin$/i)) return 'xlsb';
  if (type.includes('opendocument.spreadsheet')) return 'ods';
  if (type.includes('opendocument')) return 'opendocument';
  if (has(/^word\//i)) return 'docx';
  if (has(/^ppt\//i)) return 'pptx';
  return has(/(^|\/)index\.zip$/i) || has(/^index\/.*\.iwa$/i) ? 'iwork' : 'zip';
}
