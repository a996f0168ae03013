/**
 * Addresses that a link from outside must not lead to: those that the IANA registries of special-purpose addresses do not
 * call globally reachable. Ranges for documentation are left out, because nothing is there.
 */

import { BlockList, isIP } from 'node:net';

type Subnet = readonly [address: string, prefix: number];

const benchmarks: Subnet = ['198.18.0.0', 15];

const ipv4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // protocol assignments
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16],
  benchmarks,
  ['224.0.0.0', 3], // multicast, reserved, broadcast
];

/** Forms that contain an IPv4 address are listed whole: no host on the internet needs them. */
const ipv6: readonly Subnet[] = [
  ['::', 96], // unspecified, loopback, IPv4-compatible
  ['::ffff:0:0', 96], // IPv4-mapped
  ['::ffff:0:0:0', 96], // IPv4-translated
  ['64:ff9b:1::', 48], // translation inside a network
  ['100::', 32], // discarded
  ['2001::', 23], // protocol assignments, Teredo with its IPv4 address, benchmarks
  ['2002::', 16], // 6to4 with its IPv4 address
  ['5f00::', 16], // segment routing
  ['fc00::', 7],
  ['fe80::', 9], // link-local and the site-local range next to it
  ['ff00::', 8],
  // What a network without IPv4 translates to public addresses: only its private ones.
  ...ipv4.map(([address, prefix]): Subnet => [`64:ff9b::${address}`, 96 + prefix]),
];

/** A list of each family: one list of both would match every IPv4 address against the mapped ones. */
const privateAddresses = { 4: blockListOf(ipv4, 'ipv4'), 6: blockListOf(ipv6, 'ipv6') } as const;

const madeUp = blockListOf([benchmarks], 'ipv4');

function blockListOf(subnets: readonly Subnet[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of subnets) list.addSubnet(address, prefix, family);
  return list;
}

/** True for an address that is not of the public internet; false for names. */
export function isPrivateAddress(host: string): boolean {
  switch (isIP(host)) {
    case 4:
      return privateAddresses[4].check(host, 'ipv4');
    case 6:
      return privateAddresses[6].check(host, 'ipv6');
    default:
      return false;
  }
}

/**
 * True for what a name must not resolve to. Proxies such as Clash or Surge that take over a whole computer answer each name
 * with an address of their own out of the range for benchmarks, and connect to the real host behind it.
 */
export function isPrivateTarget(address: string): boolean {
  return isPrivateAddress(address) && !(isIP(address) === 4 && madeUp.check(address));
}
