/**
 * Sends a file, whole or in parts. Every piece goes with its MD5 and its SHA-256, so that the service refuses bytes that
 * changed on the way, and its answer is compared with the MD5. The object appears only when all of it is there.
 */

import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { DiskError } from '../../errors.ts';
import { inBoth, message } from '../../messages/message.ts';
import type { FileDigest } from '../../ports.ts';
import type { Bucket } from './client.ts';
import { isUploadLost } from './refusals.ts';

/** Files above this are sent in parts, of at least `partBytes` and at most `mostParts`: some services allow no more. */
const wholeMaxBytes = 64 * 2 ** 20;
const partBytes = 16 * 2 ** 20;
const mostParts = 1_000;

/** How often an upload in parts begins anew after the bucket has lost it. */
const mostUploads = 3;

const readBytes = 1 << 18;

/** A browser that follows a signed link shows these; it downloads anything else. */
const types: Readonly<Record<string, string>> = {
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.jsonl': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
};

/** Where parts begin and end; for tests with small files. */
export interface PartSizes {
  readonly wholeMaxBytes: number;
  readonly partBytes: number;
}

const usualSizes: PartSizes = { wholeMaxBytes, partBytes };

/** Sends the file to this path. True where the service's answer proves that it has these bytes. */
export async function upload(
  bucket: Bucket,
  file: string,
  path: string,
  expected: FileDigest,
  sizes: PartSizes = usualSizes,
): Promise<boolean> {
  if (expected.sizeBytes <= sizes.wholeMaxBytes) return sendWhole(bucket, file, path, expected);
  for (let count = 1; ; count++) {
    try {
      return await sendInParts(bucket, file, path, expected, sizes);
    } catch (error) {
      if (!isUploadLost(error) || count === mostUploads) throw error;
    }
  }
}

/** What both ways send to the service about the object. */
function headOf(bucket: Bucket, path: string, { sha256 }: FileDigest) {
  const type = types[extname(path).toLowerCase()] ?? 'application/octet-stream';
  return {
    Bucket: bucket.address.bucket,
    Key: bucket.keyOf(path),
    ContentType: type,
    // Says what the object contains without a download.
    Metadata: { sha256 },
  };
}

async function sendWhole(bucket: Bucket, file: string, path: string, expected: FileDigest): Promise<boolean> {
  // Opened once: a stream that opens the file itself may do so after its request was cut off and the file is gone.
  await using source = await open(file, 'r');
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  let sizeBytes = 0;
  for await (const bytes of piecesOf(source, readBytes)) {
    md5.update(bytes);
    sha256.update(bytes);
    sizeBytes += bytes.length;
  }
  refuseOther(file, { sizeBytes, sha256: sha256.digest('hex') }, expected);
  const digest = md5.digest();
  const answer = await bucket.send(
    message('bucket.not-written', { name: bucket.nameOf(path) }),
    async (client) => {
      const body = Readable.from(piecesOf(source, readBytes), { objectMode: false });
      const unreadable = new AbortController();
      body.on('error', (error) => unreadable.abort(error));
      const command = new bucket.sdk.PutObjectCommand({
        ...headOf(bucket, path, expected),
        Body: body,
        ContentLength: sizeBytes,
        ContentMD5: digest.toString('base64'),
      });
      // Signed with the digest, which the SDK does not compute for a stream.
      command.middlewareStack.add(
        (next) => (args) => {
          const { request } = args;
          if (isHeaded(request)) request.headers['x-amz-content-sha256'] = expected.sha256;
          return next(args);
        },
        { step: 'build', name: 'content-sha256' },
      );
      try {
        return await client.send(command, { abortSignal: unreadable.signal });
      } finally {
        body.destroy();
      }
    },
  );
  return isProof(answer, digest);
}

async function sendInParts(
  bucket: Bucket,
  file: string,
  path: string,
  expected: FileDigest,
  sizes: PartSizes,
): Promise<boolean> {
  const { sdk } = bucket;
  const what = message('bucket.not-written', { name: bucket.nameOf(path) });
  const head = headOf(bucket, path, expected);
  const place = { Bucket: head.Bucket, Key: head.Key };
  const { UploadId } = await bucket.send(what, (client) =>
    client.send(new sdk.CreateMultipartUploadCommand(head)),
  );
  if (UploadId === undefined) throw new DiskError(message('bucket.no-parts', { what: inBoth(what) }));
  try {
    await using source = await open(file, 'r');
    const sha256 = createHash('sha256');
    const parts: { readonly PartNumber: number; readonly ETag: string }[] = [];
    let isProven = true;
    let sizeBytes = 0;
    for await (const Body of piecesOf(
      source,
      Math.max(sizes.partBytes, Math.ceil(expected.sizeBytes / mostParts)),
    )) {
      sha256.update(Body);
      sizeBytes += Body.length;
      const md5 = createHash('md5').update(Body).digest();
      const part = {
        ...place,
        UploadId,
        PartNumber: parts.length + 1,
        Body,
        ContentMD5: md5.toString('base64'),
      };
      const answer = await bucket.send(
        what,
        (client) => client.send(new sdk.UploadPartCommand(part)),
        isUploadLost,
      );
      isProven &&= isProof(answer, md5);
      parts.push({ PartNumber: part.PartNumber, ETag: answer.ETag ?? '' });
    }
    refuseOther(file, { sizeBytes, sha256: sha256.digest('hex') }, expected);
    await bucket.send(
      what,
      (client) =>
        client.send(
          new sdk.CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: parts } }),
        ),
      isUploadLost,
    );
    return isProven;
  } catch (error) {
    // An error here would hide the one that ended the upload; what stays takes space and is never visible.
    await bucket.client.send(new sdk.AbortMultipartUploadCommand({ ...place, UploadId })).catch(() => {});
    throw error;
  }
}

/** One buffer after the other, each filled but the last. */
async function* piecesOf(source: FileHandle, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await source.read(piece, filled, length - filled, at + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (filled > 0) yield piece.subarray(0, filled);
    if (filled < length) return;
    at += filled;
  }
}

/** Another process writes in the scratch folder, or its disk fails: such bytes never leave. */
function refuseOther(file: string, found: FileDigest, expected: FileDigest): void {
  if (found.sizeBytes === expected.sizeBytes && found.sha256 === expected.sha256) return;
  throw new DiskError(message('output.changed-file', { file }));
}

/** The ETag is the MD5 of the bytes, unless the service encrypts them with a key of its own or counts otherwise. */
function isProof({ ETag }: { readonly ETag?: string | undefined }, md5: Buffer): boolean {
  return ETag?.replaceAll('"', '').toLowerCase() === md5.toString('hex');
}

function isHeaded(request: unknown): request is { readonly headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request;
}
