/** One large file from a host on this machine to the disk, whole and checked, against `curl` and `sha256sum`. */

import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runNode, runShell, type Usage } from './child.ts';
import { type Bench, type Figure, median, quantity } from './table.ts';

const megabyte = 1e6;
const piece = randomBytes(1 << 20);

/** A file of so many bytes under every path, as fast as it is taken, with its length and a strong ETag. */
async function serveFile(sizeBytes: number): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, {
      'content-length': sizeBytes,
      'content-type': 'video/mp4',
      etag: `"${sizeBytes}"`,
    });
    for (let sent = 0; sent < sizeBytes; sent += piece.length) {
      if (response.write(piece.subarray(0, sizeBytes - sent))) continue;
      await new Promise((drained) => response.once('drain', drained));
    }
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/video.mp4`, close: () => void server.close() };
}

export const download: Bench = async ({ folder, scale, runs }): Promise<Figure[]> => {
  const sizeBytes = Math.round(200 * megabyte * scale);
  const out = join(folder, 'download');
  const file = await serveFile(sizeBytes);
  const curl = `curl -sS -o video.mp4 ${file.url}`;
  const lines = {
    asked: `${curl} && sha256sum video.mp4`,
    synced: `${curl} && sync video.mp4 && sha256sum video.mp4`,
    quickest: `${curl} && sync video.mp4 && openssl dgst -sha256 video.mp4`,
  };
  const floors = { asked: [] as number[], synced: [] as number[], quickest: [] as number[] };
  const ours: Usage[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      for (const name of Object.keys(lines) as (keyof typeof lines)[]) {
        mkdirSync(out);
        floors[name].push((await runShell(lines[name], out))?.wallMs ?? Number.NaN);
        rmSync(out, { recursive: true });
      }
      ours.push(await runNode({ file: 'download-ours.ts', args: [file.url, out] }));
      rmSync(out, { recursive: true });
    }
  } finally {
    file.close();
  }
  const perSecond = (ms: number): number => (sizeBytes / megabyte / ms) * 1_000;
  const reached = perSecond(median(ours.map(({ said }) => said.ms ?? 0)));
  const speed = (shown: string, times: readonly number[], goal: Figure['goal']): Figure => {
    const floor = perSecond(median(times));
    return {
      work: `download ${quantity(sizeBytes / megabyte, 'MB')}: length, sha256, fsync`,
      reached: quantity(reached, 'MB/s'),
      floor: quantity(floor, `MB/s (${shown})`),
      ratio: reached / floor,
      goal,
    };
  };
  const peak = median(ours.map(({ peakBytes }) => peakBytes / megabyte));
  return [
    speed('`curl`, `sha256sum`', floors.asked, { atLeast: 1.2 }),
    speed('`curl`, `sync`, `sha256sum`', floors.synced, null),
    speed('`curl`, `sync`, `openssl dgst`', floors.quickest, null),
    {
      work: 'peak memory of that (MB)',
      reached: quantity(peak, 'MB'),
      floor: '',
      ratio: peak,
      goal: { atMost: 200 },
    },
  ];
};
