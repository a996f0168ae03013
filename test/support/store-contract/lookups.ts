import { describe, expect, it } from 'vitest';
import { at, eventOf, events, fileAt } from '../../money/lives.ts';
import { incomingRows, namedRows, source } from '../incoming-rows.ts';
import { accepted, completed } from '../saved-lives.ts';
import type { Runs } from './runs.ts';

/** More than fit on any page. */
const manyRows = 1_203;

/** What is asked of a checkpoint beside its pages. */
export function describeLookups(runs: Runs): void {
  describe('the text of a row', () => {
    it('is given back as it was read, with how to read it', async () => {
      const written = { id: 'q1', question: ' 1 + 1 =  ', note: 'my own' };
      await using run = await runs.open(written);
      const { key } = await run.item('q1');
      expect(await run.checkpoint.input(key)).toEqual({
        input: written,
        source,
        correction: null,
        quality: null,
      });
    });

    it('is known by the content that it was imported with', async () => {
      await using run = await runs.open();
      const [row] = incomingRows({ id: 'q1', question: 'A', image: 'a.png' });
      if (row === undefined) throw new Error('there is no row');
      await run.ingest([{ ...row, content: `${row.content} with bytes` }]);
      const { key } = await run.item('q1');
      expect(await run.checkpoint.isContent(key, ['another', `${row.content} with bytes`])).toBe(true);
      expect(await run.checkpoint.isContent(key, [row.content])).toBe(false);
      expect(await run.checkpoint.isContent(key, [])).toBe(false);
      expect(await run.checkpoint.isContent(999, [row.content])).toBe(false);
    });
  });

  describe('the files of the rows', () => {
    it('are known in the order of their first import, as long as a row is from them', async () => {
      await using run = await runs.open();
      expect(await run.checkpoint.sources()).toEqual([]);
      await run.ingest(incomingRows(...namedRows(2)));
      const second = { ...source, file: 'more.csv', columns: ['id', 'question', 'level'] };
      const more = incomingRows({ id: 'x', question: 'X' });
      await run.ingest(more, { add: true, source: second });
      expect(await run.checkpoint.sources()).toEqual([source, second]);
      const third = { ...source, file: 'third.csv' };
      await run.ingest(incomingRows(...namedRows(2), { id: 'x', question: 'X' }), { source: third });
      expect(await run.checkpoint.sources()).toEqual([third]);
    });

    it('include that of the text which a row has now', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...completed('task-1'));
      const second = { ...source, file: 'edited.csv' };
      await run.ingest(incomingRows({ id: 'q1', question: 'Another' }), { source: second });
      expect(await run.checkpoint.sources()).toEqual([source, second]);
    });
  });

  describe('what a new attempt would send instead', () => {
    const edited = { id: 'q1', question: 'Another', quality: 'h' };

    it('is what the row says now, where it was sent with another text', async () => {
      await using run = await runs.open(...namedRows(2));
      const { key } = await run.live('q1', ...completed('task-1'));
      const other = await run.item('q2');
      expect(await run.checkpoint.editOf(key)).toBeNull();
      await run.ingest(incomingRows(edited, { id: 'q2', question: 'Another' }));
      expect(await run.checkpoint.editOf(key)).toEqual({ quality: 'h', failure: null });
      // That one was never sent: it has the new text already.
      expect(await run.checkpoint.editOf(other.key)).toBeNull();
      const [reported] = await Array.fromAsync(run.checkpoint.reportRows());
      expect(reported).toMatchObject({
        input: { question: 'Question 1' },
        edit: { input: edited, source },
      });
    });

    it('says why it cannot be sent', async () => {
      await using run = await runs.open(...namedRows(1));
      const { key } = await run.live('q1', ...completed('task-1'));
      await run.ingest(incomingRows(edited).map((row) => ({ ...row, failure: 'no such picture' })));
      expect(await run.checkpoint.editOf(key)).toEqual({ quality: 'h', failure: 'no such picture' });
    });

    it('is nothing once it was taken, or is taken back', async () => {
      await using run = await runs.open(...namedRows(2));
      const first = await run.live('q1', ...completed('task-1'));
      const second = await run.live('q2', ...completed('task-2'));
      await run.ingest(incomingRows(edited, { id: 'q2', question: 'Another' }));
      await run.live('q1', events['retry-ordered']);
      expect(await run.checkpoint.editOf(first.key)).toBeNull();
      expect((await run.checkpoint.input(first.key)).input).toEqual(edited);
      await run.ingest(incomingRows(edited, ...namedRows(2).slice(1)));
      expect(await run.checkpoint.editOf(second.key)).toBeNull();
    });
  });

  describe('items', () => {
    it('are found by key and by ids; where there is none, none is found', async () => {
      await using run = await runs.open(...namedRows(3));
      const { checkpoint } = run;
      const found = await checkpoint.itemsWithIds(['q3', 'nobody', 'q1']);
      expect(found.map((item) => item.id)).toEqual(['q1', 'q3']);
      expect(await checkpoint.itemWithKey(found[0]?.key ?? 0)).toEqual(found[0]);
      expect(await checkpoint.itemWithKey(999)).toBeNull();
      expect(await checkpoint.itemsWithIds([])).toEqual([]);
    });

    it('may be asked for without those whose row has left the file', async () => {
      await using run = await runs.open(...namedRows(3));
      await run.live('q3', ...completed('task-3'));
      await run.ingest(incomingRows(...namedRows(1)));
      const { checkpoint } = run;
      const ids = async (scope?: 'all' | 'inFile') =>
        (await checkpoint.itemsWithIds(['q1', 'q2', 'q3'], scope)).map(({ id }) => id);
      expect(await ids()).toEqual(['q1', 'q2', 'q3']);
      expect(await ids('inFile')).toEqual(['q1']);
      const paged = async (scope?: 'all' | 'inFile') =>
        (await Array.fromAsync(checkpoint.items(['pending', 'completed'], scope))).map(({ id }) => id);
      expect(await paged()).toEqual(['q1', 'q2', 'q3']);
      expect(await paged('inFile')).toEqual(['q1']);
    });

    it('are of the run again when they are taken back, until the next file', async () => {
      await using run = await runs.open(...namedRows(4));
      await run.live('q3', ...completed('task-3'));
      await run.ingest(incomingRows(...namedRows(1)));
      const [, q2, q3] = await run.all();
      await run.checkpoint.takeBack([q2?.key ?? 0, q3?.key ?? 0]);
      expect((await run.checkpoint.pendingItems({ limit: 9, only: null })).map(({ id }) => id)).toEqual([
        'q1',
        'q2',
      ]);
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ pending: 2, completed: 1 });
      const reported = await Array.fromAsync(run.checkpoint.reportRows());
      expect(reported.map(({ item, gone }) => [item.id, gone])).toEqual([
        ['q1', false],
        ['q2', false],
        ['q3', false],
      ]);
      await run.ingest(incomingRows(...namedRows(1)));
      expect((await run.checkpoint.pendingItems({ limit: 9, only: null })).map(({ id }) => id)).toEqual([
        'q1',
      ]);
      await run.checkpoint.takeBack([]);
      expect((await run.checkpoint.ledger()).counts).toMatchObject({ pending: 1, completed: 1 });
    });

    it('of which a file was ever saved are found, whatever became of it, and no others', async () => {
      await using run = await runs.open(...namedRows(7));
      await run.live('q1', ...completed('task-1'));
      await run.live('q2', ...completed('task-2'), events['file-damaged']);
      await run.live('q3', ...completed('task-3'), events['retry-ordered']);
      await run.live('q4', ...accepted('task-4'), events['task-progressed'], events['frame-saved']);
      await run.live('q5', ...accepted('task-5'), events['task-progressed']);
      await run.live('q6', ...completed('task-6'));
      await run.ingest(incomingRows(...namedRows(5)));
      const filed = await Array.fromAsync(run.checkpoint.filedItems());
      expect(filed.map(({ id }) => id).sort()).toEqual(['q1', 'q2', 'q3', 'q4', 'q6']);
      expect(filed.find(({ id }) => id === 'q4')).toEqual(await run.item('q4'));
    });

    it('with files are all found, however many there are', async () => {
      await using run = await runs.openScratch();
      await run.ingest(incomingRows(...namedRows(manyRows)));
      const artifacts = [
        { kind: 'video', ordinal: 0, remoteId: null, state: 'saved', tries: 0, ...fileAt('v.mp4') },
      ] as const;
      const changes = (await run.all()).map((before) => ({
        before,
        after: { ...before, attempt: 1, token: before.id, version: before.version + 1, artifacts },
      }));
      await run.checkpoint.commit(changes);
      const filed = await Array.fromAsync(run.checkpoint.filedItems());
      expect(new Set(filed.map(({ key }) => key)).size).toBe(manyRows);
      expect(filed).toHaveLength(manyRows);
    });

    it('that are completed without points are found', async () => {
      await using run = await runs.open(...namedRows(5));
      const { ending } = events['task-completed'];
      const end = (points: number | null) =>
        eventOf('task-completed', { frames: [], ending: { ...ending, points } });
      for (const [id, points] of [
        ['q1', null],
        ['q2', 0],
        ['q3', 5],
      ] as const)
        await run.live(id, ...accepted(`task of ${id}`), end(points), events['video-saved']);
      await run.live('q4', ...accepted('task-4'), end(null));
      const found = await Array.fromAsync(run.checkpoint.itemsWithoutPoints());
      expect(found.map(({ id }) => id)).toEqual(['q1', 'q2']);
    });
  });

  it('the checkpoint knows since when creations are uncertain', async () => {
    await using run = await runs.open(...namedRows(3));
    for (const [id, sentAt] of [
      ['q1', at],
      ['q2', at + 5_000],
    ] as const)
      await run.live(id, eventOf('claimed', { at: sentAt, token: id }), events['creation-uncertain']);
    await run.live('q3', events.claimed);
    const places = await run.checkpoint.uncertainPlaces();
    expect(places.toSorted((a, b) => a.at - b.at)).toEqual([
      { id: 'q1', at },
      { id: 'q2', at: at + 5_000 },
    ]);
  });
}
