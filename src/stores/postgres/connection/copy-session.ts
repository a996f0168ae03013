/**
 * A connection of its own for bulk work: an import, an archive. Where it breaks, the work ends with one line, and it is up
 * to the caller to begin again.
 */

import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Client, QueryResultRow } from 'pg';
import copyStreams from 'pg-copy-streams';
import { StoreAwayError } from '../../../errors.ts';
import { message } from '../../../messages/message.ts';
import type { Asker, Connections } from './connections.ts';
import { readCopyLine } from './copy-lines.ts';
import { parametersOf } from './parameters.ts';
import { isAway, reasonOf, translate } from './server-errors.ts';
import { unlessSilent } from './silence.ts';

/** Bytes sent with one COPY: enough that a million rows cost no time in answers, few enough to keep twice in memory. */
const copyBytes = 1 << 20;

/** Never within a field, where it is written as a backslash and a letter. */
const lineEnd = 0x0a;

/** The most bytes that a character of a string takes in UTF-8. */
const bytesPerCharacter = 3;

/**
 * Lines on their way into one table, while the next ones are read. They are encoded at once, into one of two buffers, each
 * used again when its COPY has ended: as strings, or in new buffers, they would live until the garbage is collected, and
 * the process would grow by a hundred megabytes.
 */
export class CopiedLines {
  readonly #session: CopySession;
  readonly #statement: string;
  #filling = Buffer.alloc(0);
  #length = 0;
  #sending = Buffer.alloc(0);

  constructor(session: CopySession, statement: string) {
    this.#session = session;
    this.#statement = statement;
  }

  /** Resolves when the line is in the buffer; null where it is already. */
  add(line: string): Promise<void> | null {
    if (this.#length + line.length * bytesPerCharacter > this.#filling.length) return this.#addToNext(line);
    this.#length += this.#filling.write(line, this.#length);
    return null;
  }

  async #addToNext(line: string): Promise<void> {
    await this.#send();
    const most = line.length * bytesPerCharacter;
    if (this.#filling.length < most) this.#filling = Buffer.allocUnsafeSlow(Math.max(copyBytes, most));
    await this.add(line);
  }

  /** Resolves when all lines are in the table. */
  async end(): Promise<void> {
    await this.#send();
    await this.#session.settle();
  }

  /** Begins to copy what was added. The COPY before has ended then, so its buffer is free. */
  async #send(): Promise<void> {
    if (this.#length === 0) return;
    const full = this.#filling;
    await this.#session.copy(this.#statement, full.subarray(0, this.#length));
    this.#filling = this.#sending;
    this.#sending = full;
    this.#length = 0;
  }
}

/**
 * A million changed rows are joined in memory rather than on disk. The import waits for the lock until another
 * one has ended, and no limit of its role ends it in the middle. It needs a temporary table; whether it may write the run is
 * up to its transactions.
 */
const settings = `
  SET temp_buffers = '32MB';
  SET work_mem = '64MB';
  SET default_transaction_read_only = off;
  SELECT set_config(name, '0', false) FROM pg_settings
  WHERE name IN ('lock_timeout', 'statement_timeout', 'transaction_timeout')`;

/** How long (ms) a COPY may be silent: the server may sort all rows before it sends the first. */
const mostSilenceMs = 60_000;

const readMode = `SELECT current_setting('default_transaction_read_only') AS mode`;

export class CopySession implements AsyncDisposable {
  readonly #client: Client;
  readonly #name: string;
  readonly #silenceMs: number;
  /** True where nothing may be imported. */
  readonly isReadOnly: boolean;
  /** The COPY that the server still works on. */
  #copying: Promise<void> = Promise.resolve();

  /** Over a connection on which nothing else runs. */
  private constructor(client: Client, name: string, isReadOnly: boolean, silenceMs: number) {
    this.#client = client;
    this.#name = name;
    this.#silenceMs = silenceMs;
    this.isReadOnly = isReadOnly;
  }

