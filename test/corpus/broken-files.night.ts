import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../cli/support/program.ts';
import { openStage, runLine } from '../cli/support/stage.ts';
import { asProblems, type BrokenFile, brokenFiles } from './broken-files.ts';

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

/** What the program adds to ids that stand twice. */
function offerFor(problems: BrokenFile['told']): BrokenFile['told'] {
  const areIds = problems.some(([, says]) => says.includes('is already used on line'));
  return areIds ? [[null, 'only numbers rows, --map id=none ignores it']] : [];
}

/** What the program says instead of the reader of tables: it reads workbooks, too. */
const ofWorkbooks: Readonly<Record<string, string>> = {
  'a workbook': 'the workbook is damaged',
  'an old workbook': 'this is an old Excel workbook (.xls)',
};

describe.concurrent('the program, given a file with', () => {
  it.for(brokenFiles)(
    '$what ($file), says so in plain lines, sends nothing and leaves nothing',
    async ({ what, file, content, told }) => {
      await using stage = await openStage();
      await stage.write(file, content);
      const ending = await stage.batch(runLine(file));
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      const said = ofWorkbooks[what];
      const problems = said === undefined ? told : [[null, said] as const];
      expect(readProblems(afterFirstWords(ending), file)).toEqual(
        asProblems([...problems, ...offerFor(problems)]),
      );
      expect(stage.service.events).toEqual([]);
      expect(await stage.list('.')).toEqual([file]);
    },
  );
});
