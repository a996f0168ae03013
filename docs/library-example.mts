/** Makes a video of every question in a file: `node library-example.mts FILE`. */

import { BatchError, runBatch } from 'batch-video';

const input = process.argv[2] ?? 'questions.csv';

try {
  // A rehearsal: no account, no points. Without `simulate`, BATCH_BASE_URL and BATCH_API_KEY are needed.
  const run = runBatch({ input, out: 'videos', simulate: true });
  for await (const event of run) {
    if (event.type === 'plan') console.log(`${event.toSubmit} of ${event.rows} rows to submit`);
    if (event.type === 'row' && event.status === 'completed') console.log(`${event.id}: ${event.video}`);
    if (event.type === 'row' && event.failure !== null) console.log(`${event.id}: ${event.failure}`);
    if (event.type === 'warning') console.warn(event.text);
  }
  const { statuses, rows, points, exitCode } = await run.summary;
  console.log(`${statuses.completed} of ${rows} rows have their video; ${points.spent} points spent`);
  process.exitCode = exitCode;
} catch (error) {
  if (!(error instanceof BatchError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = error.exitCode;
}
