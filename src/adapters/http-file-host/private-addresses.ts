/** Addresses that a link from outside must not lead to. */

import { BlockList, isIP } from 'node:net';

const privateAddresses = listAddresses(
  [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['224.0.0.0', 3], // multicast, reserved, broadcast
  ],
  [
    ['::', 96], // unspecified, loopback, IPv4-compatible addresses
    ['64:ff9b:1::', 48],
    ['fc00::', 7],
    ['fe80::', 9], // link-local and the site-local range beside it
    ['ff00::', 8],
  ],
);

type Subnet = readonly [address: string, prefix: number];

/**
 * IPv4 networks are also blocked in their IPv6 forms: mapped (`BlockList` does that itself) and translated
 * (64:ff9b::/96).
 */
function listAddresses(ipv4: readonly Subnet[], ipv6: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ipv4) {
    list.addSubnet(address, prefix, 'ipv4');
    list.addSubnet(`64:ff9b::${address}`, 96 + prefix, 'ipv6');
  }
  for (const [address, prefix] of ipv6) list.addSubnet(address, prefix, 'ipv6');
  return list;
}

/** True for an address that is not of the public internet; false for names. */
export function isPrivateAddress(host: string): boolean {
  const family = isIP(host);
  return family !== 0 && privateAddresses.check(host, family === 4 ? 'ipv4' : 'ipv6');
}
