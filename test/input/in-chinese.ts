/** What the readers say has its Chinese: whatever a test makes them say is looked at. */

import { expect } from 'vitest';
import type { Problem } from '../../src/errors.ts';
import type { FoundFile } from '../../src/input/read-questions.ts';
import { inEnglish } from '../../src/messages/message.ts';
import type { IncomingRow } from '../../src/money/question.ts';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';

const { render } = phrasesOf('zh');

/** What was read, with all that was said of it as English text. */
export interface Heard {
  readonly rows: readonly IncomingRow[];
  readonly problems: readonly Pick<Problem, 'line' | 'message'>[];
  readonly found: Omit<FoundFile, 'notes'> & { readonly notes: readonly string[] };
}

/** Fails on a sentence of the readers that would stay English on a Chinese terminal. */
export function heard(rows: readonly IncomingRow[], problems: readonly Problem[], found: FoundFile): Heard {
  const failures = rows.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const said = [...problems.map(({ said, message }) => said ?? message), ...found.notes, ...failures];
  const english = said.filter(
    (each) => render(each) === inEnglish(each) || !/[\u4e00-\u9fff]/.test(render(each)),
  );
  expect(english, 'sentences without their Chinese').toEqual([]);
  return {
    rows,
    problems: problems.map(({ line, message }) => ({ line, message })),
    found: { ...found, notes: found.notes.map(inEnglish) },
  };
}
