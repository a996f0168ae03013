import { describe, expect, it, test } from 'vitest';
import type { AskedPause } from '../../src/money/answers/retry-after.ts';
import { isEarlier } from '../../src/money/artifacts.ts';
import type { Item } from '../../src/money/item.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { mayFindTask } from '../../src/money/transition.ts';
import {
  at,
  ending,
  eventOf,
  events,
  fileAt,
  frameOf,
  itemIn,
  live,
  move,
  savedFrame,
  savedVideo,
  silentEnding,
} from './lives.ts';

const passing = eventOf('creation-refused', { passing: true, failure: '503 - busy' });
const notFound = events['task-not-found'];
const withVideo = itemIn('downloading', { artifacts: [savedVideo, frameOf()] });

describe('a creation', () => {
  it('begins an attempt that knows nothing of the one before', () => {
    const pending = itemIn('pending', { attempt: 1, token: 't1', points: 0, failure: '503' });
    expect(live(pending, eventOf('claimed', { at: at + 5 }))).toEqual(
      itemIn('submitting', {
        attempt: 2,
        token: 't2',
        requestHash: 'h2',
        quality: 'h',
        submittedAt: at + 5,
        version: 1,
      }),
    );
  });

  it('that was refused for good is over, and cost nothing', () => {
    expect(live(itemIn('submitting'), eventOf('creation-refused', { at: at + 9 }))).toMatchObject({
      status: 'rejected',
      points: 0,
      failure: 'no points',
      endedAt: at + 9,
    });
  });

  it('that was refused for a passing cause waits like all the others, however often', () => {
    let item = itemIn('submitting');
    for (let attempt = 2; attempt < 100; attempt++) {
      item = live(item, passing);
      expect(item).toMatchObject({ status: 'pending', points: 0, notBefore: 0, failure: '503 - busy' });
      item = live(item, events.claimed);
      expect(item).toMatchObject({ status: 'submitting', attempt });
    }
  });

  it('waits as long as the service asks, but no more than an hour', () => {
    const asked = (retryAfterMs: AskedPause) =>
      live(itemIn('submitting'), eventOf('creation-refused', { passing: true, retryAfterMs })).notBefore - at;
    expect(asked(90_000)).toBe(90_000);
    expect(asked(1)).toBe(1);
    expect(asked('unclear')).toBe(-at);
    expect(asked(10_000_000)).toBe(60 * 60_000);
  });

  it('that was barred waits behind the others; one that had its second chance has no other', () => {
    const turnAfter = (turn: Item['turn']) =>
      live(itemIn('submitting', { turn }), events['creation-barred']).turn;
    expect(turnAfter('first')).toBe('last');
    expect(turnAfter('last')).toBe('last');
    expect(turnAfter('spent')).toBe('spent');
    const refusedAgain = itemIn('rejected', { turn: 'spent' });
    expect(live(refusedAgain, events['refused-alike'])).toBe(refusedAgain);
  });

  it('that never left costs nothing and may go at once', () => {
    expect(live(itemIn('submitting'), events['creation-not-sent'])).toMatchObject({
      status: 'pending',
      points: 0,
      notBefore: 0,
      failure: 'connection refused',
    });
  });
});

