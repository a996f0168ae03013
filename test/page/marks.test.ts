import { describe, expect, it } from 'vitest';
import { openMarks, retryCommand } from '../../src/page/marks.ts';

/** A browser's storage, as much of it as is used. */
function createStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
  };
}

const bad = (note = '') => ({ verdict: 'bad', note }) as const;
const good = { verdict: 'good', note: '' } as const;

describe('marks', () => {
  it('are kept for all pages of a run, and for that run alone', () => {
    const storage = createStorage();
    openMarks('run', storage).set('a', bad('too fast'));
    expect(openMarks('run', storage).get('a')).toEqual(bad('too fast'));
    expect(openMarks('other', storage).get('a')).toBeNull();
  });

  it('are counted, and told to who listens', () => {
    const marks = openMarks('run', createStorage());
    let changes = 0;
    marks.onChange(() => {
      changes += 1;
    });
    marks.set('a', bad());
    marks.set('b', good);
    marks.set('c', { verdict: null, note: 'look again' });
    marks.set('b', bad('after all'));
    expect(changes).toBe(4);
    expect(marks.count).toEqual({ good: 0, bad: 2, noted: 2 });
    expect(marks.badIds()).toEqual(['a', 'b']);
  });

  it('are gone when nothing is left of them', () => {
    const marks = openMarks('run', createStorage());
    marks.set('a', bad());
    marks.set('b', good);
    marks.set('a', null);
    marks.set('b', { verdict: null, note: '' });
    expect([marks.get('a'), marks.get('b')]).toEqual([null, null]);
  });

  it('of another tab are not written over', () => {
    const storage = createStorage();
    const [here, there] = [openMarks('run', storage), openMarks('run', storage)];
    here.set('a', bad());
    there.set('b', good);
    expect(openMarks('run', storage).count).toMatchObject({ good: 1, bad: 1 });
  });

  const refuse = () => {
    throw new DOMException('no', 'SecurityError');
  };
  it.each([
    ['there is no storage', null],
    ['storage may not be read', { getItem: refuse, setItem: refuse }],
    ['storage is full', { getItem: () => null, setItem: refuse }],
  ])('stay as long as the page is open where %s', (_, storage) => {
    const marks = openMarks('run', storage);
    marks.set('a', bad());
    marks.set('b', good);
    expect(marks.count).toMatchObject({ good: 1, bad: 1 });
  });

  it.each(['{', '{}', '[1]', 'null', '[["a"]]'])('do not come from %j, which is none of theirs', (text) => {
    const marks = openMarks('run', { ...createStorage(), getItem: () => text });
    expect(marks.count).toEqual({ good: 0, bad: 0, noted: 0 });
  });

  it('may be of rows with any id', () => {
    const storage = createStorage();
    const ids = ['__proto__', 'constructor', '', '题 1', '=1+1', 'a,b'];
    const marks = openMarks('run', storage);
    for (const id of ids) marks.set(id, bad());
    expect(openMarks('run', storage).badIds()).toEqual(ids);
    expect(marks.get('toString')).toBeNull();
  });

  it('go out and come in as a file', () => {
    const marks = openMarks('run', createStorage());
    marks.set('a', bad('line 1\nline 2'));
    marks.set('=b', good);
    marks.set('c', { verdict: null, note: 'see "x"' });
    marks.set('not-here', bad());
    const rows = ['=b', 'a', 'c', 'unmarked'].map((id, at) => ({ row: at + 1, id, status: 'completed' }));
    const file = marks.exportCsv(rows);
    expect(file.split('\r\n')).toHaveLength(5);

    const others = openMarks('other', createStorage());
    others.set('a', good);
    expect(others.importCsv(file)).toBe(3);
    for (const id of ['a', '=b', 'c']) expect(others.get(id)).toEqual(marks.get(id));
    expect(others.importCsv('no table')).toBe(0);
    expect(others.importCsv('id,mark\na,perhaps\n')).toBe(0);
    expect(others.get('a')?.verdict).toBe('bad');
  });
});

describe('the command for the bad rows', () => {
  it.each([
    ['./videos', ['q-1', '题目-2'], 'batch retry ./videos --only q-1,题目-2'],
    ['my videos', ['a b', "it's"], "batch retry 'my videos' --only 'a b,it'\\''s'"],
    ['-out', ['@at'], 'batch retry ./-out --only @@at'],
    ['v', ['a,b'], 'batch retry v --only @marks.csv'],
    ['v', Array.from({ length: 1_000 }, (_, n) => `q-${n}`), 'batch retry v --only @marks.csv'],
  ])('names them, or the exported file: %s %j', (out, ids, command) => {
    expect(retryCommand(out, ids)).toBe(command);
  });
});
