/** What a user wrote into the table of failed rows is neither replaced nor passed over in silence. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../src/app/import-file.ts';
import { keepMended, refuseMended } from '../../src/app/mended-tables.ts';
import { readInvocation } from '../../src/app/settings.ts';
import { storeIn } from '../../src/app/stores.ts';
import { createFailedTable } from '../../src/report/failed-table.ts';
import { temporaryFolder } from '../adapters/temporary-folder.ts';
import { events } from '../core/lives.ts';
import { accepted, liveOn } from '../support/saved-lives.ts';

/** A run of two rows, of which `a` failed, and its `failed.csv`. */
async function openFailed(questions = 'id,question\na,One\nb,Two\n') {
  const folder = await temporaryFolder();
  const out = join(folder.path, 'out');
  await mkdir(out);
  const invocation = readInvocation({ out }, { dotEnv: false });
  const { options } = invocation;
  let store = await storeIn(out).open();
  const take = async (name: string, content: string): Promise<void> => {
    const input = join(folder.path, name);
    await writeFile(input, content);
    await importFile({ input, invocation, options, store, agree: async () => true });
  };
  await take('q.csv', questions);
  // Only the first command finds a new folder.
  await store[Symbol.asyncDispose]();
  store = await storeIn(out).open();
  const [first] = await store.checkpoint.itemsWithIds(['a', 'row-1']);
  await liveOn(store.checkpoint, first?.id ?? '', ...accepted('task-1'), events['task-failed']);
  const table = createFailedTable('failure');
  const own = table.render(await Array.fromAsync(store.checkpoint.reportRows()));
  const path = join(out, 'failed.csv');
  await writeFile(path, own);
  return {
    run: { store, invocation, options },
    own,
    out,
    take,
    write: (content: string) => writeFile(path, content),
    copies: async () => (await readdir(out)).filter((name) => name.startsWith('failed-')),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('failed.csv', () => {
  it('that is as it was written, or was only saved by another program, stops nobody', async () => {
    await using place = await openFailed();
    for (const text of [place.own, place.own.replaceAll(',', ';').replaceAll('\r\n', '\n')]) {
      await place.write(text);
      await refuseMended(place.run);
      expect(await keepMended(place.run)).toEqual([]);
    }
    expect(await place.copies()).toEqual([]);
  });

  it.each([
    ['with ids', undefined],
    ['without', 'question\nOne\nTwo\n'],
  ])('that was mended stops a retry, and is kept before a report replaces it: %s', async (_, questions) => {
    await using place = await openFailed(questions);
    const mended = place.own.replace('One', 'Eins');
    await place.write(mended);
    await expect(refuseMended(place.run)).rejects.toThrow(
      /failed\.csv has 1 row mended, which a retry does not send; send them with `batch run .*failed\.csv --out .* --rerun-changed`/,
    );
    expect(await keepMended(place.run)).toMatchObject([expect.stringContaining('failed-mended.csv')]);
    expect(await readFile(join(place.out, 'failed-mended.csv'), 'utf8')).toBe(mended);
    // The same once more is the same copy; another one does not replace it.
    expect(await keepMended(place.run)).toEqual([]);
    await place.write(mended.replace('Eins', '1'));
    expect(await keepMended(place.run)).toMatchObject([expect.stringContaining('failed-mended-2.csv')]);
    expect(await place.copies()).toHaveLength(2);
  });

  it('that was taken up is no news any more', async () => {
    await using place = await openFailed();
    const mended = place.own.replace('One', 'Eins');
    await place.take('out/failed.csv', mended);
    await refuseMended(place.run);
    expect(await keepMended(place.run)).toEqual([]);
  });

  it('that cannot be read any more is kept too', async () => {
    await using place = await openFailed();
    await place.write(place.own.replace('One', '"One'));
    await refuseMended(place.run);
    expect(await keepMended(place.run)).toMatchObject([expect.stringContaining('cannot be read')]);
    expect(await place.copies()).toEqual(['failed-mended.csv']);
  });
});
