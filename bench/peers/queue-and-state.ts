/**
 * p-queue, fetch and a state file, as one would write it in an afternoon: `FILE.jsonl FOLDER BASE_URL`. Keeps state: a JSON
 * file of all rows, written anew on each change, by which the same line again goes on. Nothing is synced, and a creation
 * that was on its way when it was killed is paid for again.
 */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';

const [file = '', out = '', baseUrl = ''] = process.argv.slice(2);
const authorization = 'Bearer benchmark';

interface Row {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

interface Saved {
  readonly taskId: string;
  readonly isDone: boolean;
}

mkdirSync(out, { recursive: true });
const stateFile = join(out, 'state.json');
const state: Record<string, Saved> = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};

function save(name: string, saved: Saved): void {
  state[name] = saved;
  writeFileSync(`${stateFile}.tmp`, JSON.stringify(state));
  renameSync(`${stateFile}.tmp`, stateFile);
}

async function ask(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`HTTP ${response.status} for ${url}`);
  return response;
}

async function create({ question, answer }: Row): Promise<string> {
  const response = await ask(`${baseUrl}/api/gen_video`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ question, answer }),
  });
  const { data } = (await response.json()) as { data: { task_id: string } };
  return data.task_id;
}

interface Answer {
  readonly status: string;
  readonly result: readonly { readonly content: string }[];
  readonly progress: readonly { readonly image: string }[];
}

async function completed(taskId: string): Promise<Answer> {
  while (true) {
    const response = await ask(`${baseUrl}/api/get_status/${taskId}`, { headers: { authorization } });
    const { data } = (await response.json()) as { data: Answer };
    if (data.status === 'FAILED') throw new Error(`${taskId} failed`);
    if (data.status === 'COMPLETED') return data;
    await new Promise((done) => setTimeout(done, 30_000));
  }
}

async function download(url: string | undefined, path: string): Promise<void> {
  const response = await ask(url ?? '');
  await writeFile(path, new Uint8Array(await response.arrayBuffer()));
}

async function makeVideo(name: string, row: Row): Promise<void> {
  if (state[name]?.isDone) return;
  const taskId = state[name]?.taskId ?? (await create(row));
  save(name, { taskId, isDone: false });
  const answer = await completed(taskId);
  const folder = join(out, name);
  mkdirSync(join(folder, 'frames'), { recursive: true });
  await Promise.all([
    download(answer.result[0]?.content, join(folder, 'video.mp4')),
    ...answer.progress.map(({ image }, index) =>
      download(image, join(folder, 'frames', `00${index + 1}.png`)),
    ),
  ]);
  await writeFile(join(folder, 'task.json'), JSON.stringify(answer));
  save(name, { taskId, isDone: true });
}

const queue = new PQueue({ concurrency: 64 });
const rows = readFileSync(file, 'utf8').trimEnd().split('\n');
await Promise.all(
  rows.map((line, index) => {
    const row = JSON.parse(line) as Row;
    return queue.add(() => makeVideo(row.id || `row-${index + 1}`, row));
  }),
);
