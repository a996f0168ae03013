import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportName, exportNameApart, type NameValues } from '../../../src/features/export/export-name.ts';
import { ExportNames } from '../../../src/features/export/export-names.ts';
import { parseNameTemplate } from '../../../src/features/export/name-template.ts';
import { hostileIds } from '../../hostile/file-names.ts';
import { foldedName as foldedBySystems } from '../../hostile/portable-name.ts';
import { anyText } from '../../money/any-text.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const print = (text: string): number => Number.parseInt(digest(text).slice(0, 13), 16);

function nameOf(text: string, values: Partial<NameValues>): string {
  const { template, failure } = parseNameTemplate(text, ['chapter']);
  if (template === null) throw new Error(failure.text);
  const none = { id: 'q-1', row: 1, title: null, quality: 'm', attempt: 1, input: {} };
  return exportName(template, { ...none, ...values });
}

/** What a segment breaks on some system; written from the rules of the systems. */
function flawsOf(segment: string): string[] {
  const rules: [string, boolean][] = [
    ['empty', segment === ''],
    ['forbidden', /[<>:"/\\|?*\u0000-\u001f]/.test(segment)],
    ['hidden letters', /[\p{C}\p{Default_Ignorable_Code_Point}]/u.test(segment)],
    ['white space but a blank', /[^\S ]/u.test(segment)],
    ['start', /^[.\-~ ]/.test(segment)],
    ['end', /[. ]$/.test(segment)],
    [
      'device',
      /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]) *(\.|$)/i.test(
        segment,
      ),
    ],
    ['bytes', Buffer.byteLength(segment) > 230],
    ['units', segment.length > 100 || segment.normalize('NFD').length > 230],
    ['spelling', segment.normalize('NFC') !== segment || !segment.isWellFormed()],
  ];
  return rules.filter(([, isBroken]) => isBroken).map(([name]) => name);
}

describe('the name of a video', () => {
  it.each([
    [
      '{chapter}/{id} {title}',
      { input: { chapter: 'Sums' }, title: 'What is 1 + 1?' },
      'Sums/q-1 What is 1 + 1',
    ],
    ['{title}', { title: '什么是函数？' }, '什么是函数？'],
    ['{title}', { title: 'Caf\u0065\u0301 du\u00a0 nord' }, 'Caf\u00e9 du nord'],
    ['{title}', { title: 'a/b\\c:d' }, 'a_b_c_d'],
    ['{row}-{attempt}-{quality}', { row: 7, attempt: 2, quality: 'h' }, '7-2-h'],
    ['{chapter}', { input: { chapter: 3.5 } }, '3.5'],
    ['{chapter}', { input: { chapter: { a: 1 } } }, '{_a__1}'],
  ])('%s of %j', (template, values, name) => {
    expect(nameOf(template, values)).toBe(name);
  });

  it('leaves no separator behind where a value is empty', () => {
    expect(nameOf('{id} - {title}', { title: null })).toBe('q-1');
    expect(nameOf('{title}, {id}', { title: '' })).toBe('q-1');
  });

  it('is the id where nothing else is left, and "video" where the id is nothing either', () => {
    expect(nameOf('{title}', { title: ' ?? ' })).toBe('q-1');
    expect(nameOf('{title}', { title: '..' })).toBe('q-1');
    expect(nameOf('{title}', { title: null, id: 'CON' })).toBe('_CON');
    expect(nameOf('{id}', { id: '\u200b' })).toBe('video');
    expect(nameOf('{chapter}/{id}', { input: {} })).toBe('_/q-1');
  });

  it('has a column only where the row itself has it', () => {
    expect(nameOf('{id}{chapter}', { input: Object.create({ chapter: 'inherited' }) })).toBe('q-1');
  });

  it('gives a folder no name that a file may have', () => {
    expect(nameOf('{chapter}/{id}', { input: { chapter: 'q-2.MP4' } })).toBe('q-2.MP4_/q-1');
    expect(nameOf('{chapter}/{id}', { input: { chapter: 'sha256sums' } })).toBe('sha256sums_/q-1');
    expect(nameOf('{chapter}/{id}', { input: { chapter: 'Part 1.2' } })).toBe('Part 1.2/q-1');
  });

  it('is cut between letters, shorter where letters take more room', () => {
    expect(nameOf('{title}', { title: 'x'.repeat(300) })).toHaveLength(83);
    expect(Buffer.byteLength(nameOf('{title}', { title: '题'.repeat(300) }))).toBe(198);
    expect(nameOf('{title}', { title: '가'.repeat(300) }).normalize('NFD').length).toBeLessThanOrEqual(200);
    expect(nameOf('{title}', { title: '\u0390'.repeat(300) }).normalize('NFD').length).toBeLessThanOrEqual(
      200,
    );
    expect(nameOf('{title}', { title: '🎬'.repeat(300) }).isWellFormed()).toBe(true);
  });
});

it('a name apart from another stays as short, in the same folder', () => {
  const long = nameOf('{chapter}/{title}', { input: { chapter: 'a' }, title: 'x'.repeat(300) });
  const apart = exportNameApart(long, '0123456789abcdef');
  expect(apart).toMatch(/^a\/x+-0123456789abcdef$/);
  expect(apart.length).toBeLessThanOrEqual(91);
});

const templates = [
  '{id}',
  '{title}',
  '{chapter}/{id}',
  '{id}/{chapter}/{title}',
  '{chapter}.{title} {id}',
  '~{title}',
];

describe.each(templates)('under %s', (template) => {
  it('every hostile name is safe on every system, inside, and of its own', () => {
    const names = new ExportNames({ earlier: new Map(), unowned: new Set(), digest, print });
    const paths = hostileIds.flatMap((text, at) =>
      // The same text twice, as two rows.
      ['a', 'b'].map((mark) =>
        names.take(
          `${text}${mark}`,
          nameOf(template, { id: text, row: at, title: text, input: { chapter: text } }),
          () => false,
        ),
      ),
    );
    expect(paths).toHaveLength(hostileIds.length * 2);
    expect(paths.filter((path) => path.split('/').length !== template.split('/').length)).toEqual([]);
    expect(
      paths.flatMap((path) => path.split('/').flatMap((part) => flawsOf(part).map((flaw) => [flaw, path]))),
    ).toEqual([]);
    expect(new Set(paths.map((path) => path.split('/').map(foldedBySystems).join('/'))).size).toBe(
      paths.length,
    );
    expect(Math.max(...paths.map((path) => path.length))).toBeLessThanOrEqual(182);
  });

  it('any text is safe', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (id, title, chapter) => {
        const path = nameOf(template, { id, title, input: { chapter } });
        expect(path.split('/')).toHaveLength(template.split('/').length);
        expect(path.split('/').flatMap(flawsOf)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