describe('an uncertain row', () => {
  it('takes the task that the user found, and waits for it from now on', () => {
    expect(live(itemIn('uncertain'), eventOf('task-adopted', { at: at + 60 }))).toEqual(
      itemIn('open', { taskId: 'task-9', submittedAt: at + 60, requestHash: null, version: 1 }),
    );
  });

  it('whose task was mistyped takes another one, and nothing of the first', () => {
    const mistyped = live(itemIn('uncertain'), events['task-adopted'], events['task-progressed']);
    const right = eventOf('task-adopted', { at: at + 60, taskId: 'task-10' });
    const found = itemIn('open', { taskId: 'task-10', submittedAt: at + 60, requestHash: null });
    expect({ ...live(mistyped, right), version: 0 }).toEqual(found);
    const lost = live(mistyped, events['task-overdue']);
    expect(lost.status).toBe('lost');
    expect({ ...live(lost, right), version: 0 }).toEqual(found);
  });

  it('takes the answer to its own creation, however late it comes', () => {
    const uncertain = itemIn('uncertain');
    const { submittedAt, requestHash } = uncertain;
    expect(live(uncertain, events['creation-accepted'])).toMatchObject({
      status: 'open',
      taskId: 'task-2',
      points: null,
      failure: null,
      submittedAt,
      requestHash,
    });
    expect(live(uncertain, events['creation-refused'])).toMatchObject({ status: 'rejected', points: 0 });
    const passing = eventOf('creation-refused', { passing: true });
    expect(live(uncertain, passing)).toMatchObject({ status: 'pending', points: 0 });
    expect(live(uncertain, events['creation-not-sent'])).toMatchObject({ status: 'pending', points: 0 });
  });

  it('that the user put back is open when its answer comes after all, unless a new attempt was ordered', () => {
    const writtenOff = live(itemIn('uncertain'), events['not-created']);
    expect(live(writtenOff, events['creation-accepted'])).toMatchObject({ status: 'open', points: null });
    const ordered = live(itemIn('lost'), events['retry-ordered']);
    expect(live(ordered, events['creation-accepted'])).toBe(ordered);
  });

  it('whose task the user found takes the one that the service names as the answer instead', () => {
    const found = live(itemIn('uncertain'), events['task-adopted']);
    expect(live(found, events['creation-accepted'])).toMatchObject({ status: 'open', taskId: 'task-2' });
    for (const status of ['downloading', 'completed', 'failed', 'lost', 'undelivered'] as const)
      expect(live(itemIn(status, { requestHash: null }), events['creation-accepted'])).toMatchObject({
        status: 'open',
        taskId: 'task-2',
        points: null,
        failure: null,
        endedAt: null,
      });
    const own = itemIn('open');
    expect(live(own, eventOf('creation-accepted', { taskId: 'another' }))).toBe(own);
  });

  it('that was answered by the service itself keeps that task while it is open', () => {
    const open = itemIn('open');
    expect(live(open, events['task-adopted'])).toBe(open);
    expect(mayFindTask(open)).toBe(false);
  });

  it('goes back to pending at the word of the user, free of charge and of old refusals', () => {
    const item = itemIn('uncertain', { notBefore: at });
    expect(live(item, events['not-created'])).toMatchObject({
      status: 'pending',
      points: 0,
      notBefore: 0,
      failure: null,
    });
  });
});

describe('a task that ended', () => {
  it('leaves what the service says of it', () => {
    expect(live(itemIn('open'), eventOf('task-completed', { at: at + 1 }))).toMatchObject({
      ...ending,
      endedAt: at + 1,
      status: 'downloading',
    });
  });

  it('keeps its first end and its points when a later answer names none', () => {
    const later = eventOf('task-completed', { at: at + 999, ending: silentEnding });
    expect(live(itemIn('downloading'), later)).toMatchObject({ ...ending, endedAt: at });
    const failed = eventOf('task-failed', { at: at + 999, ending: silentEnding });
    expect(live(itemIn('downloading'), failed)).toMatchObject({ ...ending, endedAt: at, status: 'failed' });
  });

  it('takes the points of the later answer when it names some', () => {
    const dearer = eventOf('task-completed', { ending: { ...silentEnding, points: 12 } });
    expect(live(itemIn('downloading'), dearer).points).toBe(12);
  });

  it('costs what the service says when it failed, and what it says unreadably stays unknown', () => {
    for (const points of [0, 2, null]) {
      const failed = eventOf('task-failed', { at: at + 3, ending: { ...silentEnding, points } });
      expect(live(itemIn('open'), failed)).toMatchObject({
        status: 'failed',
        points,
        failure: 'it cannot be drawn',
        endedAt: at + 3,
      });
    }
  });

  it('hands the other links of its video on', () => {
    const spareUrls = ['https://y.example/v'];
    const { effects } = move(itemIn('open'), eventOf('task-completed', { spareUrls, frames: [] }));
    expect(effects).toEqual([{ type: 'fetch-video', url: 'https://x.example/v', spareUrls }]);
  });

  it('is told to have other videos where the service named them, also once one is saved', () => {
    const completed = eventOf('task-completed', { spareUrls: ['https://y.example/v'], frames: [] });
    const delivered = live(itemIn('open'), completed, eventOf('video-saved'));
    expect(delivered).toMatchObject({
      status: 'completed',
      failure: expect.stringContaining('the service named 2 videos'),
    });
    expect(live(itemIn('undelivered'), eventOf('video-saved')).failure).toBeNull();
  });
});

