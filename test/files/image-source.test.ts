import { describe, expect, test } from 'vitest';
import {
  keptEntry,
  listEntries,
  listImages,
  parseImage,
  shownEntry,
  splitEntries,
  unsendableEntry,
  unsendableReason,
} from '../../src/files/image-source.ts';
import { message } from '../../src/messages/message.ts';

const pathIn = (folder: string, entry: string) => {
  const image = parseImage(entry, folder);
  return image.kind === 'file' ? image.path : image;
};
const failureOf = (entry: string) => {
  const image = parseImage(entry, '/data');
  return image.kind === 'none' ? image.flaw.text : image;
};

describe('a picture of a workbook', () => {
  test('is written by the digest of its bytes', () => {
    const sha256 = 'ab'.repeat(32);
    expect(parseImage(keptEntry(sha256), '/data')).toEqual({ kind: 'kept', sha256 });
  });

  test('that was lost is written with the reason', () => {
    expect(unsendableReason(unsendableEntry(message('html.no-src')))).toBe(message('html.no-src').text);
    expect(unsendableReason('a.png')).toBeNull();
  });
});

describe('a path', () => {
  test.each([
    ['/data/set', 'a.png', '/data/set/a.png'],
    ['/data/set/', '.\\a.png', '/data/set/a.png'],
    ['/data', '../../../a.png', '/a.png'],
    ['/', 'a.png', '/a.png'],
    ['C:\\sets\\one', 'pictures\\a.png', 'C:/sets/one/pictures/a.png'],
    ['C:\\sets', '..\\..\\..\\a.png', 'C:/a.png'],
    ['\\\\server\\share', 'a.png', '//server/share/a.png'],
    ['/data', '\\\\server\\a.png', '\\\\server\\a.png'],
  ])('seen from %s, %s is %s', (folder, entry, path) => {
    expect(pathIn(folder, entry)).toBe(path);
  });

  test.each([
    ['file://localhost/a.png', '/a.png'],
    ['file:///C:/a.png', 'C:/a.png'],
  ])('may be written as an address: %s', (entry, path) => {
    expect(pathIn('/data', entry)).toBe(path);
  });

  test.each([
    ['file://server/a.png', 'is a file on another machine'],
    ['file:///%zz', 'is not a valid file address'],
    ['file://[', 'is not a valid file address'],
    ['a\u0007.png', 'is neither an http(s) address'],
  ])('cannot be %j', (entry, reason) => {
    expect(failureOf(entry)).toContain(reason);
  });
});

test('a name or a path that no system takes is no path', () => {
  expect(pathIn('/', `${'x'.repeat(251)}.png`)).toBe(`/${'x'.repeat(251)}.png`);
  expect(failureOf(`${'x'.repeat(252)}.png`)).toContain('is neither an http(s) address');
  expect(failureOf('x/'.repeat(2_049))).toContain('is neither an http(s) address');
});

test('letters of base64 that are no image and too few to be one are a name', () => {
  expect(pathIn('/data', 'cat')).toBe('/data/cat');
  expect(pathIn('/data', 'cats=')).toBe('/data/cats=');
});

test('base64 is told only from its own letters: what follows them in a data URI must be base64 too', () => {
  expect(failureOf(`data:image/png;base64,iVBORw0KGgo${'?'.repeat(80)}`)).toContain('damaged');
  expect(failureOf('data:image/png;base64,')).toContain('damaged');
});

test('a cell that starts like a list but is none is one entry, which then says so', () => {
  const [entry, ...others] = listImages('["a.png", oops]');
  expect(others).toEqual([]);
  expect(failureOf(String(entry))).toContain('starts like a JSON list, but is not one');
});

describe('an entry in a message', () => {
  test('is short and on one line', () => {
    expect(shownEntry('a\n\u0000b')).toBe('"a b"');
    expect(shownEntry('x'.repeat(160))).toBe(`"${'x'.repeat(160)}"`);
    expect(shownEntry('x'.repeat(161))).toBe(`"${'x'.repeat(160)}…"`);
  });

  test('shows neither the password nor the query of an address', () => {
    expect(shownEntry('https://user:pass@host/a.png?sig=1#x')).toBe('"https://host/a.png"');
  });
});

describe('several pictures in one cell', () => {
  const split = (cell: string) => splitEntries(listImages(cell), cell);
  const [one, two] = ['https://a.example/1.png', 'http://a.example/2,3.png?x=a|b'];

  test.each(['，', '、', '；', ',', ', ', ' ; ', '|', ' ', '\n', ',\n'])('are told apart by %j', (sign) => {
    expect(split(`${one}${sign}${two}`)).toEqual([one, two]);
  });

  test.each([';', '|', '，', ' 、 ', '；', '\n'])('are paths, told apart by %j', (sign) => {
    expect(split(`图 1.png${sign}figures/b, c.JPG`)).toEqual(['图 1.png', 'figures/b, c.JPG']);
  });

  test.each([', ', ',', ' ', ';'])('are escaped paths, told apart by %j', (sign) => {
    expect(split(`fig/a%20b.png${sign}c.png`)).toEqual(['fig/a%20b.png', 'c.png']);
  });

  test.each([
    one,
    two,
    'fig 1, 50%25 done.png',
    'https://a.example/a 1，2.png',
    'https://a.example/fetch/https://b.example/1.png,https://b.example/2.png',
    'a.png;b',
    '求面积，如图.png',
    'a, b.png',
    '.png;a.png',
    ';',
    'data:image/svg+xml;utf8,<svg/>',
    `${'a'.repeat(5_000)}.png;b.png`,
  ])('are not %j', (cell) => {
    expect(split(cell)).toEqual([cell]);
  });

  test('are told apart where addresses hold addresses, by what stands in none', () => {
    const nested = 'https://a.example/?u=https://b.example/1.png';
    expect(split(`${nested}, ${nested}`)).toEqual([nested, nested]);
    expect(split(`${nested}，${nested}`)).toEqual([nested, nested]);
  });

  test('are told apart in a list if they are addresses; a path there has any name', () => {
    expect(split(JSON.stringify([`${one} ${two}`, 'a.png;b.png', 7]))).toEqual([one, two, 'a.png;b.png', 7]);
    expect(splitEntries(['a.png;b.png'], ['a.png;b.png'])).toEqual(['a.png;b.png']);
  });
});

test.each([
  [null, []],
  [undefined, []],
  ['a.png', ['a.png']],
  [
    ['a.png', 7],
    ['a.png', 7],
  ],
  [7, [7]],
])('the entries of the value %j', (value, entries) => {
  expect(listEntries(value)).toEqual(entries);
});
