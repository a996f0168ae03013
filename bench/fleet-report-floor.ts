/** The columns of `report.csv`, as near as SQL comes to them, by COPY, as `\copy` of psql does it: `FOLDER URL RUN`. */

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import copyStreams from 'pg-copy-streams';
import { connectTo } from './fleet-store.ts';
import { report } from './reporting.ts';

const [out = '', url = '', run = ''] = process.argv.slice(2);
const time = (ms: string): string =>
  `to_char(to_timestamp(${ms} / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const statement = `
  SELECT CASE WHEN gone = 0 THEN row END AS row, id, status,
    (SELECT sum(points) FROM attempts WHERE item = key) AS points, input::json ->> 'question' AS question,
    coalesce(quality, nullif(input::json ->> 'quality', ''), 'm') AS quality, title,
    (SELECT path FROM artifacts WHERE item = key AND kind = 'video' AND state = 'saved') AS video,
    (SELECT count(*) FROM artifacts WHERE item = key AND kind = 'frame' AND state = 'saved') AS frames,
    failure, task_id, created_at, finish_at, ${time('submitted_at')} AS submitted_at,
    extract(epoch FROM finish_at::timestamptz - created_at::timestamptz) AS seconds,
    (SELECT count(*) FROM attempts WHERE item = key) AS attempts, input::json ->> 'answer' AS answer,
    input::json ->> 'chapter' AS "input.chapter"
  FROM items JOIN questions ON item = key ORDER BY gone, items.row`;

const client = await connectTo(url, run);
const startedAt = performance.now();
await pipeline(
  client.query(copyStreams.to(`COPY (${statement}) TO STDOUT WITH (FORMAT csv, HEADER)`)),
  createWriteStream(join(out, 'floor.csv')),
);
report('ms', performance.now() - startedAt);
await client.end();
