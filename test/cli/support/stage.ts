/** A working folder, a scripted service and the program, put together for one test and removed after it. */

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { checkedFile } from '../../support/written.ts';
import { type Ending, type Running, type Surroundings, startProgram } from './program.ts';
import { apiKey, type Script, type ScriptedService, startService } from './scripted-service.ts';

type More = Partial<Surroundings>;

/** One line of `report.csv`, by column. */
type ReportRecord = Readonly<Record<string, string>>;

export interface Stage extends AsyncDisposable {
  /** The working folder of the program. */
  readonly folder: string;
  readonly service: ScriptedService;
  /** Writes a file into the working folder. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
  /** Paths of all files below a folder of the working folder, with `/`; none where there is no folder. */
  list(name: string): Promise<string[]>;
  /** Starts `batch ARGS`, which knows the scripted service. */
  start(args: readonly string[], more?: More): Running;
  /** `batch ARGS` to its end. */
  batch(args: readonly string[], more?: More): Promise<Ending>;
  /** `report.csv` of `./videos`. */
  report(): Promise<ReportRecord[]>;
  /** Number, id and status of each row of `report.csv`, in its order. */
  lines(): Promise<string[]>;
  /** Status of each row in `report.csv`, by id. */
  statuses(): Promise<Record<string, string>>;
}

/** Opens a stage; without a script the service makes every video at once. */
export async function openStage(script: Script = {}): Promise<Stage> {
  const folder = await temporaryFolder();
  const service = await startService(script);
  const programs: Running[] = [];
  const env = { BATCH_BASE_URL: service.url, BATCH_API_KEY: apiKey };

  const start: Stage['start'] = (args, more = {}) => {
    const program = startProgram(args, { cwd: folder.path, ...more, env: { ...env, ...more.env } });
    programs.push(program);
    return program;
  };
  const read: Stage['read'] = async (name) =>
    checkedFile(name, await readFile(join(folder.path, name), 'utf8'));
  const report = async (): Promise<ReportRecord[]> =>
    parse(await read('videos/report.csv'), { bom: true, columns: true });

  return {
    folder: folder.path,
    service,
    async write(name, content) {
      await mkdir(dirname(join(folder.path, name)), { recursive: true });
      await writeFile(join(folder.path, name), content);
    },
    read,
    remove: (name) => rm(join(folder.path, name)),
    async list(name) {
      const entries = await readdir(join(folder.path, name), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) =>
          relative(join(folder.path, name), join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
        )
        .sort();
    },
    start,
    batch: (args, more) => start(args, more).ended,
    report,
    async lines() {
      return (await report()).map(({ row, id, status }) => `${row} ${id} ${status}`);
    },
    async statuses() {
      return Object.fromEntries((await report()).map(({ id = '', status = '' }) => [id, status]));
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) program.kill('SIGKILL');
      await Promise.all(programs.map((program) => program.ended));
      await service[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A stage with one row, `a`. */
export async function openOne(script: Script): Promise<Stage> {
  const stage = await openStage(script);
  await stage.write('q.csv', questions('a'));
  return stage;
}

/** `run FILE` with a quick tick. */
export function runLine(file: string, ...more: readonly string[]): string[] {
  return ['run', file, '--poll-interval', '100ms', ...more];
}

/** A CSV file of rows with these ids; the question of row `a` is `Question a`. */
export function questions(...ids: readonly string[]): string {
  return ['id,question', ...ids.map((id) => `${id},Question ${id}`), ''].join('\n');
}

/** The path of a file in `samples/`. */
export function sample(name: string): string {
  return fileURLToPath(new URL(`../../../samples/${name}`, import.meta.url));
}
