import { expect, test } from 'vitest';
import { compareVideos } from '../../../src/features/inspect/compare-videos.ts';
import type { Finding } from '../../../src/money/inspection/inspection.ts';
import type { ReportRow } from '../../../src/stores/port/reading.ts';
import type { Inspections } from '../../../src/stores/port/reviews.ts';
import { artifactOf, rowOf } from '../../reports/report-rows.ts';

const unreadable = { container: 'unreadable', playback: null, findings: [] } as const;
const unread = { container: null, playback: null, findings: [] };

function rowWith(id: string, key: number, sha256: string, part: Partial<ReportRow> = {}): ReportRow {
  const input = { id, question: `What is ${id}?` };
  return rowOf({ id, key, title: null, artifacts: [artifactOf({ sha256 })] }, { input, ...part });
}

async function compare(...rows: readonly ReportRow[]) {
  const saved: Record<string, readonly Finding[]> = {};
  const inspections: Pick<Inspections, 'saveFindings'> = {
    async saveFindings(found) {
      for (const { sha256, findings } of found) saved[sha256] = findings;
    },
  };
  const checkpoint = {
    async *reportRows() {
      yield* rows;
    },
    itemWithKey: async (key: number) => rows.find(({ item }) => item.key === key)?.item ?? null,
  };
  const suspects = await compareVideos(checkpoint, inspections as Inspections);
  return { saved, ...suspects };
}

test('videos that somebody looked into are compared, and what is found is saved with them', async () => {
  const found = await compare(
    rowWith('q1', 1, 'a1', { inspection: unreadable }),
    rowWith('q2', 2, 'b2', { inspection: unread }),
    rowWith('q3', 3, 'b2', { inspection: unread }),
    rowWith('q4', 4, 'c3', { inspection: unread }),
    rowWith('q5', 5, 'd4'),
    rowOf({ id: 'q6', key: 6, artifacts: [] }, { inspection: unread }),
  );
  expect(found).toEqual({
    saved: { a1: [{ code: 'unreadable' }], b2: [{ code: 'same-file', rows: ['q2', 'q3'] }], c3: [] },
    videos: 4,
    suspects: 3,
    reasons: [
      { code: 'unreadable', count: 1, ids: ['q1'] },
      { code: 'same-file', count: 2, ids: ['q2', 'q3'] },
    ],
  });
});

test('a frame that was given up counts, and only a few ids are named', async () => {
  const frame = artifactOf({ kind: 'frame', ordinal: 1, path: null, sha256: null, state: 'missing' });
  const rows = ['a', 'b', 'c', 'd'].map((id, at) => {
    const row = rowWith(id, at + 1, `${at}${id}`, { inspection: unread });
    return { ...row, item: { ...row.item, artifacts: [...row.item.artifacts, frame] } };
  });
  expect((await compare(...rows)).reasons).toEqual([
    { code: 'frames-missing', count: 4, ids: ['a', 'b', 'c'] },
  ]);
});

test('nothing is saved where nobody looked', async () => {
  expect(await compare(rowWith('q1', 1, 'a1'))).toEqual({ saved: {}, videos: 0, suspects: 0, reasons: [] });
});
