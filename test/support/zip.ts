/** Makes ZIP packages part by part, as programs do and as attackers do. */

import { crc32, deflateRawSync } from 'node:zlib';

/** One part; what is given beside name and content is written as it is, true or not. */
export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly store?: boolean;
  readonly crc?: number;
  readonly sizeBytes?: number;
  readonly flags?: number;
  readonly method?: number;
}

export function zip(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const bytes = Buffer.from(part.content);
    const packed = part.store ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(part.name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(part.flags ?? 0x800, 2);
    shared.writeUInt16LE(part.method ?? (part.store ? 0 : 8), 4);
    shared.writeUInt32LE(part.crc ?? crc32(bytes), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(part.sizeBytes ?? bytes.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    shared.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    list.push(entry, name);
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), shared, name, packed]);
    pieces.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, directory, end]);
}
