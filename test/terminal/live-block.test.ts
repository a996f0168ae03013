import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it, test } from 'vitest';
import { defaultPolicy } from '../../src/money/policy.ts';
import { type LiveFacts, renderLiveBlock } from '../../src/terminal/live-block.ts';
import { phrasesOf } from '../../src/terminal/phrases/phrases.ts';
import { textWidth } from '../../src/terminal/text-width.ts';
import { terminalOrders } from '../hostile/terminal-orders.ts';
import { itemIn } from '../money/lives.ts';
import { factsOf, ledgerOf, now } from './live-facts.ts';

const blockOf = (part: Partial<LiveFacts> = {}, columns = 100, rows = 24): string[] =>
  renderLiveBlock(factsOf(part), { columns, rows, isColor: false });

/** Facts of another ledger. */
const viewOf = (part: Partial<LiveFacts['view']>): Partial<LiveFacts> => ({
  view: { ...factsOf().view, ...part },
});

test('at 40 columns everything is there, cut where it must be', () => {
  expect(blockOf({}, 40)).toEqual([
    '█████████████▓▒░░░░░░░░░░░░░░░░░  40 %',
    '█ 1,204 of 3,000 done  ▓ 50/50 open,',
    '3 downloading  ▒ 11 failed, 2 rejected',
    '░ 1,730 pending',
    'about 1 h 12 min left, done at 14:31,',
    '41 s a task, running 32 min 4 s',
    '12,040 points spent, 500 reserved,',
    'about 29,840 in all',
    'latest   q-0031 failed: 视频生成失败...',
    '         题目-不... rejected: the qu...',
    'slowest  q-0017    12 min 4 s  3 frames',
    '         题目-...  9 min 51 s  1 frame',
    '         q-0021    41 s        0 frames',
  ]);
});

test('a narrow terminal shows the ids of slow tasks before how old they are', () => {
  expect(blockOf({}, 30).slice(-3)).toEqual([
    'slowest  q-0017    12 min 4 s',
    '         题目-...  9 min 51 s',
    '         q-0021    41 s',
  ]);
  expect(blockOf({}, 20).slice(-3).join()).toMatch(/^slowest {2}q-0017 *, *题目-.*, *q-0021 *$/);
});

test('in Chinese it says why a row is lost, where the words are of the program', () => {
  const failure = 'the task did not end within 10 minutes (--task-timeout); the service last said "QUEUED_2"';
  const failures = [itemIn('lost', { id: 'q-1', failure }), itemIn('lost', { id: 'q-2', failure: null })];
  expect(blockOf({ failures, slowest: [], say: phrasesOf('zh') }, 120).slice(-2)).toEqual([
    '最近  q-1 已丢失：任务在 10 分钟内没有结束（--task-timeout）；服务最后报告的状态是“QUEUED_2”',
    '      q-2 已丢失：未给出原因',
  ]);
});

test('in Chinese it is the same block, whose lines break between letters', () => {
  const obstacle = { why: 'uncertain', held: 40, of: 50, until: now + 1_000_000, id: 'q-1' } as const;
  const facts = { ...viewOf({ obstacle }), say: phrasesOf('zh') };
  expect(blockOf(facts, 40)).toEqual([
    '█████████████▓▒░░░░░░░░░░░░░░░░░  40 %',
    '待确认的行占着 50 个空位中的 40 个，至',
    '13:36；腾出一个：',
    '`batch resolve ./videos q-1 --task-id',
    'T` 或',
    '`batch resolve ./videos q-1',
    '--not-created`',
    '█ 已完成 1,204 / 3,000',
    '▓ 生成中 50/50，下载中 3  ▒ 失败 11，',
    '被拒绝 2  ░ 待提交 1,730',
    '约剩 1 小时 12 分，14:31 完成，',
    '每个任务 41 秒，已运行 32 分 4 秒',
    '已用 12,040 积分，预留 500，',
    '合计约 29,840',
    '最近  q-0031 失败：视频生成失败：题...',
    '      题目-不等式 被拒绝：the questi...',
    '最慢  q-0017       12 分 4 秒  3 幅画面',
    '      题目-三...   9 分 51 秒  1 幅画面',
    '      q-0021       41 秒       0 幅画面',
  ]);
  for (const columns of [20, 27, 33, 60, 99])
    for (const line of blockOf(facts, columns)) expect(stringWidth(line)).toBeLessThan(columns);
  expect(blockOf(facts, 10)).toEqual(['完成 1...']);
});

