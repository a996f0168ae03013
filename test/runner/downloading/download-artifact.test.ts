import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiskError } from '../../../src/errors.ts';
import { fixed } from '../../../src/money/policy.ts';
import { openFileOutputTree } from '../../../src/outputs/file-output-tree.ts';
import type { Clock, FileAnswer, FileHost, OutputTree } from '../../../src/ports.ts';
import type { Download } from '../../../src/runner/downloading/download-artifact.ts';
import { downloadToEnd } from '../../support/download.ts';
import { openHost } from '../../support/file-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { fileServer, type Serving } from './file-server.ts';

const never = new AbortController().signal;

/** An MP4 by its first bytes, otherwise noise that is the same for the same seed. */
function video(seed: number, sizeBytes: number): Buffer {
  const content = Buffer.alloc(sizeBytes);
  for (let i = 0; i < sizeBytes; i++) content[i] = (Math.imul(i + 1, 2654435761 + seed) >>> 13) & 0xff;
  content.set(Buffer.from('\0\0\0\x20ftypisom'));
  return content;
}

/** Time that passes at once and remembers how long it was asked to wait. */
function swiftClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return { waits, now: () => 0, steady: () => 0, wait: async (ms) => void waits.push(ms) };
}

async function openPlace() {
  const folder = await temporaryFolder();
  const host = openHost();
  const clock = swiftClock();
  const ports = { host, tree: await openFileOutputTree(folder.path, Date.now), clock };
  return {
    ports,
    out: folder.path,
    waits: clock.waits,
    download: (url: string, request: Partial<Download> = {}) =>
      downloadToEnd(ports, { url, target: 'q1/video', kind: 'video', ...request }, never),
    async [Symbol.asyncDispose]() {
      await host.close(true);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A host without a network: each request gets the next answer, the last one again and again. */
function scriptedHost(...answers: readonly FileAnswer[]): FileHost & { readonly offsets: number[] } {
  const offsets: number[] = [];
  return {
    offsets,
    async get(_url, from) {
      const answer = answers[Math.min(offsets.push(from.offset), answers.length) - 1];
      if (answer === undefined) throw new Error('no answer was written for this test');
      return answer;
    },
    close: async () => {},
  };
}

async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text, 'latin1');
  }
}

function content(body: AsyncIterable<Uint8Array>, more: object = {}): FileAnswer {
  const plain = { offset: 0, totalBytes: null, validator: null, contentType: null };
  return { outcome: 'content', ...plain, ...more, body };
}

const firstVersion = video(1, 200_000);
const secondVersion = video(2, 150_000);

const validators: Readonly<Record<string, (version: number) => Partial<Serving>>> = {
  'a strong ETag': (version) => ({ etag: `"v${version}"` }),
  'a weak ETag': (version) => ({ etag: `W/"v${version}"` }),
  'a date only': (version) => ({ lastModified: `Sat, 0${version} Jan 2022 00:00:00 GMT` }),
  'no validator': () => ({}),
};

