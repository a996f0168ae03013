/** Random stories of two runs and a user who all write to one path: nobody's work is replaced by another's. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ownReports } from '../../src/app/files/own-files.ts';
import { UsageError } from '../../src/errors.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      by: fc.constantFrom('one run', 'another run'),
      text: fc.constantFrom('id,mark', 'id,mark,a', 'id,mark,b'),
    }),
  },
  fc.record({ does: fc.constant('edit' as const) }),
  fc.record({ does: fc.constant('remove' as const) }),
  fc.record({ does: fc.constant('forget' as const) }),
);

/** What is at the path, and whose it is. */
interface Present {
  readonly text: string;
  readonly by: string;
}

async function write(folder: string, text: string, by: string): Promise<void> {
  const tree = await openFileOutputTree(folder, Date.now);
  const reports = await ownReports(
    folder,
    ['failed.csv'],
    { shown: 'here', advice: { en: 'choose another', zh: '请另选' }, by },
    tree,
  );
  await using file = await reports.createReport('failed.csv');
  await file.write(text);
  await file.commit();
}

it('a report is replaced only by the run that wrote it, as it wrote it; and by that run always', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'failed.csv');
      let present: Present | null = null;
      let edits = 0;
      for (const step of steps) {
        if (step.does === 'remove') {
          await rm(path, { force: true });
          present = null;
        }
        if (step.does === 'forget') await rm(join(folder.path, '.batch-files'), { force: true });
        if (step.does === 'forget' && present !== null) present = { text: present.text, by: 'nobody knows' };
        if (step.does === 'edit') {
          present = { text: `edited ${++edits}`, by: 'the user' };
          await writeFile(path, present.text);
        }
        if (step.does !== 'write') continue;
        const { by, text } = step;
        const isFree = present === null || present.by === by;
        const refusal = await write(folder.path, text, by).then(
          () => null,
          (error: unknown) => error,
        );
        if (!isFree) expect(refusal).toBeInstanceOf(UsageError);
        else expect(refusal).toBeNull();
        if (isFree) present = { text, by };
        expect(await readFile(path, 'utf8').catch(() => null)).toBe(present?.text ?? null);
      }
    }),
    { numRuns: 100 },
  );
});
