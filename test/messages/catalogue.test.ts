/** The catalogue of messages: whole in both languages, and no value lost between them. */

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import type { Words } from '../../src/messages/both.ts';
import { oneOfThese, wholeNumber } from '../../src/messages/choices.ts';
import {
  catalogue,
  inBoth,
  inEnglish,
  message,
  sayIn,
  several,
  withReasons,
  withTexts,
} from '../../src/messages/message.ts';
import { rowParts, rowSentences, runSentences } from '../../src/messages/reasons/in-chinese.ts';
import { serviceParts, serviceSentences } from '../../src/messages/reasons/service-zh.ts';

/** Sentences that are known by their English, and their Chinese. */
const pairs = [...[...rowSentences, ...runSentences, ...serviceSentences], ...[...rowParts, ...serviceParts]];

const words: Words = { en: 'ONE', zh: '壹' };

/** Values that are not texts; that of any other name is the name in capitals. */
const samples: Readonly<Record<string, unknown>> = {
  count: 7,
  files: 9,
  older: words,
  named: words,
  lasted: words,
  silent: words,
  error: words,
  points: 8,
  each: 20,
  ours: 12,
  theirs: 14,
  taskCount: 16,
  above: 3,
  population: 300,
  drawn: 20,
  watched: 17,
  bad: 18,
  mostBad: 19,
  rest: 23,
  again: 21,
  left: 22,
  images: 4,
  rows: 64,
  groups: 11,
  waiting: 13,
  completed: 52,
  reserved: 25,
  most: 40,
  width: 2,
  more: 6,
  options: words,
  minutes: 5,
  note: words,
  percent: 5,
  cap: 9,
  changes: words,
  choices: words,
  columns: words,
  maps: words,
  places: words,
  sheets: words,
  so: words,
  what: words,
};

/** Values that choose words, or of which only parts are told; they do not stand in the text themselves. */
const choices: Readonly<Record<string, unknown>> = {
  ids: ['A', 'B'],
  runs: ['A', 'B'],
  others: ['A', 'B'],
  renamed: [{ was: '1.1', id: '1.10' }],
  line: 7,
  held: [],
  ended: [
    { id: 'A', why: 'changed' },
    { id: 'B', why: 'bad' },
  ],
  field: 'question',
  kind: 'rehearsal',
  status: 'failed',
  why: 'busy',
  reason: 'busy',
  healed: 'unreachable',
  verdict: 'task-progressed',
  outcome: 'matched',
  made: 'report',
  doubt: 'added',
  guess: 'nuls',
  binary: 'package',
  other: 'et',
  flaw: 'deep',
  act: 'created',
  off: 'ahead',
  code: 'ENOSPC',
  isAsked: true,
  isOnPage: false,
  confidence: 0.95,
  share: 0.048,
  place: { line: 4, row: 3 },
  lines: { count: 1, lines: [3] },
  sample: [],
  meant: [],
  rare: null,
  encodings: [],
  isAnswered: false,
  named: null,
  answer: { column: 'Key', map: 'answer=Key' },
};

function sampleOf(name: string): unknown {
  return choices[name] ?? samples[name] ?? name.toUpperCase();
}

function isBoth(value: unknown): value is Words {
  return typeof value === 'object' && value !== null && 'en' in value;
}

/** What an entry says in one language, and the names of the values that it reads. */
function heard(
  say: (values: never) => string,
  sample: (name: string) => unknown = sampleOf,
): { readonly text: string; readonly read: readonly string[] } {
  const read = new Set<string>();
  const watched = new Proxy(
    {},
    {
      get: (_, name) => {
        read.add(String(name));
        return sample(String(name));
      },
    },
  );
  return { text: say(watched as never), read: [...read].toSorted() };
}

test('every sentence is in the list of them', async () => {
  const said = [...Object.values(catalogue).map(({ en, zh }) => [heard(en).text, heard(zh).text]), ...pairs];
  const lines = [...new Set(said.map(([english, chinese]) => `${english}\n${chinese}\n`))].toSorted();
  await expect(lines.join('\n')).toMatchFileSnapshot('sentences.txt');
});

