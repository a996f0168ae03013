/** What Node makes of the sources is kept from one start to the next: most of a start is compiling. */

import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * Keeps it in the user's own folder of caches, where nobody else can put code. Where that cannot be written nothing is kept, and
 * nothing is said.
 */
export function keepCompiledCode(): void {
  const chosen = process.env.XDG_CACHE_HOME ?? '';
  const home = isAbsolute(chosen) ? chosen : join(homedir(), '.cache');
  enableCompileCache(join(home, 'batch'));
}
