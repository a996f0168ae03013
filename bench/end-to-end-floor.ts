/**
 * What a run costs at least: the same requests, files, digests and syncs, 64 items at once, and no state at all; whoever
 * kills it pays for everything again. `FILE FOLDER BASE_URL`.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { type Dispatcher, Pool } from 'undici';
import { report } from './reporting.ts';

const [file = '', out = '', baseUrl = ''] = process.argv.slice(2);
const atOnce = 64;
const origin = new URL(baseUrl).origin;
// As many connections as the program has: more of them would only wait for the disk.
const api = new Pool(origin, { connections: 32 });
const hosts = new Pool(origin, { connections: 8 });
const authorization = 'Bearer benchmark';

interface Row {
  readonly id: string;
  readonly [column: string]: string;
}

/** `dispatch` with a handler of one's own is the quickest that undici has. */
function ask(pool: Pool, options: Dispatcher.DispatchOptions): Promise<Buffer> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let code = 0;
    pool.dispatch(options, {
      onRequestStart() {},
      onResponseStart(_, status) {
        code = status;
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        if (code === 200) done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
        else fail(new Error(`HTTP ${code} for ${options.path}`));
      },
      onResponseError: (_, error) => fail(error),
    });
  });
}

async function askForJson(options: Omit<Dispatcher.DispatchOptions, 'origin'>) {
  return JSON.parse(String(await ask(api, options))).data;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

async function save(folder: string, name: string, bytes: Buffer): Promise<void> {
  const handle = await open(join(folder, `${name}.part`), 'wx');
  await handle.write(bytes);
  await handle.sync();
  await handle.close();
  await rename(join(folder, `${name}.part`), join(folder, name));
  await syncFolder(folder);
}

async function download(url: string, folder: string, name: string): Promise<void> {
  const { pathname, search } = new URL(url);
  const bytes = await ask(hosts, { path: pathname + search, method: 'GET' });
  createHash('sha256').update(bytes).digest('hex');
  await save(folder, name, bytes);
}

async function carryOut({ id, question, answer }: Row): Promise<void> {
  const { task_id } = await askForJson({
    path: '/api/gen_video',
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ question, answer }),
  });
  const path = `/api/get_status/${task_id}`;
  const { status, result, progress, consumption, title, created_at, finish_at } = await askForJson({
    path,
    method: 'GET',
    headers: { authorization },
  });
  if (status !== 'COMPLETED') throw new Error(`${task_id} is ${status}`);
  const folder = join(out, id);
  const frames = join(folder, 'frames');
  await mkdir(folder);
  await syncFolder(out);
  await mkdir(frames);
  await syncFolder(folder);
  const links: string[] = progress.map(({ image }: { image: string }) => image);
  await Promise.all([
    download(result[0].content, folder, 'video.mp4'),
    ...links.map((url, index) => download(url, frames, `00${index + 1}.png`)),
  ]);
  const task = { id, task_id, status, title, created_at, finish_at, points: consumption[0].value };
  await save(folder, 'task.json', Buffer.from(JSON.stringify(task, null, 2)));
}

await mkdir(out, { recursive: true });
const rows: Row[] = [];
for await (const row of createReadStream(file).pipe(parse({ columns: true }))) rows.push(row);
const left = rows.entries();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const [index, row] of left) await carryOut({ ...row, id: row.id || `row-${index + 1}` });
  }),
);
report('items', rows.length);
await Promise.all([api.close(), hosts.close()]);
