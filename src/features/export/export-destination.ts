/** `--to` and `--url-base` of an export: where the files go. */

import { isAbsolute, relative, resolve, sep } from 'node:path';
import { isBucketAddress } from '../../app/files/bucket-address.ts';
import { realPath } from '../../app/files/own-files.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';

/** The folder as an absolute path. Throws `UsageError` where it and the outputs of the run lie in one another. */
export function exportPlace(to: string, out: string): string {
  if (isBucketAddress(to)) throw new UsageError(message('export.to-bucket'));
  const place = resolve(to);
  if (isBucketAddress(out)) return place;
  const [there, here] = [realPath(place), realPath(out)];
  if (isWithin(there, here) || isWithin(here, there))
    throw new UsageError(message('export.within', { path: to }));
  return place;
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
