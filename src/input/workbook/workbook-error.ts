import type { Message } from '../../messages/message.ts';

/** Why a workbook cannot be read at all, in one line. */
export class WorkbookError extends Error {
  readonly said: Message;
  constructor(said: Message, cause?: unknown) {
    super(said.text, { cause });
    this.said = said;
  }
}
