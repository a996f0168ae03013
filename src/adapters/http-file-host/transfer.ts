/**
 * One GET: its status as soon as it is here, its body as fast as it is read. What arrived before a cut is handed out
 * before the cut is reported: the streams of the library drop it, and a download would lose ground with each cut.
 */

import type { Dispatcher } from 'undici';

/** Bytes that wait for their reader before the sender is slowed down. */
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
  /** Null while the transfer goes on; its error is null when it ended whole. */
  #end: { readonly error: Error | null } | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #wakeReader = (): void => {};
  #forgetSignal = (): void => {};

  /** Sends the request. An abort ends it at once, at any time: also while undici is connecting and would not hear. */
  static send(dispatcher: Dispatcher, request: Dispatcher.DispatchOptions, signal: AbortSignal): Transfer {
    const transfer = new Transfer();
    const stop = () => transfer.drop(signal.reason);
    if (signal.aborted) {
      stop();
      return transfer;
    }
    // The signal may outlive many transfers; it must not hold on to those that are over.
    transfer.#forgetSignal = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    try {
      dispatcher.dispatch(request, transfer);
    } catch (error) {
      transfer.drop(error instanceof Error ? error : new Error(String(error)));
    }
    return transfer;
  }

  /** Rejects when the transfer ended before. */
  head(): Promise<AnswerHead> {
    return this.#head.promise;
  }

  /** The body, once. Throws what `cut` makes of the reason when the transfer was cut; leaving the loop closes the connection. */
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

  /** Ends the transfer from this side; nothing happens when it is over. */
  drop(reason?: Error): void {
    if (this.#end !== null) return;
    const error = reason ?? new Error('nobody reads on');
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
