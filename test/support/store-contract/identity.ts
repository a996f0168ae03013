import fc from 'fast-check';
import { expect, it } from 'vitest';
import { doubtOf } from '../../../src/money/row-identity.ts';
import type { RunWatch } from '../../../src/stores/port/reading.ts';
import { incomingRows, type WrittenRow } from '../incoming-rows.ts';
import { completed } from '../saved-lives.ts';
import { plainImport, type StoreRun } from '../store-run.ts';
import type { Runs } from './runs.ts';
import { type SavedRow, savedRows } from './saved-rows.ts';

/** A question as its author knows it. */
interface Authored {
  readonly id: string;
  readonly text: string;
}

/** What the column beside the questions is to its author. */
type Column = 'counts' | 'names' | 'none';

/** What an author does to a file, at places from 0 to 1. */
const edits: Readonly<Record<string, (rows: Authored[], at: number, other: number, fresh: string) => void>> =
  {
    insert: (rows, at, _, fresh) => void rows.splice(at, 0, { id: `id ${fresh}`, text: fresh }),
    delete: (rows, at) => void rows.splice(at, 1),
    move: (rows, at, other) => void rows.splice(other, 0, ...rows.splice(at, 1)),
    'swap texts': (rows, at, other) => {
      const [a, b] = [rows[at], rows[other]];
      if (a === undefined || b === undefined) return;
      rows[at] = { ...a, text: b.text };
      rows[other] = { ...b, text: a.text };
    },
    'edit one': (rows, at, _, fresh) => {
      const row = rows[at];
      if (row !== undefined) rows[at] = { ...row, text: fresh };
    },
    'edit all': (rows, _at, _other, fresh) => {
      for (const [at, row] of rows.entries()) rows[at] = { ...row, text: `${fresh} of ${row.text}` };
    },
    'undo an edit': (rows, at, other) => {
      const [a, b] = [rows[at], rows[other]];
      if (a !== undefined && b !== undefined) rows[at] = { ...a, text: b.text };
    },
    duplicate: (rows, at, other, fresh) => {
      const row = rows[at];
      if (row !== undefined) rows.splice(other, 0, { ...row, id: `id ${fresh}` });
    },
    'duplicate above the edited original': (rows, at, _, fresh) => {
      const row = rows[at];
      if (row !== undefined) rows.splice(at, 1, { ...row, id: `id ${fresh}` }, { ...row, text: fresh });
    },
  };

const anyEdit = fc.record({
  how: fc.constantFrom(...Object.keys(edits)),
  at: fc.integer({ min: 0, max: 5 }),
  other: fc.integer({ min: 0, max: 5 }),
});

const anyStep = fc.record({
  edits: fc.array(anyEdit, { minLength: 1, maxLength: 3 }),
  rerunChanged: fc.constantFrom(false, false, true),
  /** What the author says when he is asked. */
  answer: fc.constantFrom('map', 'rerun', 'none'),
});

function written(rows: readonly Authored[], column: Column): WrittenRow[] {
  return rows.map(({ id, text }, at) => {
    if (column === 'none') return { question: text };
    return { id: column === 'counts' ? String(at + 1) : id, question: text };
  });
}

const count = (counts: Map<string, number>, text: string): void =>
  void counts.set(text, (counts.get(text) ?? 0) + 1);

/** A user with a file, and what he was charged. */
class Customer {
  readonly #run: StoreRun;
  readonly #watch: RunWatch;
  readonly paid = new Map<string, number>();
  readonly ordered = new Map<string, number>();
  readonly most = new Map<string, number>();
  tasks = 0;

  constructor(run: StoreRun, watch: RunWatch) {
    this.#run = run;
    this.#watch = watch;
  }

