/** Imports a file into the run. */

import type { Ingest } from '../../store.ts';
import type { Connections } from './connections.ts';

/** `worker` names this process in its commits. */
export async function openPostgresIngest(_connections: Connections, _worker: string): Promise<Ingest> {
  throw new Error('files cannot be imported yet');
}
