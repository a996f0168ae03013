/**
 * As many questions as the test part of GSM8K has, three workers and a bucket; one worker is killed every ten seconds,
 * PostgreSQL twice. At the end the bucket is read again by rclone.
 */

import { expect, it } from 'vitest';
import { Dice } from '../sim/dice.ts';
import { openFleet, type Seat } from '../support/fleet.ts';
import { bucketOutputs } from '../support/fleet-outputs.ts';
import { nightSeed } from '../support/nightly.ts';
import { missingSwift, startSwift } from '../support/swift.ts';
import { gsm8kCount } from '../support/word-problems.ts';

const killEveryMs = 10_000;
const rowCount = gsm8kCount;

const missing = missingSwift();
const name = `carries ${rowCount} questions into a bucket while workers and PostgreSQL are killed`;

it.skipIf(missing !== '')(
  `${name}${missing && ` (apt-get install ${missing})`}`,
  {
    timeout: 1_800_000,
  },
  async () => {
    const dice = new Dice(nightSeed, 'end');
    await using swift = await startSwift();
    await swift.createBucket('videos');
    await using fleet = await openFleet({
      rows: rowCount,
      concurrency: 100,
      poll: '1s',
      service: ['--duration', '3s', '--fault', 'slow=2%'],
      outputs: bucketOutputs(swift, 'videos'),
    });
    const more = ['--drain', '--request-timeout', '10s'];
    await fleet.openSeats(3, ...more);
    let [kills, storeKills] = [0, 0];
    let killAt = Date.now() + killEveryMs;
    await fleet.until(async () => {
      const { pending = 0, open = 0, downloading = 0, completed = 0 } = await fleet.counts();
      if (storeKills < 2 && completed > ((storeKills + 1) * rowCount) / 3) {
        storeKills += 1;
        await fleet.postgres.kill();
        await fleet.postgres.start();
      }
      if (Date.now() >= killAt) {
        killAt += killEveryMs;
        const seat = dice.pick(fleet.seats as [Seat, ...Seat[]]);
        if ((await seat.kill())?.signal === 'SIGKILL') kills += 1;
        seat.start(...more);
      }
      return pending + open + downloading === 0;
    });
    await fleet.drain('--request-timeout', '10s');
    expect(storeKills).toBe(2);
    expect(kills).toBeGreaterThan(2);
    expect(await fleet.allFlaws()).toEqual([]);
    expect(fleet.outputs.text('report.jsonl').split('\n')).toHaveLength(rowCount + 1);
    const { completed = 0, uncertain = 0 } = await fleet.counts();
    expect(completed + uncertain).toBe(rowCount);
    // No worker ended otherwise than by a kill or because nothing was left, or found no server when it began.
    for (const { code, signal, stderr } of fleet.seats.flatMap(({ endings }) => endings)) {
      const isTurnedAway =
        code === 4 && /does not answer .*\n$/.test(stderr) && stderr.split('\n').length === 2;
      if (!isTurnedAway) expect([0, 5, 'SIGKILL'], stderr).toContain(code ?? signal);
    }
  },
);
