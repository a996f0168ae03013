import { describe, expect, it } from 'vitest';
import { isPrivateAddress, isPrivateTarget } from '../../src/service/private-addresses.ts';

describe('a private address', () => {
  it.each([
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['224.0.0.0', '255.255.255.255'],
    ['::', '::1'],
    ['::127.0.0.1', '::ffff:127.0.0.1'],
    ['::ffff:10.0.0.1', '::ffff:c0a8:101'],
    ['::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
    ['64:ff9b::10.0.0.1', '64:ff9b:1::1'],
    ['64:ff9b::198.18.0.1', '100::1'],
    ['2001:0:7f00:1::', '2001:1ff:ffff::1'],
    ['2002:7f00:1::', '2002:c0a8:101::1'],
    ['5f00::1', '5f00:ffff::1'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['ff00::', 'ff02::1'],
  ])('is %s and %s', (first, last) => {
    expect([first, last].map(isPrivateAddress)).toEqual([true, true]);
  });

  it.each([
    ['1.0.0.0', '9.255.255.255'],
    ['11.0.0.0', '100.63.255.255'],
    ['100.128.0.0', '126.255.255.255'],
    ['128.0.0.0', '169.253.255.255'],
    ['169.255.0.0', '172.15.255.255'],
    ['172.32.0.0', '191.255.255.255'],
    ['192.0.1.0', '192.88.98.255'],
    ['192.88.100.0', '192.167.255.255'],
    ['192.169.0.0', '198.17.255.255'],
    ['198.20.0.0', '223.255.255.255'],
    ['2001:200::', '2606:4700::1111'],
    ['2003::1', '64:ff9b::8.8.8.8'],
    ['localhost', ''],
  ])('is neither %s nor %s', (first, last) => {
    expect([first, last].map(isPrivateAddress)).toEqual([false, false]);
  });
});

describe('a private address that a name resolves to', () => {
  it.each(['10.0.0.1', '127.0.0.1', '198.17.255.255', '198.20.0.0', '::1', '::ffff:198.18.0.1', 'fdfe::1'])(
    'is %s as for a link',
    (address) => {
      expect(isPrivateTarget(address)).toBe(isPrivateAddress(address));
    },
  );

  it.each(['198.18.0.0', '198.18.3.4', '198.19.255.255'])(
    'is not %s: a proxy of the whole computer made it up',
    (address) => {
      expect(isPrivateTarget(address)).toBe(false);
    },
  );
});
