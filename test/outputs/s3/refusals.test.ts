import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskError, UsageError } from '../../../src/errors.ts';
import { openS3Destination } from '../../../src/outputs/s3/s3-destination.ts';
import type { Destination } from '../../../src/ports.ts';
import { digestOf, listAll, noise, put, readAll, smallParts } from '../../support/destination-contract.ts';
import { type S3, s3Keys, startS3 } from '../../support/s3.ts';
import { type Gate, openGate } from '../../support/s3-gate.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let s3: S3;
let gate: Gate;
let waits: number[];

beforeAll(async () => {
  s3 = await startS3();
  gate = await openGate(s3.endpoint);
});
afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});
beforeEach(() => {
  vi.unstubAllEnvs();
  for (const [name, value] of Object.entries(s3Keys)) vi.stubEnv(name, value);
  gate.judge(() => null);
  gate.seen.length = 0;
  waits = [];
});

let count = 0;

async function open(endpoint = gate.endpoint): Promise<Destination> {
  count += 1;
  const address = `s3://${s3.bucket}/gated-${count}`;
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
  };
  return openS3Destination({ address, endpoint, wait, partSizes: smallParts });
}

const video = 'q1/attempt-1/video.mp4';
const large = noise(11 * 2 ** 20);

describe('a bucket that refuses', () => {
  it.each([
    [403, 'AccessDenied', 'the bucket refused (AccessDenied, HTTP 403); check the credentials'],
    [
      403,
      'InvalidAccessKeyId',
      'the credentials are missing, wrong or expired (InvalidAccessKeyId, HTTP 403)',
    ],
    [
      400,
      'ExpiredToken',
      'the credentials are missing, wrong or expired (ExpiredToken, HTTP 400); renew them',
    ],
    [404, 'NoSuchBucket', `there is no bucket outputs (NoSuchBucket, HTTP 404); create it`],
    [403, 'QuotaExceeded', 'the bucket is full (QuotaExceeded, HTTP 403); free space or raise its quota'],
    [507, 'XMinioStorageFull', 'the bucket is full (XMinioStorageFull, HTTP 507)'],
    [413, 'EntityTooLarge', 'the bucket is full (EntityTooLarge, HTTP 413)'],
    [
      301,
      'PermanentRedirect',
      'the bucket is in another region (PermanentRedirect, HTTP 301); set AWS_REGION',
    ],
    [400, 'InvalidArgument', 'could not be written (InvalidArgument, HTTP 400); check the bucket'],
  ])('with %i %s is said in one line, and at once', async (status, code, line) => {
    const destination = await open();
    gate.judge(() => ({ status, code }));
    const error = await put(destination, video, noise(1_000)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DiskError);
    const { message } = error as DiskError;
    expect(message).toContain(`${destination.name}/${video} could not be written`);
    expect(message).toContain(line);
    expect(message).toMatch(/and run the same command again$/);
    expect(message).not.toMatch(/\n|SECRETKEY|S3RVER/);
    expect(waits).toEqual([]);
    gate.judge(() => null);
    expect(await listAll(destination)).toEqual([]);
    await put(destination, video, noise(1_000));
  });

  it('for a while is asked again, ever more rarely, and then for no longer', async () => {
    const destination = await open();
    for (const status of [500, 502, 503, 504, 429]) {
      let refusals = 3;
      gate.judge(() => (refusals-- > 0 ? { status, code: 'SlowDown' } : null));
      waits = [];
      await put(destination, video, noise(1_000));
      expect(waits).toEqual([500, 1_000, 2_000]);
    }
    gate.judge(() => ({ status: 503, code: 'SlowDown' }));
    waits = [];
    await expect(put(destination, video, noise(1_000))).rejects.toThrow('SlowDown, HTTP 503');
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 60_000]);
  });

  it('cannot be reached: the host is named, and nothing of the credentials', async () => {
    const destination = await open('http://127.0.0.1:9');
    const failed = put(destination, video, noise(1_000));
    await expect(failed).rejects.toThrow(
      '127.0.0.1 cannot be reached (ECONNREFUSED); check the network and AWS_ENDPOINT_URL',
    );
    expect(waits.length).toBeGreaterThan(3);
  });

  it.each(['before', 'after'] as const)(
    'cuts connections %s it has the bytes: they are sent again',
    async (cut) => {
      const destination = await open();
      for (const bytes of [noise(300_000), large]) {
        let cuts = 2;
        gate.judge((request) => (request.method === 'PUT' && cuts-- > 0 ? { cut } : null));
        await put(destination, video, bytes);
        gate.judge(() => null);
        expect(bytes.equals((await readAll(destination, video)) ?? Buffer.alloc(0))).toBe(true);
      }
    },
  );

  it('forgets an upload in parts: it begins anew', async () => {
    const destination = await open();
    let refusals = 1;
    gate.judge(({ url = '' }) =>
      /partNumber=2/.test(url) && refusals-- > 0 ? { status: 404, code: 'NoSuchUpload' } : null,
    );
    await put(destination, video, large);
    expect(await destination.inspect(video)).toEqual(digestOf(large));
  });

  it('shows nothing of an upload in parts that failed at its last part', async () => {
    const destination = await open();
    gate.judge(({ url = '' }) => (/partNumber=3/.test(url) ? { status: 403, code: 'AccessDenied' } : null));
    await expect(put(destination, video, large)).rejects.toThrow(DiskError);
    gate.judge(() => null);
    expect(await listAll(destination)).toEqual([]);
  });
});

