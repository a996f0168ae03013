/**
 * The life of one question, as a pure function.
 *
 * The law of this file: every legal move is in the table `moves` and nowhere else. For any other pair of status and
 * event `transition` throws `IllegalMove` and changes nothing. Answers that may come late (a poll that was in flight
 * when the item moved on) are listed as `late` and change nothing.
 *
 * The money rules: only `claimed` starts an attempt, and only a `pending` item can be claimed. From `uncertain` or `lost`
 * back to `pending` lead only commands of the user (`not-created`, `retry-ordered`) and, from `uncertain`, the answer to
 * its own creation, however late. The caller checks that such an answer belongs to the item's current attempt.
 */

import { unheard } from './answers/silent-creation.ts';
import {
  allSettled,
  earlierFiles,
  giveUpFrames,
  hasVideo,
  keepSaved,
  linkPauseMs,
  noteFinalFrames,
  noteFrames,
  recordFrameNotHad,
  recordSaved,
  reopenArtifact,
  setAside,
} from './artifacts.ts';
import {
  type Effect,
  forgottenTask,
  type Item,
  type ItemEvent,
  type RemoteFrame,
  type Status,
  type TaskEnding,
  type Transition,
  type Turn,
} from './item.ts';
import { pointsAfter } from './late-price.ts';
import { fixed, type Policy } from './policy.ts';
import { isSameTask } from './task-id.ts';
import { isOverdue } from './tick.ts';

/** Thrown for a pair of status and event that must not occur; the item stays as it was. */
export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
  constructor(status: Status, event: ItemEvent['type'], id: string) {
    super(`row ${id}: "${event}" cannot happen to an item that is ${status}`);
  }
}

type EventOf<T extends ItemEvent['type']> = Extract<ItemEvent, { type: T }>;
type Move<T extends ItemEvent['type']> = (item: Item, event: EventOf<T>, policy: Policy) => Transition;
type Moves = { readonly [T in ItemEvent['type']]?: Move<T> };

const stay = (item: Item, effects: readonly Effect[] = []): Transition => ({ item, effects });
const become = (item: Item, change: Partial<Item>, effects: readonly Effect[] = []): Transition => ({
  item: { ...item, ...change },
  effects,
});

/** The answer came too late to matter. */
const late = (item: Item): Transition => stay(item);

const claim: Move<'claimed'> = (item, event) =>
  become(
    item,
    {
      status: 'submitting',
      attempt: item.attempt + 1,
      token: event.token,
      requestHash: event.requestHash,
      quality: event.quality,
      submittedAt: event.at,
      endedAt: null,
      ...forgottenTask,
      artifacts: setAside(item, event.aside),
    },
    [{ type: 'create' }],
  );

const accept: Move<'creation-accepted'> = (item, event) =>
  become(item, { status: 'open', taskId: event.taskId, points: null, failure: null }, [{ type: 'poll' }]);

/** A temporary refusal costs the row nothing: it waits with all the others. */
const refuse: Move<'creation-refused'> = (item, { at, failure, passing, retryAfterMs }) => {
  if (!passing) return become(item, { status: 'rejected', points: 0, failure, endedAt: at });
  const notBefore = retryAfterMs === null ? 0 : at + Math.min(retryAfterMs, fixed.retryAfterMaxMs);
  return become(item, { status: 'pending', points: 0, failure, notBefore });
};

/** The row waits until it is known whether the refusal concerns it alone, and no longer stands in the way of the others. */
const bar: Move<'creation-barred'> = (item, { failure }) =>
  become(item, { status: 'pending', points: 0, failure, notBefore: 0, turn: laterTurn(item) });

/** One that had its second chance has no other. */
const laterTurn = ({ turn }: Item): Turn => (turn === 'spent' ? 'spent' : 'last');

const confirmRefusal: Move<'refusal-confirmed'> = (item, { at, failure, token }) =>
  item.token === token ? become(item, { status: 'rejected', points: 0, failure, endedAt: at }) : late(item);

