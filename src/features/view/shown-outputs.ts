/** The files of a run that a live page shows. */

import { openSavedFile } from '../../outputs/saved-file.ts';
import type { ImageFiles } from '../../ports.ts';
import { type ShownFile, shownFile } from './view-server/answer-file.ts';
import type { ViewContent } from './view-server.ts';

/** The files that a live page shows. */
export interface ShownOutputs extends AsyncDisposable {
  readonly openFile: ViewContent['openFile'];
  readonly images: ImageFiles;
}

/** A file of an output folder. */
export async function openShownFile(folder: string, path: string): Promise<ShownFile | null> {
  const handle = await openSavedFile(folder, path);
  return handle === null ? null : shownFile(handle);
}
