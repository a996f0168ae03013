/** Makes one chapter of the page into tests: each way is provoked, and then lived through as the page tells it. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ending } from '../../cli/support/program.ts';
import { clip, type Script, type ScriptedService } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { type Step, waysOf } from './page.ts';

/** What a way's test gets: the steps that the page tells of it. */
interface Told {
  /**
   * Does what the page tells, in its order: what is to be seen must be the last lines of the program so far, what is to be
   * typed is typed. `words` stand for those in capitals that the reader fills in. Returns the last ending.
   */
  live(stage: Stage, ending: Ending | null, words?: Readonly<Record<string, string>>): Promise<Ending>;
}

interface Way {
  /** What the machine lacks for it; null when nothing. */
  readonly lacks?: string | null;
  readonly test: (told: Told) => Promise<void>;
}

/** One test for each way of the chapter, and one that none of them is missing on either side. */
export function testChapter(chapter: string, ways: Readonly<Record<string, Way['test'] | Way>>): void {
  const told = waysOf(chapter);
  describe.concurrent(chapter, () => {
    it('has a test for each heading of the page, and a heading for each test', () => {
      expect(Object.keys(ways)).toEqual([...told.keys()]);
    });
    for (const [heading, way] of Object.entries(ways)) {
      const { test, lacks = null } = typeof way === 'function' ? { test: way } : way;
      const name = lacks === null ? heading : `${heading} (needs ${lacks})`;
      const live = liver(told.get(heading) ?? []);
      it.skipIf(lacks !== null)(name, { timeout: 120_000 }, () => test({ live }));
    }
  });
}

function liver(steps: readonly Step[]): Told['live'] {
  return async (stage, first, words = {}) => {
    let ending = first;
    for (const { kind, lines } of steps) {
      if (kind === 'see') expectSeen(ending, lines);
      else for (const line of lines) ending = await stage.batch(wordsOf(line, words));
    }
    if (ending === null) throw new Error('nothing was typed, and nothing was seen');
    return ending;
  };
}

/** The words after `batch`; the reader fills in those in capitals. */
function wordsOf(line: string, filled: Readonly<Record<string, string>>): string[] {
  const [program, ...words] = line.split(' ');
  expect(program, line).toBe('batch');
  return words.map((word) => filled[word] ?? word);
}

/** These are the last lines; `…` stands for any text in a line. Notices come first, the summary last, as on a terminal. */
function expectSeen(ending: Ending | null, lines: readonly string[]): void {
  const said = ending === null ? '' : `${ending.stderr}${ending.stdout}`;
  const last = said.trimEnd().split('\n').slice(-lines.length);
  const shown = lines.map((line, i) => (isLike(last[i] ?? '', line) ? (last[i] ?? '') : line));
  expect(last, `all it said:\n${said}`).toEqual(shown);
}

function isLike(line: string, shown: string): boolean {
  const pattern = shown.split('…').map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.+')}$`).test(line);
}

/** The line that the page's examples begin with; the tick is quicker than on the page. */
export const firstLine = (...more: readonly string[]): string[] => runLine('questions.csv', ...more);

/** A stage with the page's file of questions: `q1`, `q2`, `q3`, or as many as are wanted. */
export async function openQuestions(script: Script, count = 3): Promise<Stage> {
  const stage = await openStage(script);
  await stage.write('questions.csv', numbered(count));
  return stage;
}

/** A file of this many questions. */
export function numbered(count: number): string {
  return questions(...Array.from({ length: count }, (_, i) => `q${i + 1}`));
}

/** True once each of these questions has been asked about: its task is open, and the program knows it. */
export const areOpen =
  (...ids: readonly string[]) =>
  ({ events }: ScriptedService): boolean =>
    ids.every((id) => events.includes(`status Question ${id}`));

/** The tasks that the service made of each question, from its ledger; their ids are numbered as they are made. */
export function taskCount({ service }: Stage): number {
  return Math.max(0, ...[...service.taskIds.values()].map((id) => Number(id.replace('task-', ''))));
}

/** What every way must come to: each row has its whole video, each question one task, each point its line in the report. */
export async function expectAllDone(stage: Stage, ending: Ending): Promise<void> {
  expect(ending, ending.stderr).toMatchObject({ code: 0 });
  const rows = await stage.report();
  for (const { status, video = '' } of rows) {
    expect(status).toBe('completed');
    expect((await readFile(join(stage.folder, 'videos', video))).equals(clip), video).toBe(true);
  }
  expect(stage.service.taskIds.size).toBe(rows.length);
  expect(taskCount(stage), 'tasks made').toBe(rows.length);
  expect(rows.reduce((sum, { points }) => sum + Number(points), 0)).toBe(10 * rows.length);
}
