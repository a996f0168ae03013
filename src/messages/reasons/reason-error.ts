import type { Message } from '../said.ts';

/** An error that is told as the reason in another message. */
export class ReasonError extends Error {
  readonly said: Message;
  constructor(said: Message, cause?: unknown) {
    super(said.text, { cause });
    this.said = said;
  }
}
