/** `batch status` of a run in PostgreSQL, the second time in one process: `URL RUN`. */

import { limitNewSpace } from '../src/cli/new-space.ts';
import { status } from '../src/features/view/status-command.ts';
import { report } from './reporting.ts';

limitNewSpace();

const [store = '', run = ''] = process.argv.slice(2);
const look = (): Promise<void> => status('videos', { isJson: false }, { store, run });
await look();
const startedAt = performance.now();
await look();
report('ms', performance.now() - startedAt);
