/** The kind of file system a folder is on, where the system says so (Linux). */

import { statfsSync } from 'node:fs';
import { platform } from 'node:os';

/** By the numbers of `statfs`. Other machines may write there and ignore the locks of this one. */
const networkKinds: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
]);

/** The name of the network file system a folder is on; null for a local disk and where it is unknown. */
export function networkDisk(folder: string): string | null {
  if (platform() !== 'linux') return null;
  try {
    return kindOfNumber(statfsSync(folder).type);
  } catch {
    return null;
  }
}

/** The system returns large numbers as negative. */
export function kindOfNumber(type: number): string | null {
  return networkKinds.get(type >>> 0) ?? null;
}
