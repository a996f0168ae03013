/** One word, one meaning: names that were given up for another word do not come back. */

import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The last column of the table of words in CONTRIBUTING.md. */
const givenUp = [
  ...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| [\w, ]+ \| [^|]+ \| `(\w+)` \|$/gm),
].map(([, word = '']) => word);

/** The words of a name: `lateArrivals` has late and arrivals. */
const wordsOf = (name: string): readonly string[] =>
  name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase().replace(/s$/, ''));

it('no file of the code has a name that was given up', () => {
  expect(givenUp).toContain('farewell');
  const known = new Set(givenUp.map((word) => word.toLowerCase()));
  const found = globSync('src/**/*.ts').flatMap((file) => {
    const code = readFileSync(file, 'utf8').replace(
      /\/\*[\s\S]*?\*\/|\/\/.*|(['"`])(?:\\.|(?!\1)[^\\])*\1/g,
      '',
    );
    const names = new Set(code.match(/\b[a-zA-Z_]\w*/g));
    return [...names]
      .filter((name) => wordsOf(name).some((word) => known.has(word)))
      .map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});
