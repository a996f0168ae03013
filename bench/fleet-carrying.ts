/** Three workers against one, where the service is the bound: it answers slowly, however much is asked of it. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bigFile } from './big-file.ts';
import { startService } from './child.ts';
import { connectTo } from './fleet-store.ts';
import { detach, type Fleet, until, Workers } from './fleet-workers.ts';
import { type Figure, inTurns, median, quantity, type Setting } from './table.ts';

/** Of every answer of the service, files excepted. A process has at most 16 creations on their way. */
const latencyMs = 1_000;

const options = ['--poll-interval', '1s', '--concurrency', '10000', '--frames', 'none'];

/** From the first creation to the last video (s). */
async function carry(fleet: Fleet, count: number, workers: number): Promise<number> {
  await detach(fleet, bigFile(fleet.folder, count, 'csv'), options);
  const client = await connectTo(fleet.url, fleet.run);
  using _ = new Workers(fleet, workers);
  const done = `SELECT 1 FROM sums WHERE status = 'completed' AND count = ${count}`;
  await until(client, done);
  const { rows } = await client.query<{ seconds: string }>(
    'SELECT (max(ended_at) - min(submitted_at)) / 1000.0 AS seconds FROM items',
  );
  await client.end();
  return Number(rows[0]?.seconds);
}

export async function carrying(url: string, setting: Setting): Promise<Figure[]> {
  const count = Math.round(1_920 * setting.scale);
  const folder = join(setting.folder, 'carry');
  mkdirSync(folder);
  await using service = await startService('end-to-end-service.ts', [String(latencyMs)]);
  let number = 0;
  const on = (workers: number): Promise<number> => {
    const fleet = { url, run: `carry-${number++}`, baseUrl: service.url, folder };
    return carry(fleet, count, workers);
  };
  const { first, second } = await inTurns(
    setting.runs,
    () => on(3),
    () => on(1),
  );
  const [three, one] = [median(first), median(second)];
  return [
    {
      work: `three workers carry ${quantity(count, 'rows')}, the service answers in 1 s`,
      reached: quantity(count / three, 'rows/s'),
      floor: quantity(count / one, 'rows/s (one worker)'),
      ratio: one / three,
      goal: { atLeast: 2.5 },
    },
  ];
}
