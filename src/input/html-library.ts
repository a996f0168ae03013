/** Loads the library that reads HTML as browsers do. It is loaded with `--html` only. */

import type { Parser } from 'htmlparser2';
import { codeOf, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';

/** What is used of it. */
export interface HtmlLibrary {
  readonly Parser: typeof Parser;
}

/** Throws `UsageError` where the library is not installed. */
export async function loadHtmlLibrary(): Promise<HtmlLibrary> {
  try {
    return await import('htmlparser2');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(message('refused.no-html'), error);
  }
}
