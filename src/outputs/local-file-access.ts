/** Reads a local file in any order. It is opened when it is first read, and again after `close`. */

import { type FileHandle, open } from 'node:fs/promises';
import { codeOf, UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { FileAccess } from '../ports.ts';

export interface LocalFileAccess extends FileAccess {
  close(): Promise<void>;
}

/** `sizeBytes` is the length of the file. Reads reject with `UsageError` where the file cannot be read. */
export function localFileAccess(path: string, sizeBytes: number): LocalFileAccess {
  let handle: Promise<FileHandle> | null = null;
  return {
    sizeBytes,
    async read(offset, length) {
      const wanted = Math.max(0, Math.min(length, sizeBytes - offset));
      if (!(offset >= 0) || wanted === 0) return new Uint8Array();
      handle ??= open(path, 'r');
      try {
        const bytes = Buffer.allocUnsafe(wanted);
        const { bytesRead } = await (await handle).read(bytes, 0, wanted, offset);
        return bytes.subarray(0, bytesRead);
      } catch (error) {
        throw new UsageError(message('refused.unreadable', { path, failure: codeOf(error) }), error);
      }
    },
    async close() {
      const open = handle;
      handle = null;
      await (await open?.catch(() => undefined))?.close();
    },
  };
}
