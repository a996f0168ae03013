import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parseRowKey } from '../../../src/text/ids/row-key.ts';
import { failed } from '../../cli/support/scripted-service.ts';
import { openStage, runLine } from '../../cli/support/stage.ts';
import { convert, hasLibreOffice } from '../../support/libreoffice.ts';

const ids = ['1.10', '007', '1e5', '2-1', '003'];

describe.skipIf(!(await hasLibreOffice()))('tables that LibreOffice has opened and saved', () => {
  it('come back with every key, whatever became of the ids', async () => {
    await using stage = await openStage({
      status: (task) => (task.question.includes('3') ? undefined : failed(task, '=too hard')),
    });
    await stage.write('q.csv', ['id,question', ...ids.map((id) => `${id},What is ${id}?`), ''].join('\n'));
    await stage.batch(runLine('q.csv', '--out', 'course'));
    await stage.batch(['export', 'course', '--to', 'handed']);
    await mkdir(join(stage.folder, 'saved'));
    const list = await stage.batch(['resolve', 'course', '--list']);
    await stage.write('course/uncertain.csv', list.stdout);
    for (const table of [
      'course/failed.csv',
      'course/report.csv',
      'handed/manifest.csv',
      'course/uncertain.csv',
    ]) {
      const text = await stage.read(table);
      // Without its mark LibreOffice takes the file for UTF-8 only where it is told so; ASCII needs neither.
      await stage.write(`saved/${basename(table)}`, text.replace('\ufeff', ''));
      await convert(stage.folder, join(stage.folder, 'saved', basename(table)), 'xlsx');
      await convert(stage.folder, join(stage.folder, `${basename(table, '.csv')}.xlsx`), 'csv');
      const keysOf = (read: string) =>
        (parse(read, { bom: true, columns: true }) as { batch: string }[]).map(({ batch }) => batch);
      const back = keysOf(await stage.read(basename(table)));
      expect(back).toEqual(keysOf(text));
      expect(back.every((key) => parseRowKey(key) !== null)).toBe(true);
    }
    expect(await stage.read('failed.csv')).not.toContain('007,');
    const paid = stage.service.creations.length;
    stage.service.follow({});
    await stage.write('failed.csv', (await stage.read('failed.csv')).replaceAll('What is', 'How much is'));
    const fed = await stage.batch(runLine('failed.csv', '--out', 'course', '--rerun-changed'));
    expect(fed).toMatchObject({ code: 0, stderr: expect.stringContaining('7 is 007') });
    expect(stage.service.creations.slice(paid).map(({ question }) => question)).toEqual(
      ['1.10', '007', '1e5', '2-1'].map((id) => `How much is ${id}?`),
    );
  });
});
