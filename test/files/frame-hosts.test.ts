import { expect, test } from 'vitest';
import {
  type FrameHost,
  mayAskHost,
  noteHostAsked,
  noteHostEnd,
  wellHost,
} from '../../src/files/frame-hosts.ts';

const now = 1_000;

/** The host after so many frames in a row that it failed for, one a second. */
function failing(count: number): FrameHost {
  let host = wellHost;
  for (let i = 0; i < count; i++) host = noteHostEnd(host, { isHad: false, askedAt: now + i, now: now + i });
  return host;
}

test('a host is asked for every frame until it has failed for four in a row', () => {
  for (let count = 0; count < 4; count++) expect(mayAskHost(failing(count), now + 4)).toBe(true);
  expect(mayAskHost(failing(4), now + 4)).toBe(false);
  const hadOne = noteHostEnd(failing(3), { isHad: true, askedAt: now, now });
  expect(mayAskHost(noteHostEnd(hadOne, { isHad: false, askedAt: now, now }), now)).toBe(true);
});

test('a host that fails is asked for one frame after each pause, and each pause is longer, up to ten minutes', () => {
  let host = failing(4);
  const pausesMs: number[] = [];
  let at = host.failedAt;
  for (let probe = 0; probe < 8; probe++) {
    let askedAt = at;
    while (!mayAskHost(host, askedAt)) askedAt += 1_000;
    pausesMs.push(askedAt - at);
    host = noteHostAsked(host, askedAt);
    // Nobody else asks while the probe is on its way.
    expect(mayAskHost(host, askedAt + 1)).toBe(false);
    at = askedAt;
    host = noteHostEnd(host, { isHad: false, askedAt, now: at });
  }
  expect(pausesMs.map((ms) => ms / 1_000)).toEqual([10, 20, 40, 80, 160, 320, 600, 600]);
});

test('frames that were on their way with the one that broke a host do not count again', () => {
  const host = failing(4);
  const late = { isHad: false, askedAt: now, now: now + 30_000 };
  expect(noteHostEnd(noteHostEnd(host, late), late)).toBe(host);
});

test('one frame that comes makes a host well again', () => {
  expect(noteHostEnd(failing(9), { isHad: true, askedAt: now, now })).toEqual(wellHost);
  expect(noteHostAsked(wellHost, now)).toBe(wellHost);
});
