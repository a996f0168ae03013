import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PupilVideo, packVideo, unpackVideo } from '../../src/reports/pupil-wire.ts';
import { anyText } from '../money/any-text.ts';

const textOrNone = fc.option(anyText);
const images = fc.array(anyText, { maxLength: 3 });

const anyVideo: fc.Arbitrary<PupilVideo> = fc.record({
  anchor: anyText,
  title: anyText,
  question: anyText,
  answer: textOrNone,
  id: textOrNone,
  chapter: fc.option(fc.nat()),
  video: anyText,
  captions: textOrNone,
  questionImages: images,
  answerImages: images,
  url: textOrNone,
  qr: textOrNone,
});

test('a video comes back from JSON as it was packed', () => {
  fc.assert(
    fc.property(anyVideo, (video) => {
      expect(unpackVideo(JSON.parse(JSON.stringify(packVideo(video))))).toEqual(video);
    }),
  );
});
