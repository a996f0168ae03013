import { expect, it } from 'vitest';
import { findStoredPictures } from '../../../src/app/pictures/picture-links.ts';
import { keptEntry } from '../../../src/files/image-source.ts';
import type { Source } from '../../../src/money/question.ts';
import { linkPictures } from '../../../src/reports/page-row.ts';
import { rowOf, source } from '../../reports/report-rows.ts';

const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
const withImages: Source = { ...source, fields: { ...source.fields, questionImages: 'pictures' } };

const rowWith = (...pictures: readonly string[]) =>
  rowOf({}, { input: { question: 'q', pictures: JSON.stringify(pictures) }, source: withImages });

it('a picture of the input is shown from where it is stored, not from where the importing machine had it', async () => {
  const asked: (readonly string[])[] = [];
  const find = findStoredPictures(
    async (paths) => {
      asked.push(paths);
      return new Map([['/somewhere/a.png', one]]);
    },
    async (path) => `../of run/${path}`,
  );
  const linkOf = await find([rowWith('a.png', 'gone.png'), rowWith('a.png', keptEntry(two)), rowOf()]);
  expect(asked).toEqual([['/somewhere/a.png', '/somewhere/gone.png']]);
  expect(linkOf({ kind: 'file', path: '/somewhere/a.png' })).toBe(`../of%20run/images/${one}`);
  expect(linkOf({ kind: 'kept', sha256: two })).toBe(`../of%20run/images/${two}`);
  expect(linkOf({ kind: 'file', path: '/somewhere/gone.png' })).toBeNull();
  await find([rowOf(), rowWith('https://a.example/b.png')]);
  expect(asked).toHaveLength(1);
});

it('a page in another folder finds the pictures that a run keeps', () => {
  const [here, away] = [linkPictures('/runs/videos'), linkPictures('/away/it', '/runs/my videos')];
  expect(here({ kind: 'kept', sha256: one })).toBe(`images/${one}`);
  expect(away({ kind: 'kept', sha256: one })).toBe(`../../runs/my%20videos/images/${one}`);
  expect(away({ kind: 'file', path: '/runs/a.png' })).toBe('../../runs/a.png');
});
