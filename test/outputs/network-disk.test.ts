import { expect, test } from 'vitest';
import { kindOfNumber, networkDisk } from '../../src/outputs/network-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  [0xff534d42 | 0, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0xef53, null],
  [0x01021994, null],
])('%i is %s', (type, name) => {
  expect(kindOfNumber(type)).toBe(name);
});

test('a folder of this machine is on no network, and neither is one that is not there', async () => {
  await using folder = await temporaryFolder();
  expect(networkDisk(folder.path)).toBeNull();
  expect(networkDisk(`${folder.path}/none`)).toBeNull();
});
