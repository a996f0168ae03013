/** The same file, read with other columns or with its cells read otherwise, is the same rows: nothing is paid for again. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readInvocation, withSaved } from '../../../src/app/options/settings.ts';
import { readSavedOptions } from '../../../src/app/output-folder.ts';
import { storeIn } from '../../../src/app/stores.ts';
import { InputError } from '../../../src/errors.ts';
import { importFile } from '../../../src/features/import/import-file.ts';
import type { Plan } from '../../../src/money/plan.ts';
import { completed, liveOn } from '../../support/saved-lives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function openPlace(content: string) {
  const folder = await temporaryFolder();
  const out = join(folder.path, 'out');
  await mkdir(out);
  const input = join(folder.path, 'q.csv');
  await writeFile(input, content);
  const store = await storeIn(out).open();
  return {
    store,
    /** Imports the file; the plan. */
    async read(flags: Readonly<Record<string, unknown>> = {}, text = content): Promise<Plan> {
      await writeFile(input, text);
      const invocation = readInvocation({ out, ...flags }, { dotEnv: false });
      const options = withSaved(invocation, await readSavedOptions(store));
      const imported = await importFile({ input, invocation, options, store, agree: async () => true });
      if (imported === null) throw new Error('the plan was declined');
      return imported.plan;
    },
    /** Completes the first waiting rows. */
    async complete(count: number): Promise<void> {
      let left = count;
      for await (const { key, id } of store.checkpoint.items(['pending'], 'inFile')) {
        if (left-- === 0) return;
        await liveOn(store.checkpoint, id, ...completed(`task of ${key}`));
      }
    },
    async waitingTexts(): Promise<unknown[]> {
      const texts: unknown[] = [];
      for await (const { key } of store.checkpoint.items(['pending'], 'inFile'))
        texts.push(Object.values((await store.checkpoint.input(key)).input).at(-1));
      return texts;
    },
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const nothingNew = { newRows: 0, changed: 0, rerun: 0 };

it('a run whose ids are ignored from now on keeps its rows, and those that waited', async () => {
  await using place = await openPlace('题号,题目\n1,甲\n2,乙\n3,甲\n4,丙\n');
  await place.read();
  await place.complete(3);
  const plan = await place.read({ map: 'id=none' });
  expect(plan).toMatchObject({ toSubmit: 1, gone: 0, shares: { ...nothingNew, waiting: 1 } });
  expect(await place.waitingTexts()).toEqual(['丙']);
  expect(await place.read({ map: 'id=none' })).toMatchObject({ toSubmit: 1, kept: { completed: 3 } });
});

it('a run whose ids were read from a column key keeps its rows without them', async () => {
  await using place = await openPlace('key,question\na,One\nb,Two\nc,One\n');
  await place.read({ map: 'id=key' });
  await place.complete(2);
  expect(await place.read()).toMatchObject({ toSubmit: 1, gone: 0, shares: { ...nothingNew, waiting: 1 } });
  await place.complete(1);
  expect(await place.read()).toMatchObject({ toSubmit: 0, kept: { completed: 3 } });
});

it('ids that start again in each section are refused with the way out, which then works', async () => {
  const text = '题号,题目\n1,"甲\n一"\n1,乙\n';
  await using place = await openPlace(text);
  const refused = await place.read().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InputError);
  expect((refused as InputError).problems).toMatchObject([
    { line: 4, message: 'sheet row 3: the id "1" is already used on line 2' },
    {
      line: null,
      message: 'if "题号" only numbers rows, --map id=none ignores it: rows are then known by their text',
    },
  ]);
  expect(await place.read({ map: 'id=none' })).toMatchObject({ toSubmit: 2 });
});

it('rows whose HTML becomes text later are not paid for again; those that wait are sent as text', async () => {
  await using place = await openPlace('question\n<p>One</p>\n<p>Two</p>\nThree\n<p>One</p>\n');
  await place.read();
  await place.complete(1);
  const plan = await place.read({ html: 'text' });
  expect(plan).toMatchObject({ toSubmit: 3, gone: 0, shares: { ...nothingNew, waiting: 3 } });
  expect(await place.waitingTexts()).toEqual(['Two', 'Three', 'One']);
  // Saved with the run, and the way back is no other text either.
  expect(await place.read()).toMatchObject({ toSubmit: 3, shares: nothingNew });
  expect(await place.waitingTexts()).toEqual(['Two', 'Three', 'One']);
  await place.complete(1);
  expect(await place.read({ html: 'keep' })).toMatchObject({
    toSubmit: 2,
    gone: 0,
    shares: { ...nothingNew, waiting: 2 },
    kept: { completed: 2 },
  });
  expect(await place.waitingTexts()).toEqual(['Three', '<p>One</p>']);
});

it('a title that is put above the header changes no row', async () => {
  const text = '题号,题目\n1,甲\n2,乙\n';
  await using place = await openPlace(text);
  await place.read();
  await place.complete(2);
  expect(await place.read({}, `期末试题库,\n${text}`)).toMatchObject({ toSubmit: 0, kept: { completed: 2 } });
});

it('rows whose answers were words for a missing value are not paid for again when these are read as nothing', async () => {
  await using place = await openPlace('question,answer\nOne,nan\nTwo,NULL\nThree,3\nOne,\n');
  await place.read({ odd: 'send' });
  await place.complete(1);
  expect(await place.read({ odd: 'hold' })).toMatchObject({
    toSubmit: 3,
    gone: 0,
    shares: { ...nothingNew, waiting: 3 },
    kept: { completed: 1 },
  });
  expect(await place.read()).toMatchObject({ toSubmit: 3, gone: 0, shares: nothingNew });
  // The cells stay as they were.
  expect(await place.waitingTexts()).toEqual(['NULL', '3', '']);
  expect(await place.read({ odd: 'send' })).toMatchObject({ toSubmit: 3, gone: 0, shares: nothingNew });
});

it('rows that were read with ="..." around their texts and ids are not paid for again without it', async () => {
  const before = [
    { id: '="007"', question: 'One', answer: '="1/2"' },
    { id: '="008"', question: 'Two', answer: '2' },
  ];
  await using place = await openPlace(before.map((row) => JSON.stringify(row)).join('\n'));
  await place.read({ format: 'jsonl' });
  await place.complete(1);
  const text = 'id,question,answer\n="007",One,="1/2"\n="008",Two,="2"\n';
  const plan = await place.read({ format: 'csv' }, text);
  expect(plan).toMatchObject({ toSubmit: 1, gone: 0, shares: { ...nothingNew, waiting: 1 } });
  expect(await place.waitingTexts()).toEqual(['2']);
  expect(await place.read({ format: 'csv' }, text)).toMatchObject({
    toSubmit: 1,
    gone: 0,
    shares: nothingNew,
  });
});
