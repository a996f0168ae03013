/** Texts that PostgreSQL has not: no column of texts may make a statement of either store fail, or a run would end for good. */

import { expect, it } from 'vitest';
import type { ItemEvent } from '../../../src/money/event.ts';
import { parseQuestion } from '../../../src/money/parse-question.ts';
import type { IncomingRow, Source } from '../../../src/money/question.ts';
import { ending, eventOf, fileAt } from '../../money/lives.ts';
import { accepted } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import { carry, recordsOf, seen } from './archive.ts';
import { markOf } from './reviews.ts';
import type { Runs } from './runs.ts';

const odd = (name: string): string => `${name} \0 \ud800`;

/** As of a run that was begun when the names of columns were not mended yet. */
const source: Source = {
  file: odd('file'),
  format: 'jsonl',
  columns: ['id', 'question', odd('note')],
  fields: { id: 'id', question: 'question' },
  folder: odd('/folder'),
};

/** The rows of a file by id, with their questions. */
function rowsOf(questions: Readonly<Record<string, string>>): IncomingRow[] {
  return Object.entries(questions).map(([id, text], at) => {
    // A row with U+0000 in one of its values cannot be sent, and one without any is read by the same columns.
    const notes = at === 0 ? {} : { [odd('note')]: { [odd('key')]: '\ud800' } };
    const input = { id, question: text, ...notes };
    const { question, content, failure } = parseQuestion(input, source);
    return {
      row: at + 1,
      line: at + 2,
      id: question.id,
      content,
      written: odd(id),
      quality: null,
      input,
      failure: failure && odd(failure),
    };
  });
}

/** A run with such a text in whatever may have one. */
async function liveThroughOddly(run: StoreRun): Promise<void> {
  const { settings, hooks, reviews, inspections, sharing } = run.store;
  await run.ingest(rowsOf({ a: 'A', [odd('b')]: odd('B'), c: 'C' }), { source });
  await settings.save(odd('name'), odd('value'));
  await hooks.begin();
  const said = { title: odd('title'), detail: odd('detail'), createdAt: odd('at'), finishAt: odd('at') };
  const story = (task: string): readonly ItemEvent[] => [
    ...accepted(task),
    eventOf('task-completed', { ending: { ...ending, ...said }, frames: [{ id: odd('f'), url: '' }] }),
    eventOf('video-saved', { file: fileAt(odd('video')) }),
    eventOf('frame-saved', { file: fileAt(odd('frame')) }),
  ];
  await run.live('a', ...story(odd('task')));
  for (const call of await hooks.left({ states: ['owed'], after: -1, limit: 9, slices: null }))
    await hooks.ended(call, 1, odd('hook'));
  await run.live('c', ...story('task-c'), eventOf('retry-ordered'), eventOf('claimed', { token: 'again' }));
  await run.live('c', eventOf('creation-refused', { failure: odd('refused') }));
  const { key } = await run.item('a');
  const texts = { question: odd('question'), answer: odd('answer') };
  await reviews.saveMarks([markOf(key, { reviewer: odd('Anna'), note: odd('note'), ...texts })]);
  for (const ofAnswer of [odd('one'), odd('two')])
    await reviews.correct(new Map([[key, { ...texts, ofQuestion: odd('of'), ofAnswer, since: 1 }]]));
  const inspection = { container: odd('?'), playback: null } as never;
  await inspections.save([{ sha256: 'aa', inspection }]);
  await inspections.saveFindings([{ sha256: 'aa', findings: [{ code: odd('?') } as never] }]);
  if (sharing === null) return;
  await sharing.noteWorker({
    ...{ host: odd('host'), pid: 1, slices: [], rows: {} },
    version: odd('1'),
    scratch: odd('/'),
  });
  await run.checkpoint.commit([], { room: null, facts: [{ type: 'lost', failure: odd('lost'), at: 1 }] });
}

/** The columns that records name, each with whether one of its texts is an odd one. */
function textsIn(record: object, path: string, found: Map<string, boolean>): void {
  for (const [name, value] of Object.entries(record)) {
    const here = Array.isArray(record) ? path : `${path}.${name}`;
    if (typeof value === 'object' && value !== null) textsIn(value, here, found);
    if (typeof value === 'string')
      found.set(here, found.get(here) === true || /[\0\ufffd]|\\u0000|\\ud800/.test(value));
  }
}

const isOwn =
  /\.(type|folder|status|state|turn|kind|mark|token|requestHash|quality|sha256|digest|identity|content|inputDigest|written)$/;

/** What a file calls its columns and rows, the service its tasks, and people what they note. */
export function describeOddTexts(runs: Runs): void {
  it('no text that is saved makes anything fail that is asked of the run, or of its file when it comes again', async () => {
    await using run = await runs.open();
    await liveThroughOddly(run);
    const { totals, sharing } = run.store;
    const paid = { only: ['a', odd('b')] };
    {
      const rows = rowsOf({ a: odd('new'), [odd('b')]: 'B', c: 'C', d: 'D' });
      for (const column of [odd('note'), 'question']) await run.plan(rows, { column });
      await using ingest = await run.store.openIngest();
      await ingest.add(rows);
      await ingest.pictures.note(odd('/1.png'), 1, 2, 'aa');
      await ingest.match({ add: false, isMended: false });
      await ingest.lengths({ add: false, ...paid, column: 'question', oneOf: 1 });
      await ingest.takenFolder([odd('b')]);
      await ingest.apply({ source, at: 1, add: false, isMended: false, rerunChanged: false });
    }
    await totals.pendingQualities(paid);
    await totals.pendingLengths(paid, 1);
    expect(await totals.paidSums()).not.toEqual([]);
    expect(await run.checkpoint.itemOfTask(odd('task'))).not.toBeNull();
    expect(await run.checkpoint.itemsWithIds([odd('b')])).not.toBeNull();
    await run.checkpoint.pendingItems({ limit: 9, ...paid });
    if (sharing !== null) {
      expect(await sharing.workers()).not.toEqual([]);
      expect(await sharing.facts(0)).not.toEqual([]);
      await sharing.pictureDigests([odd('/1.png')]);
    }
    await run.store.checkSound();
    await using watching = await run.look();
    expect((await seen(watching)).report).toHaveLength(4);
    const texts = new Map<string, boolean>();
    for (const record of await recordsOf(run.store)) textsIn(record, record.type, texts);
    expect([...texts].filter(([name, isOdd]) => !isOdd && !isOwn.test(name))).toEqual([]);
    await using to = await runs.open();
    await carry(run, to.store);
    expect((await seen(to)).report).toHaveLength(4);
  });
}