const keepForLater: Move<'refused-alike'> = (item) =>
  item.turn === 'spent' || item.turn === 'again' ? late(item) : become(item, { turn: 'again' });

const giveSecondChance: Move<'second-chance-given'> = (item) =>
  item.turn === 'again' ? become(item, { status: 'pending', turn: 'spent', endedAt: null }) : late(item);

const notSent: Move<'creation-not-sent'> = (item, event) =>
  become(item, { status: 'pending', points: 0, failure: event.failure, notBefore: 0 });

const doubt: Move<'creation-uncertain'> = (item, event) =>
  become(item, { status: 'uncertain', failure: event.failure });

const foundSubmitting: Move<'run-started'> = (item) =>
  become(item, {
    status: 'uncertain',
    failure: unheard.stopped,
  });

const progress: Move<'task-progressed'> = (item, event, policy) => {
  const noted = noteFrames(item, event.frames, policy.frames);
  if (noted.item.misses === 0) return noted;
  return become(noted.item, { misses: 0 }, noted.effects);
};

/** Merges what the service says of the ending; a field it now leaves out keeps its value. */
const mergeEnding = (item: Item, ending: TaskEnding): TaskEnding => ({
  points: ending.points ?? item.points,
  detail: ending.detail ?? item.detail,
  title: ending.title ?? item.title,
  createdAt: ending.createdAt ?? item.createdAt,
  finishAt: ending.finishAt ?? item.finishAt,
});

const complete: Move<'task-completed'> = (item, event, policy) => {
  const points = pointsAfter(item, event.ending.points, policy);
  const ending = { ...mergeEnding(item, event.ending), points };
  const charged: Item = { ...item, ...ending, endedAt: item.endedAt ?? event.at, misses: 0 };
  const { videoUrl, spareUrls, text } = event;
  if (hasVideo(item)) return lookForFrames(charged, event.frames, policy);
  if (videoUrl === null) {
    const { item: noted, effects } = noteFrames(charged, event.frames, policy.frames);
    return lackVideo(noted, withoutVideo(text), effects);
  }
  const noted = noteFinalFrames(charged, event.frames, policy.frames);
  const fetchVideo: Effect = { type: 'fetch-video', url: videoUrl, ...(spareUrls && { spareUrls }) };
  const failure = spareUrls === undefined ? null : manyVideos(1 + spareUrls.length);
  return become(noted.item, { status: 'downloading', failure }, [fetchVideo, ...noted.effects]);
};

/** A task that was completed and names no video; `text` is what the service said instead. */
export const withoutVideo = (text: string | undefined): string =>
  ['the service completed the task without a video', ...(text === undefined ? [] : [text])].join(': ');

/** Only one is kept, so the report says that there are others. */
const manyVideos = (count: number): string =>
  `the service named ${count} videos for this task, and the first that could be fetched is kept; "batch links" shows all of them`;

/** The video is saved; gives up frames that the service no longer lists, because frames are not worth a wait. */
const lookForFrames = (item: Item, frames: readonly RemoteFrame[], policy: Policy): Transition => {
  const noted = noteFinalFrames(item, frames, policy.frames);
  const effects: readonly Effect[] = [...noted.effects, { type: 'limit-frames' }];
  return completeWhenWhole(
    { ...noted.item, status: 'downloading', failure: deliveredFailure(item) },
    effects,
  );
};

const setPoints = (item: Item, points: number | null): Transition =>
  points === item.points ? late(item) : become(item, { points });

/** The row has its files; the service's latest points are what it charges, once they are its price. */
const correctPoints: Move<'task-completed'> = (item, { ending }, policy) =>
  setPoints(item, pointsAfter(item, ending.points, policy));

const settlePrice: Move<'price-settled'> = (item, { points }) => setPoints(item, points);

const fail: Move<'task-failed'> = (item, event) =>
  become(
    item,
    {
      ...mergeEnding(item, event.ending),
      status: 'failed',
      failure: event.failure,
      endedAt: item.endedAt ?? event.at,
      misses: 0,
    },
    [{ type: 'write-task-file' }],
  );