it.each([
  [undefined, 'the service called the task "FAILED", and gave this video'],
  ['No sound', 'the service called the task "FAILED: No sound", and gave this video'],
])(
  'a video of a task that is called failed is fetched, and what it was called is kept: %s',
  (text, failure) => {
    const contrary = { unknownState: 'FAILED', isContrary: true, ...(text && { text }) } as const;
    const delivered = live(
      itemIn('open'),
      eventOf('task-completed', { ...contrary, frames: [] }),
      eventOf('video-saved'),
    );
    expect(delivered).toMatchObject({ status: 'completed', failure });
  },
);

describe('a task that the service does not know', () => {
  it('is lost at the third tick in a row', () => {
    expect(live(itemIn('open'), notFound, notFound)).toMatchObject({ status: 'open', misses: 2 });
    expect(live(itemIn('open'), notFound, notFound, notFound)).toMatchObject({
      status: 'lost',
      failure: 'Task not found',
      points: null,
      taskId: 'task-1',
    });
  });

  it('is not lost when it is missing only now and then', () => {
    const item = live(itemIn('open'), notFound, notFound, events['task-progressed'], notFound, notFound);
    expect(item).toMatchObject({ status: 'open', misses: 2 });
  });

  it('is undelivered, not lost, once it was completed', () => {
    expect(live(itemIn('downloading'), notFound, notFound, notFound)).toMatchObject({
      status: 'undelivered',
      points: 10,
      failure: 'Task not found',
    });
  });
});

describe('a lost task', () => {
  const news = (afterMs: number) => eventOf('task-progressed', { at: at + afterMs });

  it('is open again when the service knows it after all', () => {
    expect(live(itemIn('lost'), news(1_000))).toMatchObject({ status: 'open', failure: null, misses: 0 });
  });

  it('stays lost while waiting for it has taken longer than the user wants', () => {
    const { taskTimeoutMs } = defaultPolicy;
    expect(live(itemIn('lost'), news(taskTimeoutMs)).status).toBe('open');
    expect(live(itemIn('lost'), news(taskTimeoutMs + 1)).status).toBe('lost');
  });
});

describe('a download', () => {
  const lacks = [
    ['its link is refused', events['video-not-had'], '403'],
    [
      'the service names none',
      eventOf('task-completed', { videoUrl: null, frames: [] }),
      'the service completed the task without a video',
    ],
    [
      'the service names a text instead',
      eventOf('task-completed', { videoUrl: null, text: '内容不符合规范', frames: [] }),
      'the service completed the task without a video: 内容不符合规范',
    ],
    [
      'the completion is taken back',
      events['task-progressed'],
      'the service no longer reports the task as completed',
    ],
  ] as const;

  it.each(lacks)(
    'is asked for at growing intervals, for ten minutes in all, where %s',
    (_, lack, failure) => {
      let item = itemIn('downloading');
      const pausesMs: number[] = [];
      while (item.status === 'downloading') {
        const { item: after, effects } = move(item, lack);
        item = after;
        for (const effect of effects)
          if (effect.type === 'poll' || effect.type === 'poll-later')
            pausesMs.push(effect.type === 'poll' ? 0 : effect.afterMs);
      }
      expect(pausesMs.map((ms) => ms / 1_000)).toEqual([0, 2, 4, 8, 16, 32, 64, 120, 120, 120, 120]);
      expect(item).toMatchObject({ status: 'undelivered', failure, points: 10 });
    },
  );

  it('counts all that keeps a video away together, and forgets what it was once there is a link', () => {
    const story = lacks.map(([, lack]) => lack);
    const item = live(itemIn('downloading'), ...story);
    expect(item).toMatchObject({ status: 'downloading', renewals: 4, failure: null });
    expect(move(item, events['task-completed']).effects[0]).toMatchObject({ type: 'fetch-video' });
  });

  it('that was put off starts with new counts at the next run', () => {
    for (const status of ['downloading', 'undelivered'] as const) {
      const item = itemIn(status, { misses: 2, renewals: 6 });
      expect(live(item, events['run-started'])).toMatchObject({
        status: 'downloading',
        misses: 0,
        renewals: 0,
      });
    }
  });

  it('that goes on has forgotten why it was put off', () => {
    const story = [events['run-started'], events['task-completed']] as const;
    expect(live(itemIn('undelivered'), ...story)).toMatchObject({ status: 'downloading', failure: null });
  });
});

