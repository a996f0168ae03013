import { expect, it } from 'vitest';
import { didYouMean } from '../../src/text/near-word.ts';

it.each([
  ['concurency', ['concurrency', 'currency'], '; did you mean --concurrency?'],
  ['rum', ['resume', 'run'], '; did you mean --run?'],
  ['limit', ['limit'], '; did you mean --limit?'],
  ['x', ['yes'], ''],
  ['colour', ['json', 'quiet'], ''],
  ['run', [], ''],
  ['xx', [''], ''],
])('%s, where %j are known, gives %j', (word, known, guess) => {
  expect(didYouMean(word, known, '--')).toBe(guess);
});

it('names the word as it is known where nothing stands before it', () => {
  expect(didYouMean('statsu', ['status'])).toBe('; did you mean status?');
});
