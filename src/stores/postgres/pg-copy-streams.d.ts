/** The part of `pg-copy-streams` that is used; the package brings no types. */

declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream';
  import type { Submittable } from 'pg';

  /** Sends what is written into a table, by a statement `COPY ... FROM STDIN`. */
  export function from(statement: string): Writable & Submittable;

  /**
   * Reads what a statement `COPY ... TO STDOUT` gives. `pg` sets the callback, to end its limit of time, and the package does not
   * call it: without that the process would stay until then.
   */
  export function to(statement: string): Readable & Submittable & { callback?(): void };
}
