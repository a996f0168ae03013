import { describe, expect, it } from 'vitest';
import { StaleItemError, UsageError } from '../../../src/errors.ts';
import { moveAtRest } from '../../../src/money/at-rest.ts';
import type { CommitExtras } from '../../../src/stores/port/checkpoint.ts';
import type { Decision } from '../../../src/stores/port/decisions.ts';
import { events } from '../../money/lives.ts';
import { namedRows } from '../incoming-rows.ts';
import { accepted } from '../saved-lives.ts';
import type { StoreRun } from '../store-run.ts';
import { carry } from './archive.ts';
import { correctionOf } from './reviews.ts';
import type { Runs } from './runs.ts';

/** What somebody decides; odd letters come back as they were. */
const decisionOf = (part: Partial<Decision> = {}): Decision => ({
  at: Date.UTC(2026, 2, 2, 8),
  userName: 'Ánna',
  machine: 'desk-1',
  command: "batch retry --failed 'B\\C'",
  kind: 'retry',
  item: null,
  detail: '{"question":"a\\u0000b \\ud800 \\n"}',
  ...part,
});

const saved = async ({ store }: StoreRun) => (await Array.fromAsync(store.decisions.all())).flat();

const kinds = async (run: StoreRun): Promise<string[]> => (await saved(run)).map(({ kind }) => kind);

/** An order of a new attempt for this row, as somebody decides it. */
async function orderOf(run: StoreRun, id: string) {
  const before = await run.item(id);
  const after = moveAtRest(before, { type: 'retry-ordered', at: 1 });
  return { before, change: [{ before, after }], decided: [decisionOf({ item: before.key })] };
}

/** What people decided about money. */
export function describeDecisions(runs: Runs): void {
  describe('decisions about money', () => {
    it('are kept as they were made, in their order, with the ids of their rows', async () => {
      await using run = await runs.open(...namedRows(2));
      const { key } = await run.item('q2');
      const made = [decisionOf({ kind: 'yes' }), decisionOf({ kind: 'resolve', item: key })];
      await run.store.decisions.note(made);
      await run.store.decisions.note([decisionOf({ kind: 'tune', userName: '' })]);
      expect(await saved(run)).toEqual([
        { ...made[0], number: 1, id: null },
        { ...made[1], number: 2, id: 'q2' },
        { ...decisionOf({ kind: 'tune', userName: '' }), number: 3, id: null },
      ]);
    });

    it('are as many as there are', async () => {
      await using run = await runs.open();
      await run.store.decisions.note(Array.from({ length: 1_001 }, (_, at) => decisionOf({ at })));
      expect((await saved(run)).map(({ at }) => at)).toEqual(Array.from({ length: 1_001 }, (_, at) => at));
    });

    it('are saved with the commit that they are about, and not without it', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...accepted('task-1'), events['task-failed']);
      const { change, decided } = await orderOf(run, 'q1');
      const extras: CommitExtras = { room: null, facts: [], decisions: decided };
      await run.checkpoint.commit(change, extras);
      expect(await kinds(run)).toEqual(['retry']);
      await expect(run.checkpoint.commit(change, extras)).rejects.toThrow(StaleItemError);
      expect(await kinds(run)).toEqual(['retry']);
    });

    it('are saved with an order of rows, and not without it', async () => {
      await using run = await runs.open(...namedRows(1));
      await run.live('q1', ...accepted('task-1'), events['task-failed']);
      const { change, decided } = await orderOf(run, 'q1');
      await run.checkpoint.order(1, change, [], { decisions: decided });
      await expect(run.checkpoint.order(2, change, [], { decisions: decided })).rejects.toThrow(
        StaleItemError,
      );
      expect(await saved(run)).toHaveLength(1);
    });

    it('are saved with settings, and not where somebody else was first', async () => {
      await using run = await runs.open();
      const { settings } = run.store;
      const cap = [decisionOf({ kind: 'cap' })];
      expect(await settings.replace({ options: null }, { options: '1' }, cap)).toBe(true);
      expect(await settings.replace({ options: null }, { options: '2' }, cap)).toBe(false);
      expect(await kinds(run)).toEqual(['cap']);
    });

    it('are saved with corrections, and with the round that begins where processes share the run', async () => {
      await using run = await runs.open(...namedRows(1));
      const { key } = await run.item('q1');
      const correction = correctionOf({ question: 'new' });
      await run.store.reviews.correct(new Map([[key, correction]]), [
        decisionOf({ kind: 'correction', item: key }),
      ]);
      await run.store.sharing?.beginRound({
        options: {},
        terms: null,
        decisions: [decisionOf({ kind: 'cap' })],
      });
      expect(await kinds(run)).toEqual(runs.isShared ? ['correction', 'cap'] : ['correction']);
    });

    it('are in the report of their row, the oldest first', async () => {
      await using run = await runs.open(...namedRows(3));
      const { key } = await run.item('q2');
      const made = [decisionOf({ item: key }), decisionOf({ item: key, kind: 'resolve', at: 1 })];
      await run.store.decisions.note([decisionOf({ kind: 'yes' }), ...made]);
      const rows = await Array.fromAsync(run.checkpoint.reportRows());
      expect(rows.map(({ decisions }) => decisions.map(({ kind }) => kind))).toEqual([
        [],
        ['retry', 'resolve'],
        [],
      ]);
    });

    it('move with their run, after which none is saved where it was', async () => {
      await using from = await runs.open(...namedRows(2));
      await using to = await runs.open();
      await from.store.decisions.note([
        decisionOf(),
        decisionOf({ kind: 'correction', item: (await from.item('q1')).key }),
      ]);
      await carry(from, to.store);
      expect(await saved(to)).toEqual(await saved(from));
      await from.store.archive.setMark(null, { state: 'moved', move: 'move-1', place: 'elsewhere' });
      await expect(from.store.decisions.note([decisionOf()])).rejects.toThrow(UsageError);
      expect(await saved(from)).toHaveLength(2);
    });
  });
}