type GiveUp = (item: Item, failure: string) => Transition;

const loseTask: GiveUp = (item, failure) => become(item, { status: 'lost', failure });

/** No more files can be fetched. A missing frame does not matter if the video is saved. */
const giveUpFiles: GiveUp = (item, failure) =>
  hasVideo(item)
    ? become(giveUpFrames(item), { status: 'completed' })
    : become(item, { status: 'undelivered', failure });

const miss =
  (giveUp: GiveUp): Move<'task-not-found'> =>
  (item, event) => {
    const missed: Item = { ...item, misses: item.misses + 1 };
    const isGone = missed.misses >= fixed.notFoundTicks && event.unknownMs >= fixed.notFoundMs;
    return isGone ? giveUp(missed, event.failure) : stay(missed);
  };

const timeOut: Move<'task-overdue'> = (item, event) => loseTask(item, event.failure);

/**
 * The task is completed and charged, but its video cannot be fetched. Polls again at growing intervals, because the link
 * or the file may only be late.
 */
const lackVideo = (item: Item, failure: string, effects: readonly Effect[] = []): Transition => {
  const renewals = item.renewals + 1;
  const afterMs = linkPauseMs(renewals);
  if (afterMs === null) return giveUpFiles({ ...item, renewals }, failure);
  const ask: Effect = afterMs === 0 ? { type: 'poll' } : { type: 'poll-later', afterMs };
  return become(item, { status: 'downloading', renewals, failure: null }, [...effects, ask]);
};

const videoNotHad: Move<'video-not-had'> = (item, event) =>
  event.newLink ? lackVideo(item, event.failure) : giveUpFiles(item, event.failure);

const takeBack: Move<'task-progressed'> = (item, event, policy) => {
  const known = { ...item, misses: 0 };
  if (hasVideo(item)) return lookForFrames(known, event.frames, policy);
  return lackVideo(known, 'the service no longer reports the task as completed');
};

/** Frames that failed earlier no longer wait for the video's polls: a poll of their own brings new links. */
const saveVideo: Move<'video-saved'> = (item, event) =>
  completeWhenWhole(
    { ...recordSaved(item, 'video', 0, event.file), status: 'downloading', failure: deliveredFailure(item) },
    [askForFrames, { type: 'limit-frames' }],
  );

/** What stays to be said of a row that has its video: nothing of what kept it from having one. */
const deliveredFailure = ({ status, failure }: Item): string | null =>
  status === 'downloading' ? failure : null;

const askForFrames: Effect = { type: 'poll-later', afterMs: fixed.framePauseMs };

const saveFrame: Move<'frame-saved'> = (item, event) => {
  const saved = recordSaved(item, 'frame', event.ordinal, event.file);
  return completeWhenWhole(saved, saved.status === 'downloading' && hasVideo(saved) ? [askForFrames] : []);
};

/** Until the video is saved, the polls for it also bring links for the frames. */
const missFrame: Move<'frame-not-had'> = (item, event) => {
  const noted = recordFrameNotHad(item, event.ordinal, event.isFinal === true);
  return completeWhenWhole(noted, noted.status === 'downloading' && hasVideo(noted) ? [askForFrames] : []);
};

/** Polls for new links; if the video is saved, limits the wait for frames, even if the service does not answer. */
const lookAgain = (item: Item): readonly Effect[] =>
  hasVideo(item) ? [{ type: 'poll' }, { type: 'limit-frames' }] : [{ type: 'poll' }];

const reopen: Move<'file-damaged'> = (item, event) => {
  const reopened = reopenArtifact(item, event.kind, event.ordinal);
  return become(reopened, { status: 'downloading', misses: 0, renewals: 0 }, lookAgain(reopened));
};

