import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { errorEnvelope, failed, reset } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

const ids = ['1.1', '1.2', '1.3', '1.10', '007'];
const file = ['id,question', ...ids.map((id) => `${id},What is ${id}?`), ''].join('\n');

/** A run in `course1` whose rows 1.10 and 007 have failed. */
async function openCourse(): Promise<Stage> {
  const stage = await openStage({
    status: (task) => (/1\.10|007/.test(task.question) ? failed(task, 'too hard') : undefined),
  });
  await stage.write('q.csv', file);
  await stage.batch(runLine('q.csv', '--out', 'course1'));
  return stage;
}

type Lines = Record<string, string>[];

/** What a spreadsheet makes of ids. */
const asSaved = (id: string): string => String(Number(id));

/** Writes a table of the run anew, as somebody has changed it. */
async function change(
  stage: Stage,
  from: string,
  to: string,
  changed: (lines: Lines) => Lines,
): Promise<void> {
  const lines: Lines = parse(await stage.read(from), { bom: true, columns: true });
  await stage.write(to, stringify(changed(lines), { header: true }));
}

const withoutKeys = (lines: Lines): Lines => lines.map(({ batch: _, ...line }) => line);
const throughSpreadsheet = (lines: Lines): Lines =>
  lines.map((line) => ({ ...line, id: asSaved(line.id ?? '') }));
const corrected = (lines: Lines): Lines =>
  lines.map((line) => ({ ...line, question: `${line.question} Again.` }));

/** Lines of a table of marks about these rows, with the keys of the report. */
async function writeMarks(
  stage: Stage,
  to: string,
  marks: Lines,
  more = (lines: Lines): Lines => lines,
): Promise<void> {
  await change(stage, 'course1/report.csv', to, (report) =>
    more(
      marks.map(({ id = '', ...mark }) => {
        const { row = '', status = '', batch = '' } = report.find((line) => line.id === id) ?? {};
        return { row, id, mark: 'bad', note: '', attempt: '1', status, question: '', ...mark, batch };
      }),
    ),
  );
}

describe.concurrent('a table of failed rows that comes back', () => {
  it('without the folder of its run is refused with the line to type, and nothing is made', async () => {
    await using stage = await openCourse();
    const paid = stage.service.creations.length;
    const ending = await stage.batch(runLine('course1/failed.csv', '--rerun-changed'));
    expect(ending).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('batch run course1/failed.csv --out course1 --rerun-changed'),
    });
    expect(stage.service.creations).toHaveLength(paid);
    expect(await stage.list('videos')).toEqual([]);
    await stage.write('mine.csv', await stage.read('course1/failed.csv'));
    expect(await stage.batch(['check', 'mine.csv'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('mine.csv belongs to another run'),
    });
  });

  it('from a spreadsheet is known by its keys: its rows are paid for once, and no other', async () => {
    await using stage = await openCourse();
    const paid = stage.service.creations.length;
    await change(stage, 'course1/failed.csv', 'mended.csv', (lines) => corrected(throughSpreadsheet(lines)));
    stage.service.follow({});
    const line = runLine('mended.csv', '--out', 'course1', '--rerun-changed');
    const ending = await stage.batch(line);
    expect(ending).toMatchObject({ code: 0, stderr: expect.stringContaining('1.1 is 1.10, 7 is 007') });
    await stage.batch(line);
    expect(stage.service.creations.slice(paid).map(({ question }) => question)).toEqual([
      'What is 1.10? Again.',
      'What is 007? Again.',
    ]);
    const report: Lines = parse(await stage.read('course1/report.csv'), { bom: true, columns: true });
    expect(report.map(({ id, status }) => `${id} ${status}`)).toEqual(ids.map((id) => `${id} completed`));
  });

  it.for([
    [
      'without its keys, with the ids of a spreadsheet',
      (lines: Lines) => withoutKeys(throughSpreadsheet(lines)),
      'the id 1.1 may also be 1.10',
    ],
    [
      'without its keys, with the id of a row that did not fail',
      (lines: Lines) =>
        withoutKeys(lines).map((line) => ({ ...line, id: line.id === '1.10' ? '1.2' : '007' })),
      'row 1.2 is completed',
    ],
    [
      'with one column sorted alone',
      (lines: Lines) => lines.map((line, at) => ({ ...line, question: lines[1 - at]?.question ?? '' })),
      'the text is that of row 007, but the key is that of row 1.10',
    ],
    [
      'with the text of a row that is not in it',
      (lines: Lines) =>
        lines.map((line) => ({ ...line, question: line.id === '007' ? 'What is 1.2?' : 'new' })),
      'the text is that of row 1.2, but the key is that of row 007',
    ],
    ['with a line twice', (lines: Lines) => [...lines, ...lines], 'the row 1.10 stands on line 2 already'],
    [
      'with a damaged key',
      (lines: Lines) => lines.map((line, at) => ({ ...line, batch: at === 0 ? 'b1' : (line.batch ?? '') })),
      'the column "batch" has "b1", which is not the key of a row',
    ],
  ] as const)('%s is refused by name, and nothing is paid for', async ([, changed, said]) => {
    await using stage = await openCourse();
    const paid = stage.service.creations.length;
    await change(stage, 'course1/failed.csv', 'mended.csv', (lines) => {
      const all = changed(lines);
      return said.includes('text') || said.includes('already') ? all : corrected(all);
    });
    const ending = await stage.batch(runLine('mended.csv', '--out', 'course1', '--rerun-changed'));
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    expect(stage.service.creations).toHaveLength(paid);
  });
});

