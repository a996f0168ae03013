/** Preloaded into the program (`node --import test/kills/crash/crash-at.ts src/cli.ts ...`): makes it die at one named point, by SIGKILL. */

import { watchCheckpoint } from './checkpoint-points.ts';
import { watchDisk } from './disk-points.ts';
import { crashVariables } from './reach.ts';
import { watchWire } from './wire-points.ts';

for (const name of Object.values(crashVariables)) delete process.env[name];
watchCheckpoint();
watchDisk();
watchWire();
