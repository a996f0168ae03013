/** A workbook with pictures as the input of a run that several workers carry. */

import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBook } from '../input/workbook/read-book.ts';
import { Fleet } from '../support/fleet.ts';
import { startPostgres } from '../support/postgres.ts';
import { media, threeKinds } from '../support/three-kinds.ts';
import { workbook } from '../support/workbook.ts';

const [a, b, c] = media.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));

describe('a workbook in a shared run', () => {
  it('has its pictures sent byte for byte by workers that do not see it, and gives back what ended badly', {
    timeout: 600_000,
  }, async () => {
    await using postgres = await startPostgres();
    await using fleet = await Fleet.open({
      postgres,
      questions: [],
      service: ['--duration', '300ms', '--fail-rate', '0'],
    });
    const folder = join(fleet.folder, 'teacher');
    await mkdir(folder);
    await writeFile(join(folder, 'q.xlsx'), workbook(threeKinds));
    const line = ['--detach', '--yes', '--poll-interval', '300ms', '--frames', 'none', '--report', 'xlsx'];
    const imported = await fleet.batch('run', 'teacher/q.xlsx', '--out', fleet.out, ...line);
    expect(imported.code, imported.stderr).toBe(0);
    await rm(folder, { recursive: true });
    await fleet.openSeats(2, '--drain');
    await Promise.all(fleet.seats.map(({ running }) => running.ended));

    const { tasks } = await fleet.ledger();
    const sent = tasks.map(({ question, question_image_sha256: images }) => [question, images] as const);
    expect(Object.fromEntries(sent)).toEqual({ one: [b], two: [c], three: [a] });
    expect(sent).toHaveLength(3);
    expect(await fleet.counts()).toMatchObject({ completed: 3, invalid: 1 });

    const failed = await readBook(await readFile(join(fleet.out, 'failed.xlsx')));
    expect(failed.questions.map(({ id, question }) => [id, question])).toEqual([['010', 'lost']]);
    const report = await readBook(await readFile(join(fleet.out, 'report.xlsx')));
    expect(report.rows.map(({ input }) => [input.id, input.status])).toEqual([
      ['007', 'completed'],
      ['008', 'completed'],
      ['009', 'completed'],
      ['010', 'invalid'],
    ]);
  });

  it('gives back a row that failed with its pictures', { timeout: 600_000 }, async () => {
    await using postgres = await startPostgres();
    await using fleet = await Fleet.open({
      postgres,
      questions: [],
      service: ['--duration', '300ms', '--fail-rate', '1'],
    });
    await writeFile(join(fleet.folder, 'q.xlsx'), workbook(threeKinds));
    const line = ['--detach', '--yes', '--poll-interval', '300ms', '--frames', 'none'];
    const imported = await fleet.batch('run', 'q.xlsx', '--out', fleet.out, ...line);
    expect(imported.code, imported.stderr).toBe(0);
    await fleet.openSeats(1, '--drain');
    await Promise.all(fleet.seats.map(({ running }) => running.ended));
    expect(await fleet.counts()).toMatchObject({ failed: 3, invalid: 1 });
    const failed = await readBook(await readFile(join(fleet.out, 'failed.xlsx')));
    const kept = (sha256: string | undefined) => [{ kind: 'kept', sha256 }];
    expect(failed.questions.map(({ id, questionImages }) => [id, questionImages])).toEqual([
      ['007', kept(b)],
      ['008', kept(c)],
      ['009', kept(a)],
      ['010', expect.anything()],
    ]);
    // Fed back, they are the same rows.
    const back = await fleet.batch('check', join(fleet.out, 'failed.xlsx'));
    expect(back.stdout).toContain('0 to submit');
  });
});