test.each(Object.entries(catalogue))('%s', (_, { en, zh }) => {
  const [english, chinese] = [heard(en), heard(zh)];
  expect(english.text).not.toMatch(/undefined|\p{Script=Han}/u);
  expect(chinese.text).not.toContain('undefined');
  expect(chinese.text).toMatch(/\p{Script=Han}/u);
  expect(chinese.text).not.toMatch(/\p{Script=Han}[,;:?!()]|[,;:!(]\p{Script=Han}/u);
  expect(chinese.read).toEqual(english.read);
  for (const name of english.read.filter((each) => choices[each] === undefined)) {
    const value = sampleOf(name);
    const [inEnglish, inChinese] = isBoth(value) ? [value.en, value.zh] : [String(value), String(value)];
    expect(english.text).toContain(inEnglish);
    expect(chinese.text).toContain(inChinese);
  }
});

describe('what the system refuses', () => {
  const refused = (code: string) => {
    const why = { failure: `${code}: refused, open '/videos/a'`, code };
    return [
      message('disk.refused', { folder: '/videos', ...why }),
      message('disk.file', { path: '/videos/a', act: 'read', ...why }),
    ];
  };

  it.each([
    ['ENOSPC', /; free space and run the same command again$/, /腾出空间/],
    ['EDQUOT', /; free space and run the same command again$/, /腾出空间/],
    ['EIO', /; fix that and run the same command again$/, /解决/],
    ['EACCES', /; get permission for that and run the same command again$/, /取得权限/],
    ['EPERM', /; get permission for that and run the same command again$/, /取得权限/],
    ['EROFS', /; make that file system writable and run the same command again$/, /可写/],
    ['EMFILE', /^too many files are open .*`ulimit -n`, and run the same command again$/, /`ulimit -n`/],
    ['ENFILE', /^too many files are open .*`ulimit -n`, and run the same command again$/, /`ulimit -n`/],
  ])('is told with its place and what helps: %s', (code, english, chinese) => {
    for (const said of refused(code)) {
      expect(said.text).toMatch(english);
      expect(said.text).toContain('/videos');
      expect(sayIn('zh', said)).toMatch(chinese);
    }
  });

  it('is no matter of the disk where too many files are open', () => {
    for (const said of [...refused('EMFILE'), ...refused('ENFILE')])
      expect(said.text + sayIn('zh', said)).not.toMatch(/disk|space|磁盘|空间/);
  });
});

test('one is not spoken of as of several', () => {
  const one = (name: string): unknown => (name === 'count' ? 1 : sampleOf(name));
  const texts = Object.values(catalogue).flatMap(({ en, zh }) =>
    [en, zh].map((say) => heard(say as never, one).text),
  );
  // A most, which is never one, and numbers of which more follows.
  const isMost = /columns; a table|deeper than|processes already/;
  const several =
    /\b1 (?:[a-z]+ )?(?:rows|files|pictures|problems|lines|cells|creations|headings|columns)\b|\b1 [^,;:]* (?:are|were)\b/;
  expect(texts.filter((text) => several.test(text) && !isMost.test(text))).toEqual([]);
});

test('a count is shown as people read it, and whole where it is typed', () => {
  const counts = new Set(['count', 'rows', 'points', 'more', 'completed', 'waiting', 'reserved', 'cap']);
  const many = (name: string): unknown => (counts.has(name) ? 6400 : sampleOf(name));
  const raw = Object.entries(catalogue).flatMap(([id, { en, zh }]) =>
    [en, zh].some((say) => /(?<!--sample )\b6400\b/.test(heard(say as never, many).text)) ? [id] : [],
  );
  expect(raw).toEqual([]);
});

describe('a message', () => {
  it('names the file that uncertain rows were written to, where there is one', () => {
    const said = [null, 'u.csv'].map((path) => {
      const one = message('resolve.fill-in', { count: 2, path, command: 'c' });
      return [one.text, sayIn('zh', one)].map((text) => /u\.csv/.test(text));
    });
    expect(said).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  it('about a file counts further ones only where there are some', () => {
    const said = (more: number): string[] => {
      const one = message('export.would-replace', { path: 'a.mp4', more });
      return [one.text, sayIn('zh', one)];
    };
    expect(said(0).map((text) => text.slice(0, 13))).toEqual(['a.mp4 is not ', 'a.mp4 不属于本次运行']);
    expect(said(1_200).join()).toMatch(/^a.mp4 \(and 1,200 more\) is not .*,a.mp4（另有 1,200 个） 不属于/);
  });

  it('about rows of a sample that were made again says how many to watch, where there are any', () => {
    const said = (count: number, again: number): string[] => {
      const one = message('watched.made-again', { count, again });
      return [one.text, sayIn('zh', one)].map((text) =>
        text.replace(/before still speaks for the others|以前的评价对其余视频仍然有效/, '…'),
      );
    };
    expect(said(1, 0)).toEqual([
      '1 of them was made again since: what was said …',
      '其中 1 个在抽出之后重做过：…',
    ]);
    expect(said(3, 2)).toEqual([
      '3 of them were made again since: what was said …; watch 2 again',
      '其中 3 个在抽出之后重做过：…；请把重做的 2 个再看一遍',
    ]);
  });

  it('names a process as far as it is known', () => {
    const folder = { folder: '/v', words: '/v' };
    const said = (pid: number | null, host: string | null): string[] =>
      [
        message('run.worked-on', { pid, host }),
        message('run.held', { ...folder, pid, host }),
        ...(pid === null ? [] : [message('stop.told', { pid, host })]),
      ].flatMap((one) => [one.text.replace(/;.*/, ''), sayIn('zh', one).replace(/；.*/, '')]);
    expect(said(null, null)).toEqual([
      'another process',
      '另一个进程',
      '/v is in use by another batch process',
      '/v 正由另一个 batch 进程使用',
    ]);
    expect(said(7, null)).toEqual([
      'process 7',
      '进程 7',
      '/v is in use by another batch process (7)',
      '/v 正由另一个 batch 进程（7）使用',
      'told process 7 to stop',
      '已要求进程 7 停止',
    ]);
    expect(said(7, 'here')).toEqual([
      'process 7 on here',
      'here 上的进程 7',
      '/v is in use by another batch process (7 on here)',
      '/v 正由另一个 batch 进程（here 上的 7）使用',
      'told process 7 on here to stop',
      '已要求 here 上的进程 7 停止',
    ]);
  });

  it('about a text that nobody sends speaks of the page where it was written there', () => {
    const said = message('marks.good', { id: 'a', isOnPage: true });
    expect(sayIn('zh', message('marks.none', { id: 'a', isOnPage: true }))).toMatch(
      /没有标记；要发送该文字，请在页面上/,
    );
    expect([said.text, inBoth(said).zh]).toEqual([
      'row a has a corrected text and the mark good; mark it Bad on the page to send the text, or take the text back there',
      '行 a 有改正的文字，但标记为“好”；要发送该文字，请在页面上标记为“差”，否则在那里撤回文字',
    ]);
  });

  it('speaks of one row as of one', () => {
    const one = message('retry.paid-again', { ids: ['A'], points: 1 });
    expect(one.text).toBe('1 row has its video and is paid for again: A, 1 point so far');
    expect(sayIn('zh', one)).toBe('1 行已有视频，将重新付费：A，至今 1 积分');
    const two = message('retry.paid-again', { ids: ['A', 'B'], points: 0 });
    expect(two.text).toBe('2 rows have their videos and are paid for again: A, B');
    expect(sayIn('zh', two)).toBe('2 行已有视频，将重新付费：A、B');
  });

  it('of rows that get no final says what they would cost, where that is known', () => {
    const left = { count: 2, quality: 'h' } as const;
    expect(message('retry.others', { ...left, points: 40 }).text).toBe(
      '2 rows with a video left as before: in quality h about 40 points more',
    );
    const unpriced = message('retry.others', { ...left, points: null });
    expect(unpriced.text).toBe('2 rows with a video left as before');
    expect(sayIn('zh', unpriced)).toBe('其余 2 行已有视频的保持不变');
  });

  it('of an error is its English text, and what a terminal says in Chinese', () => {
    const error = new UsageError(message('retry.attempt-with-only'));
    expect(error.message).toBe('--attempt N goes with --only ID,ID');
    expect(error.said === null ? null : sayIn('zh', error.said)).toBe(
      '--attempt N 须与 --only ID,ID 一起使用',
    );
  });

  it('names choices in its language, with a space before those that are not Chinese', () => {
    const given = { option: '--quality', value: 'high' };
    expect(sayIn('zh', message('option.invalid', { ...given, choices: oneOfThese(['h', 'm', 'l']) }))).toBe(
      '--quality：“high”无效；请用 h、m 或 l',
    );
    expect(sayIn('zh', message('option.invalid', { ...given, choices: wholeNumber(0) }))).toBe(
      '--quality：“high”无效；请用整数',
    );
    expect(wholeNumber(1)).toEqual({ en: 'a whole number of at least 1', zh: '不小于 1 的整数' });
  });

  it('of a pause names its end, where it has one, and the command that ends it', () => {
    const [open, timed] = [null, '14:30'].map((time) => message('steering.pause', { time }));
    expect(open?.text).toBe('submitting is paused; polls and downloads go on');
    expect(timed?.text).toBe('submitting is paused until 14:30; polls and downloads go on');
    expect([open, timed].map((said) => said && sayIn('zh', said))).toEqual([
      '提交已暂停；查询和下载照常',
      '提交已暂停，至 14:30；查询和下载照常',
    ]);
    const ends = message('steering.pause-ends', { time: '14:30', command: 'batch continue' });
    expect(ends.text).toBe(`${timed?.text}; \`batch continue\` ends the pause`);
    expect(sayIn('zh', ends)).toBe('提交已暂停，至 14:30；查询和下载照常；用 `batch continue` 结束暂停');
  });

  it('keeps its values, however odd they are', () => {
    const odd = message('retry.table-unreadable', { path: 'a; b is $1 {path}' });
    expect(sayIn('zh', odd)).toBe(
      'a; b is $1 {path} 被改动过，已无法读取；请改正它，或删除该文件以按原样重做',
    );
  });

  it('may stand beside others in one line', () => {
    const both = several([message('retry.nothing-left'), message('retry.under-way', { ids: ['a; b'] })]);
    expect(both.text).toBe('--only: nothing is left to retry; 1 row already under way, continued: a; b');
    expect(sayIn('en', both)).toBe(both.text);
    expect(sayIn('zh', both)).toBe('--only：没有可重做的行；1 行正在进行，继续：a; b');
  });
});

it('a corrected answer is called one in Chinese, too', () => {
  const corrected = { id: 'q1', field: 'answer', from: '2', to: '3' } as const;
  expect(sayIn('zh', message('retry.correction', corrected))).toBe('  q1 答案：2 -> 3');
});

it.each([
  ['task-progressed', 'it counts as open', '按进行中处理'],
  ['task-completed', 'a video came with it, so it counts as COMPLETED', '附有视频，按 COMPLETED 处理'],
  [
    'task-failed',
    'only a text came with it, for 0 points, so it counts as FAILED',
    '只附文字且为 0 积分，按 FAILED 处理',
  ],
] as const)('about a state that is not documented says how it is judged: %s', (verdict, english, chinese) => {
  const said = message('polls.unknown-state', { state: 'DONE', verdict });
  expect(said.text).toBe(`the service reports a state that is not documented, "DONE"; ${english}`);
  expect(sayIn('zh', said)).toBe(`服务报告了文档中没有的状态“DONE”；${chinese}`);
});

it('about a file that is gone names the command that goes on without it, where there is one', () => {
  const gone = message('input.missing', { path: 'q.csv', resume: null });
  expect(gone.text).toBe('q.csv does not exist; use an Excel, CSV, JSONL or Parquet file');
  expect(sayIn('zh', gone)).toBe('q.csv 不存在；请给出 Excel、CSV、JSONL 或 Parquet 文件');
});

it.each([
  ['points-cap', 'Stopped submitting: --max-points reached', '已停止提交：已达 --max-points'],
  [
    'unreachable',
    'Stopped: the service cannot be reached; check --base-url and the network',
    '已停止：无法连接服务；请检查 --base-url 和网络',
  ],
  ['interrupted', 'Interrupted; everything done so far is saved', '已中断；做完的都已保存'],
] as const)('at the end of a run: %s', (reason, english, chinese) => {
  const said = message('ending.stopped', { reason });
  expect([said.text, sayIn('zh', said)]).toEqual([english, chinese]);
});

it('about a report that is open elsewhere says where the new one is, where there is one', () => {
  const [waits, lies] = [null, 'report-new.csv'].map((copyPath) =>
    message('reports.in-use', { name: 'report.csv', copyPath }),
  );
  expect(waits?.text).toBe(
    'report.csv is open in another program; it is written again once it is closed there',
  );
  expect(waits && sayIn('zh', waits)).toBe('report.csv 正被其他程序打开；在那里关闭后会重新写出');
  expect(lies?.text).toBe(
    'report.csv is open in another program; the new one lies beside it as report-new.csv',
  );
});

describe('a message with changed texts', () => {
  const hide = (text: string): string => text.replaceAll('key-1', '…');

  it('has them changed in both languages, wherever they are', () => {
    const odd = several([message('hooks.end-failed', { failure: 'key-1 is odd' }), message('moved.danger')]);
    const hidden = withTexts(odd, hide);
    expect(inEnglish(hidden)).toBe(`--on-end failed (… is odd); ${message('moved.danger').text}`);
    if (typeof hidden === 'string') return expect.fail('it is a message');
    expect(sayIn('zh', hidden)).toBe('--on-end 调用失败（… is odd）；两处都运行的话，等待中的行会付两次费');
  });

  it('keeps the values that are no texts', () => {
    const named = message('retry.paid-again', { ids: ['key-1'], points: 3 });
    expect(withTexts(named, hide)).toMatchObject({ values: [{ ids: ['…'], points: 3 }] });
    const gone = message('input.missing', { path: 'key-1', resume: null });
    expect(withTexts(gone, hide)).toMatchObject({ values: [{ path: '…', resume: null }] });
  });

  it('may be plain text', () => {
    expect(withTexts('the key-1', hide)).toBe('the …');
    expect(inEnglish('plain text')).toBe('plain text');
  });
});

test('no entry takes the place of another', () => {
  const files = globSync('src/messages/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const ids = files.flatMap((text) =>
    [...text.matchAll(/^ {2}'([a-z]+\.[a-z\d-]+)': /gm)].map(([, id]) => id),
  );
  expect(ids.toSorted()).toEqual(Object.keys(catalogue).toSorted());
});

describe('a message that quotes others', () => {
  const reason = message('saved.size', { there: 1, saved: 2 });
  const quoting = message('retry.left-out', {
    ids: [message('skipped.unsendable', { id: 'key-1', what: inBoth(reason) }), 'q2'],
  });

  it('has them in its own language, wherever they are', () => {
    expect(quoting.text).toBe(
      '2 rows skipped, no new attempt possible: key-1 (has 1 bytes, 2 were saved), q2',
    );
    expect(sayIn('zh', quoting)).toBe('跳过 2 行，无法重新尝试：key-1（有 1 字节，保存时是 2 字节）、q2');
    const hidden = withTexts(quoting, (text) => text.replaceAll('key-1', '…'));
    expect(inEnglish(hidden)).toContain(': … (has 1 bytes');
    expect(typeof hidden === 'string' ? hidden : sayIn('zh', hidden)).toContain('：…（有 1 字节');
  });

  it('has its reasons said in another language, and nothing else', () => {
    const said = message('store.refuses', { name: 'why', failure: 'why' });
    expect(
      sayIn(
        'zh',
        withReasons(said, () => '缘由'),
      ),
    ).toBe('why 拒绝：缘由');
  });

  it('has words inside it that are known in English alone', () => {
    expect(inBoth('why')).toEqual({ en: 'why', zh: 'why' });
    expect(inBoth(message('key.not-asked'))).toEqual({ en: 'the service was not asked', zh: '没有询问服务' });
  });
});

test('of many ids that a spreadsheet changed the first ones are named', () => {
  const renamed = [{ was: '1.1', id: '1.10' }];
  expect(message('returned.renamed', { count: 1, renamed }).text).toMatch(/^1 id is not .*: 1\.1 is 1\.10$/);
  expect(sayIn('zh', message('returned.renamed', { count: 1, renamed }))).toMatch(/1\.10$/);
  const many = message('returned.renamed', { count: 9, renamed });
  expect([many.text, sayIn('zh', many)]).toEqual([
    expect.stringMatching(/^9 ids are not .*1\.10, \.\.\.$/),
    expect.stringMatching(/1\.10……$/),
  ]);
});

it('of an audit says `?` for points that are unknown, and names a file for what it proposes', () => {
  const booked = { run: 'videos', row: 1, id: 'a', attempt: 1, task: 't', ours: null, line: 2, theirs: null };
  const pair = message('audit.pair', booked);
  expect(pair.text).toContain('ours ?, theirs ?');
  expect(sayIn('zh', pair)).toContain('我方 ?，账单 ?');
  const proposed = message('audit.proposed', { count: 2, command: null });
  expect([proposed.text, sayIn('zh', proposed)]).toEqual([
    expect.stringContaining('--to FILE'),
    expect.stringContaining('--to FILE'),
  ]);
});

test('one row that looks odd is named, and of many the first ones', () => {
  const held = [{ place: { line: 3, row: null }, text: '"Total"', what: { en: 'a footer', zh: '表尾' } }];
  const one = message('rows.held', { count: 1, held });
  expect(one.text).toBe('1 row looks odd and is not sent: line 3 "Total" (a footer); --odd send sends it');
  expect(sayIn('zh', one)).toBe('1 行看起来不对，不发送：第 3 行 "Total"（表尾）；要发送请加 --odd send');
  expect(message('rows.held', { count: 4, held }).text).toMatch(
    /^4 rows look .*\(a footer\), \.\.\.; .* them$/,
  );
});