describe('a download that is cut', () => {
  for (const [name, validator] of Object.entries(validators))
    for (const ranges of ['yes', 'no', 'ignores-if-range'] as const)
      it.each([[0], [1], [11, 13], [4096, 4096, 4096], [65_536], [149_999, 1], [150_000], [199_999]])(
        `under ${name} (ranges: ${ranges}) after %i bytes ends with the right bytes, changed or not`,
        async (...cuts) => {
          for (const changesAt of [1, cuts.length, Number.POSITIVE_INFINITY]) {
            await using place = await openPlace();
            await using server = await fileServer((request) => {
              const version = request < changesAt ? 1 : 2;
              const cutAfter = cuts[request];
              return {
                content: version === 1 ? firstVersion : secondVersion,
                ranges,
                ...validator(version),
                ...(cutAfter === undefined ? {} : { cutAfter }),
              };
            });
            const last = cuts.length < changesAt ? firstVersion : secondVersion;
            expect(await place.download(`${server.url}/v.mp4?sig=1`)).toEqual({
              outcome: 'saved',
              file: {
                path: 'q1/video.mp4',
                sizeBytes: last.length,
                sha256: createHash('sha256').update(last).digest('hex'),
              },
            });
            expect(last.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
            expect(await readdir(join(place.out, 'q1'))).toEqual(['video.mp4']);
          }
        },
      );

  it('continues where it was under an ETag or a date, and under nothing else', async () => {
    for (const [name, validator] of Object.entries(validators)) {
      await using place = await openPlace();
      await using server = await fileServer((request) => ({
        content: firstVersion,
        ...validator(1),
        ...(request === 0 ? { cutAfter: 70_000 } : {}),
      }));
      await place.download(server.url);
      const ranges = server.requests.map(({ headers }) => headers.range);
      expect(ranges).toEqual([undefined, name === 'no validator' ? undefined : 'bytes=70000-']);
    }
  });

  it.each(Object.keys(validators).filter((name) => name !== 'no validator'))(
    'ends with the whole file under %s where the host cuts each of its answers',
    async (name) => {
      await using place = await openPlace();
      await using server = await fileServer((request) => ({
        content: firstVersion,
        ...validators[name]?.(1),
        cutAfter: Math.min((request + 1) * 10_000, firstVersion.length - 1),
      }));
      expect(await place.download(server.url)).toMatchObject({ outcome: 'saved' });
      expect(firstVersion.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
    },
  );

  it('ends with the right bytes wherever it is cut and whenever the file changes', async () => {
    await using place = await openPlace();
    const step = fc.record({
      cutAfter: fc.option(fc.integer({ min: 0, max: 5000 }), { nil: undefined }),
      version: fc.integer({ min: 1, max: 2 }),
      ranges: fc.constantFrom('yes', 'no', 'ignores-if-range'),
    });
    const steps = fc.array(step, { minLength: 1, maxLength: 4 });
    const versions = [video(1, 5000), video(2, 4000)];
    const property = fc.asyncProperty(
      steps,
      fc.constantFrom(...Object.values(validators)),
      async (plan, of) => {
        let served = versions[0];
        await using server = await fileServer((request) => {
          const { version, ranges, cutAfter } = plan[request] ?? {
            version: 1,
            ranges: 'yes',
            cutAfter: undefined,
          };
          served = versions[version - 1] ?? Buffer.alloc(0);
          const cut = cutAfter === undefined ? {} : { cutAfter };
          return {
            content: served,
            ranges: ranges as 'yes' | 'no' | 'ignores-if-range',
            ...of(version),
            ...cut,
          };
        });
        expect(await place.download(server.url)).toMatchObject({ outcome: 'saved' });
        expect(served?.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it('continues in the next run, with a new link, where the last one was stopped', async () => {
    await using place = await openPlace();
    await using server = await fileServer((request, link) => {
      if (link === '/old' && request > 0) return 403;
      return { content: firstVersion, etag: '"v1"', ...(link === '/old' ? { cutAfter: 70_000 } : {}) };
    });
    expect(await place.download(`${server.url}/old`)).toMatchObject({ outcome: 'link-refused' });
    const nextRun = { ...place.ports, tree: await openFileOutputTree(place.out, Date.now) };
    const request = { url: `${server.url}/new`, target: 'q1/video', kind: 'video' } as const;
    expect(await downloadToEnd(nextRun, request, never)).toMatchObject({ outcome: 'saved' });
    expect(server.requests.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=70000-',
      undefined,
      'bytes=70000-',
    ]);
    expect(firstVersion.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
  });

  it.each([400, 403, 404, 410, 500, 501, 503])(
    'is begun again where the host answers HTTP %i to a request for the rest',
    async (status) => {
      await using place = await openPlace();
      let wholes = 0;
      await using server = await fileServer((request) =>
        server.requests[request]?.headers.range === undefined
          ? { content: firstVersion, etag: '"v1"', ...(wholes++ === 0 && { cutAfter: 70_000 }) }
          : status,
      );
      expect(await place.download(server.url)).toMatchObject({ outcome: 'saved' });
      expect(wholes).toBe(2);
      expect(firstVersion.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
    },
  );

  it.each([403, 503])(
    'keeps its part where the host answers HTTP %i to everything for a while',
    async (status) => {
      await using place = await openPlace();
      let isAway = false;
      await using server = await fileServer((request) => {
        if (isAway) return status;
        return { content: firstVersion, etag: '"v1"', ...(request === 0 && { cutAfter: 70_000 }) };
      });
      const hasLeft = place.ports.clock.wait;
      place.ports.clock.wait = async (...words) => {
        isAway = true;
        await hasLeft(...words);
      };
      expect((await place.download(server.url)).outcome).not.toBe('saved');
      const asked = server.requests.length;
      place.ports.clock.wait = hasLeft;
      isAway = false;
      expect(await place.download(server.url)).toMatchObject({ outcome: 'saved' });
      expect(server.requests.slice(asked).map(({ headers }) => headers.range)).toEqual(['bytes=70000-']);
    },
  );

  it('between its last byte and its commit is only asked whether it is whole', async () => {
    await using place = await openPlace();
    {
      await using part = await place.ports.tree.openPart('q1/video');
      await part.restart('"v1"');
      await part.append(firstVersion);
    }
    await using server = await fileServer(() => ({ content: firstVersion, etag: '"v1"' }));
    expect(await place.download(server.url)).toMatchObject({ outcome: 'saved' });
    expect(server.requests.map(({ headers }) => headers.range)).toEqual(['bytes=200000-']);
    expect(firstVersion.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
  });

  it('of a file that became shorter than what is here starts again', async () => {
    await using place = await openPlace();
    await using server = await fileServer((request) =>
      request === 0
        ? { content: firstVersion, etag: '"v1"', cutAfter: 180_000 }
        : { content: secondVersion, etag: '"v2"', ranges: 'ignores-if-range' },
    );
    expect(await place.download(server.url)).toMatchObject({
      outcome: 'saved',
      file: { sizeBytes: 150_000 },
    });
    expect(secondVersion.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
  });
});

describe('a file with several links', () => {
  it.each(['&amp;', '\\u0026'])(
    'is fetched by its link without %s where the link as written is refused',
    async (mark) => {
      await using place = await openPlace();
      await using server = await fileServer((_, link) =>
        link === '/v?a=1&b=2' ? { content: firstVersion } : 403,
      );
      expect(await place.download(`${server.url}/v?a=1${mark}b=2`)).toMatchObject({ outcome: 'saved' });
      expect(server.requests.map(({ url }) => url)).toEqual([`/v?a=1${mark}b=2`, '/v?a=1&b=2']);
    },
  );

  it.each([
    ['/v\n.mp4', ['/v%0A.mp4', '/v.mp4']],
    ['\\v.mp4', ['/v.mp4']],
  ])(
    'is fetched as the URL standard reads the link where it leads nowhere as written: %j',
    async (written, asked) => {
      await using place = await openPlace();
      await using server = await fileServer((_, link) =>
        link === '/v.mp4' ? { content: firstVersion } : 404,
      );
      expect(await place.download(`${server.url}${written}`)).toMatchObject({ outcome: 'saved' });
      expect(server.requests.map(({ url }) => url)).toEqual(asked);
    },
  );

  it('is fetched by the first that leads to it; what the first one left is kept until another brings something', async () => {
    await using place = await openPlace();
    await using server = await fileServer((request, link) => {
      if (link === '/gone') return 404;
      return { content: firstVersion, etag: '"v1"', ...(request < 6 ? { cutAfter: 70_000 } : {}) };
    });
    const spareUrls = [`${server.url}/gone`];
    const request = { url: `${server.url}/v`, spareUrls, target: 'q1/video', kind: 'video' } as const;
    expect(await downloadToEnd(place.ports, request, never)).toMatchObject({ outcome: 'saved' });
    const refused = { ...request, url: `${server.url}/gone`, spareUrls: [`${server.url}/v`] };
    expect(await downloadToEnd(place.ports, refused, never)).toMatchObject({ outcome: 'saved' });
    expect(firstVersion.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
  });

  it('never joins the bytes of two hosts, also under the same ETag', async () => {
    await using place = await openPlace();
    // The first host always cuts; the second has another file of the same length.
    await using first = await fileServer(() => ({
      content: video(1, 5_000),
      etag: '"1"',
      ranges: 'no',
      cutAfter: 1_000,
    }));
    await using second = await fileServer((request) => ({
      content: video(2, 5_000),
      etag: '"1"',
      ...(request === 0 ? { cutAfter: 2_000 } : {}),
    }));
    const request = { url: first.url, spareUrls: [second.url], target: 'q1/video', kind: 'video' } as const;
    expect(await downloadToEnd(place.ports, request, never)).toMatchObject({ outcome: 'saved' });
    expect(video(2, 5_000).equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
    expect(second.requests.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=2000-']);
  });

  it('leaves nothing of another link behind for the first one to continue with', async () => {
    await using place = await openPlace();
    await using first = await fileServer(() => 503);
    await using second = await fileServer(() => ({
      content: video(2, 5_000),
      etag: '"1"',
      ranges: 'no',
      cutAfter: 1_000,
    }));
    const request = { url: first.url, spareUrls: [second.url], target: 'q1/video', kind: 'video' } as const;
    const end = await downloadToEnd(place.ports, request, never);
    expect(end).toMatchObject({ outcome: 'given-up', failure: expect.stringContaining('answered HTTP 503') });
    expect(await readdir(join(place.out, 'q1'))).toEqual([]);
  });
});

describe('a download that fails for causes that may pass', () => {
  it('is tried again with growing pauses, then given up; the link is named without its query', async () => {
    await using place = await openPlace();
    await using server = await fileServer(() => 503);
    const end = await place.download(`${server.url}/v.mp4?sig=SECRET`);
    expect(end).toEqual({
      outcome: 'given-up',
      failure: `${server.url}/v.mp4: answered HTTP 503 (given up after 5 tries)`,
    });
    expect(server.requests).toHaveLength(fixed.downloadTries);
    expect(place.waits).toEqual([1000, 3000, 9000, 27_000]);
    expect(await readdir(join(place.out, 'q1'))).toEqual([]);
  });

  it('counts its tries anew after one that brought new bytes', async () => {
    await using place = await openPlace();
    await using server = await fileServer((request) => {
      if (request === 12) return { content: firstVersion, etag: '"v1"' };
      if (request % 4 === 3) return { content: firstVersion, etag: '"v1"', cutAfter: 10 };
      return 500;
    });
    expect(await place.download(server.url)).toMatchObject({ outcome: 'saved' });
    expect(place.waits).toEqual([1000, 3000, 9000, 1000, 1000, 3000, 9000, 1000, 1000, 3000, 9000, 1000]);
  });

  it('does not take the same bytes twice for new ones', async () => {
    await using place = await openPlace();
    await using server = await fileServer(() => ({ content: firstVersion, cutAfter: 100 }));
    expect(await place.download(server.url)).toMatchObject({ outcome: 'given-up' });
    expect(server.requests).toHaveLength(1 + fixed.downloadTries);
  });

  it('is given up after many tries even if each brings a byte', async () => {
    await using place = await openPlace();
    await using server = await fileServer(() => ({ content: firstVersion, etag: '"v1"', cutAfter: 1 }));
    const end = await place.download(server.url);
    expect(end).toMatchObject({ outcome: 'given-up', failure: expect.stringContaining('after 50 tries') });
  });

  it.each([
    ['ends early', pieces('abc')],
    ['is longer than announced', pieces('\0bcdefghijklmnop')],
    ['is cut', pieces('abc', new Error('cut'))],
    ['is empty', pieces()],
  ])('because the body %s is tried again from the start', async (_name, body) => {
    await using place = await openPlace();
    const host = scriptedHost(
      content(body, { totalBytes: 10 }),
      content(pieces('\0bcdefghij'), { totalBytes: 10 }),
    );
    const ports = { ...place.ports, host };
    const end = await downloadToEnd(ports, { url: 'http://h/', target: 'q1/video', kind: 'video' }, never);
    expect(end).toMatchObject({ outcome: 'saved', file: { sizeBytes: 10 } });
    expect(host.offsets).toEqual([0, 0]);
  });

  it('because the file is empty is given up in the end', async () => {
    await using place = await openPlace();
    await using server = await fileServer(() => ({ content: Buffer.alloc(0), etag: '"v1"' }));
    const end = await place.download(server.url);
    expect(end).toMatchObject({ outcome: 'given-up', failure: expect.stringContaining('empty') });
    expect(await readdir(join(place.out, 'q1'))).toEqual([]);
  });
});

describe('a link', () => {
  it.each([400, 401, 403, 404, 410])('refused with HTTP %i is refused at once', async (status) => {
    await using place = await openPlace();
    await using server = await fileServer(() => status);
    const end = await place.download(`${server.url}/v.mp4?sig=SECRET`);
    expect(end).toEqual({
      outcome: 'link-refused',
      failure: `${server.url}/v.mp4: refused with HTTP ${status}`,
    });
    expect(place.waits).toEqual([]);
  });

  it.each([
    ['an HTML page', '<!DOCTYPE html><title>expired</title>', 'video/mp4'],
    ['an XML answer', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', null],
    ['a JSON answer', '{"error":"expired"}', null],
    ['text that calls itself HTML', 'gone', 'text/html; charset=utf-8'],
    ['a text', 'Request has expired', 'text/plain', 'a text, not a file'],
    ['a text that calls itself a video', 'AccessDenied', 'video/mp4', 'a text, not a file'],
    ['a playlist', '#EXTM3U\n#EXT-X-VERSION:3\n', 'application/vnd.apple.mpegurl', 'a text, not a file'],
    ['a picture', '\x89PNG\r\n\x1a\n\0\0', 'video/mp4', 'an image, not a video'],
  ])(
    'that leads to %s is refused and leaves nothing',
    async (_name, text, contentType, what = 'a page, not a file') => {
      await using place = await openPlace();
      const host = scriptedHost(content(pieces(text), { contentType, validator: '"v1"' }));
      const ports = { ...place.ports, host };
      const end = await downloadToEnd(ports, { url: 'http://h/', target: 'q1/video', kind: 'video' }, never);
      expect(end).toEqual({ outcome: 'link-refused', failure: `the link leads to ${what}` });
      expect(await readdir(join(place.out, 'q1'))).toEqual([]);
    },
  );
});

describe('the extension', () => {
  const png = '\x89PNG\r\n\x1a\n';
  it.each([
    ['video', 'from the content', '\0\0\0\x20ftypqt  ', '/v.mp4', 'video/webm', 'mov'],
    [
      'video',
      'a mark where the content is unknown, whatever else says',
      '\x01\x02',
      '/v.webm',
      'video/mp4',
      'bin',
    ],
    ['frame', 'from the content', png, '/f.jpg', null, 'png'],
    ['frame', 'from the name', '\x01\x02', '/f.jpg', 'image/gif', 'jpg'],
    ['frame', 'from the type', '\x01\x02', '/f.mp4', 'image/gif', 'gif'],
    ['frame', 'png where nothing tells', '\x01\x02', '/f', null, 'png'],
  ] as const)('of a %s is %s', async (kind, _name, head, path, contentType, extension) => {
    await using place = await openPlace();
    const host = scriptedHost(content(pieces(head), { contentType }));
    const url = `http://h.example${path}`;
    const end = await downloadToEnd({ ...place.ports, host }, { url, target: 'q1/x', kind }, never);
    expect(end).toMatchObject({ outcome: 'saved', file: { path: `q1/x.${extension}` } });
  });
});

describe('a file that is too large', () => {
  const limitBytes = 64 * 2 ** 20;

  it.each([
    ['by its announced length', limitBytes + 1, 1],
    ['by what arrives', null, 65],
  ])('for a frame (%s) is given up and leaves nothing', async (_name, totalBytes, pieceCount) => {
    await using place = await openPlace();
    async function* megabytes() {
      const megabyte = new Uint8Array(2 ** 20).fill(1);
      for (let i = 0; i < pieceCount; i++) yield megabyte;
    }
    const host = scriptedHost(content(megabytes(), { totalBytes, validator: '"v1"' }));
    const request = { url: 'http://h/', target: 'q1/frames/001', kind: 'frame' } as const;
    const end = await downloadToEnd({ ...place.ports, host }, request, never);
    expect(end).toEqual({
      outcome: 'unfit',
      fault: 'file',
      failure: 'http://h/: the file is too large for a frame',
    });
    expect(await readdir(join(place.out, 'q1/frames'))).toEqual([]);
  });
});

describe('a stop', () => {
  it('during the transfer keeps the part, and the next download continues with it', async () => {
    await using place = await openPlace();
    const stop = new AbortController();
    async function* stopped() {
      yield firstVersion.subarray(0, 1000);
      stop.abort();
      throw new Error('aborted');
    }
    const host = scriptedHost(content(stopped(), { totalBytes: 200_000, validator: '"v1"' }));
    const request = { url: 'http://h/', target: 'q1/video', kind: 'video' } as const;
    const end = await downloadToEnd({ ...place.ports, host }, request, stop.signal);
    expect(end).toEqual({ outcome: 'stopped' });
    await using server = await fileServer(() => ({ content: firstVersion, etag: '"v1"' }));
    expect(await place.download(server.url)).toMatchObject({ outcome: 'saved' });
    expect(server.requests.map(({ headers }) => headers.range)).toEqual(['bytes=1000-']);
    expect(firstVersion.equals(await readFile(join(place.out, 'q1/video.mp4')))).toBe(true);
  });

  it('during a pause ends it, and before the start nothing is asked', async () => {
    await using place = await openPlace();
    const stop = new AbortController();
    const clock: Clock = { now: () => 0, steady: () => 0, wait: async () => stop.abort() };
    const host = scriptedHost({ outcome: 'unanswered', failure: 'down' });
    const request = { url: 'http://h/', target: 'q1/video', kind: 'video' } as const;
    const ports = { ...place.ports, host, clock };
    expect(await downloadToEnd(ports, request, stop.signal)).toEqual({ outcome: 'stopped' });
    expect(await downloadToEnd(ports, request, stop.signal)).toEqual({ outcome: 'stopped' });
    expect(host.offsets).toEqual([0]);
  });

  it('during the last try is a stop, not the end of all tries', async () => {
    await using place = await openPlace();
    const stop = new AbortController();
    let tries = 0;
    const host: FileHost = {
      async get() {
        tries += 1;
        if (tries === fixed.downloadTries) stop.abort();
        return { outcome: 'unanswered', failure: 'down' };
      },
      close: async () => {},
    };
    const request = { url: 'http://h/', target: 'q1/video', kind: 'video' } as const;
    const end = await downloadToEnd({ ...place.ports, host }, request, stop.signal);
    expect(end).toEqual({ outcome: 'stopped' });
  });

  it('that comes after the last byte does not keep the file from being saved', async () => {
    await using place = await openPlace();
    const stop = new AbortController();
    async function* lastWord() {
      yield firstVersion;
      stop.abort();
    }
    const host = scriptedHost(content(lastWord(), { totalBytes: 200_000 }));
    const request = { url: 'http://h/', target: 'q1/video', kind: 'video' } as const;
    const end = await downloadToEnd({ ...place.ports, host }, request, stop.signal);
    expect(end).toMatchObject({ outcome: 'saved' });
  });
});

describe('a file that a virus scanner removes', () => {
  it.each([
    ['while it is written', 100_000],
    ['before it has its name', 200_000],
  ])('%s is given up for this time, with its cause, and had the next time', async (_, atBytes) => {
    await using place = await openPlace();
    async function* removedAt() {
      yield firstVersion.subarray(0, atBytes);
      await rm(join(place.out, 'q1/video.part'));
      yield firstVersion.subarray(atBytes);
    }
    const host = scriptedHost(
      content(removedAt(), { totalBytes: 200_000, validator: '"v1"' }),
      content(pieces(firstVersion.toString('latin1')), { totalBytes: 200_000, validator: '"v1"' }),
    );
    const request = { url: 'http://h/', target: 'q1/video', kind: 'video' } as const;
    expect(await downloadToEnd({ ...place.ports, host }, request, never)).toEqual({
      outcome: 'given-up',
      failure: expect.stringContaining(
        'q1/video.mp4 was removed by another program, such as a virus scanner',
      ),
    });
    expect(await downloadToEnd({ ...place.ports, host }, request, never)).toMatchObject({ outcome: 'saved' });
    expect(host.offsets).toEqual([0, 0]);
    expect(await readdir(join(place.out, 'q1'))).toEqual(['video.mp4']);
  });
});

describe('a disk that refuses', () => {
  it('one item gives that item up, before anything is asked', async () => {
    await using place = await openPlace();
    await mkdir(join(place.out, 'elsewhere'));
    await symlink(join(place.out, 'elsewhere'), join(place.out, 'q1'));
    const host = scriptedHost();
    const request = { url: 'http://h/?sig=SECRET', target: 'q1/video', kind: 'video' } as const;
    const end = await downloadToEnd({ ...place.ports, host }, request, never);
    expect(end).toMatchObject({ outcome: 'unfit', failure: expect.stringContaining('is not a folder') });
    expect(host.offsets).toEqual([]);
  });

  it('everything is thrown, also in the middle of a transfer', async () => {
    await using place = await openPlace();
    const tree: OutputTree = {
      ...place.ports.tree,
      async openPart(path) {
        const part = await place.ports.tree.openPart(path);
        part.append = async () => {
          throw new DiskError('full');
        };
        return part;
      },
    };
    await using server = await fileServer(() => ({ content: firstVersion, etag: '"v1"' }));
    const request = { url: server.url, target: 'q1/video', kind: 'video' } as const;
    await expect(downloadToEnd({ ...place.ports, tree }, request, never)).rejects.toThrow(DiskError);
    expect(server.requests).toHaveLength(1);
  });
});
