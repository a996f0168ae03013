import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSentTexts } from '../../src/money/sent-question.ts';
import { reportLine } from '../../src/reports/columns.ts';
import { eventOf, move } from '../money/lives.ts';
import { openTrial, type Trial } from '../support/virtual-run.ts';

const row = { id: 'q1', question: '1 + 1' };

/** What `batch retry` saves first. */
async function correct({ item, reviews }: Trial, question: string): Promise<void> {
  const { key, attempt } = await item('q1');
  const texts = { question, answer: null, ofQuestion: row.question, ofAnswer: '' };
  await reviews.correct(new Map([[key, { ...texts, since: attempt + 1 }]]));
}

/** What it saves then. */
async function order({ item, checkpoint }: Trial): Promise<void> {
  const before = await item('q1');
  await checkpoint.commit([{ before, after: move(before, eventOf('retry-ordered')).item }]);
}

const sent = ({ tasks }: Trial): readonly string[] => tasks.creations.map(({ question }) => question);

async function reported({ checkpoint }: Trial): Promise<readonly string[]> {
  return (await Array.fromAsync(checkpoint.reportRows())).map((each) => reportLine(each).question);
}

/** What the next attempt sends, or the last one sent. */
async function sendable({ checkpoint }: Trial): Promise<readonly string[]> {
  return (await Array.fromAsync(checkpoint.reportRows())).map((each) => readSentTexts(each).question);
}

it('a corrected row is sent with its corrected text once, whichever process sends it', async () => {
  await using trial = await openTrial([row]);
  await trial.run();
  await correct(trial, '7 + 1');
  // A process that dies here has ordered nothing.
  await trial.run();
  expect([sent(trial), await reported(trial)]).toEqual([['1 + 1'], ['1 + 1']]);
  await order(trial);
  // The video that is shown was made of the first text until the next one is there.
  expect([await reported(trial), await sendable(trial)]).toEqual([['1 + 1'], ['7 + 1']]);
  await trial.run();
  expect([sent(trial), await reported(trial)]).toEqual([['1 + 1', '7 + 1'], ['7 + 1']]);
  expect(await trial.item('q1')).toMatchObject({ status: 'completed', attempt: 2 });
});

it('a row that was corrected before it was ever sent is sent with that text alone', async () => {
  await using trial = await openTrial([row]);
  await correct(trial, '7 + 1');
  expect(await reported(trial)).toEqual(['7 + 1']);
  await trial.ingest(row);
  await trial.run();
  expect([sent(trial), await reported(trial)]).toEqual([['7 + 1'], ['7 + 1']]);
});

it('the next attempt has the text of the file where that has changed since', async () => {
  await using trial = await openTrial([row]);
  await trial.run();
  await correct(trial, '7 + 1');
  await trial.ingest({ ...row, question: '2 + 2' });
  await order(trial);
  await trial.run();
  expect([sent(trial), await reported(trial)]).toEqual([['1 + 1', '2 + 2'], ['2 + 2']]);
});

it('a corrected row is never paid for again by a run with the same file, nor by one with its columns moved', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), fc.boolean(), async (text, isSentFirst) => {
      await using trial = await openTrial([row]);
      await trial.run();
      await correct(trial, text);
      await order(trial);
      if (isSentFirst) await trial.run();
      await trial.ingest(row);
      await trial.run();
      await trial.ingest({ question: row.question, id: row.id, note: 'new' });
      await trial.run();
      expect(sent(trial)).toEqual(['1 + 1', text]);
    }),
    { numRuns: 10 },
  );
});