describe('a frame', () => {
  const missed = events['frame-not-had'];

  it('is given up at the third try and never fails the row', () => {
    const item = live(itemIn('downloading'), missed, missed);
    expect(item).toMatchObject({ status: 'downloading', artifacts: [{ state: 'wanted', tries: 2 }] });
    expect(live(item, missed, events['video-saved'])).toMatchObject({
      status: 'completed',
      artifacts: [{ kind: 'video' }, { kind: 'frame', state: 'missing' }],
    });
    expect(live(withVideo, missed, missed, missed).status).toBe('completed');
  });

  it('asks for a new link by itself only once the video is here, after a pause', () => {
    const ask = [{ type: 'poll-later', afterMs: 5_000 }];
    expect(move(withVideo, missed).effects).toEqual(ask);
    expect(move(itemIn('downloading'), missed).effects).toEqual([]);
    expect(move(itemIn('open', { artifacts: [frameOf()] }), missed).effects).toEqual([]);
    const last = itemIn('downloading', { artifacts: [savedVideo, frameOf({ tries: 2 })] });
    expect(move(last, missed)).toMatchObject({ item: { status: 'completed' }, effects: [] });
    const two = itemIn('downloading', { artifacts: [savedVideo, frameOf(), frameOf({ ordinal: 2 })] });
    expect(move(two, events['frame-saved']).effects).toEqual(ask);
    const { item, effects } = move(itemIn('downloading'), events['video-saved']);
    expect(item.status).toBe('downloading');
    expect(effects).toEqual([...ask, { type: 'limit-frames' }]);
  });

  it('is given up at once when no link would help', () => {
    expect(move(withVideo, eventOf('frame-not-had', { isFinal: true })).item).toMatchObject({
      status: 'completed',
      artifacts: [{ kind: 'video' }, { state: 'missing', tries: 1 }],
    });
  });

  it('is waited for no longer than a finished video may wait, but for its turn in a line that moves', () => {
    const artifacts = [savedVideo, frameOf({ tries: 1 }), frameOf({ ordinal: 2, remoteId: 'f2' })];
    const item = itemIn('downloading', { artifacts });
    expect(move(item, events['frames-overdue'])).toMatchObject({
      item: { status: 'completed' },
      effects: [],
    });
    const moving = move(item, eventOf('frames-overdue', { isMoving: true }));
    expect(moving).toMatchObject({
      item: { status: 'downloading', artifacts: [{}, { state: 'missing' }, { state: 'wanted' }] },
      effects: [{ type: 'limit-frames' }],
    });
    expect(move(itemIn('downloading'), events['frames-overdue']).item.status).toBe('downloading');
  });

  test.each([
    ['the task is not found any more', [notFound, notFound, notFound]],
    ['the service names no video any more', [eventOf('task-completed', { videoUrl: null, frames: [] })]],
    ['the service takes the completion back', [eventOf('task-progressed', { frames: [] })]],
  ])('is given up for a video that is here when %s', (_, story) => {
    expect(live(withVideo, ...story)).toMatchObject({
      status: 'completed',
      failure: null,
      points: 10,
      artifacts: [savedVideo, { ...frameOf(), state: 'missing' }],
    });
  });
});

