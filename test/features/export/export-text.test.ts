import { describe, expect, it } from 'vitest';
import { exportNewsLine, exportResult } from '../../../src/features/export/export-text.ts';
import { phrasesOf } from '../../../src/terminal/phrases/phrases.ts';

const none = {
  videos: 0,
  added: 0,
  replaced: 0,
  unchanged: 0,
  removed: 0,
  linked: 0,
  copied: 0,
  captions: 0,
  problems: 0,
  left: 0,
};
const say = phrasesOf('en');

describe('the result of an export', () => {
  it('says what changed and how', () => {
    const sums = { ...none, videos: 1_204, added: 3, replaced: 1, unchanged: 1_200, removed: 2, linked: 3 };
    expect(exportResult({ ...sums, copied: 1, captions: 7 }, 'my course', say)[0]).toBe(
      "1,204 videos in 'my course', 7 with captions (3 new, 1 replaced, 1,200 unchanged, 2 removed; 3 by hard link, 1 copied)",
    );
    expect(exportResult(none, 'course', say)[0]).toBe('0 videos in course');
  });

  it('says what to do about problems and files of earlier exports', () => {
    expect(exportResult({ ...none, left: 1 }, 'course', say).slice(2)).toEqual([
      '1 file of earlier exports stayed; --delete removes it',
    ]);
    expect(exportResult({ ...none, problems: 2, left: 7 }, 'course', say).slice(2)).toEqual([
      '2 problems, listed above',
      '7 files of earlier exports stayed; once all is well, --delete removes them',
    ]);
  });

  it('names the page, or says that an earlier one stayed as it was', () => {
    expect(exportResult({ ...none, page: 'index.html' }, 'my course', say).slice(2)).toEqual([
      "'my course/index.html' is the page for pupils",
    ]);
    expect(exportResult({ ...none, left: 1, pageLeft: true }, 'course', say).slice(2)).toEqual([
      'index.html is of an earlier export and stayed as it was; --page brings it up to date',
      '1 file of earlier exports stayed; --delete removes it',
    ]);
  });

  it('is in Chinese', () => {
    expect(exportResult({ ...none, videos: 2, added: 2, copied: 2 }, 'course', phrasesOf('zh'))[0]).toBe(
      'course 中有 2 个视频（新增 2 个；复制 2 个）',
    );
  });
});

it.each([
  [
    { why: 'flawed', id: 'q-7' },
    'q-7: its video is missing or damaged; `batch verify --fix` downloads it again',
  ],
  [
    { why: 'in-the-way', path: 'a.mp4' },
    'a.mp4: another file is there, or it was changed; move it away and export again',
  ],
] as const)('%j is a line', (news, line) => {
  expect(exportNewsLine(news, say)).toBe(line);
});
