/** An output tree on a real folder, for its tests. */

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import type { OutputTree } from '../../src/ports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** An output folder, and next to it a folder that must stay as it is. */
export async function openTree() {
  const folder = await temporaryFolder();
  const out = join(folder.path, 'out');
  const outside = join(folder.path, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'precious'), 'precious');
  return {
    out,
    outside,
    tree: await openFileOutputTree(out, Date.now),
    async expectOutsideUntouched() {
      expect(await readdir(outside)).toEqual(['precious']);
      expect(await readFile(join(outside, 'precious'), 'utf8')).toBe('precious');
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** Every file and link below the folder, with `/`. */
export async function listFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.filter((each) => !each.isDirectory()).map((each) => join(each.parentPath, each.name));
  return paths.map((path) => path.slice(folder.length + 1)).sort();
}

/** Leaves a part behind, as a process that was stopped does. */
export async function leavePart(tree: OutputTree, path: string, text: string, validator: string | null) {
  await using part = await tree.openPart(path);
  await part.restart(validator);
  for (let at = 0; at < text.length; at += 10_000) await part.append(bytes(text.slice(at, at + 10_000)));
}

export async function save(tree: OutputTree, path: string, extension: string, text: string) {
  await using part = await tree.openPart(path);
  await part.append(bytes(text));
  return await part.commit(`${path}.${extension}`);
}
