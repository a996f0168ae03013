/** The program as it may be one day: today's sources with more migrations, run as a process of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { apiKey } from '../cli/support/scripted-service.ts';
import type { Stage } from '../cli/support/stage.ts';

export interface Tomorrow {
  /** Starts `batch ARGS` of tomorrow. */
  start(...args: readonly string[]): ChildProcess;
  /** Runs `batch ARGS` of tomorrow to its end. */
  batch(...args: readonly string[]): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

const root = new URL('../../', import.meta.url);

/** Puts tomorrow's program, with these migrations behind today's, into a folder of the stage. */
export function installTomorrow(stage: Stage, ...migrations: readonly string[]): Tomorrow {
  const program = join(stage.folder, 'tomorrow');
  cpSync(new URL('src', root), join(program, 'src'), { recursive: true });
  cpSync(new URL('dist/page', root), join(program, 'dist/page'), { recursive: true });
  cpSync(new URL('package.json', root), join(program, 'package.json'));
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(program, 'node_modules'));
  for (const [at, sql] of migrations.entries())
    writeFileSync(join(program, `src/stores/sqlite/migrations/9${at}-tomorrow.sql`), sql);
  const service = { BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: apiKey };
  // What is made of files that are gone in a moment is not worth keeping.
  const env = { ...process.env, ...service, NODE_DISABLE_COMPILE_CACHE: '1' };
  const start: Tomorrow['start'] = (...args) =>
    spawn(process.execPath, [join(program, 'src/cli.ts'), ...args], { cwd: stage.folder, env });
  return {
    start,
    batch: async (...args) => {
      const child = start(...args);
      const [stderr, [code]] = await Promise.all([
        text(child.stderr ?? process.stdin),
        once(child, 'close'),
        child.stdout?.resume(),
      ]);
      return { code, stderr };
    },
  };
}
