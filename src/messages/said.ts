/** What is to be said somewhere else: a message, in the language of its reader, or plain text. */

export interface Message {
  /** In the catalogue (`message.ts`); `several` for several sentences in one line. */
  readonly id: string;
  /** The arguments of its entry; of several sentences, the messages. */
  readonly values: readonly unknown[];
  /** In English. */
  readonly text: string;
}

/** What is only known in English is plain text. */
export type Said = string | Message;
