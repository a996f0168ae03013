/**
 * The last owner of what nobody caught: a rejected promise without an owner, or an exception outside every call. A process
 * that died at once would leave creations without their answers, so a run that goes is ended in order.
 */

type Owner = (error: unknown) => void;

let owner: Owner | null = null;
let isRecorded = false;

/** Receives such errors from now on. Only the first counts: what comes after it may follow from it. */
export function ownStrayErrors(first: Owner): void {
  owner = first;
  const onError = (error: unknown): void => {
    if (isRecorded) return;
    isRecorded = true;
    owner?.(error);
  };
  process.on('unhandledRejection', onError);
  process.on('uncaughtException', onError);
}

/**
 * While a run goes, `fail` ends it in order. What an exception left undone may never end, so the previous owner receives it
 * after so many ms. Returns how to take it back.
 */
export function giveStrayErrors(fail: Owner, patienceMs: number): () => void {
  const before = owner;
  let late: NodeJS.Timeout | undefined;
  owner = (error) => {
    late = setTimeout(() => before?.(error), patienceMs);
    fail(error);
  };
  return () => {
    clearTimeout(late);
    owner = before;
  };
}
