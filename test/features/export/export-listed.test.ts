import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printOf, readListed } from '../../../src/features/export/export-listed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const sha256 = 'a'.repeat(64);

/** Paths that would be removed after an export to `placed`, on a disk with these keys. */
async function leftovers(listed: string, placed: string, keyOf: (path: string) => string): Promise<string[]> {
  await using temporary = await temporaryFolder();
  const root = temporary.path;
  await writeFile(join(root, 'SHA256SUMS'), `# batch run\n${sha256}  ${listed}\n`);
  const disk = { root, keyOf, inspect: async () => null, has: () => true };
  const earlier = await readListed(disk, 'out', 'run');
  expect(earlier.isSure(placed, sha256)).toBe(keyOf(listed) === keyOf(placed));
  const left = await Array.fromAsync(earlier.leftovers(new Set([printOf(keyOf(placed))])));
  return left.map(({ file }) => file.path);
}

it('a path in other capitals is left over where it is another file, and not where it is the same', async () => {
  const [before, now] = ['Sums/q-1.mp4', 'sums/q-1.mp4'];
  expect(await leftovers(before, now, (path) => path)).toEqual([before]);
  expect(await leftovers(before, now, (path) => path.toLowerCase())).toEqual([]);
});
