/**
 * `npm run night`: everything, in its long form and with cases that nobody has seen. `npm run night -- fleet` plays the files whose path holds
 * `fleet`; `BATCH_TEST_NIGHT=SEED` plays the cases of an earlier night again.
 */

import { spawnSync } from 'node:child_process';

const seed = process.env.BATCH_TEST_NIGHT ?? String(Date.now() % 1_000_000_000);
process.stdout.write(`night ${seed}\n`);
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...['pure', 'test', 'proof', 'night'].flatMap((tier) => ['--project', tier]),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', env: { ...process.env, BATCH_TEST_NIGHT: seed } },
);
process.exitCode = status ?? 1;
