/** One download as a run does it, from the first request to the file under its own name: `URL FOLDER`. */

import { systemClock } from '../src/app/system-clock.ts';
import { limitNewSpace } from '../src/cli/new-space.ts';
import { fixed } from '../src/money/policy.ts';
import { openFileOutputTree } from '../src/outputs/file-output-tree.ts';
import { downloadArtifact } from '../src/runner/downloading/download-artifact.ts';
import { createHttpFileHost } from '../src/service/http-file-host.ts';
import { report } from './reporting.ts';

limitNewSpace();

const [url = '', out = ''] = process.argv.slice(2);
const tree = await openFileOutputTree(out, Date.now);
const host = createHttpFileHost({
  serviceUrl: url,
  connections: fixed.downloadConnections,
  requestTimeoutMs: 60_000,
  stallMs: fixed.downloadStallMs,
  env: {},
});
const ports = { host, tree, clock: systemClock };
const startedAt = performance.now();
const received = await downloadArtifact(
  ports,
  { url, target: 'q1/video', kind: 'video' },
  AbortSignal.timeout(600_000),
);
const end = received.outcome === 'whole' ? await received.save() : received;
report('ms', performance.now() - startedAt);
if (end.outcome !== 'saved') throw new Error(`the download ended as ${end.outcome}`);
report('bytes', end.file.sizeBytes);
await host.close(true);
