/** Reads the address of a bucket as a user writes it. */

import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';

/** Where in which bucket. */
export interface BucketAddress {
  readonly bucket: string;
  /** Empty, or ends with `/`. */
  readonly prefix: string;
  /** `s3://bucket/prefix`, without a trailing slash. */
  readonly name: string;
}

/** The parts of `s3://bucket/prefix`. Throws `UsageError`. */
export function parseBucketAddress(address: string): BucketAddress {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/?#@\s]+)\/?(.*)$/is.exec(address) ?? [];
  const segments = rest.replace(/\/+$/, '').split('/');
  const hasPrefix = segments.join('') !== '';
  const isWrong =
    hasPrefix && segments.some((each) => ['', '.', '..'].includes(each) || /[\p{Cc}\\]/u.test(each));
  if (bucket === '' || isWrong) throw new UsageError(message('bucket.address'));
  const prefix = hasPrefix ? `${segments.join('/')}/` : '';
  return { bucket, prefix, name: `s3://${bucket}/${prefix}`.replace(/\/$/, '') };
}
