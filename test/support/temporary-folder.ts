import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder of real files in `root`, by default that of the system; removed at the end of the scope. */
export async function temporaryFolder(
  root: string | null = null,
): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(await realpath(root ?? tmpdir()), 'batch-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
