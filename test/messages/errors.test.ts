/** What goes wrong is told in the language of the user: an error for people carries a message, not English text. */

import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { saidOf } from '../../src/errors.ts';
import { message } from '../../src/messages/message.ts';
import { ReasonError } from '../../src/messages/reasons/reason-error.ts';

/** Where errors are English, and why. */
const english: readonly (readonly [files: RegExp, reason: string])[] = [
  [/^src\/library\//, 'programmers read them'],
  [/^src\/outputs\/(file-part|guarded-disk)\.ts$/, 'they can only be bugs'],
  [/^src\/service\/http-file-host\.ts$/, 'they are saved with a row, as reasons whose Chinese is known'],
  [/^src\/cli\/confirm\.ts$/, 'the text is a code'],
];

it('no error but those of a few places is made of English text', () => {
  const made = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new (\w+)Error\(\s*['"`]/g)]
      .filter(([, kind = '']) => !/^(?:|Type|Range|Syntax)$/.test(kind))
      .map(() => file),
  );
  expect([...new Set(made)].filter((file) => !english.some(([files]) => files.test(file)))).toEqual([]);
  for (const [files] of english) expect(made.some((file) => files.test(file))).toBe(true);
});

it('a reason is told as a message, and read as English text', () => {
  const said = message('lines.no-end');
  expect(new ReasonError(said).message).toBe(said.text);
  expect(saidOf(new ReasonError(said))).toBe(said);
});
