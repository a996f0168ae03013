import { describe, expect, it } from 'vitest';
import type { FailureGroup } from '../../src/money/failure-groups.ts';
import { failureLines, renderFailures, sayFailure } from '../../src/terminal/failure-lines.ts';
import { english, phrasesOf } from '../../src/terminal/phrases/phrases.ts';
import { folderWords } from '../../src/text/run-words.ts';
import { groupOf } from './failures.ts';

function linesOf(
  groups: readonly FailureGroup[],
  areAll = true,
  out = './videos',
  width: number | null = null,
): readonly string[] {
  return renderFailures(failureLines({ groups, areAll }, folderWords(out)), { areAll, out, width }, english);
}

const commandsOf = (groups: readonly FailureGroup[], out = './videos'): (string | null)[] =>
  failureLines({ groups, areAll: true }, folderWords(out)).map(({ command }) => command);

describe('why rows ended badly', () => {
  it('is not shown where none did', () => {
    expect(linesOf([])).toEqual([]);
  });

  it('is one line a group, in columns, wide letters counted as two', () => {
    expect(
      linesOf([
        groupOf({ kind: '内容不符合规范', count: 1_240 }),
        groupOf({ kind: 'render error at …', failure: null, count: 7 }),
        groupOf({ status: 'rejected', kind: 'question too long', count: 2 }),
      ]),
    ).toEqual([
      'Why rows ended badly:',
      `  1,240 failed    "内容不符合规范"      batch retry ./videos --failed --failure '"内容不符合规范"'`,
      `      7 failed    "render error at …"   batch retry ./videos --failed --failure '"render error at …"'`,
      '      2 rejected  "question too long"   batch retry ./videos --rejected',
    ]);
  });

  it('names the five largest groups, and where the others are', () => {
    const groups = [9, 8, 7, 6, 5, 4, 3].map((count) =>
      groupOf({ kind: `kind ${'abcdefghij'[count]}`, count }),
    );
    expect(linesOf(groups)).toHaveLength(7);
    expect(linesOf(groups).at(-1)).toBe('  and 2 more kinds, 7 rows: see ./videos/report.csv');
    expect(linesOf(groups.slice(0, 6)).at(-1)).toBe('  and 1 more kind, 4 rows: see ./videos/report.csv');
    expect(linesOf(groups, false).at(-1)).toBe('  and more than 2 more kinds: see ./videos/report.csv');
  });

  it('shows a long text cut, and its command whole', () => {
    const kind = 'x'.repeat(200);
    const [, line = ''] = linesOf([groupOf({ kind }), groupOf({ kind: 'y' })]);
    expect(line).toContain(`"${'x'.repeat(57)}..."`);
    expect(line.endsWith(`--failure ${kind}`)).toBe(true);
  });

  it('shows a long text whole on a terminal, wrapped to its width, and the command below', () => {
    const kind = '题目过长：'.repeat(8);
    const groups = [
      groupOf({ kind, count: 12 }),
      groupOf({ kind: 'the question is too long to be explained', count: 3 }),
    ];
    expect(linesOf(groups, true, './videos', 50)).toEqual([
      'Why rows ended badly:',
      '  12 failed  "题目过长：题目过长：题目过长：题目过',
      '             长：题目过长：题目过长：题目过长：题',
      '             目过长："',
      `             batch retry ./videos --failed --failure '${kind}'`,
      '   3 failed  "the question is too long to be',
      '             explained"',
      "             batch retry ./videos --failed --failure 'the question is too long to be explained'",
    ]);
    expect(linesOf([groupOf({ kind: 'x' })], true, './videos', 50)).toEqual(
      linesOf([groupOf({ kind: 'x' })]),
    );
  });

  it('says how many of them a new attempt is for, where some have left the file', () => {
    expect(linesOf([groupOf({ kind: 'alpha', count: 2, inFile: 1 })])[1]).toMatch(
      /^ {2}2 failed {2}"alpha" \(1 still in the file\) {3}batch retry /,
    );
  });

  it('is said in Chinese where the words are of the program, and as it was said where they are of the service', () => {
    const late = 'the task did not end within … minutes (--task-timeout)';
    const groups = [
      groupOf({ status: 'lost', kind: `${late}; the service last said "QUEUED_…"`, failure: null }),
      groupOf({ status: 'lost', kind: `${late}: db error` }),
      groupOf({
        status: 'lost',
        kind: `${late}; the service's answers could not be read: HTTP …`,
        someId: 'q7',
      }),
      groupOf({ status: 'invalid', kind: 'it has neither a question nor a question image' }),
      groupOf({ kind: 'it has neither a question nor a question image' }),
    ];
    const failures = failureLines({ groups, areAll: true }, folderWords('./videos'));
    const answered = 'HTTP 200 without a readable task id; answer: {"id":7}';
    expect(sayFailure('uncertain', answered, phrasesOf('zh'))).toBe(
      'HTTP 200，读不出任务编号；答复：{"id":7}',
    );
    // Somebody looks before anything is paid for again.
    expect(failures[2]?.command).toBe('batch links ./videos --only q7');
    const view = { areAll: true, out: './videos', width: 200 };
    expect(renderFailures(failures, view, phrasesOf('zh')).map((line) => /“.*”/.exec(line)?.[0])).toEqual([
      undefined,
      '“任务在 … 分钟内没有结束（--task-timeout）；服务最后报告的状态是“QUEUED_…””',
      '“任务在 … 分钟内没有结束（--task-timeout）：db error”',
      '“任务在 … 分钟内没有结束（--task-timeout）；服务的答复无法读取：HTTP …”',
      '“既没有题目，也没有题目图片”',
      '“it has neither a question nor a question image”',
    ]);
  });

  it('says where nothing was said', () => {
    expect(linesOf([groupOf({ kind: '', count: 2 })])[1]).toBe(
      '  2 failed  no reason given   batch retry ./videos --failed',
    );
  });
});

describe('the command of a group', () => {
  it('is what helps rows of its status', () => {
    const groups = (['failed', 'rejected', 'uncertain', 'undelivered', 'lost', 'invalid'] as const).map(
      (status) => groupOf({ status, kind: 'x', someId: 'q 7' }),
    );
    expect(commandsOf(groups)).toEqual([
      'batch retry ./videos --failed',
      'batch retry ./videos --rejected',
      "batch resolve ./videos 'q 7' --task-id T",
      'batch collect ./videos',
      'batch collect ./videos',
      'batch run FILE --out ./videos',
    ]);
  });

  it('lists the rows where several are uncertain', () => {
    const several = groupOf({ status: 'uncertain', kind: 'x', count: 2 });
    expect(commandsOf([several])).toEqual(['batch resolve ./videos --list --to uncertain.csv']);
  });

  it('is none where no row of it is in the file any more', () => {
    const gone = groupOf({ kind: 'x', inFile: 0 });
    expect(commandsOf([gone])).toEqual([null]);
    expect(linesOf([gone])[1]).toBe('  1 failed  "x"   no longer in the file');
  });

  it('can be copied into a shell, whatever the service said', () => {
    expect(commandsOf([groupOf({ kind: "it's $HOME" }), groupOf({ kind: '-x' })], 'my videos')).toEqual([
      `batch retry 'my videos' --failed --failure 'it'\\''s $HOME'`,
      `batch retry 'my videos' --failed --failure='-x'`,
    ]);
  });
});
