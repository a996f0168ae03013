import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stage } from '../../cli/support/stage.ts';

/** Resolves when the part of this row's video has so many bytes: nothing tells when bytes have reached a disk. */
export async function bytesOfPart(stage: Stage, id: string, sizeBytes: number): Promise<void> {
  const path = join(stage.folder, `videos/${id}/video.part`);
  while ((await stat(path).catch(() => null))?.size !== sizeBytes) await pause(10);
}
