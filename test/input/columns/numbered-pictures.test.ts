import { describe, expect, test } from 'vitest';
import { mapColumns } from '../../../src/input/columns/columns.ts';
import {
  furtherPictures,
  isNumberedPicture,
  numberedColumns,
} from '../../../src/input/columns/numbered-pictures.ts';

describe('columns of pictures with numbers', () => {
  test.each([
    [
      ['图片2', '图片1', '题目'],
      ['图片1', '图片2'],
    ],
    [
      ['image_1', 'image_2', 'image_10'],
      ['image_1', 'image_2', 'image_10'],
    ],
    [
      ['Image 1 URL', 'Image 2 URL'],
      ['Image 1 URL', 'Image 2 URL'],
    ],
    [
      ['图片（二）', '图片（一）'],
      ['图片（一）', '图片（二）'],
    ],
    [
      ['配图①', '配图②', '图片1'],
      ['配图①', '配图②'],
    ],
    [
      ['image', 'image2'],
      ['image', 'image2'],
    ],
    [['question 1', '步骤1', '答案图片1'], []],
  ])('%j are the pictures %j', (columns, found) => {
    expect(numberedColumns(columns, 'questionImages')).toEqual(found);
  });

  test('follow the first one, whether it was found or chosen', () => {
    const columns = ['题目', '答案', '答案图2', '图片2', '图片1', '答案图1', '配图1'];
    const { fields } = mapColumns(columns, {});
    expect(fields).toMatchObject({ questionImages: '图片1', answerImages: '答案图1' });
    expect(furtherPictures(columns, fields)).toEqual({
      questionImages: ['图片2'],
      answerImages: ['答案图2'],
    });
    const chosen = mapColumns(columns, { questionImages: '配图1', answerImages: 'none' }).fields;
    expect(furtherPictures(columns, chosen)).toBeUndefined();
  });

  test('are told from columns of other things', () => {
    expect(['图片1', 'img2', 'image', 'question1', ''].map(isNumberedPicture)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
