/** A working folder with a file of questions, a scripted service, and runs that a program starts. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BatchEvent, BatchRun, RunOptions } from '../../src/index.ts';
import { apiKey, type Script, type ScriptedService, startService } from '../cli/support/scripted-service.ts';
import { questions } from '../cli/support/stage.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { reportLines } from '../support/written.ts';

export interface LibraryStage extends AsyncDisposable {
  readonly folder: string;
  readonly service: ScriptedService;
  /** A run of the rows `a`, `b` and `c`. */
  readonly options: RunOptions & { readonly out: string };
  write(name: string, text: string): Promise<string>;
  /** The lines of `report.jsonl`. */
  report(): Promise<Readonly<Record<string, unknown>>[]>;
}

/** Opens a stage; without a script the service makes every video at once. */
export async function openLibraryStage(script: Script = {}): Promise<LibraryStage> {
  const folder = await temporaryFolder();
  const service = await startService(script);
  const out = join(folder.path, 'videos');
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const input = await write('questions.csv', questions('a', 'b', 'c'));
  return {
    folder: folder.path,
    service,
    options: { input, out, baseUrl: service.url, apiKey, pollInterval: '100ms' },
    write,
    report: async () => {
      return reportLines(await readFile(join(out, 'report.jsonl'), 'utf8'));
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** All events of a run. */
export async function readAll(run: BatchRun): Promise<BatchEvent[]> {
  const events: BatchEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** The events of one type. */
export function ofType<T extends BatchEvent['type']>(
  events: readonly BatchEvent[],
  type: T,
): Extract<BatchEvent, { type: T }>[] {
  return events.filter((event): event is Extract<BatchEvent, { type: T }> => event.type === type);
}
