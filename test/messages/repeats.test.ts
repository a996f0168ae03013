/** Notes of the same kind: the first are said, the others are counted, and none is lost. */

import { expect, test } from 'vitest';
import { inEnglish, type Message, message, type Said, sayIn, several } from '../../src/messages/message.ts';
import { countedMs, createRepeats } from '../../src/messages/repeats.ts';

const video = (row: number): Message => message('videos.unknown-format', { path: `${row}/video.bin` });

function heard(notes: readonly Said[], now = () => 0) {
  const repeats = createRepeats();
  const said = notes.map((note) => repeats.pass(note, now())).filter((note) => note !== null);
  return { said: said.map(inEnglish), rest: repeats.rest() };
}

test('of two thousand notes of one kind three are said, and at the end how many more there were', () => {
  const { said, rest } = heard(Array.from({ length: 2_000 }, (_, row) => video(row)));
  expect(said).toEqual([0, 1, 2].map((row) => video(row).text));
  expect(rest.map(inEnglish)).toEqual([
    '1999/video.bin is not in a known video format; check it before you rely on it (and 1,996 more like this)',
  ]);
  expect(rest.map((note) => sayIn('zh', note))).toEqual([
    '1999/video.bin 不是已知的视频格式；使用前请检查（另有 1,996 条与此同类）',
  ]);
});

test('one that is left at the end is said as it is', () => {
  expect(heard([1, 2, 3, 4].map(video)).rest.map(inEnglish)).toEqual([video(4).text]);
});

test('what was counted for a while is told with the next one', () => {
  const times = [0, 1, 2, 3, 4, 2 + countedMs, 3 + countedMs, 9 + 2 * countedMs, 9 + 9 * countedMs];
  const at = times.values();
  const { said, rest } = heard(
    times.map((_, row) => video(row)),
    () => Number(at.next().value),
  );
  expect(said.slice(3)).toEqual([
    `${video(5).text} (and 2 more like this)`,
    `${video(7).text} (and 1 more like this)`,
    video(8).text,
  ]);
  expect(rest).toEqual([]);
});

test.each<[string, Said]>([
  ['a plain text, of which nobody knows the kind', 'a new round begins'],
  ['an order of the user', message('steering.goes-on')],
  ['whether rows are submitted', message('submitting.halt', { count: 3 })],
])('%s is said each time, or has a kind of its own', (_, note) => {
  const { said } = heard(Array.from({ length: 5 }, () => note));
  expect(said.length).toBeGreaterThanOrEqual(3);
});

test('several sentences are of one kind with others that have the same', () => {
  const both = (row: number): Message => several([video(row), video(row)]);
  expect(heard([both(1), video(1), both(2), video(2), both(3), both(4), both(5)]).said).toHaveLength(5);
});