describe('a damaged file', () => {
  it('is fetched again from the same task, free of charge', () => {
    const completed = itemIn('completed', { misses: 1, renewals: 3 });
    const { item, effects } = move(completed, events['file-damaged']);
    expect(item).toMatchObject({ status: 'downloading', points: 10, attempt: 1, misses: 0, renewals: 0 });
    expect(item.artifacts).toEqual([
      // Should it come back as it was, it is known by these.
      { ...savedVideo, state: 'wanted' },
      savedFrame,
    ]);
    expect(effects).toEqual([{ type: 'poll' }]);
    const fetched = move(item, events['task-completed']);
    expect(fetched.effects).toEqual([{ type: 'fetch-video', url: 'https://x.example/v' }]);
    const again = eventOf('video-saved', { file: fileAt('sum-1/video.webm') });
    expect(live(fetched.item, again)).toMatchObject({
      status: 'completed',
      artifacts: [{ path: 'sum-1/video.webm' }, savedFrame],
    });
  });
});

describe('a new attempt', () => {
  it('forgets the old task, but not that there was an attempt, nor what it made', () => {
    for (const status of ['completed', 'failed', 'rejected', 'undelivered', 'lost'] as const) {
      const item = itemIn(status, { notBefore: at, quality: 'l' });
      const { artifacts } = item;
      expect(live(item, events['retry-ordered'])).toEqual(
        itemIn('pending', { attempt: 1, quality: 'l', artifacts, version: 1 }),
      );
    }
  });

  it('that is claimed has the files of the one before aside, and only their video once it has its own', () => {
    const ordered = live(itemIn('completed'), events['retry-ordered']);
    const claimed = live(ordered, eventOf('claimed', { aside: 'attempt-1' }));
    const earlier = [
      { ...savedFrame, kind: 'earlier', remoteId: null, path: 'sum-1/attempt-1/frames/001.png' },
      { ...savedVideo, kind: 'earlier-video', ordinal: 1, path: 'sum-1/attempt-1/video.mp4' },
    ];
    expect(claimed.artifacts).toEqual(earlier);
    // Neither a refusal nor another attempt that makes nothing takes them away.
    const again = live(
      claimed,
      eventOf('creation-refused', { passing: true }),
      eventOf('claimed', { aside: null }),
    );
    expect(again.artifacts).toEqual(earlier);
    const open = live(
      again,
      events['creation-accepted'],
      eventOf('task-progressed', { frames: [{ id: 'f1', url: 'u' }] }),
    );
    expect(open.artifacts).toContainEqual(frameOf({ ordinal: 1 }));
    const made = live(open, events['task-completed'], events['video-saved']);
    expect(made.artifacts.filter(isEarlier)).toEqual(earlier.slice(1));
  });

  it('keeps the names of files that could not be set aside', () => {
    const ordered = live(itemIn('completed'), events['retry-ordered']);
    const { artifacts } = live(ordered, eventOf('claimed', { aside: null }));
    expect(artifacts.map(({ path }) => path)).toEqual([savedFrame.path, savedVideo.path]);
  });
});

describe('an order that falls away', () => {
  it('leaves the row as its last attempt had made it, without that attempt', () => {
    const done = itemIn('completed', { points: 10 });
    const { status, quality, submittedAt, endedAt, taskId, points, failure, title, createdAt, finishAt } =
      done;
    const last = {
      ...{ status, quality, submittedAt, endedAt, taskId, points, failure, title, createdAt, finishAt },
    };
    const ended = live(done, events['retry-ordered'], eventOf('order-ended', { last }));
    expect(ended).toEqual({
      ...done,
      token: null,
      requestHash: null,
      detail: null,
      version: done.version + 2,
    });
  });
});

describe('an edited row', () => {
  it('that was refused or could not be sent is pending with its new text', () => {
    for (const status of ['pending', 'rejected', 'invalid'] as const) {
      const item = itemIn(status, { notBefore: at, failure: 'old' });
      expect(live(item, events['question-changed'])).toMatchObject({
        status: 'pending',
        failure: null,
        notBefore: 0,
      });
    }
  });

  it('that cannot be sent now is invalid, with the reason', () => {
    const broken = eventOf('question-changed', { failure: 'quality "x" is none of h, m, l' });
    for (const status of ['pending', 'rejected', 'invalid'] as const) {
      expect(live(itemIn(status), broken)).toMatchObject({
        status: 'invalid',
        failure: 'quality "x" is none of h, m, l',
      });
    }
    expect(live(itemIn('pending'), events['question-unsendable']).failure).toBe('cat.png is not an image');
  });
});
