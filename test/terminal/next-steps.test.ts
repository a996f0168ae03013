import { describe, expect, test } from 'vitest';
import type { Status } from '../../src/money/item.ts';
import { createLedger, type EndingReason } from '../../src/money/summary.ts';
import { type EndState, nextCommand, nextSteps, type StoppedCommand } from '../../src/terminal/next-steps.ts';
import type { Offers } from '../../src/terminal/offers.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { folderWords, sharedWords } from '../../src/text/run-words.ts';

const stepsOf = (end: EndState) => nextSteps(end, english);

const usual = {
  stopped: null,
  isPaused: false,
  asked: null,
  uncertainId: null,
  gone: {},
  isInUse: false,
  mark: null,
  sample: null,
  offers: null,
} satisfies Partial<EndState>;

function countsOf(counts: Partial<Record<Status, number>>): Record<Status, number> {
  return { ...createLedger().counts, completed: 5, ...counts };
}

test.each<[Partial<Record<Status, number>>, EndingReason, string]>([
  [{}, 'done', 'batch view --open ./videos'],
  [{ uncertain: 1 }, 'done', 'batch resolve ./videos ID --task-id T'],
  [{ uncertain: 3, pending: 9 }, 'uncertain-breaker', 'batch resolve ./videos --list --to uncertain.csv'],
  [{ uncertain: 1, pending: 9 }, 'key-refused', 'batch resume ./videos'],
  [{ pending: 9 }, 'limit', 'batch resume ./videos'],
  [{ open: 2 }, 'interrupted', 'batch resume ./videos'],
  [{ downloading: 2 }, 'disk', 'batch resume ./videos'],
  [{}, 'disk', 'batch report ./videos'],
  [{ pending: 9 }, 'points-cap', 'batch resume ./videos --max-points none'],
  [{ pending: 9, open: 2, uncertain: 1 }, 'interrupted', 'batch collect ./videos'],
  [{ pending: 9, failed: 20 }, 'halt', 'batch resume ./videos'],
  [{ undelivered: 1, failed: 1 }, 'done', 'batch collect ./videos'],
  [{ failed: 1, rejected: 1 }, 'done', 'batch retry ./videos --failed'],
  [{ rejected: 1, lost: 1 }, 'done', 'batch collect ./videos'],
  [{ lost: 1, invalid: 1 }, 'done', 'batch collect ./videos'],
  [{ invalid: 1 }, 'done', 'batch run FILE --out ./videos'],
])('after %j and %s the next command is %s', (counts, reason, command) => {
  expect(nextCommand(countsOf(counts), reason, folderWords('./videos'))).toBe(command);
});

test('a row that waits for the video of another one is not one to correct', () => {
  const counts = countsOf({ invalid: 3, failed: 1 });
  const steps = nextSteps(
    { ...usual, counts, heldRows: 2, reason: 'done', words: folderWords('./videos') },
    english,
  );
  expect(steps.map(({ command, why }) => `${command}: ${why}`)).toEqual([
    'batch retry ./videos --failed: 1 row failed: a new attempt',
    'batch resume ./videos: 2 rows wait for the videos of others: takes what is there, and sends what nobody makes',
    'batch run FILE --out ./videos: 1 row invalid: correct the file first; failed.csv says what is wrong',
  ]);
});

test('every kind of row that ended badly gets its own step', () => {
  const counts = countsOf({
    uncertain: 1,
    pending: 1,
    undelivered: 1,
    failed: 1,
    rejected: 1,
    lost: 1,
    invalid: 1,
  });
  const end = {
    ...usual,
    counts,
    reason: 'done',
    words: folderWords('./videos'),
    uncertainId: 'row-17',
  } as const;
  const steps = stepsOf(end);
  expect(steps.map((step) => step.command.split(' ').slice(0, 2).join(' '))).toEqual([
    'batch collect',
    'batch resolve',
    'batch resume',
    'batch retry',
    'batch retry',
    'batch retry',
    'batch run',
  ]);
  expect(steps[1]?.command).toBe('batch resolve ./videos row-17 --task-id T');
  // Nothing proposes to pay again for a task that the service answers about.
  const unread = stepsOf({ ...end, unreadId: 'q 1' }).map(({ command }) => command);
  expect(unread).toContain("batch links ./videos --only 'q 1'");
  expect(unread.filter((command) => command.includes('--lost'))).toEqual([]);
  // Whoever stopped the run has its command first; the rest follows in the same order.
  const stopped = stepsOf({ ...end, reason: 'interrupted', stopped: 'run' });
  const [fetch, settle, resume, ...rest] = steps;
  expect(stopped).toEqual([resume, fetch, settle, ...rest]);
});