  saved(): Promise<SavedRow[]> {
    return savedRows(this.#run, this.#watch);
  }

  /** Takes the file up as the program does; null where it has to be said what the ids mean, and then nothing is written. */
  async ingest(file: readonly WrittenRow[], rerunChanged: boolean, isSaid: boolean) {
    await using ingest = await this.#run.store.openIngest();
    await ingest.add(incomingRows(...file));
    expect(await ingest.match({ add: false, isMended: false })).toEqual([]);
    const trust = { isSaid, isGuessed: true, rerunChanged, add: false, isMended: false };
    if (doubtOf(await ingest.idFacts(), trust) !== null) {
      expect((await ingest.keepingRows()).length).toBeGreaterThan(0);
      return null;
    }
    const plan = await ingest.plan({ add: false, isMended: false, rerunChanged, only: null });
    const before = new Map((await this.saved()).map((row) => [row.key, row]));
    await ingest.apply({ ...plainImport, rerunChanged });
    // What a new attempt replaces is no result of the run any more: if its text comes back, it is a new one.
    for (const { key, status, text } of await this.saved()) {
      const was = before.get(key);
      if (status !== 'pending' || was?.status !== 'completed') continue;
      count(this.ordered, text);
      count(this.ordered, was.text);
    }
    const here = Map.groupBy(file, ({ question = '' }) => question);
    for (const [text, rows] of here) this.most.set(text, Math.max(this.most.get(text) ?? 0, rows.length));
    return plan;
  }

  async payAll(): Promise<void> {
    for (const { id, text, gone, status } of await this.saved()) {
      if (gone || status !== 'pending') continue;
      count(this.paid, text);
      this.tasks += 1;
      await this.#run.live(id, ...completed(`task ${this.tasks}`));
    }
  }
}

/** Whatever was written: every row of the file has its line, with its own text or named as one that keeps another's result. */
function checkLines(file: readonly WrittenRow[], rows: readonly SavedRow[], changedSent: number): void {
  const lines = rows.filter(({ gone }) => !gone).sort((a, b) => a.row - b.row);
  expect(lines.map(({ row }) => row)).toEqual(file.map((_, at) => at + 1));
  expect(lines.map(({ text, edit }) => edit ?? text)).toEqual(file.map(({ question }) => question));
  expect(lines.filter(({ edit }) => edit !== null)).toHaveLength(changedSent);
  for (const [at, { id = null }] of file.entries()) if (id !== null) expect(lines[at]?.id).toBe(id);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
}

/** Rows that keep the result of another text since this file. */
function newlyKept(before: readonly SavedRow[], after: readonly SavedRow[]): number {
  const edits = new Map(before.map(({ key, edit }) => [key, edit]));
  return after.filter(({ key, edit }) => edit !== null && edits.get(key) !== edit).length;
}

/** What a user pays who edits a file. */
export function describeIdentity(runs: Runs): void {
  it('no text is paid twice and no row is without a line, however a file is edited and whatever its ids are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Column>('counts', 'counts', 'names', 'none'),
        fc.array(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'A'), { minLength: 1, maxLength: 6 }),
        fc.array(anyStep, { minLength: 1, maxLength: 4 }),
        async (column, texts, steps) => {
          await using run = await runs.openScratch();
          const customer = new Customer(run, await run.store.openWatch());
          const rows: Authored[] = texts.map((text, at) => ({ id: `id ${at}`, text }));
          let file = written(rows, column);
          await customer.ingest(file, false, false);
          await customer.payAll();
          for (const [n, step] of steps.entries()) {
            for (const [m, { how, at, other }] of step.edits.entries())
              edits[how]?.(rows, at % (rows.length || 1), other % (rows.length || 1), `new ${n}.${m}`);
            // A file without rows takes none away, and a file of other rows only is refused.
            const known = await customer.saved();
            file = written(rows, column);
            if (file.length === 0) continue;
            const before = JSON.stringify(known);
            let plan = await customer.ingest(file, step.rerunChanged, false);
            if (
              plan !== null &&
              plan.renumbered > 0 &&
              newlyKept(known, await customer.saved()) > 0 &&
              !step.rerunChanged
            )
              expect([plan.newRows, plan.gone], 'it cannot be told which row is which').toEqual([0, 0]);
            if (plan === null) {
              expect(JSON.stringify(await customer.saved())).toBe(before);
              if (step.answer === 'none') file = written(rows, 'none');
              plan = await customer.ingest(file, step.answer === 'rerun', step.answer === 'map');
            }
            if (plan === null) throw new Error('the answer is not understood');
            checkLines(file, await customer.saved(), plan.changedSent - plan.shares.rerun);
            // A paid row is never lost, and a text that stands once keeps what was paid for it.
            const saved = await customer.saved();
            for (const { key, text, status } of known) {
              const now = saved.filter((row) => row.text === text && row.status === 'completed');
              const isOnlyOne = known.filter((row) => row.text === text).length === 1;
              if (status === 'completed' && isOnlyOne && file.some(({ question }) => question === text))
                expect(now.map((row) => row.key)).toContain(key);
            }
            await customer.payAll();
            const again = await customer.ingest(file, step.rerunChanged, false);
            expect(again).toMatchObject({
              newRows: 0,
              renumbered: 0,
              gone: 0,
              toSubmit: 0,
              rerunnable: again?.rerunnable,
            });
            if (step.rerunChanged) await customer.payAll();
          }
          for (const [text, times] of customer.paid) {
            const allowed = (customer.most.get(text) ?? 0) + (customer.ordered.get(text) ?? 0);
            expect(times, `${text} was paid ${times} times`).toBeLessThanOrEqual(allowed);
          }
        },
      ),
      { numRuns: runs.tries(100) },
    );
  });
}