describe('a pilot', () => {
  const ledger = ledgerOf({ completed: 5, open: 10, pending: 985 }, 50);
  const pilot = (toSubmit: number, part: Partial<LiveFacts> = {}) =>
    blockOf({ ...viewOf({ ledger, toSubmit }), ...part });

  it('has a bar of its own rows, as its time and points are, and says how many it leaves', () => {
    expect(pilot(5).slice(0, 2)).toEqual([
      '███████████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░  25 %',
      '█ 5 of 20 done  ▓ 10/50 open  ░ 5 pending  980 left for later',
    ]);
    expect(pilot(5, { say: phrasesOf('zh') })[1]).toBe(
      '█ 已完成 5 / 20  ▓ 生成中 10/50  ░ 待提交 5  另有 980 行以后再做',
    );
  });

  it('keeps them once all its rows are sent', () => {
    expect(pilot(0).slice(0, 2)).toEqual([
      '████████████████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓  33 %',
      '█ 5 of 15 done  ▓ 10/50 open  985 left for later',
    ]);
    expect(
      renderLiveBlock(factsOf(viewOf({ ledger, toSubmit: 5 })), { columns: 19, rows: 9, isColor: false }),
    ).toEqual(['5/20 done']);
  });
});

test('at 200 columns it is the same calm block', () => {
  expect(blockOf({}, 200)).toEqual([
    '████████████████████████▓▒░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  40 %',
    '█ 1,204 of 3,000 done  ▓ 50/50 open, 3 downloading  ▒ 11 failed, 2 rejected  ░ 1,730 pending',
    'about 1 h 12 min left, done at 14:31, 41 s a task, running 32 min 4 s',
    '12,040 points spent, 500 reserved, about 29,840 in all',
    'latest   q-0031 failed: 视频生成失败：题目内容无法识别，请检查题目内容后重试',
    '         题目-不等式 rejected: the question is too long: 20,000 letters at most',
    'slowest  q-0017                               12 min 4 s  3 frames',
    '         题目-三角形的斜边与直角边之间的关系  9 min 51 s  1 frame',
    '         q-0021                               41 s        0 frames',
  ]);
});

describe('the block never breaks the terminal', () => {
  const hostile = terminalOrders.map((text, key) =>
    itemIn('failed', { key, id: text, failure: `${text} 题目👩‍👩‍👧`, submittedAt: now }),
  );
  const sizes = [1, 19, 20, 40, 60, 80, 200].flatMap((columns) =>
    [1, 5, 8, 24].map((rows) => [columns, rows] as const),
  );

  it.each(sizes)('at %d columns and %d rows', (columns, rows) => {
    for (const isColor of [false, true])
      for (let at = 0; at < hostile.length; at += 3) {
        const part = { failures: hostile.slice(at, at + 3), slowest: hostile.slice(at, at + 3) };
        const obstacle = { why: 'closed', reason: 'refusal-breaker' } as const;
        const lines = renderLiveBlock(factsOf({ ...viewOf({ obstacle }), ...part }), {
          columns,
          rows,
          isColor,
        });
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
        for (const line of lines) {
          const shown = stripVTControlCharacters(line);
          expect(textWidth(shown)).toBeLessThan(Math.max(2, columns));
          expect(stringWidth(shown)).toBeLessThan(Math.max(2, columns));
          expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        }
      }
  });
});

test('without room for a block one line is left', () => {
  expect(blockOf({}, 19)).toEqual(['1,204/3,000 done']);
  expect(blockOf({}, 80, 4)).toEqual(['1,204/3,000 done']);
});

