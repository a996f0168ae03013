/** Outputs are in a folder, or in an S3-compatible bucket. */

/** True for the address of a bucket, false for a folder. */
export function isBucketAddress(out: string): boolean {
  return /^s3:/i.test(out);
}
