import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { storeIn } from '../../../src/app/stores.ts';
import { importFile } from '../../../src/features/import/import-file.ts';
import { digestOf } from '../../support/destination-contract.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pictures } from '../../support/workbook.ts';

const png = pictures.other;

async function openImport() {
  const folder = await temporaryFolder();
  const out = join(folder.path, 'out');
  await mkdir(out);
  for (const name of ['a', 'b']) await writeFile(join(folder.path, `${name}.png`), png(name));
  await writeFile(join(folder.path, 'copy.png'), png('a'));
  const input = join(folder.path, 'q.csv');
  await writeFile(
    input,
    'id,question,image\na,A,a.png\nb,B,b.png\nc,C,a.png\nd,D,copy.png\ne,E,gone.png\nf,F,\n',
  );
  const invocation = readInvocation({ out }, { dotEnv: false });
  const store = await storeIn(out).open();
  const start = { input, invocation, options: invocation.options, store };
  return {
    folder: folder.path,
    store,
    start,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

it('the pictures of a file are stored for other machines before its rows are there, each once', async () => {
  await using place = await openImport();
  const stored: ReadonlyMap<string, string>[] = [];
  const storeImages = async (paths: ReadonlyMap<string, string>): Promise<void> => {
    expect(await place.store.isEmpty()).toBe(true);
    stored.push(paths);
  };
  await importFile({ ...place.start, agree: async () => true, storeImages });
  expect(await place.store.isEmpty()).toBe(false);
  expect(stored.map((paths) => [...paths.keys()].sort())).toEqual([
    [digestOf(png('a')).sha256, digestOf(png('b')).sha256].sort(),
  ]);
  expect(stored[0]?.get(digestOf(png('b')).sha256)).toBe(join(place.folder, 'b.png'));
  // Known pictures are not read again, and named all the same: the outputs may be new.
  await importFile({
    ...place.start,
    agree: async () => true,
    storeImages: async (paths) => void stored.push(paths),
  });
  expect(stored[1]?.size).toBe(2);
});

it('nothing is stored where the plan is declined, and nothing imported where a picture cannot be stored', async () => {
  await using place = await openImport();
  let asked = 0;
  const storeImages = async (): Promise<void> => {
    asked += 1;
    throw new Error('the bucket refused');
  };
  expect(await importFile({ ...place.start, agree: async () => false, storeImages })).toBeNull();
  expect(asked).toBe(0);
  await expect(importFile({ ...place.start, agree: async () => true, storeImages })).rejects.toThrow(
    'refused',
  );
  expect(await place.store.isEmpty()).toBe(true);
});
