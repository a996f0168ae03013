/** `batch export` by hard link, against a bare loop of links. */

import { closeSync, ftruncateSync, futimesSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { bigFile } from './big-file.ts';
import { runNode, type Usage } from './child.ts';
import { makeRows } from './made-rows.ts';
import { type Bench, type Figure, median, quantity } from './table.ts';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

/** Gives each completed row a video of the length that the checkpoint knows, without bytes; returns the paths. */
function makeVideos(out: string): string[] {
  using db = Object.assign(new Database(join(out, 'batch.sqlite')), {
    [Symbol.dispose]: () => void db.close(),
  });
  const videos = db
    .prepare<[], { path: string; size: number }>(
      "SELECT path, size_bytes AS size FROM artifacts WHERE kind = 'video' ORDER BY item",
    )
    .all();
  for (const { path, size } of videos) {
    mkdirSync(join(out, dirname(path)), { recursive: true });
    const file = openSync(join(out, path), 'w');
    ftruncateSync(file, size);
    // A younger file would be read, because a run may be replacing it.
    futimesSync(file, 1e9, 1e9);
    closeSync(file);
  }
  return videos.map(({ path }) => path);
}

export const exports: Bench = async ({ folder, scale, runs }): Promise<Figure[]> => {
  const rows = 10_000 * scale;
  const out = join(folder, 'export-run');
  await runNode({ file: 'ingest-ours.ts', args: [bigFile(folder, rows, 'csv'), out] });
  makeRows(join(out, 'batch.sqlite'));
  const videos = makeVideos(out);
  const list = join(folder, 'export-list.txt');
  writeFileSync(list, videos.join('\n'));
  const first: Usage[] = [];
  const again: Usage[] = [];
  const floor: Usage[] = [];
  const named = ['--name', '{chapter}/{id} {title}'];
  for (let run = 0; run < runs; run += 1) {
    // Folders of their own: removing thousands of files makes new ones slow for minutes.
    const to = join(folder, `export-${run}`);
    const line = ['export', out, '--to', to, '--link', ...named];
    floor.push(await runNode({ file: 'export-floor.ts', args: [out, list, `${to}-floor`] }));
    first.push(await runNode({ file: program, args: line }));
    again.push(await runNode({ file: program, args: line }));
  }
  for (const name of ['export-run', ...first.flatMap((_, run) => [`export-${run}`, `export-${run}-floor`])])
    rmSync(join(folder, name), { recursive: true, force: true });
  const wall = (usages: readonly Usage[]): number => median(usages.map(({ wallMs }) => wallMs));
  const cpu = (usages: readonly Usage[]): number => median(usages.map(({ cpuMs }) => cpuMs));
  const bare = wall(floor);
  const figure = (work: string, usages: readonly Usage[], goal: Figure['goal']): Figure[] => [
    {
      work: `\`export\` of ${quantity(videos.length, 'videos')} by hard link${work} (s)`,
      reached: quantity(wall(usages) / 1_000, 's'),
      floor: '',
      ratio: wall(usages) / 1_000,
      goal,
    },
    {
      work: `the same against a bare loop of links${work}`,
      reached: quantity(wall(usages), 'ms'),
      floor: quantity(bare, 'ms'),
      ratio: wall(usages) / bare,
      goal: null,
    },
    {
      work: `processor time${work}`,
      reached: quantity(cpu(usages), 'ms'),
      floor: quantity(cpu(floor), 'ms'),
      ratio: cpu(usages) / cpu(floor),
      goal: null,
    },
  ];
  return [...figure('', first, { atMost: 2 }), ...figure(', typed again', again, { atMost: 2 })];
};
