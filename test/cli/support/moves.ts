/** A run that moves from its folder into a database. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { bare, picture, reset } from './scripted-service.ts';
import { openStage, runLine, type Stage } from './stage.ts';

/** The command lines for a run of this name in the database at this address. */
export function movesOf(url: string, run: string) {
  const place = ['--store', url, '--run', run];
  return { place, into: ['move', 'videos', ...place, '--out', 'shared'] };
}

/** What the report in this folder says of each row, whatever the layout of the files. */
export async function reported(stage: Stage, folder: string): Promise<readonly Record<string, string>[]> {
  const text = await readFile(join(stage.folder, folder, 'report.csv'));
  const records: readonly Record<string, string>[] = parse(text, { bom: true, columns: true });
  return records.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, value.replaceAll(/attempt-\d+\//g, '')]),
    ),
  );
}

const rows = (...ids: readonly string[]): string =>
  [
    'id,question,image',
    ...ids.map((id) => `${id},Question ${id},${id === 'late' ? 'one.png' : ''}`),
    '',
  ].join('\n');

/** In `./videos` two rows are done, one of them at its second try; one is uncertain, one refused, and `late` waits. */
export async function openRunToMove(): Promise<Stage> {
  const stage = await openStage({
    create({ question }) {
      if (question === 'Question lost') return reset;
      return question === 'Question no' ? bare(400) : undefined;
    },
  });
  await stage.write('one.png', picture);
  await stage.write('q.csv', rows('a', 'b', 'lost', 'no'));
  await stage.batch(runLine('q.csv', '--yes'));
  await stage.batch(['retry', '--only', 'b', '--poll-interval', '100ms', '--yes']);
  await stage.write('q.csv', rows('a', 'b', 'lost', 'no', 'late'));
  await stage.batch(runLine('q.csv', '--only', 'a', '--yes'));
  return stage;
}

/** Questions of which videos were paid for. */
export function paidFor(stage: Stage, question: string): number {
  return stage.service.creations.filter((creation) => creation.question === question).length;
}
