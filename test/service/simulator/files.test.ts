import { describe, expect, test } from 'vitest';
import { createLinks } from '../../../src/service/simulator/links.ts';
import type { Simulator } from '../../../src/service/simulator/service.ts';
import { createTaskId, startRehearsal, statusOf, videoLinkOf } from './rehearsal.ts';

/** A finished task's video: its link and its bytes. */
async function finishVideo(simulator: Simulator) {
  const link = await videoLinkOf(simulator, await createTaskId(simulator, { question: 'What is 2+2?' }));
  const response = await fetch(link);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { link, bytes, etag: response.headers.get('etag') ?? '' };
}

describe('a link', () => {
  test('brings the whole video with its length and a strong ETag', async () => {
    await using simulator = await startRehearsal();
    const link = await videoLinkOf(simulator, await createTaskId(simulator, { question: 'q' }));
    const response = await fetch(link);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(Array.from(bytes.subarray(0, 4))).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'video/webm',
      'content-length': String(bytes.length),
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
  });

  test('brings a progress frame', async () => {
    await using simulator = await startRehearsal();
    const { progress } = await statusOf(simulator, await createTaskId(simulator, { question: 'q' }));
    const response = await fetch(progress[1]?.image ?? '');
    expect(response.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([480, 270]);
  });

  test('that was changed is refused with an XML page', async () => {
    await using simulator = await startRehearsal();
    const link = await videoLinkOf(simulator, await createTaskId(simulator, { question: 'q' }));
    for (const forged of [
      link.replace('expires=', 'expires=9'),
      link.replace('video', 'other'),
      link.slice(0, -1),
    ]) {
      const response = await fetch(forged);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        403,
        'application/xml; charset=utf-8',
      ]);
      expect(await response.text()).toContain(
        '<Code>AccessDenied</Code><Message>The signature does not match',
      );
    }
  });

  test('is good for its time and not a moment longer', () => {
    const links = createLinks('secret');
    const link = new URL(links.sign('/files/sim-1/video.webm', 60_000), 'http://127.0.0.1');
    expect(links.check(link, 59_999)).toBe('good');
    expect(links.check(link, 60_000)).toBe('expired');
    expect(createLinks('other').check(link, 0)).toBe('forged');
  });

  test('to a task that the service has forgotten is a 404', async () => {
    await using before = await startRehearsal();
    await using after = await startRehearsal();
    const link = await videoLinkOf(before, await createTaskId(before, { question: 'q' }));
    const response = await fetch(link.replace(before.baseUrl, after.baseUrl));
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('NoSuchKey')]);
  });
});

describe('a range', () => {
  test.each([
    ['bytes=10-', 10, null],
    ['bytes=10-19', 10, 20],
    ['bytes=0-999999999', 0, null],
    ['bytes=-10', -10, null],
  ])('%s brings that part', async (range, start, end) => {
    await using simulator = await startRehearsal();
    const { link, bytes, etag } = await finishVideo(simulator);
    const response = await fetch(link, { headers: { range, 'if-range': etag } });
    const part = bytes.slice(start, end ?? undefined);
    expect(response.status).toBe(206);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(part);
    const first = start < 0 ? bytes.length + start : start;
    expect(response.headers.get('content-range')).toBe(
      `bytes ${first}-${first + part.length - 1}/${bytes.length}`,
    );
  });

  test('of another version brings the whole file', async () => {
    await using simulator = await startRehearsal();
    const { link, bytes } = await finishVideo(simulator);
    const response = await fetch(link, { headers: { range: 'bytes=10-', 'if-range': '"other"' } });
    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  test.each(['bytes=5-4', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5'])(
    '%s brings the whole file',
    async (range) => {
      await using simulator = await startRehearsal();
      const { link, bytes } = await finishVideo(simulator);
      const response = await fetch(link, { headers: { range } });
      expect(response.status).toBe(200);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    },
  );

  test.each(['bytes=999999999-', 'bytes=-0'])('%s is out of range, and the length is told', async (range) => {
    await using simulator = await startRehearsal();
    const { link, bytes } = await finishVideo(simulator);
    const response = await fetch(link, { headers: { range } });
    expect([response.status, response.headers.get('content-range')]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ]);
  });
});

test('HEAD tells length and version without a body', async () => {
  await using simulator = await startRehearsal();
  const { link, bytes, etag } = await finishVideo(simulator);
  const response = await fetch(link, { method: 'HEAD', headers: { range: 'bytes=10-' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe(String(bytes.length));
  expect(response.headers.get('etag')).toBe(etag);
  expect(await response.text()).toBe('');
});
