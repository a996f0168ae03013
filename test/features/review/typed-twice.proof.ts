/** Tables that are typed once more, old ones, cut ones, and those of a copy: what a table orders, it orders once, for what it saw. */

import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { failed, reset } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

const ids = ['q1', 'q2', 'q3', 'bad'];
const rows = (texts: Readonly<Record<string, string>> = {}): string =>
  ['id,question', ...ids.map((id) => `${id},${texts[id] ?? `What is ${id}?`}`), ''].join('\n');

/** A run whose row `bad` has failed; from now on all goes well. */
async function openRun(): Promise<Stage> {
  const stage = await openStage({
    status: (task) => (task.question === 'What is bad?' ? failed(task, 'too hard') : undefined),
  });
  await stage.write('q.csv', rows());
  await stage.batch(runLine('q.csv'));
  stage.service.follow({});
  return stage;
}

type Line = Record<string, string>;

/** Writes a table of the run anew, as somebody has changed it. */
async function change(stage: Stage, from: string, to: string, changed: (line: Line) => Line): Promise<void> {
  const lines: Line[] = parse(await stage.read(from), { bom: true, columns: true });
  await stage.write(to, stringify(lines.map(changed), { header: true }));
}

/** A line of marks about the row of a line of the report. */
const marked = ({ row = '', id = '', status = '', batch = '' }: Line): Line => {
  return { row, id, mark: id === 'q1' ? 'bad' : '', note: '', attempt: '1', status, batch };
};
const without =
  (...columns: readonly string[]) =>
  (line: Line): Line =>
    Object.fromEntries(Object.entries(line).filter(([column]) => !columns.includes(column)));

const retry = (file: string) => ['retry', '--only', `@${file}`, '--poll-interval', '100ms', '--yes'];

/** Types the line, and returns the questions that it paid for. */
async function paidBy(stage: Stage, line: readonly string[], ending: object): Promise<string[]> {
  const before = stage.service.creations.length;
  expect(await stage.batch([...line])).toMatchObject(ending);
  return stage.service.creations.slice(before).map(({ question }) => question);
}

const refused = (said: string) => ({ code: 2, stderr: expect.stringContaining(said) });

describe.concurrent('batch retry --only @TABLE', () => {
  it.for([
    ['failed.csv under another name', 'failed.csv', (line: Line) => line, 'What is bad?', 'attempted again'],
    ['failed.csv without its keys', 'failed.csv', without('batch'), 'What is bad?', 'several attempts'],
    ['marks', 'report.csv', marked, 'What is q1?', 'attempted again since the mark'],
    [
      'marks without their attempts',
      'report.csv',
      (line: Line) => without('attempt')(marked(line)),
      'What is q1?',
      'attempted again since the mark',
    ],
    [
      'marks without attempts and keys',
      'report.csv',
      (line: Line) => without('attempt', 'batch')(marked(line)),
      'What is q1?',
      'several attempts, and the table does not say which one',
    ],
    [
      'a report with a column of marks',
      'report.csv',
      (line: Line) => ({ ...line, mark: line.id === 'q1' ? 'bad' : 'good' }),
      'What is q1?',
      'attempted again since the mark',
    ],
  ] as const)(
    'pays once for what it says, however often it is typed: %s',
    async ([, from, changed, question, said]) => {
      await using stage = await openRun();
      await change(stage, `videos/${from}`, 'kept.csv', changed);
      expect(await paidBy(stage, retry('kept.csv'), {})).toEqual([question]);
      expect(await paidBy(stage, retry('kept.csv'), refused(said))).toEqual([]);
    },
  );

  it.for([
    ['the report', (line: Line) => line, 'a table of all rows orders none'],
    ['the report without its keys', without('batch'), 'a table of all rows orders none'],
    [
      'marks without the column of marks',
      (line: Line) => without('mark')(marked(line)),
      'without its column "mark"',
    ],
    [
      'marks whose column of marks has another name, and no keys',
      (line: Line) => without('mark', 'batch')({ ...marked(line), verdict: 'bad' }),
      'without its column "mark"',
    ],
    [
      'marks whose attempt is not that of their key',
      (line: Line) => ({ ...marked(line), attempt: '2' }),
      'the attempt is not that of the key',
    ],
    [
      'a report of other texts, without keys',
      (line: Line) => ({ ...without('batch')(line), question: `Not ${line.question}`, mark: 'bad' }),
      'row q1 has another question than this line',
    ],
  ] as const)('pays for nothing that nobody named: %s', async ([, changed, said]) => {
    await using stage = await openRun();
    await change(stage, 'videos/report.csv', 'kept.csv', changed);
    expect(await paidBy(stage, retry('kept.csv'), refused(said))).toEqual([]);
  });

  it('takes no manifest for a list, and a list of ids that is no table of a run for what it says', async () => {
    await using stage = await openRun();
    await stage.batch(['export', '--to', 'out']);
    expect(await paidBy(stage, retry('out/manifest.csv'), refused('orders none'))).toEqual([]);
    // A column `batch` without keys is the user's own.
    await stage.write('mine.csv', 'id,batch\nq2,2024-A\n');
    for (const _ of [1, 2]) expect(await paidBy(stage, retry('mine.csv'), {})).toEqual(['What is q2?']);
  });

  it('does not take an attempt of a copy for the one of the same number', async () => {
    await using stage = await openRun();
    await cp(join(stage.folder, 'videos'), join(stage.folder, 'copy'), { recursive: true });
    const again = ['--only', 'q1', '--poll-interval', '100ms', '--yes'];
    await stage.batch(['retry', 'copy', ...again]);
    await stage.batch(['retry', ...again]);
    for (const attempt of ['', '2']) {
      const ofCopy = (line: Line) => ({ ...marked(line), attempt: line.id === 'q1' ? attempt : '' });
      await change(stage, 'copy/report.csv', 'kept.csv', ofCopy);
      const said = refused('q1: this row has an attempt that the table does not know');
      expect(await paidBy(stage, retry('kept.csv'), said)).toEqual([]);
    }
  });

  it('sends no correction whose letters it had to guess', async () => {
    await using stage = await openRun();
    const head = 'id,mark,attempt,question\nq1,bad,1,';
    await stage.write('kept.csv', Buffer.from(`${head}Erkläre q1.\n`, 'latin1'));
    expect(await paidBy(stage, retry('kept.csv'), refused('save the file as UTF-8'))).toEqual([]);
    await stage.write('kept.csv', `${head}Erkläre q1.\n`);
    expect(await paidBy(stage, retry('kept.csv'), {})).toEqual(['Erkläre q1.']);
  });
});

