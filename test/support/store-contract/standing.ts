/**
 * Which attempt stands for a row. After any history of attempts, edited files, corrections and preferences everything that
 * is published says the same: the facts of the attempt whose video is shown, the points of all.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseRow } from '../../../src/features/export/export-choice.ts';
import { attemptVideos } from '../../../src/money/artifacts.ts';
import { moveAtRest } from '../../../src/money/at-rest.ts';
import type { ItemEvent } from '../../../src/money/event.ts';
import type { Quality } from '../../../src/money/item.ts';
import { effectiveQuality } from '../../../src/money/summary.ts';
import { reportLine } from '../../../src/reports/columns.ts';
import { renderJsonLines } from '../../../src/reports/json-lines.ts';
import { manifestEntry } from '../../../src/reports/manifest.ts';
import { pageRow } from '../../../src/reports/page-row.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import { at, eventOf, silentEnding } from '../../money/lives.ts';
import { incomingRows } from '../incoming-rows.ts';
import type { StoreRun } from '../store-run.ts';
import { correctionOf, markOf } from './reviews.ts';
import type { Runs } from './runs.ts';

type Step =
  | {
      readonly does: 'attempt';
      readonly ends: 'video' | 'failed' | 'rejected' | 'lost' | 'open';
      readonly quality: Quality | null;
    }
  | { readonly does: 'retry' }
  | { readonly does: 'final' }
  | { readonly does: 'mark'; readonly mark: 'good' | 'bad'; readonly attempt: number }
  | { readonly does: 'edit'; readonly rerun: boolean }
  | { readonly does: 'correct'; readonly isRemoved: boolean }
  | { readonly does: 'prefer'; readonly attempt: number | null };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('attempt' as const),
      ends: fc.constantFrom('video', 'video', 'video', 'failed', 'rejected', 'lost', 'open' as const),
      quality: fc.constantFrom('h', 'l', null),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ does: 'retry' as const }) },
  { weight: 3, arbitrary: fc.constant({ does: 'final' as const }) },
  fc.record({
    does: fc.constant('mark' as const),
    mark: fc.constantFrom('good', 'bad'),
    attempt: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ does: fc.constant('edit' as const), rerun: fc.boolean() }),
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('correct' as const), isRemoved: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('prefer' as const),
      attempt: fc.option(fc.integer({ min: 1, max: 4 })),
    }),
  },
);

/** What the service was sent, and what it said. */
interface Made {
  readonly question: string;
  readonly quality: Quality | null;
  readonly title: string | null;
  readonly taskId: string | null;
  readonly createdAt: string | null;
  readonly finishAt: string | null;
  readonly failure: string | null;
  readonly points: number;
  readonly video: string | null;
}

/** One row of a run, and what is known of it without the store. */
class Row {
  readonly #run: StoreRun;
  readonly made: Made[] = [];
  #texts = 0;
  /** Of the file, and of the row that waits or was sent. */
  #written = 'text 0';
  #own = 'text 0';
  #correction: { readonly to: string; readonly of: string; readonly since: number } | null = null;
  preferred: number | null = null;
  #final: { readonly draft: number; readonly since: number } | null = null;
  #bad: number | null = null;

  constructor(run: StoreRun) {
    this.#run = run;
  }

  async play(step: Step): Promise<void> {
    const { status, key, attempt } = await this.#run.item('q1');
    const isEnded = ['completed', 'failed', 'rejected', 'lost'].includes(status);
    if (step.does === 'attempt' && status === 'pending') await this.#attempt(step);
    else if (step.does === 'retry' && isEnded) await this.#retry();
    else if (step.does === 'final' && isEnded) await this.#orderFinal();
    else if (step.does === 'mark') await this.#mark(step);
    else if (step.does === 'edit') await this.#edit(step.rerun);
    else if (step.does === 'correct' && isEnded) {
      const of = this.#written;
      this.#correction = step.isRemoved ? null : { to: `corrected ${this.#texts++}`, of, since: attempt + 1 };
      const { to = '', since = 0 } = this.#correction ?? {};
      const saved = step.isRemoved ? null : correctionOf({ question: to, ofQuestion: of, since });
      await this.#run.store.reviews.correct(new Map([[key, saved]]));
    } else if (step.does === 'prefer') {
      this.preferred = step.attempt;
      await this.#run.store.reviews.prefer(new Map([[key, step.attempt]]));
    }
  }

