/**
 * What Node makes of the sources is kept from one start to the next. Without that, the first line of `batch check FILE` comes
 * after 201 ms instead of 185 ms.
 */

import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Keeps it in the user's own folder of caches, where nobody else can put code. Where that cannot be written nothing is kept, and
 * nothing is said.
 */
export function keepCompiledCode(): void {
  try {
    const chosen = process.env.XDG_CACHE_HOME ?? '';
    enableCompileCache(join(isAbsolute(chosen) ? chosen : join(homedir(), '.cache'), 'batch'));
  } catch {
    // A user without a home, as in some containers: every start compiles anew.
  }
}
