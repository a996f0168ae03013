/** Reports how many of a long list are done. */

/** Receives how much of it is done. */
export type OnProgress = (done: number, total: number) => void;

/** The same list; each is counted when the next one is asked for, as one or as so many as it holds. */
export async function* counted<T>(
  list: AsyncIterable<T>,
  report: (done: number) => void,
  countOf: (one: T) => number = () => 1,
): AsyncGenerator<T> {
  let done = 0;
  for await (const one of list) {
    yield one;
    done += countOf(one);
    report(done);
  }
}