describe('what a bucket says afterwards', () => {
  it('is believed only if it proves the bytes: a service that keeps others is found out', async () => {
    const destination = await open();
    // It says yes to everything, and keeps what it had.
    await put(destination, video, noise(2_000, 1));
    gate.judge(({ method }) =>
      method === 'PUT' ? { status: 200, code: '', headers: { etag: '"0123"' } } : null,
    );
    await expect(put(destination, video, noise(2_000, 2))).rejects.toThrow('is not as it was sent');
  });

  it('may name the bytes by something else than their MD5: they are read back', async () => {
    const destination = await open();
    const bytes = noise(2_000);
    await put(destination, video, bytes);
    gate.seen.length = 0;
    gate.judge(({ method }) =>
      method === 'PUT'
        ? { status: 200, code: '', headers: { etag: '"of-a-service-with-its-own-keys"' } }
        : null,
    );
    await put(destination, video, bytes);
    expect(gate.seen.map((line) => line.split(' ')[0])).toEqual(['PUT', 'GET']);
  });

  it('needs no download where the digest is noted, and a whole one where it is not', async () => {
    const destination = await open();
    const bytes = noise(9_000);
    await put(destination, video, bytes);
    gate.seen.length = 0;
    expect(await destination.inspect(video)).toEqual(digestOf(bytes));
    expect(gate.seen.map((line) => line.split(' ')[0])).toEqual(['HEAD']);
    const { PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3');
    const other = new S3Client({ endpoint: s3.endpoint, region: 'us-east-1', forcePathStyle: true });
    const Key = `${destination.name.replace(/^s3:..[^/]+./, '')}/${video}`;
    await other.send(new PutObjectCommand({ Bucket: s3.bucket, Key, Body: noise(8_000) }));
    gate.seen.length = 0;
    expect(await destination.inspect(video)).toEqual(digestOf(noise(8_000)));
    expect(gate.seen.map((line) => line.split(' ')[0])).toEqual(['HEAD', 'GET']);
  });
});

describe('credentials', () => {
  it('that are renewed in the profile are read again in mid-run', async () => {
    await using folder = await temporaryFolder();
    for (const name of Object.keys(s3Keys)) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder.path, 'credentials'));
    vi.stubEnv('AWS_CONFIG_FILE', join(folder.path, 'config'));
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    const keep = (secret: string): Promise<void> =>
      writeFile(
        join(folder.path, 'credentials'),
        `[default]\naws_access_key_id = S3RVER\naws_secret_access_key = ${secret}\n`,
      );
    const destination = await open();
    await expect(put(destination, video, noise(100))).rejects.toThrow(
      'the credentials are missing, wrong or expired (CredentialsProviderError)',
    );
    await keep('S3RVER');
    await put(destination, video, noise(100));
    await keep('S3RVER-of-tomorrow');
    gate.judge(() => ({ status: 400, code: 'ExpiredToken' }));
    const failed = put(destination, video, noise(200));
    await expect(failed).rejects.toThrow(
      'the credentials are missing, wrong or expired (ExpiredToken, HTTP 400)',
    );
    gate.judge(() => null);
    await expect(put(destination, video, noise(200))).rejects.toThrow('SignatureDoesNotMatch');
    await keep('S3RVER');
    await put(destination, video, noise(200));
    expect(await destination.inspect(video)).toEqual(digestOf(noise(200)));
  });
});

describe('the address', () => {
  it.each(['s3://', 's3:///a', 's3://b/../c', 's3://b//c', 's3://b/c\\d', 's3:/b', 's3://key:secret@b/c'])(
    '%s is refused, without repeating it',
    async (address) => {
      const failed = openS3Destination({ address, endpoint: null, wait: async () => {} });
      await expect(failed).rejects.toThrow(UsageError);
      await expect(failed).rejects.not.toThrow('secret');
    },
  );

  it.each(['ftp://x', 'x', 'http://key:secret@127.0.0.1'])(
    'of the service %s is refused',
    async (endpoint) => {
      await expect(open(endpoint)).rejects.toThrow(UsageError);
      await expect(open(endpoint)).rejects.not.toThrow('secret');
    },
  );

  it('of AWS needs a region', async () => {
    vi.stubEnv('AWS_REGION', undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    const failed = openS3Destination({ address: 's3://b/c', endpoint: null, wait: async () => {} });
    await expect(failed).rejects.toThrow('set AWS_REGION or AWS_ENDPOINT_URL');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    const destination = await openS3Destination({
      address: 's3://bucket/c/',
      endpoint: null,
      wait: async () => {},
    });
    expect(destination.name).toBe('s3://bucket/c');
    expect(await destination.signedLink('a.mp4', 60)).toMatch(
      /^https:\/\/bucket\.s3\.eu-central-1\.amazonaws\.com\/c\/a\.mp4\?/,
    );
  });
});
