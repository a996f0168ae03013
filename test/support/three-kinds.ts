/** A workbook with pictures of all three kinds, as a teacher makes it: a title above the header, and one picture lost. */

import { anchor, dispimg, pictures, placedPicture, styled, type TestBook } from './workbook.ts';

export const media = ['a', 'b', 'c'].map((mark) => ({
  name: `image-${mark}.png`,
  bytes: pictures.other(mark),
}));

/** Rows 007 to 009 with the pictures b, c and a; the picture of 010 is lost. */
export const threeKinds: TestBook = {
  media,
  cellImages: ['ID_A', 'ID_B'],
  placed: [3],
  formats: ['000'],
  sheets: [
    {
      name: '题目',
      rows: [
        ['2024届高三数学'],
        ['编号', '题目', '图片', '答案'],
        [styled(7, 1), 'one', dispimg('ID_B')],
        [styled(8, 1), 'two', placedPicture(1)],
        [styled(9, 1), 'three'],
        [styled(10, 1), 'lost', dispimg('ID_Z')],
      ],
      anchors: [anchor(1, { row: 4, column: 1 })],
    },
  ],
};