describe.concurrent('a table of marks that comes back', () => {
  const retry = ['retry', 'course1', '--only', '@marks.csv', '--poll-interval', '100ms'];

  it('is known by its keys; its corrections go to their rows', async () => {
    await using stage = await openCourse();
    const paid = stage.service.creations.length;
    await writeMarks(stage, 'marks.csv', [{ id: '1.10', question: 'What is ten?' }], throughSpreadsheet);
    stage.service.follow({});
    expect(await stage.batch(retry)).toMatchObject({ stderr: expect.stringContaining('1.1 is 1.10') });
    expect(stage.service.creations.slice(paid).map(({ question }) => question)).toEqual(['What is ten?']);
  });

  it.for([
    [
      'without keys, with the ids of a spreadsheet',
      [{ id: '1.10' }],
      (lines: Lines) => withoutKeys(throughSpreadsheet(lines)),
      ['the id 1.1 may also be 1.10'],
    ],
    [
      'with unknown words',
      [
        { id: '1.2', mark: 'bad?' },
        { id: '1.3', mark: '坏' },
      ],
      withoutKeys,
      ['marks.csv:2: row 1.2: the mark "bad?" is not known'],
    ],
    [
      'with a correction without a mark',
      [{ id: '1.2', mark: '', question: 'new' }, { id: '1.3' }],
      withoutKeys,
      ['row 1.2 has a corrected text and no mark'],
    ],
    [
      'with a correction without a mark, under the id that a spreadsheet made of two',
      [{ id: '1.1' }, { id: '1.10', mark: '', question: 'new' }],
      throughSpreadsheet,
      ['row 1.10 has a corrected text and no mark'],
    ],
    [
      'with a correction of a good row',
      [{ id: '1.2', mark: '好', question: 'new' }, { id: '1.3' }],
      withoutKeys,
      ['row 1.2 has a corrected text and the mark good'],
    ],
    [
      'with a status that its row cannot have had',
      [{ id: '1.2', status: 'failed' }],
      withoutKeys,
      ['row 1.2 is completed'],
    ],
  ] as const)('%s is refused by name, and nothing is paid for', async ([, marks, changed, said]) => {
    await using stage = await openCourse();
    const paid = stage.service.creations.length;
    await writeMarks(
      stage,
      'marks.csv',
      marks.map((mark) => ({ ...mark })),
      changed,
    );
    const ending = await stage.batch(retry);
    expect(ending.code).toBe(2);
    for (const each of said) expect(ending.stderr).toContain(each);
    expect(stage.service.creations).toHaveLength(paid);
  });

  it('of another run is refused, and an export takes the videos of the rows of its keys', async () => {
    await using stage = await openCourse();
    const good = [{ id: '1.3', mark: '通过' }];
    await writeMarks(stage, 'course1/good.csv', good, (lines) =>
      lines.map((line) => ({ ...line, id: '1.2' })),
    );
    const out = ['--to', 'handed', '--only', '@course1/good.csv'];
    await stage.batch(runLine('q.csv', '--out', 'course2'));
    expect(await stage.batch(['export', 'course2', ...out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('belongs to the run in course1'),
    });
    expect(await stage.batch(['export', 'course1', ...out])).toMatchObject({ code: 0 });
    expect(await stage.list('handed')).toEqual(expect.arrayContaining(['1.3.webm']));
  });
});

describe.concurrent('a table of uncertain rows that comes back', () => {
  it('settles the rows of its keys', async () => {
    await using stage = await openStage({
      create: ({ question }, accept) => {
        if (!/1\.10/.test(question)) return undefined;
        accept();
        return reset;
      },
      status: (task) => (/none/.test(task.question) ? errorEnvelope('no') : undefined),
    });
    await stage.write('q.csv', file);
    await stage.batch(runLine('q.csv', '--out', 'course1'));
    const listed = await stage.batch(['resolve', 'course1', '--list']);
    await stage.write('list.csv', listed.stdout);
    const task = stage.service.taskIds.get('What is 1.10?') ?? '';
    await change(stage, 'list.csv', 'found.csv', (lines) =>
      throughSpreadsheet(lines).map((line) => ({ ...line, task_id: task })),
    );
    expect(await stage.batch(['resolve', 'course1', '--from', 'found.csv'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1.1 is 1.10'),
    });
    await stage.batch(['collect', 'course1', '--poll-interval', '100ms']);
    const report: Lines = parse(await stage.read('course1/report.csv'), { bom: true, columns: true });
    expect(report.map(({ status }) => status)).toEqual(ids.map(() => 'completed'));
    await change(stage, 'list.csv', 'other.csv', (lines) =>
      withoutKeys(throughSpreadsheet(lines)).map((line) => ({ ...line, task_id: task })),
    );
    expect(await stage.batch(['resolve', 'course1', '--from', 'other.csv'])).toMatchObject({ code: 2 });
  });
});
