/** The calls of the command of `--on-row`. */

/** Which rows the command of `--on-row` was called for. A row is called for as long as it is completed by that attempt. */
export interface HookCalls {
  /** From now on each row that is completed is owed a call, by the commit that completes it. */
  begin(): Promise<void>;
  /** Each call that failed is owed again. Durable. */
  again(): Promise<void>;
  /** Calls in these states, by the key of the item, after this one; `slices` only of items there, null for all. */
  left(query: {
    readonly states: readonly HookCall['state'][];
    readonly after: number;
    readonly limit: number;
    readonly slices: readonly number[] | null;
  }): Promise<readonly HookCall[]>;
  counts(): Promise<HookCounts>;
  /** Saves that a call came to its end `at` this time (epoch ms); `failure` is null where it did its work. Durable. */
  ended(call: HookCall, at: number, failure: string | null): Promise<void>;
}

/** A call of the command of `--on-row` that was not made, or that failed. */
export interface HookCall {
  /** Of the item. */
  readonly key: number;
  readonly id: string;
  readonly attempt: number;
  readonly state: 'owed' | 'failed';
  /** Calls that came to their end. */
  readonly tries: number;
  /** Why the last one failed. */
  readonly failure: string | null;
}

/** Calls by their state. */
export type HookCounts = Readonly<Record<HookCall['state'] | 'done', number>>;
