/**
 * Pure. Gives each exported row a path of its own, on systems that ignore case too. A path that an earlier export gave to a row
 * stays with that row, so no file moves when rows are added.
 */

import { foldedName } from '../../files/folded-name.ts';
import { exportNameApart } from './export-name.ts';

/** What the names are made with. */
export interface NamesOptions {
  /**
   * Paths of the earlier export, without extension: `print` of the folded path -> `print` of the id of its row.
   */
  readonly earlier: ReadonlyMap<number, number>;
  /** Folded and printed paths, without extension, of videos of exports before that one: nothing says of which rows. */
  readonly unowned: ReadonlySet<number>;
  /** Lower-case hex digest of a text. */
  digest(text: string): string;
  /** A number for a text: in memory a million of them take less room than the texts. */
  print(text: string): number;
}

/** The paths of one export. Two texts with one print only cost a name its plainness. */
export class ExportNames {
  readonly #options: NamesOptions;
  readonly #taken = new Set<number>();

  constructor(options: NamesOptions) {
    this.#options = options;
  }

  /**
   * The path of the row with this id, which asks for `wanted`. Ask once for each row. `isOwn` says whether the video at an
   * unowned path is one of the row.
   */
  take(id: string, wanted: string, isOwn: (path: string) => boolean): string {
    const { earlier, unowned, print } = this.#options;
    const owner = print(id);
    let free: string | null = null;
    for (const path of this.#candidates(id, wanted)) {
      const key = print(foldedName(path));
      const known = earlier.get(key);
      if (known === owner && !this.#taken.has(key)) return this.#keep(path);
      if (known !== undefined || this.#taken.has(key)) continue;
      if (unowned.size > 0 && unowned.has(key) && !isOwn(path)) continue;
      free ??= path;
      // A row keeps the marked path it has, even where the plain one is free by now.
      if (path !== wanted || earlier.size === 0) break;
    }
    return this.#keep(free as string);
  }

  #keep(path: string): string {
    this.#taken.add(this.#options.print(foldedName(path)));
    return path;
  }

  *#candidates(id: string, wanted: string): Generator<string> {
    const { digest } = this.#options;
    yield wanted;
    yield exportNameApart(wanted, digest(id).slice(0, 8));
    for (let more = 1; ; more += 1) yield exportNameApart(wanted, digest(`${id}\n${more}`).slice(0, 16));
  }
}