const limitFrames: Move<'frames-overdue'> = (item, event) => {
  if (!hasVideo(item)) return stay(item);
  const untried = event.isMoving
    ? item.artifacts.filter(({ kind, tries }) => kind === 'frame' && tries === 0)
    : [];
  return completeWhenWhole(giveUpFrames(item, new Set(untried.map(({ ordinal }) => ordinal))), [
    { type: 'limit-frames' },
  ]);
};

/** Completes a downloading item when each of its files is saved or given up. */
function completeWhenWhole(item: Item, effects: readonly Effect[]): Transition {
  if (item.status !== 'downloading' || !allSettled(item)) return stay(item, effects);
  return stay({ ...item, status: 'completed' });
}

/** Detaches an item from its last attempt: without the token no change is written to that attempt any more. */
const withoutAttempt = { token: null, notBefore: 0, turn: 'first' } as const;

const orderRetry: Move<'retry-ordered'> = (item) =>
  become(item, {
    ...forgottenTask,
    ...withoutAttempt,
    status: 'pending',
    requestHash: null,
    submittedAt: null,
    endedAt: null,
    artifacts: keepSaved(item),
  });

const changeQuestion: Move<'question-changed'> = (item, event) =>
  event.failure === null
    ? become(item, { ...withoutAttempt, status: 'pending', failure: null })
    : become(item, { ...withoutAttempt, status: 'invalid', failure: event.failure });

const findUnsendable: Move<'question-unsendable'> = (item, event) =>
  become(item, { status: 'invalid', failure: event.failure });

/** The task did not come as the answer to this attempt's request, so a better match may replace it later. */
const adopt: Move<'task-adopted'> = (item, event) =>
  become(
    item,
    {
      ...forgottenTask,
      status: 'open',
      taskId: event.taskId,
      requestHash: null,
      submittedAt: event.at,
      endedAt: null,
      artifacts: earlierFiles(item),
    },
    [{ type: 'poll' }],
  );

/** True when the user may name the item's task: it is unknown or lost, or the user named it before. */
export function mayFindTask(item: Item): boolean {
  return isLegal(item.status, 'task-adopted') && (item.status !== 'open' || item.requestHash === null);
}

/**
 * The task in the service's own answer replaces one that the user named, whatever became of that one: it was paid for by this
 * row, and its video is the one of this row. Where it was dropped, nobody would ever ask what it cost.
 */
const takeOwnTask: Move<'creation-accepted'> = (item, { at, taskId }, policy) =>
  item.requestHash !== null || (item.taskId !== null && isSameTask(item.taskId, taskId))
    ? late(item)
    : adopt(item, { type: 'task-adopted', at, taskId }, policy);

const writeOff: Move<'not-created'> = (item) =>
  become(item, { ...forgottenTask, status: 'pending', points: 0, notBefore: 0 });

/** Answers about a task that may still be in flight when the item has moved on. */
const lateAnswers: Moves = {
  'task-progressed': late,
  'task-completed': late,
  'task-failed': late,
  'task-not-found': late,
  'task-overdue': late,
  'price-settled': late,
  'frame-saved': saveFrame,
  'frame-not-had': missFrame,
  'frames-overdue': late,
  'video-not-had': late,
};

/** Verdicts about a refusal that come when the item has moved on. */
const lateVerdicts: Moves = {
  'refusal-confirmed': late,
  'refused-alike': late,
  'second-chance-given': late,
};

/** Ends of a creation whose item has moved on: another process or the user has settled it meanwhile. */
const lateCreations: Moves = {
  'creation-accepted': late,
  'creation-refused': late,
  'creation-barred': late,
  'creation-not-sent': late,
  'creation-uncertain': late,
  ...lateVerdicts,
};

