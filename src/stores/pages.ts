/** How both stores read many rows: a page at a time, so that other work can run between two of them. */

/** Before every row in the order of the file. */
export const beforeFirst = { row: -1, key: -1 };

/** The rows of all pages. */
export async function* eachOf<Row>(pages: AsyncIterable<readonly Row[]>): AsyncGenerator<Row> {
  for await (const page of pages) yield* page;
}

/** Pages of so many rows until one is not full; each is read after the last row of the one before. */
export async function* inPages<Place, Row extends Place>(
  first: Place,
  pageRows: number,
  read: (last: Place) => readonly Row[] | Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last = first; ; ) {
    const page = await read(last);
    yield page;
    const end = page.at(-1);
    if (end === undefined || page.length < pageRows) return;
    last = end;
  }
}
