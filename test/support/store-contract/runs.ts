/** Where the suite gets its stores from. */

import type { Store, StorePlace } from '../../../src/stores/port/store.ts';
import { incomingRows, type WrittenRow } from '../incoming-rows.ts';
import { runOver, type StoreRun } from '../store-run.ts';

/** A place that holds no run yet. */
export interface PlaceUnderTest extends AsyncDisposable {
  readonly place: StorePlace;
}

/** What is special about the places under test. */
export interface KindOfPlace {
  /** An empty store for hundreds of tries, where there is one that is quicker to have. */
  readonly openScratch?: () => Promise<Store>;
  /** A place with an empty run, where that is quicker to have than one without. */
  readonly openEmpty?: () => Promise<PlaceUnderTest>;
  /** True where several processes may work on one run. */
  readonly isShared?: boolean;
  /** True for what is saved and shared alone, without how files are imported. */
  readonly isShort?: boolean;
  /** The share of the tries of each property: 1 for all. */
  readonly tries?: number;
}

/** A run that this process works on, in a place of its own. */
export interface OpenRun extends StoreRun, PlaceUnderTest {
  /** Looks at the run from outside, as another process does. */
  look(): Promise<StoreRun & AsyncDisposable>;
}

export interface Runs {
  readonly isShared: boolean;
  /** How often to try a property that deserves so many tries where they cost nothing. */
  tries(most: number): number;
  /** A place without a run. */
  openPlace(): Promise<PlaceUnderTest>;
  /** A run that has imported these rows; none was ever imported where there are none. */
  open(...rows: readonly WrittenRow[]): Promise<OpenRun>;
  /** An empty run for hundreds of tries. */
  openScratch(): Promise<StoreRun & AsyncDisposable>;
}

export function runsIn(
  openPlace: () => Promise<PlaceUnderTest>,
  { openScratch, openEmpty = openPlace, isShared = false, tries = 1 }: KindOfPlace,
): Runs {
  const open: Runs['open'] = async (...rows) => {
    const opened = await openEmpty();
    const store = await opened.place.open();
    const run = runOver(store);
    if (rows.length > 0) await run.ingest(incomingRows(...rows));
    return {
      ...run,
      place: opened.place,
      look: async () => disposing(await lookAt(opened.place)),
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]();
        await opened[Symbol.asyncDispose]();
      },
    };
  };
  return {
    isShared,
    tries: (most) => Math.ceil(most * tries),
    openPlace,
    open,
    openScratch: openScratch === undefined ? open : async () => disposing(await openScratch()),
  };
}

function disposing(store: Store): StoreRun & AsyncDisposable {
  return { ...runOver(store), [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** The run of this place for looking only. */
export async function lookAt(place: StorePlace): Promise<Store> {
  const store = await place.look();
  if (store === null) throw new Error('there is no run');
  return store;
}
