/** A download to its very end, as one step. */

import {
  type Download,
  type DownloadEnd,
  downloadArtifact,
  type SaveEnd,
} from '../../src/runner/downloading/download-artifact.ts';

/** Downloads a file and gives it its name. */
export async function downloadToEnd(
  ports: Parameters<typeof downloadArtifact>[0],
  request: Download,
  signal: AbortSignal,
): Promise<Exclude<DownloadEnd, { outcome: 'whole' }> | SaveEnd> {
  const end = await downloadArtifact(ports, request, signal);
  return end.outcome === 'whole' ? end.save() : end;
}