const moves: Readonly<Record<Status, Moves>> = {
  pending: {
    claimed: claim,
    'question-unsendable': findUnsendable,
    'question-changed': changeQuestion,
    ...lateCreations,
    'refusal-confirmed': confirmRefusal,
    // The user confirmed that no task existed, but one does.
    'creation-accepted': (item, event, policy) =>
      item.token === null ? late(item) : accept(item, event, policy),
  },
  submitting: {
    'run-started': foundSubmitting,
    'creation-accepted': accept,
    'creation-refused': refuse,
    'creation-barred': bar,
    'creation-not-sent': notSent,
    'creation-uncertain': doubt,
    ...lateVerdicts,
  },
  open: {
    'run-started': late,
    'task-progressed': progress,
    'task-completed': complete,
    'task-failed': fail,
    'task-not-found': miss(loseTask),
    'task-overdue': timeOut,
    'frame-saved': saveFrame,
    'frame-not-had': missFrame,
    'task-adopted': (item, event, policy) => (mayFindTask(item) ? adopt(item, event, policy) : late(item)),
    ...lateCreations,
    'creation-accepted': takeOwnTask,
  },
  downloading: {
    'run-started': (item) => become(item, { misses: 0, renewals: 0 }, lookAgain(item)),
    'task-progressed': takeBack,
    'task-completed': complete,
    // Whatever the service says now, a saved video was made and charged.
    'task-failed': (item, event, policy) =>
      hasVideo(item) ? giveUpFiles(item, event.failure) : fail(item, event, policy),
    'task-not-found': miss(giveUpFiles),
    'task-overdue': late,
    'price-settled': settlePrice,
    'frame-saved': saveFrame,
    'frame-not-had': missFrame,
    'frames-overdue': limitFrames,
    'video-saved': saveVideo,
    'video-not-had': videoNotHad,
    'file-damaged': reopen,
    ...lateCreations,
    'creation-accepted': takeOwnTask,
  },
  completed: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': takeOwnTask,
    'task-completed': correctPoints,
    'price-settled': settlePrice,
    'video-saved': late,
    'file-damaged': reopen,
    'retry-ordered': orderRetry,
  },
  failed: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': takeOwnTask,
    'video-saved': late,
    'retry-ordered': orderRetry,
  },
  rejected: {
    ...lateCreations,
    'refused-alike': keepForLater,
    'second-chance-given': giveSecondChance,
    'retry-ordered': orderRetry,
    'question-changed': changeQuestion,
  },
  uncertain: {
    'run-started': late,
    'creation-accepted': accept,
    'creation-refused': refuse,
    'creation-barred': bar,
    'creation-not-sent': notSent,
    'creation-uncertain': late,
    ...lateVerdicts,
    'task-adopted': adopt,
    'not-created': writeOff,
  },
  undelivered: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': takeOwnTask,
    'run-started': (item) =>
      become(item, { status: 'downloading', failure: null, misses: 0, renewals: 0 }, [{ type: 'poll' }]),
    'video-saved': saveVideo,
    'retry-ordered': orderRetry,
  },
  lost: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': takeOwnTask,
    'run-started': (item) => stay(item, [{ type: 'poll' }]),
    'task-progressed': (item, event, policy) =>
      isOverdue(item, event.at, policy)
        ? stay(item)
        : progress({ ...item, status: 'open', failure: null }, event, policy),
    'task-completed': complete,
    'task-failed': fail,
    'retry-ordered': orderRetry,
    'task-adopted': adopt,
    'not-created': writeOff,
  },
  invalid: { ...lateVerdicts, 'question-changed': changeQuestion },
};

/** Returns the item after the event, and the effects to start once it is on disk. Throws `IllegalMove`. */
export function transition(item: Item, event: ItemEvent, policy: Policy): Transition {
  // The table pairs each event type with a move for exactly that type; TypeScript cannot follow the pairing.
  const move = moves[item.status][event.type] as Move<ItemEvent['type']> | undefined;
  if (move === undefined) throw new IllegalMove(item.status, event.type, item.id);
  const next = move(item, event, policy);
  return next.item === item ? next : { ...next, item: { ...next.item, version: item.version + 1 } };
}

/** True when the table lists the pair. */
export function isLegal(status: Status, event: ItemEvent['type']): boolean {
  return moves[status][event] !== undefined;
}
