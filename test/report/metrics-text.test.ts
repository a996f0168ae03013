/** The numbers of a run as the node exporter of Prometheus reads them. */

import { expect, test } from 'vitest';
import { createLedger } from '../../src/core/summary.ts';
import { renderMetrics } from '../../src/report/metrics-text.ts';

test('every number has its meaning, its type and the name of the run', () => {
  const ledger = createLedger();
  ledger.counts.completed = 12;
  ledger.counts.open = 3;
  ledger.spent = 120.5;
  ledger.largestPoints.set('m', 10);
  ledger.reserving.set('m', 3);
  const text = renderMetrics({
    run: 'al"g\\\n',
    ledger,
    held: { open: 2 },
    polls: 7,
    downloads: 4,
    workers: 3,
  });
  expect(text).toContain('batch_rows{run="al\\"g\\\\\\n",status="completed"} 12\n');
  expect(text).toContain('batch_points_spent{run="al\\"g\\\\\\n"} 120.5\n');
  expect(text).toContain('batch_points_reserved{run="al\\"g\\\\\\n"} 30\n');
  expect(text).toContain('batch_open_tasks{run="al\\"g\\\\\\n"} 2\n');
  expect(text).toMatch(/# TYPE batch_polls_total counter\nbatch_polls_total\{.*\} 7\n/);
  expect(text).toMatch(/\nbatch_downloads_total\{.*\} 4\n/);
  expect(text).toMatch(/\nbatch_workers\{.*\} 3\n$/);
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) batch_\w+ .+|batch_\w+\{.*\} [\d.]+)$/);
});

test('an unknown price is left out, not taken for 0', () => {
  const ledger = createLedger();
  ledger.counts.open = 1;
  ledger.reserving.set('m', 1);
  const text = renderMetrics({ run: 'a', ledger, held: {}, polls: 0, downloads: 0, workers: 1 });
  expect(text).not.toMatch(/^batch_points_reserved/m);
});
