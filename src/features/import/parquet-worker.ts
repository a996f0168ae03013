/** The thread that reads a Parquet file. */

import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { loadParquetLibrary } from '../../input/parquet/parquet-library.ts';
import { readParquet } from '../../input/parquet/read-parquet.ts';
import { createProblems } from '../../input/read-problems.ts';
import { localFileAccess } from '../../outputs/local-file-access.ts';
import type { ParquetOrder, ParquetReply } from './parquet-thread.ts';

if (parentPort === null) throw new Error('parquet-worker must be started by parquet-thread.ts');
const port = parentPort;
const say = (reply: ParquetReply): void => port.postMessage(reply);

const { file, sizeBytes, overrides }: ParquetOrder = workerData;
const access = localFileAccess(file, sizeBytes);
const problems = createProblems();
const read = async (offset: number, length: number): Promise<Uint8Array> => {
  say({ type: 'step' });
  return access.read(offset, length);
};
const library = await loadParquetLibrary();
for await (const page of readParquet({ sizeBytes, read }, { overrides, problems, library }).pages) {
  const goOn = once(port, 'message');
  say({ type: 'page', page });
  await goOn;
}
await access.close();
for (const { line, message, said } of problems.list()) say({ type: 'problem', line, said: said ?? message });
