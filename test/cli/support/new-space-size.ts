/** Loaded before the program: writes how large its space for new objects became (bytes) to the file that it is told. */

import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';

if (process.env.BATCH_TEST_FREE_SPACE === '1') {
  v8.setFlagsFromString = () => {};
  syncBuiltinESMExports();
}

let most = 0;
const look = (): void => {
  const space = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  most = Math.max(most, space?.space_size ?? 0);
};
setInterval(look, 10).unref();
process.on('exit', () => {
  look();
  writeFileSync(process.env.BATCH_TEST_SPACE_FILE ?? '', String(most));
});
