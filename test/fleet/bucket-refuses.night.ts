/** A bucket that refuses in the middle of a run: what was paid for waits at the service, and is fetched when the bucket is mended. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ending } from '../cli/support/program.ts';
import { openFleet } from '../support/fleet.ts';
import { bucketOutputs } from '../support/fleet-outputs.ts';
import { type Gate, openGate } from '../support/s3-gate.ts';
import { missingSwift, type Swift, startSwift } from '../support/swift.ts';

const rows = 30;
const missing = missingSwift();

interface Refusal {
  readonly name: string;
  /** What the user reads. */
  readonly says: RegExp;
  refuse(bucket: string): Promise<void>;
  mend(bucket: string): Promise<void>;
}

describe.skipIf(missing !== '')(
  `a bucket that refuses in the middle of a run${missing && ` (apt-get install ${missing})`}`,
  () => {
    let swift: Swift;
    let gate: Gate;

    beforeAll(async () => {
      swift = await startSwift();
      gate = await openGate(swift.endpoint);
    });
    afterAll(async () => {
      await gate[Symbol.asyncDispose]();
      await swift[Symbol.asyncDispose]();
    });
    beforeEach(() => gate.judge(() => null));

    const answered = (status: number, code: string): Pick<Refusal, 'refuse' | 'mend'> => ({
      refuse: async () => gate.judge(() => ({ status, code })),
      mend: async () => gate.judge(() => null),
    });
    const cases: readonly Refusal[] = [
      {
        name: 'key-revoked',
        says: /the credentials are missing, wrong or expired \(InvalidAccessKeyId, HTTP 403\); renew them/,
        ...answered(403, 'InvalidAccessKeyId'),
      },
      {
        name: 'no-rights',
        says: /the bucket refused \(AccessDenied, HTTP 403\); check the credentials/,
        ...answered(403, 'AccessDenied'),
      },
      {
        name: 'disk-full',
        says: /the bucket is full \(InsufficientStorage, HTTP 507\); free space or raise its quota/,
        ...answered(507, 'InsufficientStorage'),
      },
      {
        name: 'quota',
        says: /the bucket is full \(.*HTTP 4\d\d\); free space or raise its quota/,
        refuse: (bucket) => swift.createBucket(bucket, 1),
        mend: (bucket) => swift.createBucket(bucket, 2 ** 30),
      },
    ];

    it.each(cases)(
      '($name) ends the workers with exit code 4 and one line, and is filled when it is mended',
      { timeout: 600_000 },
      async ({ name, says, refuse, mend }) => {
        const saysWhy = ({ code, stderr }: Ending): void => {
          expect(code, stderr).toBe(4);
          expect(stderr).toMatch(says);
          expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
          expect(stderr).not.toContain('SECRETKEY');
        };
        await swift.createBucket(name);
        await using fleet = await openFleet({
          rows,
          concurrency: 6,
          poll: '300ms',
          service: ['--duration', '1s'],
          outputs: bucketOutputs(swift, name, gate.endpoint),
        });
        await fleet.openSeats(2, '--drain');
        const hasEnded = (): boolean => fleet.seats.every(({ isRunning }) => !isRunning);
        await fleet.until(async () => ((await fleet.counts()).completed ?? 0) > 3 || hasEnded());
        await refuse(name);
        await fleet.until(hasEnded);
        for (const ending of fleet.seats.flatMap(({ endings }) => endings)) saysWhy(ending);
        expect(await fleet.moneyFlaws()).toEqual([]);
        const { accepted } = await fleet.ledger();
        expect(accepted).toBeLessThan(rows);
        expect((await fleet.counts()).completed).toBeLessThan(accepted);

        // Nothing is paid for while its video could not be kept.
        saysWhy(await fleet.batch('worker', '--drain', '--quiet'));
        expect((await fleet.ledger()).accepted).toBe(accepted);

        await mend(name);
        await fleet.drain();
        expect(await fleet.allFlaws()).toEqual([]);
        expect(await fleet.counts()).toMatchObject({ completed: rows });
        expect((await fleet.ledger()).accepted).toBe(rows);
      },
    );
  },
);