test('with little room each list keeps a line as long as it can', () => {
  const lists = (rows: number) => blockOf({}, 100, rows).slice(4);
  expect(lists(7).map((line) => line.slice(0, 7))).toEqual(['latest ', 'slowest']);
  expect(lists(8).map((line) => line.slice(0, 7))).toEqual(['latest ', '       ', 'slowest']);
});

describe('points', () => {
  const points = (part: Partial<LiveFacts>) => blockOf(part)[3];
  const unknown = { ...factsOf().forecast, totalPoints: null };

  it('that are not known are called unknown, never 0', () => {
    const ledger = { ...ledgerOf({ open: 3, failed: 2, pending: 5 }, 0, 0), unpriced: 2 };
    expect(points({ ...viewOf({ ledger }), forecast: unknown })).toBe(
      '0 points spent, reserved: unknown, in all: unknown, 2 tasks of unknown price',
    );
    const one = { ...ledger, unpriced: 1 };
    expect(points({ ...viewOf({ ledger: one }), forecast: unknown })).toContain(', 1 task of unknown price');
  });

  it('stand next to the cap where there is one', () => {
    const policy = { ...defaultPolicy, maxPoints: 30_000 };
    expect(points(viewOf({ policy }))).toBe(
      '12,040 points spent, 500 reserved, about 29,840 in all, cap 30,000',
    );
  });
});

describe('the time line', () => {
  const time = (forecast: Partial<LiveFacts['forecast']>, part: Partial<LiveFacts> = {}) =>
    blockOf({ ...part, forecast: { ...factsOf().forecast, ...forecast } })[2];

  it('says what it waits for while no task has ended', () => {
    expect(time({ taskMs: null, leftMs: null })).toBe(
      'time left: known when a task has ended, running 32 min 4 s',
    );
  });

  it('counts to the cap where that comes first, and says how many rows wait then', () => {
    const stop = { why: 'points-cap', rows: 1_113 } as const;
    expect(time({ stop })).toBe(
      'about 1 h 12 min left, cap reached at about 14:31, about 1,113 rows left, 41 s a task,',
    );
  });

  it('says so when only tasks of earlier runs are open', () => {
    expect(time({ taskMs: null, leftMs: null, hasOwnTasks: false })).toBe(
      'time left unknown: tasks of an old run, running 32 min 4 s',
    );
  });

  it('gives no number when the last tasks take longer than any so far', () => {
    expect(time({ leftMs: null })).toBe(
      'the last tasks are the slowest so far, 41 s a task, running 32 min 4 s',
    );
  });

  it('waits for files at the end, and then for nothing', () => {
    expect(time({ leftMs: 0 })).toBe('downloading the last files, 41 s a task, running 32 min 4 s');
    expect(time({ leftMs: 0, taskMs: 300 }, viewOf({ ledger: ledgerOf({ completed: 3 }) }))).toBe(
      '1 s a task, running 32 min 4 s',
    );
  });

  it('says the day where it is not today', () => {
    expect(time({ leftMs: 40 * 3_600_000 })).toMatch(/^about 1 d 16 h left, done at Thu 05:20/);
  });
});

test('what keeps the run is said under the bar, in words that wrap', () => {
  const obstacle = { why: 'closed', reason: 'refusal-breaker' } as const;
  expect(blockOf(viewOf({ obstacle }), 40).slice(1, 4)).toEqual([
    'nothing more is submitted: the service',
    'refused several rows in a row for the',
    'same reason',
  ]);
});

test('frames are only counted where they are kept while a task continues', () => {
  const policy = { ...defaultPolicy, frames: 'last' as const };
  expect(blockOf(viewOf({ policy })).slice(-3).join()).not.toContain('frame');
});

test('colours stand only where they are asked for, and each line ends without one', () => {
  const painted = renderLiveBlock(factsOf(), { columns: 100, rows: 24, isColor: true });
  expect(painted.map(stripVTControlCharacters)).toEqual(blockOf());
  expect(painted[0]).toContain('\u001b[32m████');
  for (const line of painted) {
    const codes = line.match(/\u001b\[\d+m/g) ?? [];
    expect(codes.at(-1) ?? '\u001b[39m').toMatch(/\[(39|22)m/);
  }
});
