/** The numbers of a run as the node exporter of Prometheus reads them. */

import { expect, test } from 'vitest';
import { createLedger } from '../../src/money/summary.ts';
import { isMetricsOf, renderMetrics } from '../../src/reports/metrics-text.ts';

test('every number has its meaning, its type and the name of the run', () => {
  const ledger = createLedger();
  ledger.counts.completed = 12;
  ledger.counts.open = 3;
  ledger.spent = 120.5;
  ledger.largestPoints.set('m', 10);
  ledger.reserving.set('m', 3);
  const text = renderMetrics({
    run: 'al"g\\\n',
    id: '0123456789abcdef',
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
  const [first, ...lines] = text.trimEnd().split('\n');
  expect(first).toBe('# batch 0123456789abcdef');
  for (const line of lines) expect(line).toMatch(/^(# (HELP|TYPE) batch_\w+ .+|batch_\w+\{.*\} [\d.]+)$/);
});

test('an unknown price is left out, not taken for 0', () => {
  const ledger = createLedger();
  ledger.counts.open = 1;
  ledger.reserving.set('m', 1);
  const text = renderMetrics({ run: 'a', id: 'b', ledger, held: {}, polls: 0, downloads: 0, workers: 1 });
  expect(text).not.toMatch(/^batch_points_reserved/m);
});

test('a file of metrics is known by the id of its run', () => {
  const metrics = { ledger: createLedger(), held: {}, polls: 0, downloads: 0, workers: 1 };
  const text = renderMetrics({ run: '/srv/a"b', id: '01', ...metrics });
  expect(isMetricsOf('01', text)).toBe(true);
  for (const other of ['', 'id,question\n', '# batch 0\n', text.slice(text.indexOf('\n') + 1)])
    expect(isMetricsOf('01', other)).toBe(false);
  expect(isMetricsOf('02', text)).toBe(false);
});