  static async open(connections: Connections, silenceMs = mostSilenceMs): Promise<CopySession> {
    const client = await connections.openClient();
    try {
      const { rows } = await client.query<{ mode: string }>(readMode);
      await client.query(settings);
      return new CopySession(client, connections.name, rows[0]?.mode === 'on', silenceMs);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
  }

  /** For the checkpoint's own ways to read. */
  readonly asker: Asker = { rows: (text, values = []) => this.rows(text, ...values) };

  /** Rows of a query. */
  async rows<T extends QueryResultRow>(statement: string, ...values: readonly unknown[]): Promise<T[]> {
    await this.settle();
    return this.#guard(async () => (await this.#client.query<T>(statement, parametersOf(values))).rows);
  }

  /** Runs a statement; returns the number of rows that it wrote. */
  async run(statement: string, ...values: readonly unknown[]): Promise<number> {
    await this.settle();
    return this.#guard(async () => (await this.#client.query(statement, parametersOf(values))).rowCount ?? 0);
  }

  /** Runs statements without parameters. */
  async script(statements: string): Promise<void> {
    await this.settle();
    await this.#guard(() => this.#client.query(statements));
  }

  /** The number that a query selects as `n`. */
  async count(statement: string, ...values: readonly unknown[]): Promise<number> {
    const [row] = await this.rows<{ n: number }>(statement, ...values);
    return row?.n ?? 0;
  }

  /** The answer that a query selects as `found`. */
  async is(statement: string): Promise<boolean> {
    const [row] = await this.rows<{ found: boolean }>(statement);
    return row?.found === true;
  }

  /** Begins to copy these lines, once those before are copied; a failure is thrown by the next call. */
  async copy(statement: string, lines: Buffer): Promise<void> {
    await this.settle();
    const stream = this.#client.query(copyStreams.from(statement));
    const copied = this.#guard(async () => {
      stream.end(lines);
      await this.#unlessSilent(finished(stream));
    });
    // Another COPY may have begun while this one waited.
    const both = Promise.all([this.#copying, copied]).then(() => {});
    // Thrown by `settle`, not while nobody waits.
    both.catch(() => {});
    this.#copying = both;
  }

  /** The rows that a statement `COPY ... TO STDOUT` gives, in pages. */
  async *copied(statement: string): AsyncIterable<(string | null)[][]> {
    await this.settle();
    const chunks = this.#client.query(copyStreams.to(statement));
    let rest: Buffer = Buffer.alloc(0);
    let isWhole = false;
    try {
      for await (const chunk of this.#unlessSilentAmong(chunks)) {
        const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        const end = all.lastIndexOf(lineEnd);
        rest = all.subarray(end + 1);
        if (end >= 0) yield all.toString('utf8', 0, end).split('\n').map(readCopyLine);
      }
      isWhole = true;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      chunks.callback?.();
      // The rest of the rows is on its way: a statement after this one would wait for ever.
      if (!isWhole) await this.#client.end().catch(() => {});
    }
  }

  /** What a COPY sends; the reader may be as slow as it likes. */
  async *#unlessSilentAmong(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    const reader = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#unlessSilent(reader.next());
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await reader.return?.();
    }
  }

  #unlessSilent<T>(work: Promise<T>): Promise<T> {
    return unlessSilent(this.#client.connection.stream as Socket, this.#silenceMs, work);
  }

  /** Waits for the COPY on its way. */
  async settle(): Promise<void> {
    await this.#copying;
  }

  /** One transaction; `mode` as after BEGIN. Nothing is kept where the work returns false. */
  async transaction<T>(mode: string, work: () => Promise<T>, isKept: (done: T) => boolean): Promise<T> {
    await this.script(`BEGIN ${mode}`);
    try {
      const done = await work();
      await this.script(isKept(done) ? 'COMMIT' : 'ROLLBACK');
      return done;
    } catch (error) {
      // When a connection breaks, the server rolls back by itself.
      await this.script('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  /** What several queries see of the run at one moment. */
  snapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.transaction('ISOLATION LEVEL REPEATABLE READ', work, () => true);
  }

  /** Runs what uses the connection; an error of the server becomes one of the tool's. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): unknown {
    if (!isAway(error)) return translate(this.#name, error);
    return new StoreAwayError(
      message('store.broke-off', { name: this.#name, failure: reasonOf(error) }),
      error,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => {});
  }
}
