/** A process that sends one file to a bucket, to be killed: `node sender.ts ADDRESS ENDPOINT FILE PATH`. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openS3Destination } from '../../../src/outputs/s3/s3-destination.ts';

const [address = '', endpoint = '', file = '', path = ''] = process.argv.slice(2);
const partSizes = { wholeMaxBytes: 6 * 2 ** 20, partBytes: 5 * 2 ** 20 };
const destination = await openS3Destination({ address, endpoint, wait: async () => {}, partSizes });
const bytes = readFileSync(file);
const sha256 = createHash('sha256').update(bytes).digest('hex');
await destination.put(file, path, { sizeBytes: bytes.length, sha256 });
