import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskError } from '../../../src/errors.ts';
import { frameTarget, taskFilePath, videoTarget } from '../../../src/files/output-paths.ts';
import { openFileOutputTree } from '../../../src/outputs/file-output-tree.ts';
import { openS3Destination } from '../../../src/outputs/s3/s3-destination.ts';
import { openSharedOutputTree } from '../../../src/outputs/shared-output-tree.ts';
import type { Destination, OutputTree } from '../../../src/ports.ts';
import {
  describeDestination,
  digestOf,
  listAll,
  noise,
  put,
  readAll,
  smallParts,
} from '../../support/destination-contract.ts';
import { type Gate, openGate } from '../../support/s3-gate.ts';
import { missingSwift, type Swift, startSwift, swiftKeys } from '../../support/swift.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { listFiles } from '../tree.ts';

const missing = missingSwift();

/** Which attempt made the file, and where in the run: both ends say so, and every byte between. */
const fileOf = (path: string, attempt: number): Buffer =>
  Buffer.from(`|${path} of attempt ${attempt}|`.repeat(2_000));

describe.skipIf(missing !== '')(
  `a bucket of OpenStack Swift${missing && ` (apt-get install ${missing})`}`,
  () => {
    let swift: Swift;
    let gate: Gate;
    let count = 0;

    beforeAll(async () => {
      swift = await startSwift();
      gate = await openGate(swift.endpoint);
      await swift.createBucket('outputs');
    });
    afterAll(async () => {
      await gate[Symbol.asyncDispose]();
      await swift[Symbol.asyncDispose]();
    });
    beforeEach(() => {
      vi.unstubAllEnvs();
      for (const [name, value] of Object.entries(swiftKeys)) vi.stubEnv(name, value);
      gate.judge(() => null);
    });

    const newAddress = (bucket = 'outputs'): string => {
      count += 1;
      return `s3://${bucket}/run-${count}`;
    };
    const open = (address: string, endpoint = swift.endpoint): Promise<Destination> =>
      openS3Destination({ address, endpoint, wait: async () => {}, partSizes: smallParts });

    /** What rclone reads below this address, as digests by path. */
    const sumsBelow = (address: string): Record<string, string> => {
      const [, , bucket = '', prefix] = address.split('/');
      const sums = [...swift.sumsByRclone(bucket)].filter(([key]) => key.startsWith(`${prefix}/`));
      return Object.fromEntries(sums.map(([key, sum]) => [key.slice(`${prefix}/`.length), sum]));
    };

    describeDestination('as a destination', async () => {
      const address = newAddress();
      const destination = await open(address);
      return {
        destination,
        readBeside: async (path) =>
          swift.readByRclone('outputs', `${address.replace('s3://outputs/', '')}/${path}`),
        [Symbol.asyncDispose]: async () => destination.close(),
      };
    });

    /** A worker with a scratch folder of its own. */
    async function openWorker(folder: string, destination: Destination): Promise<OutputTree> {
      await mkdir(folder, { recursive: true });
      const scratch = { folder, tree: await openFileOutputTree(folder, Date.now) };
      return openSharedOutputTree(scratch, destination, Date.now());
    }

    async function save(
      tree: OutputTree,
      target: string,
      extension: string,
      bytes: Uint8Array,
    ): Promise<void> {
      await using part = await tree.openPart(target);
      await part.append(bytes);
      await part.commit(`${target}.${extension}`);
    }

    it('keeps the files of the new attempt, though those of an old one arrive later: 200 times', async () => {
      await using folder = await temporaryFolder();
      const address = newAddress();
      const held = new Map<string, PromiseWithResolvers<void>>();
      // A row's old files wait here until its new ones are there.
      gate.judge(({ method, url = '' }) => {
        const row = /\/(q\d+)\/attempt-1\//.exec(url)?.[1] ?? '';
        return method === 'PUT' && held.has(row)
          ? { until: held.get(row)?.promise ?? Promise.resolve() }
          : null;
      });
      const old = await openWorker(join(folder.path, 'old'), await open(address, gate.endpoint));
      const direct = await open(address);
      const now = await openWorker(join(folder.path, 'now'), direct);
      const expected: Record<string, string> = {};
      const saveAll = async (tree: OutputTree, row: string, attempt: number): Promise<void> => {
        const item = { folder: row, attempt };
        const [video, frame] = [videoTarget(item, tree.layout), frameTarget(item, 1, tree.layout)];
        await Promise.all([
          save(tree, video, 'mp4', fileOf('video', attempt)),
          save(tree, frame, 'png', fileOf('frame', attempt)),
          tree.writeWhole(taskFilePath(item, tree.layout), `task of attempt ${attempt}`),
        ]);
        expected[`${video}.mp4`] = digestOf(fileOf('video', attempt)).sha256;
        expected[`${frame}.png`] = digestOf(fileOf('frame', attempt)).sha256;
        expected[taskFilePath(item, tree.layout)] = digestOf(
          Buffer.from(`task of attempt ${attempt}`),
        ).sha256;
      };
      for (let round = 0; round < 200; round++) {
        const row = `q${round}`;
        held.set(row, Promise.withResolvers());
        const late = saveAll(old, row, 1);
        await saveAll(now, row, 2);
        // The old files arrive after the new ones.
        expect(await listAll(direct, `${row}/attempt-1/`)).toEqual([]);
        held.get(row)?.resolve();
        await late;
      }
      expect(sumsBelow(address)).toEqual(expected);
      expect(Object.keys(expected)).toHaveLength(200 * 6);
    });

    it('that is full refuses in one line; the files wait in the scratch folder until there is room', async () => {
      await using folder = await temporaryFolder();
      await swift.createBucket('small', 50_000);
      const address = newAddress('small');
      const destination = await open(address);
      const tree = await openWorker(folder.path, destination);
      await save(tree, 'q1/attempt-1/video', 'mp4', noise(20_000, 1));
      const failed = save(tree, 'q2/attempt-1/video', 'mp4', noise(100_000, 2));
      await expect(failed).rejects.toThrow(DiskError);
      await expect(failed).rejects.toThrow(
        `${address}/q2/attempt-1/video.mp4 could not be written: the bucket is full`,
      );
      expect(await listFiles(folder.path)).toEqual(['q2/attempt-1/video.mp4']);
      expect(await listAll(destination)).toEqual(['q1/attempt-1/video.mp4']);
      await swift.createBucket('small', 1_000_000);
      const later = await openWorker(folder.path, destination);
      expect(await later.saveReceived('q2/attempt-1/video')).toMatchObject(digestOf(noise(100_000, 2)));
      expect(sumsBelow(address)).toEqual({
        'q1/attempt-1/video.mp4': digestOf(noise(20_000, 1)).sha256,
        'q2/attempt-1/video.mp4': digestOf(noise(100_000, 2)).sha256,
      });
    });

    it('that no longer accepts the key says so in one line, and takes the files with a new one', async () => {
      await using folder = await temporaryFolder();
      for (const name of Object.keys(swiftKeys)) vi.stubEnv(name, undefined);
      const profile = join(folder.path, 'credentials');
      vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', profile);
      vi.stubEnv('AWS_CONFIG_FILE', join(folder.path, 'config'));
      const keep = (secret: string): Promise<void> =>
        writeFile(profile, `[default]\naws_access_key_id = test:tester\naws_secret_access_key = ${secret}\n`);
      for (const length of [10_000, smallParts.wholeMaxBytes + 1]) {
        await keep('a-secret-of-yesterday');
        const destination = await open(newAddress());
        const tree = await openWorker(join(folder.path, 'scratch'), destination);
        const bytes = noise(length);
        const refusals = await Promise.allSettled([
          destination.checkWritable(),
          save(tree, 'q1/attempt-1/video', 'mp4', bytes),
        ]);
        for (const refusal of refusals) {
          const error: unknown = refusal.status === 'rejected' ? refusal.reason : null;
          expect(error).toBeInstanceOf(DiskError);
          expect((error as DiskError).message).toMatch(
            /the credentials are missing, wrong or expired \(SignatureDoes/,
          );
          expect((error as DiskError).message).not.toMatch(/yesterday|tester|\n/);
        }
        await keep('testing');
        expect(await tree.saveReceived('q1/attempt-1/video')).toMatchObject(digestOf(bytes));
      }
    });

    it('refuses bytes that changed on the way: they are sent again', async () => {
      const destination = await open(newAddress(), gate.endpoint);
      const bytes = noise(300_000);
      let spoilt = 0;
      // Content-MD5 of other bytes stands for bytes that changed.
      gate.judge((request: IncomingMessage) => {
        if (request.method === 'PUT' && spoilt < 2) {
          spoilt += 1;
          request.headers['x-amz-content-sha256'] = digestOf(noise(1)).sha256;
        }
        return null;
      });
      await put(destination, 'q1/attempt-1/video.mp4', bytes).catch((error: unknown) => {
        expect(error).toBeInstanceOf(DiskError);
      });
      gate.judge(() => null);
      await put(destination, 'q1/attempt-1/video.mp4', bytes);
      expect(bytes.equals((await readAll(destination, 'q1/attempt-1/video.mp4')) ?? Buffer.alloc(0))).toBe(
        true,
      );
    });

    /** Starts a process that sends the file through the gate. */
    function startSender(address: string, file: string, path: string): ChildProcess {
      const script = join(import.meta.dirname, 'sender.ts');
      return spawn(process.execPath, [script, address, gate.endpoint, file, path], {
        env: { ...process.env, ...swiftKeys },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    }

    it.each([
      ['whole', 5 * 2 ** 20, 0],
      ['in parts, at the first', 16 * 2 ** 20, 0],
      ['in parts, at the second', 16 * 2 ** 20, 1],
      ['in parts, at the last', 16 * 2 ** 20, 3],
    ])('shows nothing of a file whose sender is killed while it sends it %s', async (_name, length, sent) => {
      await using folder = await temporaryFolder();
      const address = newAddress();
      const file = join(folder.path, 'file');
      const bytes = noise(length);
      await writeFile(file, bytes);
      const direct = await open(address);
      const path = 'q1/attempt-1/video.mp4';
      await put(direct, path, noise(1_000, 9));
      for (let round = 0; round < 5; round++) {
        const [reached, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        let puts = 0;
        gate.judge((request) => {
          if (request.method !== 'PUT' || puts++ < sent) return null;
          return { bytes: 100_000, reached: reached.resolve, gone: gone.promise };
        });
        const sender = startSender(address, file, path);
        const ended = once(sender, 'exit');
        await Promise.race([reached.promise, ended]);
        sender.kill('SIGKILL');
        expect((await ended)[1]).toBe('SIGKILL');
        gone.resolve();
        expect(await listAll(direct)).toEqual([path]);
        expect(sumsBelow(address)).toEqual({ [path]: digestOf(noise(1_000, 9)).sha256 });
      }
      gate.judge(() => null);
      const sender = startSender(address, file, path);
      expect((await once(sender, 'exit'))[0]).toBe(0);
      expect(sumsBelow(address)).toEqual({ [path]: digestOf(bytes).sha256 });
    });
  },
);
