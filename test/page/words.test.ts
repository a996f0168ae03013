import { expect, it, test } from 'vitest';
import { english as pupilEnglish } from '../../src/page/pupils/words-en.ts';
import { chinese as pupilChinese } from '../../src/page/pupils/words-zh.ts';
import { english } from '../../src/page/words-en.ts';
import { chinese } from '../../src/page/words-zh.ts';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';

/** A time ends with a unit, which is Chinese. */
const times = ['3 秒', '4 秒', '5 秒'];
const timed = ['andMore', 'durationsText', 'durationsBar', 'durationsLastBar'];
const numbers = ['3', '4', '5'];

/** Every sentence, by its name; a function with values. */
function sentencesOf(words: object, place = ''): (readonly [name: string, sentence: string])[] {
  return Object.entries(words).flatMap(([name, entry]): (readonly [string, string])[] => {
    if (typeof entry === 'object') return sentencesOf(entry, `${place}${name}.`);
    const said =
      typeof entry === 'function' && name !== 'finding'
        ? entry(...(timed.includes(name) ? times : numbers))
        : entry;
    return typeof said === 'string' ? [[place + name, said]] : [];
  });
}

test('a status has one name in Chinese, on the page and on the terminal', () => {
  expect(phrasesOf('zh').status).toEqual(chinese.status);
});

test('every sentence is there in both languages', () => {
  const namesOf = (words: object) => sentencesOf(words).map(([name]) => name);
  expect(namesOf(chinese)).toEqual(namesOf(english));
  expect(namesOf(pupilChinese)).toEqual(namesOf(pupilEnglish));
});

it.each([...sentencesOf(chinese), ...sentencesOf(pupilChinese, 'pupils.')])(
  '%s has the marks of Chinese, and no blank between its letters',
  (_, sentence) => {
    const plain = sentence.replace(/`[^`]*`/g, '');
    expect(plain).not.toMatch(/[\u4e00-\u9fff] +[\u4e00-\u9fff]/);
    expect(plain).not.toMatch(/["']|[\u4e00-\u9fff][,;:?!()]/);
  },
);

test('one thing has one word, on the page and on the terminal', () => {
  const said = sentencesOf(chinese).map(([, sentence]) => sentence);
  for (const word of ['点数', '账户', '质量', '建议查看'])
    expect(said.filter((sentence) => sentence.includes(word))).toEqual([]);
  const { hints } = phrasesOf('zh').ending;
  expect(hints.uncertain).toContain('账号');
  expect(phrasesOf('zh').ending.spent(3, true, null)).toContain(chinese.rehearsal);
  expect(phrasesOf('zh').ending.seenVideos(3, 2, 1)).toContain(chinese.worthALook);
});
