/** Tells workbooks and Parquet files from text, and says of other files what they are. */

import { stat } from 'node:fs/promises';
import type { Options } from '../../app/options/options.ts';
import { standardInput } from '../../app/options/standard-input.ts';
import { InputError, problemOf } from '../../errors.ts';
import { pointerIn } from '../../input/other-texts.ts';
import type { TableFile } from '../../input/read-questions.ts';
import type { Media } from '../../input/workbook/media.ts';
import type { WorkbookReader } from '../../input/workbook/read-workbook.ts';
import type { OtherFile } from '../../messages/input/other-files.ts';
import { message } from '../../messages/message.ts';
import { type LocalFileAccess, localFileAccess } from '../../outputs/local-file-access.ts';

/** A table that is not text. Disposing it closes the file; what is read later opens it again. */
export interface InputTable extends TableFile, AsyncDisposable {
  /** The pictures in its cells; null where there are none. */
  media(): Media | null;
}

const oldOffice = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Office writes the name of the encrypted part in the first sectors of its list, which may be anywhere. */
const encryptedName = Buffer.from('EncryptedPackage', 'utf16le');
const searchedBytes = 64 * 1024 * 1024;

/** A file that stands for another one is smaller. */
const pointerBytes = 4096;

/** By the ending of its name: what is not text, though its bytes are. */
const endings: Readonly<Record<string, OtherFile>> = {
  xlsx: 'no-xlsx',
  xlsm: 'no-xlsx',
  xls: 'no-xls',
  pdf: 'pdf',
  parquet: 'no-parquet',
  docx: 'no-docx',
  numbers: 'numbers',
};

/** Opens the file as a table; null for text. Throws `InputError` for a file of another kind. */
export async function openTable(
  file: string,
  { format, sheet, 'header-row': headerRow }: Options,
): Promise<InputTable | null> {
  if (file === standardInput || format === 'csv' || format === 'jsonl') return null;
  const { size } = await stat(file);
  const access = localFileAccess(file, size);
  try {
    const start = Buffer.from(await access.read(0, pointerBytes));
    const pointer = pointerIn(start.toString());
    if (pointer !== null) throw otherFile(file, pointer);
    const head = start.subarray(0, 8);
    const isPackage = head.toString('latin1', 0, 2) === 'PK' && (head[2] ?? 0) < 9;
    if (format === 'xlsx' || isPackage)
      return await openWorkbookFile(access, { sheet: sheet ?? null, headerRow: headerRow ?? null });
    if (format === 'parquet' || head.toString('latin1', 0, 4) === 'PAR1')
      return await openParquetFile(file, access);
    const [, ending = ''] = /\.([a-z0-9]+)$/i.exec(file) ?? [];
    const other = head.equals(oldOffice) ? await oldOfficeKind(file, access) : endings[ending.toLowerCase()];
    if (other !== undefined) throw otherFile(file, other);
    await access.close();
    return null;
  } catch (error) {
    await access.close();
    throw error;
  }
}

function otherFile(file: string, other: OtherFile): InputError {
  return new InputError(file, [problemOf(null, message('workbook.other-file', { other }))]);
}

async function openWorkbookFile(
  access: LocalFileAccess,
  choice: { readonly sheet: string | null; readonly headerRow: number | null },
): Promise<InputTable> {
  const { readWorkbook } = await import('../../input/workbook/read-workbook.ts');
  const { loadNumberLibrary } = await import('../../input/workbook/number-library.ts');
  const numbers = await loadNumberLibrary();
  let reader: WorkbookReader | null = null;
  return {
    format: 'xlsx',
    open(overrides, problems) {
      reader = readWorkbook(access, { ...choice, overrides, problems, numbers });
      return reader;
    },
    media: () => reader?.media() ?? null,
    [Symbol.asyncDispose]: () => access.close(),
  };
}

async function openParquetFile(file: string, access: LocalFileAccess): Promise<InputTable> {
  const { loadParquetLibrary } = await import('../../input/parquet/parquet-library.ts');
  const { readParquetFile } = await import('./parquet-thread.ts');
  // Its thread loads it again; whether it is there is better known before.
  await loadParquetLibrary();
  const { sizeBytes } = access;
  return {
    format: 'parquet',
    open: (overrides, problems) => readParquetFile({ file, sizeBytes, overrides, problems }),
    media: () => null,
    [Symbol.asyncDispose]: () => access.close(),
  };
}

/** Files of Office before 2007, of WPS, and encrypted workbooks share one container. */
async function oldOfficeKind(file: string, access: LocalFileAccess): Promise<OtherFile> {
  if (await contains(access, encryptedName)) return 'encrypted';
  if (/\.et$/i.test(file)) return 'et';
  return /\.(doc|wps)$/i.test(file) ? 'doc' : 'office';
}

async function contains(access: LocalFileAccess, text: Buffer): Promise<boolean> {
  const step = 1024 * 1024;
  for (let at = 0; at < Math.min(access.sizeBytes, searchedBytes); at += step) {
    const bytes = await access.read(at, step + text.length);
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text)) return true;
  }
  return false;
}
