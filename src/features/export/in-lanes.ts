/** Files that an export works on at once: enough to hide the time of a request. */
const atOnce = 8;

/** Does the work for each, a few at once; the results are in order. */
export async function inLanes<A, B>(list: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  const entries = list.entries();
  const lane = async (): Promise<void> => {
    for (const [at, one] of entries) results[at] = await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}
