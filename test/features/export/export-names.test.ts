import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExportNames } from '../../../src/features/export/export-names.ts';
import { foldedName } from '../../../src/files/folded-name.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const print = (text: string): number => Number.parseInt(digest(text).slice(0, 13), 16);

type Wish = readonly [id: string, wanted: string];

/** The paths of an export after an earlier one with these. */
function exported(
  wishes: readonly Wish[],
  earlier: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const known = Object.entries(earlier).map(([id, path]) => [print(foldedName(path)), print(id)] as const);
  const names = new ExportNames({ earlier: new Map(known), unowned: new Set(), digest, print });
  return Object.fromEntries(wishes.map(([id, wanted]) => [id, names.take(id, wanted, () => false)]));
}

const markOf = (id: string): string => digest(id).slice(0, 8);

it('the first row gets the plain name, and later ones a mark of their own', () => {
  expect(
    exported([
      ['a', 'Title'],
      ['b', 'TITLE'],
      ['c', 'Other'],
    ]),
  ).toEqual({
    a: 'Title',
    b: `TITLE-${markOf('b')}`,
    c: 'Other',
  });
});

it('a path whose video has no row is taken only by a row that has this video', () => {
  const unowned = new Set([print(foldedName('Title'))]);
  const namesOf = (isOwn: boolean): string =>
    new ExportNames({ earlier: new Map(), unowned, digest, print }).take('a', 'Title', () => isOwn);
  expect(namesOf(true)).toBe('Title');
  expect(namesOf(false)).toBe(`Title-${markOf('a')}`);
});

it('a row that is put before the others changes no name', () => {
  const earlier = exported([
    ['a', 'Title'],
    ['b', 'Title'],
  ]);
  const wishes: Wish[] = [
    ['new', 'Title'],
    ['b', 'Title'],
    ['a', 'Title'],
  ];
  expect(exported(wishes, earlier)).toEqual({ ...earlier, new: `Title-${markOf('new')}` });
});

it('a row keeps its mark where the plain name has become free', () => {
  const { b = '' } = exported([
    ['a', 'Title'],
    ['b', 'Title'],
  ]);
  expect(exported([['b', 'Title']], { b })).toEqual({ b });
});

it('a row whose title has changed gets the new name', () => {
  expect(exported([['a', 'New']], { a: 'Old' })).toEqual({ a: 'New' });
});

it('names that look like the mark of another row are distinguished as well', () => {
  const taken = `Title-${markOf('b')}`;
  const { b } = exported([
    ['a', 'Title'],
    ['c', taken],
    ['b', 'Title'],
  ]);
  expect(b).toMatch(/^Title-[0-9a-f]{16}$/);
});

it('no two rows ever share a path, and no path moves when rows are added in any order', () => {
  const wanted = fc.constantFrom(
    'Title',
    'title',
    'T\u00cdTLE',
    'x',
    `Title-${markOf('1')}`,
    `x-${markOf('2')}`,
  );
  const rows = fc.uniqueArray(fc.tuple(fc.nat(20).map(String), wanted), { selector: ([id]) => id });
  fc.assert(
    fc.property(rows, rows, (first, more) => {
      const before = exported(first);
      const known = new Set(first.map(([id]) => id));
      const all = [...more.filter(([id]) => !known.has(id)), ...first].reverse();
      const after = exported(all, before);
      expect(after).toMatchObject(before);
      expect(new Set(Object.values(after).map(foldedName)).size).toBe(all.length);
    }),
  );
});
