import { describe, expect, it } from 'vitest';
import {
  annotated,
  corrected,
  judged,
  preferring,
  standingAttempt,
  verdictElsewhere,
  verdictNow,
} from '../../src/page/marks/mark.ts';
import type { MarkableRows } from '../../src/page/marks/mark-table.ts';
import { openMarks } from '../../src/page/marks/marks.ts';

/** A browser's storage, as much of it as is used. */
function createStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
}

const bad = (note = '', attempt = 1) => ({ verdict: 'bad', note, attempt }) as const;
const good = { verdict: 'good', note: '', attempt: 1 } as const;

/** Every row is there, with one attempt. */
const latest = (attempts: number) => ({ attempts, preferred: null });
const rowsLike = (find: MarkableRows['find']): MarkableRows => ({ find, get: () => null });
const once = rowsLike(() => latest(1));
/** What a table says of rows with these ids. */
const listed = (...ids: string[]) =>
  ids.map((id, at) => {
    const row = { key: at + 1, row: at + 1, id, status: 'completed', question: id } as const;
    return { ...row, attempts: 1, token: 'a1b2' };
  });

describe('a mark', () => {
  const row = { attempts: 3, preferred: 1 };

  it('counts for the attempt that stands for the row: the one its reviewer or the run prefers, else the latest', () => {
    expect(standingAttempt({ attempts: 3, preferred: null }, null)).toBe(3);
    expect(standingAttempt(row, bad())).toBe(1);
    expect(standingAttempt(row, { ...bad(), prefer: 2 })).toBe(2);
    expect(standingAttempt(row, { ...bad(), prefer: 'latest' })).toBe(3);
    const marks = openMarks(
      'run',
      rowsLike(() => row),
      createStorage(),
    );
    marks.set('a', bad('', 1));
    marks.set('b', bad('', 3));
    marks.set('c', { ...bad('', 3), prefer: 'latest' });
    // Only what is bad in the latest attempt can be made again.
    expect([marks.count.bad, marks.badIds()]).toEqual([2, ['c']]);
    expect(marks.badAttempt).not.toBeNull();
  });

  it('carries corrected texts, until they are as they were', () => {
    const at = { own: 'What is 1 + l?', attempt: 1 };
    const mark = corrected(good, 'question', 'What is 1 + 1?', at);
    expect(mark).toEqual({ ...good, question: 'What is 1 + 1?' });
    expect(corrected(mark, 'question', at.own, at)).toEqual(good);
    expect(corrected(mark, 'question', ' ', at)).toEqual(good);
    expect(corrected(null, 'answer', '2', { own: '', attempt: 4 })).toEqual({
      verdict: null,
      note: '',
      attempt: 4,
      answer: '2',
    });
  });

  it('keeps its corrections and its preference in the browser and in the file', () => {
    const storage = createStorage();
    const marks = openMarks('run', once, storage);
    const texts = { question: 'line 1\n=1+1', answer: '$x$' };
    marks.set('a', { ...bad(), ...texts });
    marks.set('b', preferring(null, 'latest', 1));
    marks.set('c', preferring(good, 1, 2));
    const again = openMarks('run', once, storage);
    expect(again.get('a')).toEqual({ ...bad(), ...texts });
    expect([again.get('b')?.prefer, again.get('c')]).toEqual(['latest', { ...good, prefer: 1 }]);
    expect(again.isBadCorrected).toBe(true);
    const file = again.exportCsv(listed('a', 'b', 'c'));
    const others = openMarks('other', once, createStorage());
    expect(others.importCsv(file)).toEqual({ taken: 3, foreign: 0 });
    for (const id of ['a', 'b', 'c']) expect(others.get(id)).toEqual(again.get(id));
    expect(others.importCsv('id,prefer\nd,2nd\n')).toEqual({ taken: 0, foreign: 0 });
    others.set('a', { ...bad(), prefer: 1 });
    expect(others.isBadCorrected).toBe(false);
  });
});