test.each<[Partial<Record<Status, number>>, StoppedCommand | null, readonly string[]]>([
  [{ open: 2, pending: 9 }, 'run', ['resume x', 'collect x']],
  [{ open: 2, pending: 9 }, 'retry', ['collect x', 'resume x']],
  [{ open: 2, pending: 9 }, null, ['collect x', 'resume x']],
  [{ open: 2, invalid: 1 }, 'run', ['resume x', 'run FILE --out x']],
  [{ open: 2, invalid: 1 }, null, ['collect x', 'run FILE --out x']],
  [{ lost: 1, pending: 2 }, 'run', ['resume x', 'collect x', 'retry x --lost']],
])('with %j left of a stopped %s its own command comes first', (counts, stopped, commands) => {
  const end = { ...usual, counts: countsOf(counts), reason: 'interrupted', words: folderWords('x') } as const;
  expect(stepsOf({ ...end, stopped }).map(({ command }) => command)).toEqual(
    commands.map((command) => `batch ${command}`),
  );
});

test.each<[EndingReason, RegExp]>([
  ['key-refused', /set a valid key in BATCH_API_KEY/],
  ['no-points', /add points to the account/],
  ['key-forbidden', /give the key this permission .* BATCH_API_KEY/],
  ['points-cap', /higher cap/],
  ['halt', /failed\.csv/],
  ['uncertain-breaker', /settle/],
  ['refusal-breaker', /account/],
  // A later run pays for one row to see whether its video can be had.
  ['delivery-breaker', /then pays for one row, and for more when a video is here/],
  ['unreachable', /reached/],
  ['misconfigured', /--base-url/],
  ['disk', /once files can be saved/],
])('going on after %s says what to put right', (reason, said) => {
  const [step] = stepsOf({ ...usual, counts: countsOf({ pending: 2 }), reason, words: folderWords('x') });
  expect(step?.why).toMatch(said);
  expect(step?.why).toMatch(/^2 rows left/);
});

test.each([
  ['moved', folderWords('./videos'), '--run alg', 'batch resume --run alg'],
  ['moved', sharedWords('alg', null), '/data/videos', 'batch resume /data/videos'],
  ['arriving', sharedWords('alg', null), '/data/videos', 'batch move /data/videos --run alg'],
] as const)('a run that is %s proposes nothing but its other place', (state, words, place, command) => {
  const mark = { state, move: 'm', place };
  const counts = countsOf({ pending: 2, uncertain: 1, failed: 1 });
  for (const isInUse of [false, true]) {
    const steps = stepsOf({ ...usual, counts, reason: 'done', words, isInUse, mark });
    expect(steps.map((step) => step.command)).toEqual([command]);
  }
});

test('names with spaces are quoted for a shell', () => {
  const [step] = stepsOf({
    ...usual,
    counts: countsOf({ uncertain: 1 }),
    reason: 'done',
    words: folderWords('./my videos'),
    uncertainId: "it's",
  });
  expect(step?.command).toBe(`batch resolve './my videos' 'it'\\''s' --task-id T`);
});

