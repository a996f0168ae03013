import { afterAll, beforeAll, vi } from 'vitest';
import { openS3Destination } from '../../../src/outputs/s3/s3-destination.ts';
import { describeDestination, smallParts } from '../../support/destination-contract.ts';
import { type S3, s3Keys, startS3 } from '../../support/s3.ts';

let s3: S3;

beforeAll(async () => {
  for (const [name, value] of Object.entries(s3Keys)) vi.stubEnv(name, value);
  s3 = await startS3();
});
afterAll(() => s3[Symbol.asyncDispose]());

let count = 0;

describeDestination('a bucket', async () => {
  count += 1;
  const destination = await openS3Destination({
    address: `s3://${s3.bucket}/run-${count}`,
    endpoint: s3.endpoint,
    wait: async () => {},
    partSizes: smallParts,
  });
  return { destination, [Symbol.asyncDispose]: async () => destination.close() };
});