describe('marks', () => {
  it('are kept for all pages of a run, and for that run alone', () => {
    const storage = createStorage();
    openMarks('run', once, storage).set('a', bad('too fast'));
    expect(openMarks('run', once, storage).get('a')).toEqual(bad('too fast'));
    expect(openMarks('other', once, storage).get('a')).toBeNull();
  });

  it('are counted, and reported to listeners', () => {
    const marks = openMarks('run', once, createStorage());
    let changes = 0;
    marks.onChange(() => {
      changes += 1;
    });
    marks.set('a', bad());
    marks.set('b', good);
    marks.set('c', { verdict: null, note: 'look again', attempt: 1 });
    marks.set('b', bad('after all'));
    expect(changes).toBe(4);
    expect(marks.count).toEqual({ good: 0, bad: 2, noted: 2 });
    expect(marks.badIds()).toEqual(['a', 'b']);
  });

  it('are gone when nothing is left of them', () => {
    const marks = openMarks('run', once, createStorage());
    marks.set('a', bad());
    marks.set('b', good);
    marks.set('a', null);
    marks.set('b', { verdict: null, note: '', attempt: 1 });
    expect([marks.get('a'), marks.get('b')]).toEqual([null, null]);
  });

  it('of another tab are not written over', () => {
    const storage = createStorage();
    const [here, there] = [openMarks('run', once, storage), openMarks('run', once, storage)];
    here.set('a', bad());
    there.set('b', good);
    expect(openMarks('run', once, storage).count).toMatchObject({ good: 1, bad: 1 });
  });

  const refuse = () => {
    throw new DOMException('no', 'SecurityError');
  };
  it.each([
    ['there is no storage', null],
    ['storage may not be read', { getItem: refuse, setItem: refuse }],
    ['storage is full', { getItem: () => null, setItem: refuse }],
  ])('stay as long as the page is open where %s, and at risk until they are exported', (_, storage) => {
    const marks = openMarks('run', once, storage);
    expect(marks.isAtRisk).toBe(false);
    marks.set('a', bad());
    marks.set('b', good);
    expect(marks.count).toMatchObject({ good: 1, bad: 1 });
    expect([marks.isKept, marks.isAtRisk]).toEqual([false, true]);
    const file = marks.exportCsv(listed('a', 'b'));
    expect(marks.isAtRisk).toBe(false);
    marks.set('b', bad());
    expect(marks.isAtRisk).toBe(true);
    marks.importCsv(file);
    expect(marks.isAtRisk).toBe(false);
    marks.set('b', bad());
    marks.set('b', null);
    expect(marks.isAtRisk).toBe(false);
  });

  it('are not at risk where the browser keeps them', () => {
    const marks = openMarks('run', once, createStorage());
    marks.set('a', bad());
    expect([marks.isKept, marks.isAtRisk]).toEqual([true, false]);
  });

  it.each(['{', '{}', '[1]', 'null', '[["a"]]'])('do not come from %j, which is none of theirs', (text) => {
    const marks = openMarks('run', once, { ...createStorage(), getItem: () => text });
    expect(marks.count).toEqual({ good: 0, bad: 0, noted: 0 });
  });

  it('may be of rows with any id', () => {
    const storage = createStorage();
    const ids = ['__proto__', 'constructor', '', '题 1', '=1+1', 'a,b'];
    const marks = openMarks('run', once, storage);
    for (const id of ids) marks.set(id, bad());
    expect(openMarks('run', once, storage).badIds()).toEqual(ids);
    expect(marks.get('toString')).toBeNull();
  });

  it('go out and come in as a file', () => {
    const marks = openMarks('run', once, createStorage());
    marks.set('a', bad('line 1\nline 2'));
    marks.set('=b', good);
    marks.set('c', { verdict: null, note: 'see "x"', attempt: 1 });
    marks.set('not-here', bad());
    const file = marks.exportCsv(listed('=b', 'a', 'c', 'unmarked'));
    expect(file.split('\r\n')).toHaveLength(5);

    const others = openMarks('other', once, createStorage());
    others.set('a', good);
    expect(others.importCsv(file)).toEqual({ taken: 3, foreign: 0 });
    for (const id of ['a', '=b', 'c']) expect(others.get(id)).toEqual(marks.get(id));
    expect(others.importCsv('no table')).toEqual({ taken: 0, foreign: 0 });
    expect(others.importCsv('id,mark\na,perhaps\n')).toEqual({ taken: 0, foreign: 0 });
    expect(others.get('a')?.verdict).toBe('bad');
  });

  it('come back to the rows of their keys, whatever a spreadsheet made of the ids', () => {
    const ids = ['1.1', '1.10'];
    const rows = { find: () => latest(1), get: (key: number) => ({ id: ids[key - 1] ?? '' }) };
    const run = '0123456789abcdef';
    const marks = openMarks(run, rows, createStorage());
    marks.set('1.10', bad());
    const file = marks.exportCsv(listed(...ids)).replace('1.10,bad', '1.1,bad');
    const again = openMarks(run, rows, createStorage());
    expect(again.importCsv(file)).toEqual({ taken: 1, foreign: 0 });
    expect([again.get('1.1'), again.get('1.10')]).toEqual([null, bad()]);
    expect(openMarks('f0', rows, createStorage()).importCsv(file)).toEqual({ taken: 0, foreign: 1 });
  });

  it('of an earlier attempt are neither counted nor paid for again, and go out with their attempt', () => {
    const rows = new Map([
      ['a', latest(1)],
      ['b', latest(1)],
    ]);
    const marks = openMarks(
      'run',
      rowsLike((id) => rows.get(id) ?? null),
      createStorage(),
    );
    for (const id of ['a', 'b', 'gone']) marks.set(id, bad('wrong'));
    expect(marks.badIds()).toEqual(['a', 'b']);
    rows.set('a', latest(2));
    expect(marks.badIds()).toEqual(['b']);
    expect(marks.count).toEqual({ good: 0, bad: 1, noted: 2 });
    const mark = marks.get('a');
    expect([verdictNow(mark, 2), verdictElsewhere(mark, 2)]).toEqual([null, { verdict: 'bad', attempt: 1 }]);
    expect(marks.exportCsv(listed('a'))).toContain('1,a,bad,wrong,1,completed,');

    marks.set('a', annotated(mark, 'still wrong?', 2));
    expect(marks.badIds()).toEqual(['b']);
    marks.set('a', judged(marks.get('a'), 'bad', 2));
    expect(marks.badIds().toSorted()).toEqual(['a', 'b']);
    expect(marks.get('a')).toEqual(bad('still wrong?', 2));
  });

  it('come in with their attempt, or with the latest one where they say none; those of no row here are reported', () => {
    const marks = openMarks(
      'run',
      rowsLike((id) => (id === 'x' ? null : latest(2))),
      createStorage(),
    );
    const file = 'id,mark,note,attempt\na,bad,,1\nb,bad,,2.0\nc,bad,,\nx,bad,,1\nd,bad,,2nd\n';
    expect(marks.importCsv(file)).toEqual({ taken: 4, foreign: 1 });
    expect(marks.badIds()).toEqual(['b', 'c']);
    expect(marks.get('x')).toBeNull();
  });
});