describe('a command that pays', () => {
  const offer = { rows: 4, points: 40, before: 0, maxPoints: null, within: null };
  const none = { waiting: null, unsent: [], failed: null, rejected: null, lost: null };
  const linesOf = (
    counts: Partial<Record<Status, number>>,
    reason: EndingReason,
    offers: Partial<Offers>,
    stopped: StoppedCommand | null = null,
  ) =>
    stepsOf({
      ...usual,
      counts: countsOf(counts),
      reason,
      stopped,
      words: folderWords('x'),
      offers: { until: 3, input: null, isLimited: false, ...none, ...offers },
    }).map(({ command, why }) => `${command}   ${why}`);

  test('says to how many rows it does what, and names the rounds whose rows it takes', () => {
    expect(linesOf({ failed: 9 }, 'done', { failed: offer })).toEqual([
      'batch retry x --failed --until 3   4 rows failed: a new attempt, about 40 points',
    ]);
  });

  test('carries the budget that it needs, and removes a limit that was tuned', () => {
    const waiting = { ...offer, maxPoints: 120 };
    expect(linesOf({ pending: 4 }, 'limit', { waiting, isLimited: true })).toEqual([
      'batch resume x --max-points 120 --limit none   4 rows left, about 40 points',
    ]);
  });

  test('sends what is left of a retry, and the rest apart from it', () => {
    const unsent = [{ ...offer, round: 2, points: null }];
    const waiting = { ...offer, before: 4 };
    expect(linesOf({ pending: 4 }, 'interrupted', { unsent, waiting })).toEqual([
      'batch retry x --unsent 2   4 rows left of a retry',
    ]);
    const both = { unsent, waiting: { ...waiting, rows: 30 } };
    const lines = [
      'batch retry x --unsent 2   4 rows left of a retry',
      'batch resume x   30 rows left, about 40 points, 4 of these rows by a line above',
    ];
    expect(linesOf({ pending: 30 }, 'interrupted', both)).toEqual(lines);
    expect(linesOf({ pending: 30 }, 'interrupted', both, 'retry')).toEqual(lines);
  });

  test('is not called free where rows that were refused with others are sent with what is fetched', () => {
    const waiting = { ...offer, rows: 5 };
    const linesWith = (rejected: number) =>
      linesOf({ open: 1, rejected }, 'refusal-breaker', {
        waiting,
        rejected: { ...offer, rows: rejected, before: 5 },
      });
    const lines = [
      expect.stringMatching(/^batch collect x .* under way/),
      expect.stringMatching(/^batch resume x {3}5 rows left, about 40 points/),
    ];
    expect(linesWith(5)).toEqual(lines);
    expect(linesWith(7)).toEqual([
      ...lines,
      expect.stringMatching(
        /^batch retry x --rejected --until 3 {3}7 rows rejected: .*, 5 of these rows by a line above$/,
      ),
    ]);
  });

  test('and one that reads the file again names it, with the options that it was read with', () => {
    const input = "'my file.csv' --map question=题目 --header-row 3";
    expect(linesOf({ invalid: 2 }, 'done', { input })).toEqual([
      `batch run ${input} --out x   2 rows invalid: correct the file first; failed.csv says what is wrong`,
    ]);
  });

  test('comes after what is free, and stands there once', () => {
    const counts = { open: 10, pending: 4, undelivered: 1, lost: 2, uncertain: 1 };
    expect(linesOf(counts, 'interrupted', { waiting: offer, lost: { ...offer, rows: 2 } })).toEqual([
      expect.stringMatching(/^batch collect x .* under way: .*; 1 row undelivered: .*; 2 rows lost: /),
      expect.stringMatching(/^batch resolve x /),
      'batch resume x   4 rows left, about 40 points',
      expect.stringMatching(/^batch retry x --lost --until 3 /),
    ]);
  });
});

test.each<[StoppedCommand | null, readonly string[]]>([
  [null, ['collect x', 'continue x', 'resume x', 'retry x --failed']],
  ['retry', ['continue x', 'collect x', 'resume x', 'retry x --failed']],
  ['run', ['continue x', 'resume x', 'collect x', 'retry x --failed']],
])(
  'while submitting is paused, what ends the pause comes before all that sends rows (%s)',
  (stopped, commands) => {
    const counts = countsOf({ open: 1, pending: 2, failed: 1 });
    const end = {
      ...usual,
      counts,
      reason: 'done',
      words: folderWords('x'),
      isPaused: true,
      stopped,
    } as const;
    expect(stepsOf(end).map(({ command }) => command)).toEqual(commands.map((command) => `batch ${command}`));
    // Nothing waits for the end of the pause.
    expect(stepsOf({ ...end, counts: countsOf({}) })[0]?.command).toBe('batch view --open x');
  },
);

