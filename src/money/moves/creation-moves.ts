/** From the claim of a row to the end of its creation. */

import { unheard } from '../answers/silent-creation.ts';
import { setAside } from '../artifacts.ts';
import { forgottenTask, type Item, type Turn } from '../item.ts';
import { fixed } from '../policy.ts';
import { become, ignoreLate, type Move } from './move.ts';

export const claim: Move<'claimed'> = (item, event) =>
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

export const accept: Move<'creation-accepted'> = (item, event) =>
  become(item, { status: 'open', taskId: event.taskId, points: null, failure: null }, [{ type: 'poll' }]);

/** A temporary refusal costs the row nothing: it waits with all the others. */
export const refuse: Move<'creation-refused'> = (item, { at, failure, passing, retryAfterMs }) => {
  if (!passing) return become(item, { status: 'rejected', points: 0, failure, endedAt: at });
  const isAsked = typeof retryAfterMs === 'number';
  const notBefore = isAsked ? at + Math.min(retryAfterMs, fixed.retryAfterMaxMs) : 0;
  return become(item, { status: 'pending', points: 0, failure, notBefore });
};

/** The row waits until it is known whether the refusal concerns it alone, and no longer stands in the way of the others. */
export const bar: Move<'creation-barred'> = (item, { failure }) =>
  become(item, { status: 'pending', points: 0, failure, notBefore: 0, turn: laterTurn(item) });

/** One that had its second chance has no other. */
const laterTurn = ({ turn }: Item): Turn => (turn === 'spent' ? 'spent' : 'last');

export const confirmRefusal: Move<'refusal-confirmed'> = (item, { at, failure, token }) =>
  item.token === token
    ? become(item, { status: 'rejected', points: 0, failure, endedAt: at })
    : ignoreLate(item);

export const keepForLater: Move<'refused-alike'> = (item) =>
  item.turn === 'spent' || item.turn === 'again' ? ignoreLate(item) : become(item, { turn: 'again' });

export const giveSecondChance: Move<'second-chance-given'> = (item) =>
  item.turn === 'again'
    ? become(item, { status: 'pending', turn: 'spent', endedAt: null })
    : ignoreLate(item);

export const returnUnsent: Move<'creation-not-sent'> = (item, event) =>
  become(item, { status: 'pending', points: 0, failure: event.failure, notBefore: 0 });

export const markUncertain: Move<'creation-uncertain'> = (item, event) =>
  become(item, { status: 'uncertain', failure: event.failure });

export const findUnanswered: Move<'run-started'> = (item) =>
  become(item, {
    status: 'uncertain',
    failure: unheard.stopped,
  });
