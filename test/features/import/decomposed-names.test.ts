/** Tables, folders and pictures whose names are composed in one place and taken apart in another. */

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { picture } from '../../cli/support/scripted-service.ts';
import { openStage, runLine } from '../../cli/support/stage.ts';

// Elsewhere file systems do not distinguish such names.
it.runIf(process.platform === 'linux')('a picture is found whichever way its name is written', async () => {
  await using stage = await openStage();
  const composed = 'Aufgaben f\u00fcr/\u00e9quation.png';
  const decomposed = composed.normalize('NFD');
  await stage.write(decomposed, picture);
  const table = 'pr\u00fcfung.csv';
  await stage.write(table.normalize('NFD'), `id,question,image\na,One,${composed}\nb,,gone \u00e9.png\n`);
  const checked = await stage.batch(['check', table]);
  expect(checked).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 image: file \u00e9quation.png ('),
  });
  expect(checked.stderr).toContain('"gone \u00e9.png" is missing or not a file');
  expect((await stage.batch(runLine(table))).code).toBe(1);
  const [creation] = stage.service.creations;
  expect(creation?.body.questionImages).toEqual([picture.toString('base64')]);
  expect(await stage.read('videos/report.html')).toContain('../Aufgaben%20fu%CC%88r/e%CC%81quation.png');
  // The bytes are the row, not the name.
  await rename(join(stage.folder, decomposed), join(stage.folder, decomposed, '..', '\u00e9quation.png'));
  expect((await stage.batch(runLine(table))).stdout).toContain('1 completed, 1 invalid');
  expect(stage.service.creations).toHaveLength(1);
});
