import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../cli/support/program.ts';
import { openStage, runLine } from '../cli/support/stage.ts';
import { readFile } from '../journey/read-file.ts';
import { openCheckpointFolder } from '../support/checkpoint-folder.ts';
import { brokenFiles, filesDamagedAtBoundaries, type Told } from './broken-files.ts';

/** All that has to be said, each with its line. */
function asProblems(told: readonly Told[]) {
  return told.map(([line, says]) => ({ line, message: expect.stringContaining(says) }));
}

/** The problems on standard error: one line each, with file and line, and nothing else. */
function readProblems(stderr: string, file: string) {
  return stderr
    .trimEnd()
    .split('\n')
    .map((text) => {
      const [, named, line, message] = /^batch: (\w+\.\w+)(?::(\d+))?: (.*)$/.exec(text) ?? [];
      if (named !== file) throw new Error(`this names no place in ${file}: ${text}`);
      return { line: line === undefined ? null : Number(line), message };
    });
}

describe('a file with', () => {
  it.for([...brokenFiles, ...filesDamagedAtBoundaries])(
    '$what ($file) has every problem told with its line, however it comes',
    async ({ file, content, told }) => {
      await using folder = await openCheckpointFolder();
      for (const chunkBytes of [7, 1_000, 64 * 1024]) {
        const { rows, problems } = await readFile(content, { file, chunkBytes });
        const found = problems.length > 0 ? problems : folder.takeUp(rows).problems;
        expect(found, `in chunks of ${chunkBytes}`).toEqual(asProblems(told));
      }
      expect(await folder.all()).toEqual([]);
    },
  );
});

describe.concurrent('the program, given a file with', () => {
  it.for(brokenFiles)(
    '$what ($file), says so in plain lines, sends nothing and leaves nothing',
    async ({ file, content, told }) => {
      await using stage = await openStage();
      await stage.write(file, content);
      const ending = await stage.batch(runLine(file));
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      expect(readProblems(afterFirstWords(ending), file)).toEqual(asProblems(told));
      expect(stage.service.events).toEqual([]);
      expect(await stage.list('.')).toEqual([file]);
    },
  );
});
