/** The tables of rows that ended badly, fed back to their run: they are read as its files were. */

import { mkdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { runIdOf } from '../../../src/app/run-id.ts';
import { storeIn } from '../../../src/app/stores.ts';
import { importFile } from '../../../src/features/import/import-file.ts';
import type { Plan } from '../../../src/money/plan.ts';
import { reportColumns } from '../../../src/reports/columns.ts';
import { createFailedTable } from '../../../src/reports/failed-table.ts';
import { manifestHead } from '../../../src/reports/manifest.ts';
import { events } from '../../money/lives.ts';
import { accepted, liveOn } from '../../support/saved-lives.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pictures, workbook } from '../../support/workbook.ts';

async function openPlace() {
  const folder = await temporaryFolder();
  const out = join(folder.path, 'out');
  await mkdir(out);
  // Each command opens the run again: only its first one finds a new folder.
  const open = () => storeIn(out).open();
  return {
    folder: folder.path,
    /** Imports a file with this content; the plan. */
    async read(
      name: string,
      content: string | Uint8Array,
      flags: Readonly<Record<string, unknown>> = {},
      job?: string,
    ): Promise<Plan> {
      const input = join(folder.path, name);
      await writeFile(input, content);
      const invocation = readInvocation({ out, ...flags }, { dotEnv: false, ...(job && { job }) });
      await using store = await open();
      const imported = await importFile({
        input,
        invocation,
        store,
        options: invocation.options,
        agree: async () => true,
      });
      if (imported === null) throw new Error('the plan was declined');
      return imported.plan;
    },
    async fail(...ids: readonly string[]): Promise<void> {
      await using store = await open();
      for (const id of ids)
        await liveOn(store.checkpoint, id, ...accepted(`task of ${id}`), events['task-failed']);
    },
    /** `failed.csv` as the reports would have it. */
    async failures(): Promise<string> {
      await using store = await open();
      const table = createFailedTable(
        { failure: 'failure', key: 'batch', run: runIdOf(out) },
        [],
        (await store.checkpoint.sources())[0]?.folder,
      );
      return table.render(await Array.fromAsync(store.checkpoint.reportRows())) + table.end();
    },
    async questions(): Promise<unknown[]> {
      await using store = await open();
      const rows = await Array.fromAsync(store.checkpoint.reportRows());
      return rows.map(({ input, source }) => input[source.fields.question ?? '']);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const none = { newRows: 0, changedSent: 0, gone: 0, toSubmit: 0 };

describe('failed.csv', () => {
  it.each(['docs/excel.md', 'docs/excel.zh-CN.md', 'docs/edited-files.md'])(
    'ends with the column that %s calls the last one',
    async (page) => {
      await using place = await openPlace();
      await place.read('q.csv', 'question\nOne\n');
      await place.fail('row-1');
      const [header = ''] = (await place.failures()).split('\r\n');
      const told = [...(await readFile(page, 'utf8')).matchAll(/(?:last column, |最后一列 )`(\w+)`/g)];
      expect(told.map(([, last]) => last)).toEqual([header.split(',').at(-1)]);
    },
  );

  it('needs no --map a second time: no other column is sent as the question', async () => {
    await using place = await openPlace();
    const table = 'No.,question,Aufgabe\n1,title,Eins\n1,title,Zwei\n2,title,Drei\n';
    await place.read('q.csv', table, { map: ['question=Aufgabe', 'id=none'] });
    await place.fail('row-1', 'row-2');
    const failures = 'No.,question,Aufgabe,failure\n1,title,Eins,bad\n1,title,Zwei,bad\n';
    expect(await place.read('out/failed.csv', failures)).toMatchObject({ ...none, toSubmit: 1 });
    const corrected = failures.replace('Zwei', 'Zwo');
    expect(await place.read('out/failed.csv', corrected)).toMatchObject({
      newRows: 1,
      gone: 1,
      goneIds: ['row-2'],
      toSubmit: 2,
    });
    expect(await place.questions()).toEqual(['Eins', 'Drei', 'Zwo', 'Zwei']);
    // What is typed counts.
    expect(await place.read('out/failed.csv', failures, { map: 'question=question' })).toMatchObject({
      newRows: 2,
    });
  });

  it('may have lost a column and have got another one', async () => {
    await using place = await openPlace();
    await place.read('q.csv', 'id,Text der Frage,quality\na,Eins,m\nb,Zwei,\n', {
      map: 'question=Text der Frage',
    });
    await place.fail('a', 'b');
    const corrected = 'id,Text der Frage,answer\nb,Zwei,2\n';
    expect(await place.read('out/failed.csv', corrected, { 'rerun-changed': true })).toMatchObject({
      ...none,
      changedSent: 1,
      toSubmit: 1,
    });
  });

  it('keeps the pictures of each row, also where two folders have files of one name', async () => {
    await using place = await openPlace();
    for (const chapter of ['ch1', 'ch2']) {
      await mkdir(join(place.folder, chapter));
      await writeFile(join(place.folder, chapter, '1.png'), pictures.other(chapter));
    }
    await place.read('ch1/q.csv', 'question,image\nOne,1.png\n');
    await place.read('ch2/q.csv', 'question,image\nTwo,1.png\nThree,"1.png\nhttps://host/a.png"\n', {
      add: true,
    });
    await place.fail('row-1', 'row-2', 'row-3');
    expect(await place.read('out/failed.csv', await place.failures())).toMatchObject(none);
  });

  it('is known behind a link: the rows that it does not contain have not left', async () => {
    await using place = await openPlace();
    await place.read('q.csv', 'question\nOne\nTwo\nThree\n');
    await place.fail('row-1');
    await symlink(join(place.folder, 'out'), join(place.folder, 'link'));
    const plan = await place.read('link/failed.csv', 'question,failure\nOne,bad\n');
    expect(plan).toMatchObject({ ...none, toSubmit: 2 });
    await unlink(join(place.folder, 'out/failed.csv'));
    await symlink(join(place.folder, 'q.csv'), join(place.folder, 'out/failed.csv'));
    expect(await place.read('q.csv', 'question\nOne\nTwo\n')).toMatchObject({ gone: 1, toSubmit: 1 });
  });
});

describe('a copy of failed.csv under another name', () => {
  const three = 'id,question,note\na,One,x\nb,Two,y\nc,Three,z\n';

  it.each([
    ['as it is', (text: string) => text],
    [
      'saved by a spreadsheet',
      (text: string) => `\ufeff${text.replaceAll(',', ';').replaceAll('\n', '\r\n')}`,
    ],
    [
      'with another column',
      (text: string) => text.replaceAll(/$/gm, ',').replace('failure,', 'failure,remark'),
    ],
  ])('takes no other row away: %s', async (_, change) => {
    await using place = await openPlace();
    await place.read('q.csv', three);
    await place.fail('a');
    const mended = change('id,question,note,failure\na,Eins,x,bad\n');
    expect(await place.read('mended.csv', mended)).toMatchObject({ ...none, changedSent: 1, toSubmit: 2 });
    expect(await place.read('again.csv', mended, { 'rerun-changed': true })).toMatchObject({
      gone: 0,
      toSubmit: 3,
    });
  });

  it('needs no --map either, whether its columns can be read without one or not', async () => {
    for (const header of ['question,Aufgabe', 'Text,Aufgabe']) {
      await using place = await openPlace();
      await place.read('q.csv', `${header}\ntitle,Eins\ntitle,Zwei\n`, { map: 'question=Aufgabe' });
      await place.fail('row-1');
      expect(await place.read('copy.csv', `${header},failure\ntitle,Eins,bad\n`)).toMatchObject({
        ...none,
        toSubmit: 1,
      });
    }
  });

  it('is known as a workbook, whatever the job file says of its own input', async () => {
    await using place = await openPlace();
    const job = join(place.folder, 'job.json');
    await writeFile(job, JSON.stringify({ sheet: 'Exam' }));
    const book = (name: string, ...rows: string[][]) => workbook({ sheets: [{ name, rows }] });
    await place.read('q.xlsx', book('Exam', ['id', 'question'], ['a', 'One'], ['b', 'Two']), {}, job);
    await place.fail('a');
    const failures = book('failed', ['id', 'question', 'failure'], ['a', 'One', 'bad']);
    expect(await place.read('copy.xlsx', failures, {}, job)).toMatchObject({ ...none, toSubmit: 1 });
  });

  it('is not a file of the user with a column of that name: rows that left it have left', async () => {
    await using place = await openPlace();
    await place.read('q.csv', 'id,question,failure\na,One,x\nb,Two,y\n');
    expect(await place.read('q.csv', 'id,question,failure\na,One,x\n')).toMatchObject({ gone: 1 });
    expect(await place.read('other.csv', 'failure,id,question\na,a,One\n')).toMatchObject({ gone: 0 });
  });
});

const signs = ["'=' and '==': how do they differ?", '=x^2 + 1 = 0', '-5 + 3', "'-5' is a string"];

describe('questions that begin with a sign', () => {
  const table = `id,question\n${signs.map((text, at) => `${at},${text}\n`).join('')}`;
  const ids = [...signs.keys()].map(String);

  it.each([
    ['as failed.csv', 'out/failed.csv', (text: string) => text],
    ['under another name', 'mended.csv', (text: string) => text],
    ['without keys', 'mended.csv', (text: string) => text.replace(/,batch$/m, '').replace(/,b[\w-]+$/gm, '')],
    [
      'as a workbook',
      'mended.xlsx',
      (text: string) =>
        workbook({
          sheets: [
            {
              rows: text
                .replace('\ufeff', '')
                .trim()
                .split(/\r?\n/)
                .map((line) => line.split(',')),
            },
          ],
        }),
    ],
  ])('are the same when they come back %s', async (_, name, change) => {
    await using place = await openPlace();
    await place.read('q.csv', table);
    expect(await place.questions()).toEqual(signs);
    await place.fail(...ids);
    const failures = await place.failures();
    expect(failures).toContain("''=' and");
    expect(failures).toContain("'-5 + 3");
    expect(await place.read(name, change(failures))).toMatchObject(none);
    expect(await place.questions()).toEqual(signs);
  });

  it("are known where the run has them without their ', and are sent as they stand where they wait", async () => {
    for (const failed of [ids, []]) {
      await using place = await openPlace();
      await place.read('q.csv', table.replaceAll(",'", ','));
      await place.fail(...failed);
      const plan = await place.read('q.csv', table, { 'rerun-changed': true });
      expect(plan).toMatchObject({ ...none, toSubmit: ids.length - failed.length });
      if (failed.length === 0) expect(await place.questions()).toEqual(signs);
    }
  });
});

describe('numbers of JSONL', () => {
  it('are known where the run has them with fewer digits', async () => {
    const lines = (one: string, ten: string) =>
      [one, ten].map((answer, at) => `{"id":${at}.${'0'},"question":"q${at}","answer":${answer}}`).join('\n');
    await using place = await openPlace();
    await place.read('q.jsonl', lines('1.1', '5').replaceAll('.0,"q', ',"q'));
    await place.fail('0', '1');
    expect(await place.read('q.jsonl', lines('1.10', '5.0'), { 'rerun-changed': true })).toMatchObject(none);
  });
});

describe('a table that the program wrote and that has no questions to send', () => {
  const report = reportColumns.join(',');
  const reported = Object.fromEntries(reportColumns.map((column) => [column, column === 'row' ? 1 : 'x']));

  it.each([
    ['a report', 'report.csv', `\ufeff${report},input.note\r\n1,a,completed,10,One\r\n`],
    ['a report, saved by a spreadsheet', 'old.csv', `${report.replaceAll(',', ';')}\n`],
    ['a report', 'report.jsonl', `${JSON.stringify({ ...reported, input: {} })}\n`],
    [
      'a report',
      'r.xlsx',
      workbook({ sheets: [{ rows: [[...reportColumns], ['1', 'a', 'completed', '10', 'One']] }] }),
    ],
    ['the manifest', 'm.csv', `${manifestHead(['note'])}a.mp4,a,One\n`],
    [
      'a table of marks',
      'marks.csv',
      'row,id,mark,note,attempt,status,question\n1,a,bad,,1,completed,Eins\n',
    ],
    ['a list of uncertain rows', 'u.csv', 'id,task_id,created_after,created_before,question\na,,x,y,One\n'],
  ])('is no input: %s, %s', async (_, name, content) => {
    await using place = await openPlace();
    await place.read('q.csv', 'id,question\na,One\nb,Two\n');
    await expect(place.read(name, content)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(
        /this is (a|the) .* that batch wrote, not a file of questions; use .*q\.csv/,
      ),
    });
    expect(await place.questions()).toEqual(['One', 'Two']);
  });

  it('is not a file of the user with some of its columns', async () => {
    await using place = await openPlace();
    expect(await place.read('q.csv', 'id,status,points,question\na,new,10,One\n')).toMatchObject({
      toSubmit: 1,
    });
  });
});

it('failed.xlsx is not read as the job file says of its own input', async () => {
  await using place = await openPlace();
  const job = join(place.folder, 'job.json');
  await writeFile(job, JSON.stringify({ sheet: 'Exam', 'header-row': 2 }));
  const book = (name: string, ...titles: string[][]) =>
    workbook({ sheets: [{ name, rows: [...titles, ['id', 'question'], ['a', 'One']] }] });
  await place.read('q.xlsx', book('Exam', ['title']), {}, job);
  await place.fail('a');
  expect(await place.read('out/failed.xlsx', book('failed'), {}, job)).toMatchObject(none);
});
