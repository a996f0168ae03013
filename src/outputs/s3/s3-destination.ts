/**
 * An S3-compatible bucket. An object is whole or not there, so nothing needs a temporary name; each carries the SHA-256
 * of its bytes, and is saved once the service's answers prove that it has them.
 */

import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { DiskError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import type { ByteRange, Destination, FileDigest } from '../../ports.ts';
import { parseBucketAddress } from './address.ts';
import { Bucket } from './client.ts';
import { isMissing } from './refusals.ts';
import { signLink } from './sign-link.ts';
import { type PartSizes, upload } from './upload.ts';

export interface S3DestinationOptions {
  /** `s3://bucket/prefix`. */
  readonly address: string;
  /** Address of an S3-compatible service; null for AWS. */
  readonly endpoint: string | null;
  /** Resolves after so many ms. */
  wait(ms: number): Promise<void>;
  readonly partSizes?: PartSizes;
}

/** Opens the bucket; nothing is sent yet. Throws `UsageError` where the address, package or region is missing or wrong. */
export async function openS3Destination(options: S3DestinationOptions): Promise<Destination> {
  const address = parseBucketAddress(options.address);
  const bucket = await Bucket.open({ address, endpoint: options.endpoint, wait: options.wait });
  return new S3Destination(bucket, options.partSizes);
}

class S3Destination implements Destination {
  readonly name: string;
  readonly #bucket: Bucket;
  readonly #partSizes: PartSizes | undefined;

  constructor(bucket: Bucket, partSizes: PartSizes | undefined) {
    this.name = bucket.address.name;
    this.#bucket = bucket;
    this.#partSizes = partSizes;
  }

  check(): void {}

  /** A right to delete is not needed: without it a small object stays. */
  async checkWritable(): Promise<void> {
    const { sdk, address } = this.#bucket;
    const place = { Bucket: address.bucket, Key: this.#bucket.keyOf(`.batch-${randomUUID()}.tmp`) };
    await this.#bucket.send(message('bucket.cannot-write', { name: this.name }), (client) =>
      client.send(new sdk.PutObjectCommand({ ...place, Body: 'batch' })),
    );
    await this.#bucket.client.send(new sdk.DeleteObjectCommand(place)).catch(() => {});
  }

  async put(file: string, path: string, expected: FileDigest): Promise<void> {
    const isProven = await upload(this.#bucket, file, path, expected, this.#partSizes);
    const stored = isProven ? await this.stat(path) : await this.#readDigest(path);
    if (stored?.sizeBytes === expected.sizeBytes && stored.sha256 === expected.sha256) return;
    throw new DiskError(message('bucket.not-as-sent', { name: this.#bucket.nameOf(path) }));
  }

  async stat(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string | null } | null> {
    const { sdk, address } = this.#bucket;
    const found = await this.#orNull(path, (client) =>
      client.send(new sdk.HeadObjectCommand({ Bucket: address.bucket, Key: this.#bucket.keyOf(path) })),
    );
    if (found === null) return null;
    const noted = found.Metadata?.sha256 ?? '';
    return {
      sizeBytes: found.ContentLength ?? 0,
      sha256: /^[0-9a-f]{64}$/.test(noted) ? noted : null,
    };
  }

  async inspect(path: string): Promise<FileDigest | null> {
    const found = await this.stat(path);
    if (found === null) return null;
    const { sizeBytes, sha256 } = found;
    return sha256 === null ? this.#readDigest(path) : { sizeBytes, sha256 };
  }

  async read(path: string, range?: ByteRange): ReturnType<Destination['read']> {
    const { sdk, address } = this.#bucket;
    const found = await this.#orNull(path, (client) =>
      client.send(
        new sdk.GetObjectCommand({
          Bucket: address.bucket,
          Key: this.#bucket.keyOf(path),
          ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end - 1}` }),
        }),
      ),
    );
    if (!(found?.Body instanceof Readable)) return null;
    const { Body, ContentLength: sizeBytes = 0 } = found;
    return {
      sizeBytes,
      body: this.#wholeBody(path, sizeBytes, Body),
      [Symbol.asyncDispose]: async () => {
        Body.destroy();
      },
    };
  }

  async *list(prefix: string): ReturnType<Destination['list']> {
    const { sdk, address } = this.#bucket;
    let token: string | undefined;
    do {
      const page = { Bucket: address.bucket, Prefix: this.#bucket.keyOf(prefix), ContinuationToken: token };
      const answer = await this.#bucket.send(message('bucket.cannot-read', { name: this.name }), (client) =>
        client.send(new sdk.ListObjectsV2Command(page)),
      );
      for (const { Key, Size } of answer.Contents ?? [])
        if (Key !== undefined) yield { path: Key.slice(address.prefix.length), sizeBytes: Size ?? 0 };
      token = answer.IsTruncated === true ? answer.NextContinuationToken : undefined;
    } while (token !== undefined);
  }

  signedLink(path: string, seconds: number): Promise<string> {
    return signLink(this.#bucket, path, seconds);
  }

  /** Parts of a killed upload are never visible; a rule of the bucket removes them. */
  async clearUnfinished(): Promise<void> {}

  close(): void {
    this.#bucket.close();
  }

  /** The answer to a request about one object; null where there is none. */
  async #orNull<T>(path: string, request: (client: S3Client) => Promise<T>): Promise<T | null> {
    try {
      return await this.#bucket.send(
        message('bucket.cannot-read', { name: this.#bucket.nameOf(path) }),
        request,
        isMissing,
      );
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** A body that ends early is cut off, even where the connection ends well. */
  async *#wholeBody(
    path: string,
    sizeBytes: number,
    body: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const cut = (error?: unknown): DiskError =>
      new DiskError(message('bucket.cut', { name: this.#bucket.nameOf(path) }), error);
    let count = 0;
    try {
      for await (const bytes of body) {
        count += bytes.length;
        yield bytes;
      }
    } catch (error) {
      throw cut(error);
    }
    if (count !== sizeBytes) throw cut();
  }

  async #readDigest(path: string): Promise<FileDigest | null> {
    await using found = await this.read(path);
    if (found === null) return null;
    const hash = createHash('sha256');
    for await (const bytes of found.body) hash.update(bytes);
    return { sizeBytes: found.sizeBytes, sha256: hash.digest('hex') };
  }
}
