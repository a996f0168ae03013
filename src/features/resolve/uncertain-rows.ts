/** The uncertain rows of a run, for a user who looks their tasks up in the account. */

import { lookIntoRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { policyOf, withSaved } from '../../app/options/settings.ts';
import { readSavedOptions } from '../../app/output-folder.ts';
import type { SeenRun } from '../../app/run-handles.ts';
import { reportedRunId } from '../../app/run-id.ts';
import { timeOf } from '../../app/system-clock.ts';
import { creationSpan } from '../../money/answers/doubtful-creation.ts';
import { answerIn, likelyTask } from '../../money/answers/unread-answer.ts';
import type { Item } from '../../money/item.ts';
import { readSentTexts } from '../../money/sent-question.ts';
import type { Store } from '../../stores/port/store.ts';
import { awaitedMs } from './resolve-row.ts';

/** One uncertain row. Its task would have been created between the two times (epoch ms). */
export interface UncertainRow {
  readonly id: string;
  /** Id of the run, and the key of the item in it. */
  readonly run: string;
  readonly key: number;
  readonly attempt: number;
  readonly token: string | null;
  readonly createdAfter: number;
  readonly createdBefore: number;
  /** As it was sent, so that its task can be found by it. */
  readonly question: string;
  /** What the service answered, where that could not be read; '' for nothing. */
  readonly answer: string;
  /** The only value in the answer that may be the id of its task; '' for none. Nobody has checked it. */
  readonly likelyTask: string;
}

/** In input order. Reads only, also while the run is going. */
export async function* uncertainRows(invocation: Invocation): AsyncGenerator<UncertainRow> {
  await using seen = await lookIntoRun(invocation);
  yield* uncertainRowsOf(seen);
}

/** The same of a run that is open already. */
export async function* uncertainRowsOf(seen: SeenRun): AsyncGenerator<UncertainRow> {
  const { store } = seen;
  const { requestTimeoutMs } = policyOf(withSaved(seen.invocation, await readSavedOptions(store)), 0);
  const run = await reportedRunId(store.settings, seen.invocation.out);
  const now = await timeOf(store);
  for await (const item of unanswered(store, seen.isInUse)) {
    const saved = await store.checkpoint.input(item.key);
    const answer = answerIn(item.failure ?? '') ?? '';
    const created = creationSpan(item, requestTimeoutMs, now);
    yield {
      id: item.id,
      run,
      key: item.key,
      attempt: item.attempt,
      token: item.token,
      createdAfter: created.after,
      createdBefore: created.before,
      question: readSentTexts({ item, ...saved }).question,
      answer,
      likelyTask: likelyTask(answer) ?? '',
    };
  }
}

/** Uncertain items, and those whose program was stopped before their answer was saved: a start makes them uncertain. */
async function* unanswered(store: Store, isInUse: boolean): AsyncGenerator<Item> {
  yield* store.checkpoint.items(['uncertain']);
  if (store.sharing === null && isInUse) return;
  for await (const item of store.checkpoint.items(['submitting']))
    if ((await awaitedMs(store, item)) === 0) yield item;
}
