/** Compares a video on disk with the length it declares. */

import { declaredEnd } from '../../files/declared-end.ts';
import type { FileAccess } from '../../ports.ts';

/** True where the file is shorter than it says. */
export async function isCutOff(file: FileAccess): Promise<boolean> {
  const walk = declaredEnd();
  let step = walk.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = walk.next(offset < file.sizeBytes ? await file.read(offset, length) : new Uint8Array());
  }
  return step.value !== null && step.value.end > file.sizeBytes;
}
