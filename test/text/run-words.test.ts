import { describe, expect, it } from 'vitest';
import { folderWords, sharedWords } from '../../src/text/run-words.ts';

describe('the words for a run on a command line', () => {
  it('name its folder', () => {
    expect(folderWords('./my videos')).toEqual({
      run: "'./my videos'",
      file: "--out './my videos'",
      isShared: false,
    });
  });

  it('name it in its store, whose address is in the environment', () => {
    expect(sharedWords('algebra', null)).toEqual({
      run: '--run algebra',
      file: '--run algebra',
      isShared: true,
    });
  });

  it.each([
    ['postgres://batch:s3cret@db/batch', 'postgres://batch@db/batch'],
    ['postgres://db/batch?password=s3cret&sslmode=require', "'postgres://db/batch?sslmode=require'"],
    ['postgres//s3cret@db', '...'],
  ])('show no password of %s', (store, shown) => {
    expect(sharedWords('algebra', store).run).toBe(`--store ${shown} --run algebra`);
  });
});
