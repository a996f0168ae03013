/** Outputs are in a folder, or in an S3-compatible bucket. */

import { join } from 'node:path';

/** True for the address of a bucket, false for a folder. */
export function isBucketAddress(out: string): boolean {
  return /^s3:/i.test(out);
}

/** The place of a file of the outputs: `path` is relative to them, with `/`. */
export function placeIn(out: string, path: string): string {
  return isBucketAddress(out) ? `${out.replace(/\/+$/, '')}/${path}` : join(out, path);
}
