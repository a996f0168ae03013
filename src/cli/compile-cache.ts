/**
 * Caches compiled code between starts. Without the cache, the first line of `batch check FILE` appears after 201 ms instead
 * of 185 ms.
 */

import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Uses the user's own cache folder, where no other user can place code. If it is not writable, silently caches nothing.
 */
export function keepCompiledCode(): void {
  try {
    const chosen = process.env.XDG_CACHE_HOME ?? '';
    enableCompileCache(join(isAbsolute(chosen) ? chosen : join(homedir(), '.cache'), 'batch'));
  } catch {
    // A user without a home folder, as in some containers: every start compiles again.
  }
}
