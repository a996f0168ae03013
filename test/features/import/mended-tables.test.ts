/** What a user wrote into the table of failed rows is neither replaced nor passed over in silence. */

import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { runIdOf } from '../../../src/app/run-id.ts';
import { storeIn } from '../../../src/app/stores.ts';
import { importFile } from '../../../src/features/import/import-file.ts';
import { keepingMended, keepMended, refuseMended } from '../../../src/features/import/mended-tables.ts';
import { createFailedTable } from '../../../src/reports/failed-table.ts';
import { events } from '../../money/lives.ts';
import { accepted, liveOn } from '../../support/saved-lives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
  const table = createFailedTable(endsOf(out));
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

const endsOf = (out: string) => ({ failure: 'failure', key: 'batch', run: runIdOf(out) });

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

  it('that a run wrote, and nobody changed since, stops nobody, whatever became of its rows in the file', async () => {
    await using place = await openFailed();
    const { checkpoint } = place.run.store;
    await liveOn(checkpoint, 'b', events.claimed, events['creation-refused']);
    const written = createFailedTable(endsOf(place.out)).render(
      await Array.fromAsync(checkpoint.reportRows()),
    );
    const tree = {
      createReport: async () => ({
        write: (text: string | Uint8Array) => place.write(String(text)),
        commit: async () => {},
        commitNextTo: async () => '',
        [Symbol.asyncDispose]: async () => {},
      }),
    };
    const report = await keepingMended(place.run, tree, () => {})(false).createReport('failed.csv');
    await report.write(written);
    await report.commit();
    await place.take('q.csv', 'id,question\na,One\nb,Dos\n');
    await refuseMended(place.run);
    expect(await keepMended(place.run)).toEqual([]);
    await place.write(written.replace('One', 'Eins'));
    expect(await keepMended(place.run)).toHaveLength(1);
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
    expect(await keepMended(place.run)).toMatchObject([
      { text: expect.stringContaining('failed-mended.csv') },
    ]);
    expect(await readFile(join(place.out, 'failed-mended.csv'), 'utf8')).toBe(mended);
    // The same once more is the same copy; another one does not replace it.
    expect(await keepMended(place.run)).toEqual([]);
    await place.write(mended.replace('Eins', '1'));
    expect(await keepMended(place.run)).toMatchObject([
      { text: expect.stringContaining('failed-mended-2.csv') },
    ]);
    expect(await place.copies()).toHaveLength(2);
  });

  it('that was taken up is no news any more', async () => {
    await using place = await openFailed();
    const mended = place.own.replace('One', 'Eins');
    await place.take('out/failed.csv', mended);
    await refuseMended(place.run);
    expect(await keepMended(place.run)).toEqual([]);
  });

  it('that cannot be read any more stops a retry, and is kept too', async () => {
    await using place = await openFailed();
    await place.write(place.own.replace('One', '"One'));
    await expect(refuseMended(place.run)).rejects.toThrow(
      /failed\.csv was changed, and can no longer be read; /,
    );
    expect(await keepMended(place.run)).toMatchObject([{ text: expect.stringContaining('cannot be read') }]);
    expect(await place.copies()).toEqual(['failed-mended.csv']);
  });
});

describe('failed.csv that is edited while the run continues', () => {
  /** A tree that writes as the real ones do: next to the file, and then over it. */
  const treeIn = (out: string) => ({
    async createReport(name: string) {
      let text = '';
      return {
        async write(content: string | Uint8Array) {
          text += content;
        },
        async commit() {
          await writeFile(join(out, 'report.tmp'), text);
          await rename(join(out, 'report.tmp'), join(out, name));
        },
        commitNextTo: async () => name,
        [Symbol.asyncDispose]: async () => {},
      };
    },
  });

  async function openSession(isShared: boolean) {
    const place = await openFailed();
    const { run, out } = place;
    const said: string[] = [];
    const invocation = { ...run.invocation, words: { ...run.invocation.words, isShared } };
    const reports = keepingMended({ ...run, invocation }, treeIn(out), ({ text }) => void said.push(text));
    const write = async (text: string, isRunning: boolean): Promise<string> => {
      await using file = await reports(isRunning).createReport('failed.csv');
      await file.write(text);
      await file.commit();
      return readFile(join(out, 'failed.csv'), 'utf8');
    };
    return { ...place, said, writeReport: write };
  }

  it('is left alone until the end, and then kept next to the new one, with one line', async () => {
    await using session = await openSession(false);
    expect(await session.writeReport(`${session.own}1`, true)).toBe(`${session.own}1`);
    const mended = session.own.replace('One', 'Eins');
    await session.write(mended);
    expect(await session.writeReport(`${session.own}2`, true)).toBe(mended);
    expect(session.said).toEqual([]);
    expect(await session.writeReport(session.own, false)).toBe(session.own);
    expect(session.said).toMatchObject([expect.stringContaining('1 row mended in failed.csv not sent')]);
    expect(await readFile(join(session.out, 'failed-mended.csv'), 'utf8')).toBe(mended);
    expect(await session.writeReport(`${session.own}3`, false)).toBe(`${session.own}3`);
    expect(await session.copies()).toHaveLength(1);
  });

  it('is kept next to the new one by the worker that writes the reports next, which leaves what another worker wrote', async () => {
    await using session = await openSession(true);
    const mended = session.own.replace('One', 'Eins');
    await session.write(mended);
    expect(await session.writeReport(session.own, true)).toBe(session.own);
    expect(session.said).toHaveLength(1);
    await session.write(session.own.replaceAll(',', ';'));
    expect(await session.writeReport(session.own, true)).toBe(session.own);
    expect(session.said).toHaveLength(1);
    expect(await session.copies()).toEqual(['failed-mended.csv']);
  });
});
