import { cpSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { Dice } from '../sim/dice.ts';
import { downloadToEnd } from '../support/download.ts';
import { openHost } from '../support/file-host.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { behaviours, type HostedFile, startFickleHost, validators } from './support/fickle-files.ts';

/** An MP4 by its first bytes; each version is another noise to its last byte. */
function version(seed: number, sizeBytes: number): Buffer {
  const dice = new Dice(seed, 'bytes');
  const bytes = Buffer.from(Array.from({ length: sizeBytes }, () => dice.integer(0, 255)));
  bytes.write('\0\0\0\x20ftypisom', 'latin1');
  return bytes;
}

const old = version(1, 20_000);
/** What may stand in its place: shorter, as long, longer. */
const others = [version(2, 12_288), version(3, 20_000), version(4, 26_000)] as const;

/** 64 places: both ends, around the head that tells the format, the ends of the other versions, and all parts between. */
const offsets = ((): readonly number[] => {
  const around = [0, 4_096, 8_192, 12_288, 16_384, 20_000];
  const places = new Set(
    around.flatMap((at) => [at - 1, at, at + 1]).filter((at) => at >= 0 && at <= old.length),
  );
  for (let step = 1; places.size < 64; step++) places.add((step * 389) % old.length);
  return [...places].sort((a, b) => a - b);
})();

async function openPlace() {
  const folder = await temporaryFolder();
  const host = openHost();
  const clock = { now: () => 0, steady: () => 0, wait: async () => {} };
  return {
    path: folder.path,
    async download(path: string, url: string, item: string, signal = new AbortController().signal) {
      const ports = { host, clock, tree: await openFileOutputTree(path, Date.now) };
      return downloadToEnd(ports, { url, target: `${item}/video`, kind: 'video' }, signal);
    },
    async [Symbol.asyncDispose]() {
      await host.close(true);
      await folder[Symbol.asyncDispose]();
    },
  };
}

const cases = Object.keys(validators).flatMap((validator) =>
  Object.keys(behaviours).map((behaviour) => [validator, behaviour] as const),
);

describe.each([
  ['cut', false],
  ['stopped by the death of its process', true],
] as const)('a download that is %s', (_, isKilled) => {
  it.for(cases)(
    'ends with one version of the file, never with two: %s, a host that %s',
    async ([told, does]) => {
      await using place = await openPlace();
      await using host = await startFickleHost();
      const [validator, behaviour] = [validators[told], behaviours[does]];
      if (validator === undefined || behaviour === undefined) throw new Error('there is no such case');
      for (const [at, cutAfter] of offsets.entries()) {
        // Every place with the file as it was, with one of the others in turn, and with one that ends just here.
        const changed = others.filter(({ length }, turn) => turn === at % 3 || length === cutAfter);
        for (const now of [old, ...changed]) {
          const item = `at-${cutAfter}-${now === old ? 'same' : now.length}`;
          const more = { cutAfter, isInUse: isKilled, requestCount: 0 };
          const file = { versions: [old, now] as const, validator, behaviour, ...more };
          const url = host.add(file);
          const out = isKilled ? await killAt(place, url, item, file) : place.path;
          expect(await place.download(out, url, item), item).toMatchObject({ outcome: 'saved' });
          const served = file.requestCount === 1 ? old : now;
          expect(
            served.equals(readFileSync(join(out, item, 'video.mp4'))),
            `${item} is what was served last`,
          ).toBe(true);
        }
      }
    },
  );
});

/** What a process leaves that is killed when so many bytes are on disk; the rest of it is stopped and forgotten. */
async function killAt(
  place: Awaited<ReturnType<typeof openPlace>>,
  url: string,
  item: string,
  file: Pick<HostedFile, 'cutAfter' | 'requestCount'>,
): Promise<string> {
  const stop = new AbortController();
  const ended = place.download(place.path, url, item, stop.signal);
  const part = join(place.path, item, 'video.part');
  const isHere = async (): Promise<boolean> =>
    file.requestCount > 0 && (await stat(part).catch(() => null))?.size === file.cutAfter;
  if (file.cutAfter === old.length) await ended;
  else while (!(await isHere())) await turn();
  const left = join(place.path, `left-${item}`);
  cpSync(join(place.path, item), join(left, item), { recursive: true, preserveTimestamps: true });
  stop.abort();
  await ended;
  return left;
}