  /** A new attempt sends the row as the file has it. */
  async #retry(): Promise<void> {
    await this.#run.live('q1', eventOf('retry-ordered'));
    this.#take(this.#written);
  }

  /** A final is made of what was watched: with another text there is none. */
  #take(text: string): void {
    if (text !== this.#own) this.#final = null;
    this.#own = text;
  }

  /** The number of the attempt whose video is to be shown. */
  get standing(): number | null {
    const hasVideo = (attempt: number): boolean => this.made[attempt - 1]?.video != null;
    if (this.preferred !== null && hasVideo(this.preferred)) return this.preferred;
    const final = this.#final;
    const finals = this.made.flatMap((_, at) => (final !== null && at + 1 >= final.since ? [at + 1] : []));
    if (final !== null && !finals.some((each) => hasVideo(each) && each !== this.#bad)) return final.draft;
    const latest = this.made.findLastIndex(({ video }) => video !== null);
    return latest < 0 ? null : latest + 1;
  }

  async #orderFinal(): Promise<void> {
    const draft = this.standing;
    if (draft === null || this.#own !== this.#written) return;
    const before = await this.#run.item('q1');
    const after = moveAtRest(before, { type: 'retry-ordered', at, quality: 'h' });
    const finals = new Map([[before.key, { quality: 'h', draft } as const]]);
    await this.#run.checkpoint.order(1, [{ before, after }], [], { finals });
    this.#final = { draft, since: before.attempt + 1 };
    expect(await this.#run.checkpoint.input(before.key)).toMatchObject({ quality: 'h' });
  }

  async #mark({ mark, attempt }: Extract<Step, { does: 'mark' }>): Promise<void> {
    const { key } = await this.#run.item('q1');
    await this.#run.store.reviews.saveMarks([markOf(key, { mark, attempt })]);
    this.#bad = mark === 'bad' ? attempt : null;
  }

  async #edit(rerunChanged: boolean): Promise<void> {
    this.#texts += 1;
    this.#written = `text ${this.#texts}`;
    await this.#run.ingest(incomingRows({ id: 'q1', question: this.#written }), { rerunChanged });
    if ((await this.#run.item('q1')).status === 'pending') this.#take(this.#written);
  }

  async #attempt({ ends, quality }: Extract<Step, { does: 'attempt' }>): Promise<void> {
    const before = await this.#run.item('q1');
    const number = before.attempt + 1;
    const taskId = ends === 'rejected' ? null : `task ${number}`;
    const ending = {
      ...silentEnding,
      points: number,
      title: `title ${number}`,
      createdAt: `2026-03-0${number % 9}T08:00:00Z`,
      finishAt: `2026-03-0${number % 9}T08:0${number % 9}:00Z`,
    };
    const hasVideo = before.artifacts.some(({ kind }) => kind === 'video');
    const aside = hasVideo ? `attempt-${before.attempt}` : null;
    const start: ItemEvent[] = [eventOf('claimed', { token: `token ${number}`, quality, aside })];
    const answer: ItemEvent[] = [eventOf('creation-accepted', { taskId: taskId ?? '' })];
    const file = { path: 'q1/video.mp4', sizeBytes: number, sha256: `${number}`.padStart(64, '0') };
    const rest: Readonly<Record<typeof ends, readonly ItemEvent[]>> = {
      video: [...answer, eventOf('task-completed', { frames: [], ending }), eventOf('video-saved', { file })],
      failed: [...answer, eventOf('task-failed', { ending, failure: `failure ${number}` })],
      rejected: [eventOf('creation-refused', { failure: `failure ${number}` })],
      lost: [...answer, eventOf('task-overdue', { failure: `failure ${number}` })],
      open: answer,
    };
    await this.#run.live('q1', ...start, ...rest[ends]);
    const correction = this.#correction;
    const isCorrected = correction !== null && correction.since <= number && correction.of === this.#own;
    const isTold = ends === 'video' || ends === 'failed';
    this.made.push({
      question: isCorrected ? correction.to : this.#own,
      quality,
      taskId,
      title: isTold ? ending.title : null,
      createdAt: isTold ? ending.createdAt : null,
      finishAt: isTold ? ending.finishAt : null,
      failure: ends === 'video' || ends === 'open' ? null : `failure ${number}`,
      points: isTold ? number : 0,
      video: ends === 'video' ? file.sha256 : null,
    });
  }
}

/** What every published surface says of a row, in the words of the report. */
function published(row: ReportRow) {
  const line = reportLine(row);
  const [json = ''] = renderJsonLines([row], [line], '0123456789abcdef').split('\n');
  const entry = JSON.parse(json);
  const page = pageRow(row, () => null);
  const chosen = chooseRow(row, { kind: 'named', rows: new Map([[row.item.id, null]]) });
  const video = chosen.is === 'chosen' ? chosen.video : null;
  const exported =
    video === null ? null : manifestEntry(row, line, { ...video, captions: null, run: 'this one' });
  return { line, entry, page, exported, video };
}

function expectStanding(row: ReportRow, { made, standing }: Row): void {
  const { line, entry, page, exported, video } = published(row);
  const points = made.reduce((sum, attempt) => sum + attempt.points, 0);
  expect(line.points ?? 0).toBe(points);
  expect(page.points ?? 0).toBe(points);
  expect(entry.history.map((attempt: { points: number | null }) => attempt.points ?? 0)).toEqual(
    made.map((attempt) => attempt.points),
  );
  expect(line.status).toBe(row.item.status);
  const shown = standing === null ? undefined : made[standing - 1];
  expect(video?.sha256).toBe(shown?.video ?? undefined);
  const latest = made.at(-1);
  if (shown === undefined && latest !== undefined && row.item.status !== 'pending')
    expect(line).toMatchObject({
      question: latest.question,
      task_id: latest.taskId,
      failure: latest.failure,
    });
  if (shown === undefined) return;
  expect(video?.attempt).toBe(made.indexOf(shown) + 1);
  expect(attemptVideos(row.item).find(({ attempt }) => attempt === video?.attempt)?.file.path).toBe(
    line.video,
  );
  const { question, title, failure, taskId } = shown;
  const quality = effectiveQuality(shown.quality);
  expect(line).toMatchObject({
    question,
    title,
    failure,
    quality,
    task_id: taskId,
    created_at: shown.createdAt,
    finish_at: shown.finishAt,
  });
  expect(entry).toMatchObject({ ...line });
  expect(page).toMatchObject({ question, title, failure, quality, taskId });
  expect(exported).toMatchObject({ question, title, quality, attempt: made.indexOf(shown) + 1, points });
}

/** The facts beside a video. */
export function describeStanding(runs: Runs): void {
  describe('what is published of a row', () => {
    it('are the facts of the attempt whose video is shown, and the points of all attempts', async () => {
      const numRuns = runs.tries(15);
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 16 }), async (steps) => {
          await using run = await runs.open({ id: 'q1', question: 'text 0' });
          const row = new Row(run);
          for (const step of steps) await row.play(step);
          const [reported] = await Array.fromAsync(run.checkpoint.reportRows());
          if (reported !== undefined) expectStanding(reported, row);
        }),
        { numRuns },
      );
    });

    it('keeps them where a failed attempt, with another text and quality, follows a good video', async () => {
      await using run = await runs.open({ id: 'q1', question: 'text 0' });
      const row = new Row(run);
      const story: readonly Step[] = [
        { does: 'attempt', ends: 'video', quality: 'h' },
        { does: 'correct', isRemoved: false },
        { does: 'retry' },
        { does: 'attempt', ends: 'video', quality: 'l' },
        { does: 'edit', rerun: false },
        { does: 'correct', isRemoved: true },
        { does: 'retry' },
        { does: 'attempt', ends: 'failed', quality: null },
      ];
      for (const step of story) {
        await row.play(step);
        for (const attempt of [1, 2, null]) {
          await row.play({ does: 'prefer', attempt });
          for await (const reported of run.checkpoint.reportRows()) expectStanding(reported, row);
        }
      }
      expect(row.made.map(({ question }) => question)).toEqual(['text 0', 'corrected 0', 'text 2']);
    });
  });
}
