/** Whom a run reports to outside of its process: programs, commands, a page. */

/** Receives lines for a program that reads them. */
export interface LineSink {
  /** `lines` are whole, each with its end. Rejects when not all of them arrived; those that did are whole. */
  write(lines: string): Promise<void>;
  close(): Promise<void>;
}

/** A dead man's switch. */
export interface Ping {
  /** Sends one signal, `start` or an exit code, with a text for people. Rejects when it was not accepted; no message contains the address. */
  send(signal: string, body: string): Promise<void>;
}

/** A command of the user. */
export interface HookCommand {
  /**
   * Runs it to its end, and ends whatever it started and left behind. Never rejects. `input` is its standard input. At the
   * deadline, or when the signal aborts, all of it is ended.
   */
  run(call: HookInput, signal: AbortSignal): Promise<HookEnd>;
}

export interface HookInput {
  readonly input: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** How a call of a command ended. */
export interface HookEnd {
  /** Why it counts as failed; null where it did its work. */
  readonly failure: string | null;
  /** The beginning and the end of what it printed. */
  readonly output: string;
  /** How much it printed. */
  readonly outputBytes: number;
}

/** The built parts of the page, as text. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
  /** Only for pages with formulas. */
  readonly mathScript: string;
  readonly mathStyle: string;
}

/** A client that follows a run over a connection. */
export interface Listener {
  readonly isOpen: boolean;
  /**
   * Resolves when it can take more, or when it is gone; a client that stalls for too long is dropped. Never rejects.
   */
  send(event: { readonly name: string; readonly data: string; readonly id: number | null }): Promise<void>;
}
