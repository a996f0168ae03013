/** Processes that wait for their service and their disk leave room for others. */
const atOnce = 4;

/** The work on each, a few at a time, with the results in order. */
export async function inParallel<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...all.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, one] = next;
      results[index] = await work(one);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
