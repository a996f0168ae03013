/**
 * One GET: its status as soon as it arrives, its body as fast as it is read. What arrived before a cut is delivered
 * before the cut is reported: the library's own streams drop it, so a download would lose data with each cut.
 */

import type { Dispatcher } from 'undici';

/** Unread bytes at which the sender is slowed down. */
const brakeBytes = 256 * 1024;

/** Status and headers of an answer; header names are in lower case. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request that was answered, and the body that follows. */
export class Transfer implements Dispatcher.DispatchHandler {
  readonly #head = Promise.withResolvers<AnswerHead>();
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isAnswered = false;
  /** Null while the transfer continues; `error` is null when it ended complete. */
  #end: { readonly error: Error | null } | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #wakeReader = (): void => {};
  #forgetSignal = (): void => {};

  /** Sends the request. An abort ends it at any time, even while undici is connecting and ignores it. */
  static send(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, signal: AbortSignal): Transfer {
    const transfer = new Transfer();
    const stop = () => transfer.drop(signal.reason);
    if (signal.aborted) {
      stop();
      return transfer;
    }
    // The signal may outlive many transfers and must not keep them in memory.
    transfer.#forgetSignal = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    try {
      dispatcher.dispatch(request, transfer);
    } catch (error) {
      transfer.drop(error instanceof Error ? error : new Error(String(error)));
    }
    return transfer;
  }

  /** Rejects when the transfer ends first. */
  head(): Promise<AnswerHead> {
    return this.#head.promise;
  }

  /**
   * The body, once. When the transfer is cut, throws what `cut` returns for the reason; leaving the loop closes the
   * connection.
   */
  async *body(cut: (reason: Error) => Error): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const bytes = this.#waiting.shift();
        if (bytes !== undefined) {
          this.#waitingBytes -= bytes.length;
          yield bytes;
        } else if (this.#end !== null) {
          if (this.#end.error !== null) throw cut(this.#end.error);
          return;
        } else {
          const more = new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
          this.#controller?.resume();
          await more;
        }
      }
    } finally {
      this.drop();
    }
  }

  /** Ends the transfer from this side; no effect when it is over. */
  drop(reason?: Error): void {
    if (this.#end !== null) return;
    const error = reason ?? new Error('the reader stopped');
    this.#finish(error);
    this.#controller?.abort(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#end !== null) controller.abort(this.#end.error ?? new Error('the transfer is over'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: AnswerHead['headers'],
  ): void {
    if (status < 200) return;
    this.#isAnswered = true;
    this.#head.resolve({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Uint8Array): void {
    if (this.#end !== null) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes >= brakeBytes) controller.pause();
    this.#wakeReader();
  }

  onResponseEnd(): void {
    this.#finish(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(error);
  }

  #finish(error: Error | null): void {
    if (this.#end !== null) return;
    this.#end = { error };
    this.#forgetSignal();
    if (!this.#isAnswered) this.#head.reject(error ?? new Error('the answer has no status'));
    this.#wakeReader();
  }
}
