/** Takes the keys of rows out of a table that came back, so that they are no column of the user's. */

import { keyColumnIn, parseRowKey } from '../../text/ids/row-key.ts';
import type { RowPage } from '../read-rows.ts';

export class KeyColumn {
  readonly #own: string | null;
  #name: string | null = null;

  /** `own` is the name that the run gives the column, where the file is a table of the run: then whatever stands there is meant as a key. */
  constructor(own: string | null) {
    this.#own = own;
  }

  /** True once a row had a key. A column `batch` without keys is one of the user's. */
  get isFound(): boolean {
    return this.#name !== null;
  }

  /** The page without the column, and what stands there in each row; null for nothing. */
  take(page: RowPage): { readonly page: RowPage; readonly keys: readonly (string | null)[] } {
    this.#name ??= nameIn(page, this.#own);
    const name = this.#name;
    if (name === null) return { page, keys: [] };
    const keys = page.rows.map(({ input }) => String(input[name] ?? '').trim() || null);
    return { page: withoutColumn(page, name), keys };
  }
}

function nameIn({ columns, fields, rows }: RowPage, own: string | null): string | null {
  if (own !== null && columns.includes(own)) return own;
  const name = columns[keyColumnIn(columns)];
  if (name === undefined || Object.values(fields).includes(name)) return null;
  return rows.some(({ input }) => parseRowKey(String(input[name] ?? '')) !== null) ? name : null;
}

/** The page without this column; the same where it has none, or where it is a field. */
export function withoutColumn(page: RowPage, name: string | null): RowPage {
  if (name === null || !page.columns.includes(name) || Object.values(page.fields).includes(name)) return page;
  return {
    ...page,
    columns: page.columns.filter((column) => column !== name),
    rows: page.rows.map((row) => {
      const { [name]: _, ...input } = row.input;
      return { ...row, input };
    }),
  };
}
