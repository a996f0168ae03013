import { expect, test } from 'vitest';
import { statuses } from '../../src/money/item.ts';
import { createLedger } from '../../src/money/summary.ts';
import { renderStatusJson } from '../../src/reports/status-json.ts';

test('every status is a key, and all rows are counted', () => {
  const ledger = createLedger();
  ledger.counts.completed = 3;
  ledger.counts.open = 2;
  ledger.spent = 30.000000001;
  ledger.largestPoints.set('m', 10);
  ledger.reserving.set('m', 2);
  const status = renderStatusJson(ledger, './videos');
  expect(status).toMatchObject({ rows: 5, points: { spent: 30, reserved: 20 }, out: './videos' });
  expect(Object.keys(status.statuses)).toEqual([...statuses]);
  expect(status.statuses).toMatchObject({ completed: 3, open: 2, failed: 0 });
});

test('what is reserved is null while no price is known', () => {
  const ledger = createLedger();
  ledger.counts.uncertain = 1;
  ledger.reserving.set('h', 1);
  expect(renderStatusJson(ledger, 'x').points).toEqual({ spent: 0, reserved: null });
});
