/** Somebody who looks into the output folder all the time and reads whatever stands under a final name. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { reportLines } from '../../support/written.ts';

/** What is wrong with a file of this name and these bytes; null when it is whole. */
export type Judge = (name: string, bytes: Buffer) => string | null;

const finalName = /^([^/]+\/(video\.(?!part)\w+|frames\/\d+\.(?!part)\w+|task\.json)|(report|failed)\.\w+)$/;

export interface Watcher extends AsyncDisposable {
  /** What was seen that was not whole. */
  readonly broken: readonly string[];
  /** Files that were read, each as often as it was another one. */
  readonly readCount: number;
}

/** Watches a folder, which need not be there yet, until it is disposed. */
export function watchFolder(folder: string, judge: Judge): Watcher {
  const broken: string[] = [];
  /** Last look of each file: one that has not changed need not be read again. */
  const seen = new Map<string, string>();
  let readCount = 0;
  let isOver = false;

  async function look(name: string): Promise<void> {
    const path = join(folder, name);
    const { ino, size, mtimeMs } = await stat(path);
    const state = `${ino} ${size} ${mtimeMs}`;
    if (seen.get(name) === state) return;
    const bytes = await readFile(path);
    seen.set(name, state);
    readCount += 1;
    const fault = judge(name, bytes);
    if (fault !== null) broken.push(`${name}: ${fault}`);
  }

  async function lookAround(): Promise<void> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
      // A file may have given way to another one since the folder was read.
      if (entry.isFile() && finalName.test(name)) await look(name).catch(() => {});
    }
  }

  const watching = (async () => {
    while (!isOver) {
      await lookAround();
      await pause(25);
    }
    await lookAround();
  })();
  return {
    broken,
    get readCount() {
      return readCount;
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await watching;
    },
  };
}

/** Whether a report of so many rows is whole. */
export function judgeReport(name: string, bytes: Buffer, rowCount: number): string | null {
  const text = bytes.toString();
  try {
    if (name === 'report.jsonl') {
      const lines = reportLines(text);
      return lines.length === rowCount && text.endsWith('\n') ? null : `${lines.length} of ${rowCount} lines`;
    }
    if (name === 'report.html') return /<\/html>\s*$/.test(text) ? null : 'its end is missing';
    const lines = parse(text, { bom: true, columns: true }).length;
    return name === 'failed.csv' || lines === rowCount ? null : `${lines} of ${rowCount} lines`;
  } catch (error) {
    return String(error);
  }
}
