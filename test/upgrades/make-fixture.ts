/** `node test/upgrades/make-fixture.ts [FOLDER]`: makes the fixture of the schema that this version brings. */

import { fileURLToPath } from 'node:url';
import { fixturesFolder, makeFixture, migrationNames } from './fixture.ts';

const [folder = fileURLToPath(new URL(`schema-${migrationNames().length}`, fixturesFolder))] =
  process.argv.slice(2);
await makeFixture(folder);
process.stdout.write(`${folder}\n`);