test('while the service asked for a pause, each command that pays says from which full minute on it sends', () => {
  const now = new Date(2026, 2, 1, 3, 20).getTime();
  const waits = { rows: 3, points: 30, before: 0, maxPoints: null, within: null };
  const linesAt = (until: number): readonly string[] =>
    stepsOf({
      ...usual,
      counts: countsOf({ pending: 9, undelivered: 1, failed: 3 }),
      reason: 'busy',
      words: folderWords('x'),
      asked: { until, now },
      offers: {
        until: 2,
        input: null,
        isLimited: false,
        waiting: { ...waits, rows: 6 },
        unsent: [{ ...waits, round: 2 }],
        failed: waits,
        rejected: null,
        lost: null,
      },
    }).map(({ command, why }) => `${command}   ${why}`);
  const lines = [
    expect.stringMatching(/^batch collect x .* free of charge; /),
    'batch retry x --unsent 2   3 rows left of a retry, about 30 points, after 03:26, as the service asked',
    'batch resume x   6 rows left, about 30 points, after 03:26, as the service asked: when the service accepts creations again',
    'batch retry x --failed --until 2   3 rows failed: a new attempt, about 30 points, after 03:26, as the service asked',
  ];
  expect(linesAt(now + 5 * 60_000 + 1)).toEqual(lines);
  expect(linesAt(now + 6 * 60_000)).toEqual(lines);
});

test('several uncertain rows are settled as one table', () => {
  const counts = countsOf({ uncertain: 6, pending: 2 });
  const [step] = stepsOf({
    ...usual,
    counts,
    reason: 'done',
    words: sharedWords('algebra', null),
    uncertainId: 'q',
  });
  expect(step).toEqual({
    command: 'batch resolve --run algebra --list --to uncertain.csv',
    why: '6 rows uncertain: fill in task_id from your account, or not-created where there is no task, then `batch resolve --run algebra --from uncertain.csv`',
  });
});

test('rows that are no longer in the file are not offered an attempt that they cannot get', () => {
  const counts = countsOf({ failed: 3, rejected: 2, lost: 1 });
  const steps = stepsOf({
    ...usual,
    counts,
    reason: 'done',
    words: folderWords('x'),
    gone: { failed: 1, rejected: 2, lost: 1 },
  });
  expect(steps.map(({ command, why }) => `${command}   ${why}`)).toEqual([
    'batch collect x   1 row lost: asks again, free of charge',
    'batch retry x --failed   2 rows failed: a new attempt',
    'batch run FILE --out x   4 rows that ended badly are no longer in the file; reading one that has them brings them back',
  ]);
  const alone = {
    ...usual,
    counts: countsOf({ failed: 1 }),
    reason: 'done',
    words: folderWords('x'),
  } as const;
  expect(stepsOf({ ...alone, gone: { failed: 1 } }).map(({ why }) => why)).toEqual([
    '1 row that ended badly is no longer in the file; reading one that has it brings it back',
  ]);
});

test('while another process works in the folder there is nothing to do but to look', () => {
  const counts = countsOf({ open: 3, failed: 1 });
  const steps = stepsOf({ ...usual, counts, reason: 'done', words: folderWords('x'), isInUse: true });
  expect(steps.map(({ command }) => command)).toEqual(['batch status x']);
});

test('workers of a shared run continue by themselves, and rows may be repaired meanwhile', () => {
  const counts = countsOf({ open: 3, failed: 1, uncertain: 1 });
  const words = sharedWords('algebra', null);
  const steps = stepsOf({ ...usual, counts, reason: 'done', words, isInUse: true, uncertainId: 'q-1' });
  expect(steps.map(({ command }) => command)).toEqual([
    'batch resolve --run algebra q-1 --task-id T',
    'batch status --run algebra',
    'batch retry --run algebra --failed',
  ]);
});

test('an address given on the command line is repeated without its password', () => {
  const store = 'postgres://me:secret@db.example:5433/batch?sslmode=require&password=secret';
  const [step] = stepsOf({
    ...usual,
    counts: countsOf({ pending: 1 }),
    reason: 'limit',
    words: sharedWords('algebra', store),
  });
  expect(step?.command).toBe(
    "batch resume --store 'postgres://me@db.example:5433/batch?sslmode=require' --run algebra",
  );
});

test('while rows of the sample wait, the run continues with the sample alone', () => {
  const ended = {
    ...usual,
    counts: countsOf({ pending: 90, completed: 10 }),
    words: folderWords('./videos'),
  };
  const [step] = stepsOf({ ...ended, reason: 'interrupted', sample: 20 });
  expect(step).toEqual({
    command: 'batch resume ./videos --sample 20',
    why: '90 rows left: this goes on with the sample alone',
  });
  expect(stepsOf({ ...ended, reason: 'done' })[0]?.command).toBe('batch resume ./videos');
});
