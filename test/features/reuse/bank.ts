/** Runs that have videos of the same questions. */

import { expect } from 'vitest';
import { clip, content } from '../../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../../cli/support/stage.ts';

/** Each question has a video of its own. */
export const ownVideo = ({ question }: { readonly question: string }) =>
  content(Buffer.concat([clip, Buffer.from(question)]));

/** A CSV file; the question of row `NAME-7` is `Question 7`. */
export const rowsOf = (from: number, to: number, name: string): string =>
  ['id,question,answer', ...numbers(from, to).map((at) => `${name}-${at},Question ${at},${at}`), ''].join(
    '\n',
  );

export const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

export const questionsPaid = ({ service }: Stage): readonly string[] =>
  service.creations.map(({ question }) => question).sort();

/** A run in `./last` whose rows are all done. */
export async function openBank(rows = 10): Promise<Stage> {
  const stage = await openStage({ file: ownVideo });
  await stage.write('last.csv', rowsOf(0, rows, 'old'));
  const ended = await stage.batch(runLine('last.csv', '--out', 'last'));
  expect(ended.code, ended.stderr).toBe(0);
  return stage;
}

export const reuse = (...more: readonly string[]) => runLine('next.csv', '--reuse', 'last', ...more);

export const twins = 'id,question\na,Same\nb,Other\nc,Same\nd,Same\n';
