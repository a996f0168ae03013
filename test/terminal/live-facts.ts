/** A run as the live block shows it, for tests. */

import type { Status } from '../../src/money/item.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { createLedger, type Ledger } from '../../src/money/summary.ts';
import type { LiveFacts } from '../../src/terminal/live-block.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { folderWords } from '../../src/text/run-words.ts';
import { frameOf, itemIn } from '../money/lives.ts';

export const now = new Date(2026, 2, 3, 13, 20).getTime();

export function ledgerOf(counts: Partial<Record<Status, number>>, spent = 0, price = 10): Ledger {
  const ledger = createLedger();
  Object.assign(ledger.counts, counts);
  ledger.spent = spent;
  ledger.reserving.set('m', ledger.counts.open);
  if (price > 0) ledger.largestPoints.set('m', price);
  return ledger;
}

const openItem = (id: string, ageMs: number, frames: number) =>
  itemIn('open', {
    id,
    submittedAt: now - ageMs,
    artifacts: Array.from({ length: frames }, (_, at) => frameOf({ ordinal: at + 1 })),
  });

/** A run in its middle; a part of it may be other. */
export function factsOf(part: Partial<LiveFacts> = {}): LiveFacts {
  return {
    view: {
      ledger: ledgerOf(
        { completed: 1_204, open: 50, downloading: 3, failed: 11, rejected: 2, pending: 1_730 },
        12_040,
      ),
      policy: { ...defaultPolicy, concurrency: 50 },
      concurrency: 50,
      toSubmit: 1_730,
      obstacle: null,
    },
    forecast: { taskMs: 41_000, leftMs: 4_300_000, totalPoints: 29_840, hasOwnTasks: true, stop: null },
    slowest: [
      openItem('q-0017', 724_000, 3),
      openItem('题目-三角形的斜边与直角边之间的关系', 591_000, 1),
      openItem('q-0021', 41_000, 0),
    ],
    failures: [
      itemIn('failed', { id: 'q-0031', failure: '视频生成失败：题目内容无法识别，请检查题目内容后重试' }),
      itemIn('rejected', { id: '题目-不等式', failure: 'the question is too long: 20,000 letters at most' }),
    ],
    words: folderWords('./videos'),
    say: english,
    crew: null,
    startedAt: now - 1_924_000,
    now,
    ...part,
  };
}
