import { describe, expect, it } from 'vitest';
import { createMarkSaver, type SendEnd } from '../../src/page/marks/mark-saver.ts';
import { marksOfOthers, marksOfReviewer } from '../../src/page/marks/saved-marks.ts';

/** A browser and a server whose answers a test gives. */
function createDesk(kept: Record<string, string> = {}) {
  const waits: { readonly work: () => void; readonly ms: number }[] = [];
  const sent: unknown[] = [];
  let answer: (id: string) => SendEnd | Promise<SendEnd> = () => 'saved';
  const saver = createMarkSaver('run Anna', {
    send: async (id, body) => {
      sent.push([id, body]);
      return answer(id);
    },
    later: (work, ms) => void waits.push({ work, ms }),
    storage: {
      getItem: (name) => kept[name] ?? null,
      setItem: (name, text) => {
        kept[name] = text;
      },
    },
  });
  let ends = 0;
  saver.onEnd(() => {
    ends += 1;
  });
  return {
    saver,
    sent,
    kept,
    waits,
    answer: (next: typeof answer) => {
      answer = next;
    },
    get ends() {
      return ends;
    },
    /** Lets the time of all waits pass, and all answers come. */
    async pass(): Promise<void> {
      for (const { work } of waits.splice(0)) work();
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    },
  };
}

const bad = (note = '') => ({ verdict: 'bad', note, attempt: 1 }) as const;
const body = { mark: 'bad', note: '', attempt: 1, question: null, answer: null };

describe('a mark is saved with the run', () => {
  it.each([
    ['there is no storage', null],
    [
      'storage is full',
      {
        getItem: () => null,
        setItem: () => {
          throw new DOMException('no', 'QuotaExceededError');
        },
      },
    ],
  ])('also where %s: until then only the page has it', (_, storage) => {
    const saver = createMarkSaver('run Anna', { send: async () => 'saved', later: () => undefined, storage });
    saver.save('a', bad());
    expect([saver.isKept, saver.unsaved.size]).toEqual([false, 1]);
    expect(createDesk().saver.isKept).toBe(true);
  });

  it('once for all that was typed before a pause, and is then no longer kept here', async () => {
    const desk = createDesk();
    for (const note of ['t', 'to', 'too fast']) desk.saver.save('a', bad(note));
    desk.saver.save('b', { ...bad(), question: '1 + 1', prefer: 'latest' });
    expect([[...desk.saver.unsaved.keys()], desk.saver.hasFailed]).toEqual([['a', 'b'], false]);
    await desk.pass();
    expect(desk.sent).toEqual([
      ['a', { ...body, note: 'too fast' }],
      ['b', { ...body, question: '1 + 1', prefer: null }],
    ]);
    expect([desk.saver.unsaved.size, desk.ends]).toEqual([0, 1]);
    expect(Object.values(desk.kept)).toEqual(['[]']);
  });

  it('also where it is taken back, and where it is about no attempt', async () => {
    const desk = createDesk();
    desk.saver.save('a', null);
    desk.saver.save('b', { verdict: null, note: 'x', attempt: null, prefer: 2 });
    await desk.pass();
    expect(desk.sent).toEqual([
      ['a', { ...body, mark: '', attempt: 0 }],
      ['b', { ...body, mark: '', note: 'x', attempt: 0, prefer: 2 }],
    ]);
  });

  it('again until the run is reached, also by a page that is opened later', async () => {
    const desk = createDesk();
    desk.answer(() => 'unreached');
    desk.saver.save('a', bad());
    desk.saver.save('b', bad());
    await desk.pass();
    expect(desk.sent).toHaveLength(1);
    expect([desk.saver.unsaved.size, desk.saver.isRefused, desk.saver.hasFailed]).toEqual([2, false, true]);
    const later = createDesk(desk.kept);
    expect([...later.saver.unsaved.keys()]).toEqual(['a', 'b']);
    await later.pass();
    expect(later.sent).toEqual([
      ['a', body],
      ['b', body],
    ]);
    desk.answer(() => 'saved');
    await desk.pass();
    expect([desk.saver.unsaved.size, desk.saver.hasFailed]).toEqual([0, false]);
  });

  it('not again where the run refuses it, until it is changed', async () => {
    const desk = createDesk();
    desk.answer((id) => (id === 'a' ? 'refused' : 'saved'));
    desk.saver.save('a', bad());
    desk.saver.save('b', bad());
    await desk.pass();
    expect([[...desk.saver.unsaved.keys()], desk.saver.isRefused, desk.saver.hasFailed]).toEqual([
      ['a'],
      true,
      true,
    ]);
    desk.saver.flush();
    await desk.pass();
    expect(desk.sent).toHaveLength(2);
    desk.answer(() => 'saved');
    desk.saver.save('a', bad('again'));
    await desk.pass();
    expect([desk.saver.unsaved.size, desk.saver.isRefused]).toEqual([0, false]);
  });

  it('in its last form, where it is changed while it is on its way', async () => {
    const desk = createDesk();
    const first = Promise.withResolvers<SendEnd>();
    desk.answer(() => first.promise);
    desk.saver.save('a', bad());
    desk.saver.flush();
    desk.saver.save('a', bad('more'));
    desk.saver.flush();
    desk.answer(() => 'saved');
    first.resolve('saved');
    await desk.pass();
    expect(desk.sent).toEqual([
      ['a', body],
      ['a', { ...body, note: 'more' }],
    ]);
    expect(desk.saver.unsaved.size).toBe(0);
  });
});

it('saved marks are those of the reviewer, and those of others, the newest first', () => {
  const markBy = (reviewer: string, at: number) => ({
    key: 1,
    id: 'a',
    reviewer,
    mark: 'good',
    note: '',
    attempt: 1,
    question: null,
    answer: '2',
    at,
  });
  const marks = [markBy('Anna', 1), markBy('Ben', 2), markBy('', 3)] as const;
  const typed = marks.map((mark) => ({ ...mark, mark: 'good' as const }));
  expect([...marksOfReviewer(typed, 'Anna')]).toEqual([
    ['a', { verdict: 'good', note: '', attempt: 1, answer: '2' }],
  ]);
  const names = (reviewer: string | null) =>
    marksOfOthers(typed, reviewer)
      .get('a')
      ?.map((mark) => mark.reviewer);
  expect(names('Anna')).toEqual(['', 'Ben']);
  expect(names(null)).toEqual(['', 'Ben', 'Anna']);
});
