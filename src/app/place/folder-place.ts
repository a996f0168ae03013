/** A run in an output folder, which one process has. */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { openFileOutputTree } from '../../outputs/file-output-tree.ts';
import { networkDisk } from '../../outputs/network-disk.ts';
import { pictureFolder } from '../../outputs/pictures/picture-folder.ts';
import { openShownFile } from '../../outputs/shown-file.ts';
import type { Store } from '../../stores/port/store.ts';
import { shellPath } from '../../text/shell-word.ts';
import { refuseForeignFiles, refuseOutputAsInput } from '../files/foreign-files.ts';
import type { Invocation } from '../options/invocation.ts';
import { standardSource } from '../options/standard-input.ts';
import { noRunIn, openExistingFolder, openFolder, openToLook } from '../output-folder.ts';
import { findLocalPictures } from '../pictures/picture-links.ts';
import { imagesOf } from '../pictures/run-images.ts';
import type { OpenRun, ReportedRun } from '../run-handles.ts';
import { warnOfOtherService } from '../service/run-service.ts';
import { storeIn } from '../stores.ts';
import { systemClock } from '../system-clock.ts';
import { folderNews, noteFolder } from './moved-folder.ts';
import type { RunPlace } from './run-place.ts';
import { refuseSharedFolder } from './shared-folder.ts';

export const folderPlace: RunPlace = {
  open: async (given) => inFolder(await openFolder(given.out, { shown: given.outShown }), given),
  openExisting: async (given) =>
    inFolder(await openExistingFolder(given.out, { shown: given.outShown, env: given.env }), given),
  async look(given) {
    refuseSharedFolder(given.out, given.outShown);
    const store = await openToLook(given.out);
    if (store === null) return null;
    const place = storeIn(given.out);
    return { ...inFolder(store, given), isInUse: await place.isInUse(), holder: await place.holder() };
  },
  async openSettings({ out, outShown }) {
    // Two machines that write one SQLite database on such a disk damage it.
    const kind = networkDisk(out);
    if (kind !== null)
      throw new UsageError(message('store.network-folder', { folder: outShown, system: kind }));
    refuseSharedFolder(out, outShown);
    return storeIn(out).openSettings();
  },
  noRun: ({ out, env }) => noRunIn(out, env),
  async openTree({ invocation }) {
    const tree = await openFileOutputTree(invocation.out, systemClock.now);
    return { tree, [Symbol.asyncDispose]: async () => {} };
  },
  openParts: async (setup, redact) => (await import('./folder-parts.ts')).openFolderParts(setup, redact),
  refuseInput: refuseOutputAsInput,
  refuseFiles: refuseForeignFiles,
  news: ({ store, invocation: { out, outShown } }) => folderNews(store.settings, out, outShown),
  note: ({ store, invocation }) => noteFolder(store, invocation.out),
  checkService: async () => {},
  noteService: warnOfOtherService,
  images: ({ out }) => imagesOf(out),
  markMade: async () => {},
  imageStore: () => ({}),
  facts: async (run) => ({
    title: (await fileTitle(run)) ?? basename(run.invocation.out),
    hasFile: (path) => existsSync(join(run.invocation.out, path)),
  }),
  pictures: ({ invocation: { out } }, folder) => ({
    readPicture: (sha256) => pictureFolder(out).read(sha256),
    findPictures: findLocalPictures(folder, out),
  }),
  openShown: async ({ invocation: { out } }) => ({
    images: imagesOf(out),
    openFile: (path) => openShownFile(out, path),
    [Symbol.asyncDispose]: async () => {},
  }),
  showing: ({ outShown }, address) => message('view.showing', { folder: shellPath(outShown), address }),
  layout: 'by-item',
};

function inFolder(store: Store, invocation: Invocation): OpenRun {
  return { store, invocation, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** The name of the file whose rows the run has; null for standard input. */
async function fileTitle({ store }: ReportedRun): Promise<string | null> {
  const [source] = await store.checkpoint.sources();
  return source === undefined || source.file === standardSource ? null : basename(source.file);
}
