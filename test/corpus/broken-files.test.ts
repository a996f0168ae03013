import { describe, expect, it } from 'vitest';
import { readFile } from '../input/read-file.ts';
import { openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { asProblems, brokenFiles, filesDamagedAtBoundaries } from './broken-files.ts';

describe('a file with', () => {
  it.for([...brokenFiles, ...filesDamagedAtBoundaries])(
    '$what ($file) has every problem told with its line, however it comes',
    async ({ file, content, told }) => {
      await using folder = await openCheckpointFolder();
      for (const chunkBytes of [7, 1_000, 64 * 1024]) {
        const { rows, problems } = await readFile(content, { file, chunkBytes });
        const found = problems.length > 0 ? problems : (await folder.ingest(rows)).problems;
        expect(found, `in chunks of ${chunkBytes}`).toEqual(asProblems(told));
      }
      expect(await folder.all()).toEqual([]);
    },
  );
});
