/**
 * Loads the library that shows numbers as spreadsheets do. Of three libraries tried on a list
 * of formats it was nearest to Excel: it showed Chinese numerals as Arabic ones, and the others failed at more. It is loaded
 * with the first workbook.
 */

import { codeOf, UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { NumberLibrary } from './number-formats.ts';

/** Throws `UsageError` where the library is not installed. */
export async function loadNumberLibrary(): Promise<NumberLibrary> {
  try {
    const { format, isDateFormat } = await import('numfmt');
    return { format: (code, value) => format(code, value), isDate: isDateFormat };
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(message('refused.no-numfmt'), error);
  }
}
