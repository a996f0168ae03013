/** A process that copies one file to a shared folder, to be killed: `node folder-sender.ts FOLDER FILE PATH`. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openFolderDestination } from '../../src/outputs/folder-destination.ts';

const [folder = '', file = '', path = ''] = process.argv.slice(2);
const destination = await openFolderDestination(folder, { worker: 'sender', now: Date.now });
const bytes = readFileSync(file);
const sha256 = createHash('sha256').update(bytes).digest('hex');
await destination.put(file, path, { sizeBytes: bytes.length, sha256 });
