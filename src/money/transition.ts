/**
 * The life of one question, as a pure function.
 *
 * The law of this file: every legal move is in the table `moves` and nowhere else; the files of `moves/` say what each does.
 * For any other pair of status and event `transition` throws `IllegalMove` and changes nothing. Answers that may come late
 * (a poll that was in flight when the item moved on) are listed as `ignoreLate` and change nothing.
 *
 * The money rules: only `claimed` starts an attempt, and only a `pending` item can be claimed. From `uncertain` or `lost`
 * back to `pending` lead only commands of the user (`not-created`, `retry-ordered`) and, from `uncertain`, the answer to
 * its own creation, however late. The caller checks that such an answer belongs to the item's current attempt.
 */

import { hasVideo } from './artifacts.ts';
import type { ItemEvent, Transition } from './event.ts';
import type { Item, Status } from './item.ts';
import * as creation from './moves/creation-moves.ts';
import * as files from './moves/file-moves.ts';
import { become, ignoreLate, type Move, type Moves, stay } from './moves/move.ts';
import * as task from './moves/task-moves.ts';
import * as user from './moves/user-moves.ts';
import type { Policy } from './policy.ts';
import { isOverdue } from './tick.ts';

/** Thrown for a pair of status and event that must not occur; the item stays as it was. */
export class IllegalMove extends Error {
  override readonly name = 'IllegalMove';
  constructor(status: Status, event: ItemEvent['type'], id: string) {
    super(`row ${id}: "${event}" cannot happen to an item that is ${status}`);
  }
}

/** Answers about a task that may still be in flight when the item has moved on. */
const lateAnswers: Moves = {
  'task-progressed': ignoreLate,
  'task-completed': ignoreLate,
  'task-failed': ignoreLate,
  'task-not-found': ignoreLate,
  'task-overdue': ignoreLate,
  'price-settled': ignoreLate,
  'frame-saved': files.saveFrame,
  'frame-not-had': files.missFrame,
  'frames-overdue': ignoreLate,
  'video-not-had': ignoreLate,
};

/** Verdicts about a refusal that come when the item has moved on. */
const lateVerdicts: Moves = {
  'refusal-confirmed': ignoreLate,
  'refused-alike': ignoreLate,
  'second-chance-given': ignoreLate,
};

/** Ends of a creation whose item has moved on: another process or the user has settled it meanwhile. */
const lateCreations: Moves = {
  'creation-accepted': ignoreLate,
  'creation-refused': ignoreLate,
  'creation-barred': ignoreLate,
  'creation-not-sent': ignoreLate,
  'creation-uncertain': ignoreLate,
  ...lateVerdicts,
};

const moves: Readonly<Record<Status, Moves>> = {
  pending: {
    claimed: creation.claim,
    'question-unsendable': user.findUnsendable,
    'question-changed': user.changeQuestion,
    'order-ended': user.endOrder,
    ...lateCreations,
    'refusal-confirmed': creation.confirmRefusal,
    // The user confirmed that no task existed, but one does.
    'creation-accepted': (item, event, policy) =>
      item.token === null ? ignoreLate(item) : creation.accept(item, event, policy),
  },
  submitting: {
    'run-started': creation.findUnanswered,
    'creation-accepted': creation.accept,
    'creation-refused': creation.refuse,
    'creation-barred': creation.bar,
    'creation-not-sent': creation.returnUnsent,
    'creation-uncertain': creation.markUncertain,
    ...lateVerdicts,
  },
  open: {
    'run-started': ignoreLate,
    'task-progressed': task.progress,
    'task-completed': task.complete,
    'task-failed': task.fail,
    'task-not-found': task.miss(task.loseTask),
    'task-overdue': task.timeOut,
    'frame-saved': files.saveFrame,
    'frame-not-had': files.missFrame,
    'task-adopted': (item, event, policy) =>
      mayFindTask(item) ? user.adopt(item, event, policy) : ignoreLate(item),
    ...lateCreations,
    'creation-accepted': user.preferOwnTask,
  },
  downloading: {
    'run-started': (item) => become(item, { misses: 0, renewals: 0 }, files.lookAgain(item)),
    'task-progressed': task.revokeCompletion,
    'task-completed': task.complete,
    // Whatever the service says now, a saved video was made and charged.
    'task-failed': (item, event, policy) =>
      hasVideo(item) ? files.giveUpFiles(item, event.failure) : task.fail(item, event, policy),
    'task-not-found': task.miss(files.giveUpFiles),
    'task-overdue': ignoreLate,
    'price-settled': task.settlePrice,
    'frame-saved': files.saveFrame,
    'frame-not-had': files.missFrame,
    'frames-overdue': files.limitFrames,
    'video-saved': files.saveVideo,
    'video-not-had': files.failVideo,
    'file-damaged': files.reopen,
    ...lateCreations,
    'creation-accepted': user.preferOwnTask,
  },
  completed: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': user.preferOwnTask,
    'task-completed': task.correctPoints,
    'price-settled': task.settlePrice,
    'video-saved': ignoreLate,
    'file-damaged': files.reopen,
    'retry-ordered': user.orderRetry,
  },
  failed: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': user.preferOwnTask,
    'video-saved': ignoreLate,
    'retry-ordered': user.orderRetry,
  },
  rejected: {
    ...lateCreations,
    'refused-alike': creation.keepForLater,
    'second-chance-given': creation.giveSecondChance,
    'retry-ordered': user.orderRetry,
    'question-changed': user.changeQuestion,
  },
  uncertain: {
    'run-started': ignoreLate,
    'creation-accepted': creation.accept,
    'creation-refused': creation.refuse,
    'creation-barred': creation.bar,
    'creation-not-sent': creation.returnUnsent,
    'creation-uncertain': ignoreLate,
    ...lateVerdicts,
    'task-adopted': user.adopt,
    'not-created': user.writeOff,
  },
  undelivered: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': user.preferOwnTask,
    'run-started': (item) =>
      become(item, { status: 'downloading', failure: null, misses: 0, renewals: 0 }, [{ type: 'poll' }]),
    'video-saved': files.saveVideo,
    'retry-ordered': user.orderRetry,
  },
  lost: {
    ...lateAnswers,
    ...lateCreations,
    'creation-accepted': user.preferOwnTask,
    'run-started': (item) => stay(item, [{ type: 'poll' }]),
    'task-progressed': (item, event, policy) =>
      isOverdue(item, event.at, policy)
        ? stay(item)
        : task.progress({ ...item, status: 'open', failure: null }, event, policy),
    'task-completed': task.complete,
    'task-failed': task.fail,
    'retry-ordered': user.orderRetry,
    'task-adopted': user.adopt,
    'not-created': user.writeOff,
  },
  invalid: { ...lateVerdicts, 'question-changed': user.changeQuestion },
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

/** True when the user may name the item's task: it is unknown or lost, or the user named it before. */
export function mayFindTask(item: Item): boolean {
  return isLegal(item.status, 'task-adopted') && (item.status !== 'open' || item.requestHash === null);
}
