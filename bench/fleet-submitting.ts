/**
 * Three workers against one, where the service answers at once and its tasks go on. The run has sixteen creations on their way,
 * however many workers it has: one worker keeps them filled, so that more of them are not faster.
 */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bigFile } from './big-file.ts';
import { startService } from './child.ts';
import { connectTo } from './fleet-store.ts';
import { detach, type Fleet, until, Workers } from './fleet-workers.ts';
import { type Figure, inTurns, median, quantity, type Setting } from './table.ts';

const options = ['--poll-interval', '10m', '--concurrency', '10000', '--frames', 'none'];

/** From the first creation to the last (s). */
async function submit(fleet: Fleet, count: number, workers: number): Promise<number> {
  await detach(fleet, bigFile(fleet.folder, count, 'csv'), options);
  const client = await connectTo(fleet.url, fleet.run);
  using _ = new Workers(fleet, workers);
  await until(client, `SELECT 1 FROM sums WHERE status = 'open' AND count = ${count}`);
  const { rows } = await client.query<{ seconds: string }>(
    'SELECT (max(submitted_at) - min(submitted_at)) / 1000.0 AS seconds FROM items',
  );
  await client.end();
  return Number(rows[0]?.seconds);
}

export async function submitting(url: string, setting: Setting): Promise<Figure[]> {
  const count = Math.round(3_000 * setting.scale);
  const folder = join(setting.folder, 'submit');
  mkdirSync(folder);
  await using service = await startService('end-to-end-service.ts', ['open']);
  let number = 0;
  const on = (workers: number): Promise<number> =>
    submit({ url, run: `submit-${number++}`, baseUrl: service.url, folder }, count, workers);
  const { first, second } = await inTurns(
    setting.runs,
    () => on(3),
    () => on(1),
  );
  const [three, one] = [median(first), median(second)];
  return [
    {
      work: `three workers submit ${quantity(count, 'rows')}, the service answers at once`,
      reached: quantity(count / three, 'rows/s'),
      floor: quantity(count / one, 'rows/s (one worker)'),
      ratio: one / three,
      goal: { atLeast: 0.6 },
    },
  ];
}