describe.concurrent('an old table of failed rows', () => {
  const feed = (file: string) => runLine(file, '--rerun-changed', '--yes');

  it.for([
    ['as it was', (line: Line) => line],
    ['mended', (line: Line) => ({ ...line, question: 'What is it?' })],
  ] as const)('replaces no video that was paid for since: %s', async ([, changed]) => {
    await using stage = await openRun();
    await change(stage, 'videos/failed.csv', 'old.csv', changed);
    await stage.write('q.csv', rows({ bad: 'What is good?' }));
    expect(await paidBy(stage, feed('q.csv'), { code: 0 })).toEqual(['What is good?']);
    const said = refused('every line is about a text or an attempt that its row has left (bad)');
    expect(await paidBy(stage, feed('old.csv'), said)).toEqual([]);
    expect(await paidBy(stage, ['resume', '--yes'], { code: 0 })).toEqual([]);
  });

  it('that was mended goes on where it was interrupted, and is done once it has been fed back', async () => {
    await using stage = await openRun();
    await change(stage, 'videos/failed.csv', 'mended.csv', (line) => ({ ...line, question: 'What is it?' }));
    stage.service.follow({ status: (task) => failed(task, 'again') });
    expect(await paidBy(stage, feed('mended.csv'), { code: 1 })).toEqual(['What is it?']);
    expect(await paidBy(stage, feed('mended.csv'), { code: 1 })).toEqual([]);
  });
});

describe('an old table of uncertain rows', () => {
  it('settles no later attempt of its rows', async () => {
    await using stage = await openStage({
      create: ({ question }, accept) => {
        if (question !== 'What is bad?') return undefined;
        accept();
        return reset;
      },
    });
    await stage.write('q.csv', rows());
    await stage.batch(runLine('q.csv'));
    await stage.write('list.csv', (await stage.batch(['resolve', '--list'])).stdout);
    await change(stage, 'list.csv', 'none.csv', (line) => ({ ...line, task_id: 'not-created' }));
    await change(stage, 'list.csv', 'bare.csv', (line) =>
      without('batch')({ ...line, task_id: 'not-created' }),
    );
    const settle = ['resolve', '--yes', '--from'];
    expect(await stage.batch([...settle, 'none.csv'])).toMatchObject({ code: 0 });
    expect(await paidBy(stage, runLine('q.csv'), { code: 5 })).toEqual(['What is bad?']);
    for (const file of ['none.csv', 'bare.csv'])
      expect(await stage.batch([...settle, file])).toMatchObject(
        refused('has an attempt that this table does not know'),
      );
    expect(await paidBy(stage, runLine('q.csv'), { code: 5 })).toEqual([]);
  });
});
