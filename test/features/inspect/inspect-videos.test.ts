import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Invocation } from '../../../src/app/options/invocation.ts';
import { openInspector } from '../../../src/features/inspect/inspect-videos.ts';
import type { InspectedVideo } from '../../../src/money/inspection/inspection.ts';
import type { SavedFile } from '../../../src/money/item.ts';
import { openS3Destination } from '../../../src/outputs/s3/s3-destination.ts';
import type { Inspections } from '../../../src/stores/port/reviews.ts';
import { s3Keys, startS3 } from '../../support/s3.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const clipPath = fileURLToPath(new URL('../../../samples/clip.webm', import.meta.url));
const clip = readFileSync(clipPath);
const digest = { sizeBytes: clip.length, sha256: createHash('sha256').update(clip).digest('hex') };

// Without a PATH there is no ffmpeg.
beforeEach(() => void vi.stubEnv('PATH', ''));
afterEach(() => void vi.unstubAllEnvs());

function memory(): Inspections & { readonly saved: Map<string, InspectedVideo> } {
  const saved = new Map<string, InspectedVideo>();
  return {
    saved,
    find: async (digests) => new Map([...saved].filter(([sha256]) => digests.includes(sha256))),
    async save(seen) {
      for (const { sha256, inspection } of seen) saved.set(sha256, { ...inspection, findings: [] });
    },
    saveFindings: async () => {},
  };
}

function runIn(out: string, endpoint: string | null = null): { readonly invocation: Invocation } {
  const shared = endpoint === null ? null : { url: '', run: 'r', endpoint };
  return { invocation: { out, env: s3Keys, shared } as unknown as Invocation };
}

async function lookAt(
  run: { readonly invocation: Invocation },
  inspections: Inspections,
  ...files: readonly SavedFile[]
) {
  await using inspector = await openInspector(run, inspections);
  for (const file of files) await inspector.inspect(file, false);
  await inspector.flush();
  return { looked: inspector.looked, lacking: inspector.lacking };
}

test('a video in the folder is looked into once, and not where it is not as it was saved', async () => {
  await using folder = await temporaryFolder();
  const file = { path: 'q1/video.webm', ...digest };
  await mkdir(dirname(join(folder.path, file.path)), { recursive: true });
  await writeFile(join(folder.path, file.path), clip);
  const inspections = memory();
  const others = [
    { ...file, path: 'q2/video.webm', sha256: 'b2' },
    { ...file, sizeBytes: 7, sha256: 'c3' },
  ];
  const run = runIn(folder.path);
  expect(await lookAt(run, inspections, file, file, ...others)).toEqual({ looked: 1, lacking: ['ffmpeg'] });
  expect([...inspections.saved.keys()]).toEqual([digest.sha256]);
  expect(inspections.saved.get(digest.sha256)).toMatchObject({ container: { seconds: 4 }, playback: null });
  expect(await lookAt(run, inspections, file)).toMatchObject({ looked: 0 });
});

test('a damaged file says nothing about the video that was saved', async () => {
  await using folder = await temporaryFolder();
  const file = { path: 'video.webm', ...digest };
  await writeFile(join(folder.path, file.path), Buffer.alloc(clip.length));
  const inspections = memory();
  expect(await lookAt(runIn(folder.path), inspections, file)).toMatchObject({ looked: 0 });
  await writeFile(join(folder.path, file.path), clip);
  expect(await lookAt(runIn(folder.path), inspections, file)).toMatchObject({ looked: 1 });
});

test('a video in a bucket is looked into through a file that is gone then', async () => {
  for (const [name, value] of Object.entries(s3Keys)) vi.stubEnv(name, value);
  await using s3 = await startS3();
  await using temporary = await temporaryFolder();
  vi.stubEnv('TMPDIR', temporary.path);
  const out = `s3://${s3.bucket}/run`;
  const destination = await openS3Destination({
    address: out,
    endpoint: s3.endpoint,
    wait: async () => {},
  });
  const file = { path: 'q1/attempt-1/video.webm', ...digest };
  await destination.put(clipPath, file.path, digest);
  destination.close();
  const inspections = memory();
  const missing = { ...file, path: 'q2/attempt-1/video.webm', sha256: 'b2' };
  expect(await lookAt(runIn(out, s3.endpoint), inspections, file, missing)).toMatchObject({ looked: 1 });
  expect(inspections.saved.get(digest.sha256)?.container).toMatchObject({ seconds: 4, width: 960 });
  expect(readdirSync(temporary.path)).toEqual([]);
});
