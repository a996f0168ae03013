/** Loads the library that reads Parquet, with the first such file. */

import { codeOf, saidOf, UsageError } from '../../errors.ts';
import { inEnglish, type Message, message } from '../../messages/message.ts';

/** The functions of the library that are used here. */
export type ParquetLibrary = Pick<
  typeof import('hyparquet'),
  'parquetMetadataAsync' | 'parquetReadObjects' | 'parquetSchema'
>;

/** Throws `UsageError` where the library is not installed. */
export async function loadParquetLibrary(): Promise<ParquetLibrary> {
  try {
    return await import('hyparquet');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(message('refused.no-parquet'), error);
  }
}

/** What is said of a file that the library, or the thread that reads with it, failed at. */
export function damagedParquet(error: unknown): Message {
  const said = saidOf(error);
  const [line = ''] = inEnglish(said).split('\n');
  return message('parquet.damaged', { detail: typeof said === 'string' ? line : said });
}
