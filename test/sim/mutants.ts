/** Safeguards of the program, each taken out on its own: the simulation is only worth something if it notices. */

import type { Trouble } from './weather.ts';

export interface Mutant {
  readonly name: string;
  /** The source file, from the project's folder. */
  readonly file: string;
  /** Stands in the file exactly once... */
  readonly find: string;
  /** ...and is this instead. */
  readonly put: string;
  /** The first world that is tried: it takes a rare one to notice, and those before it were seen not to. */
  readonly from?: number;
  /** Only worlds that know this trouble can notice. */
  readonly about?: Trouble;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'the creation leaves before its intent is committed',
    file: 'src/runner/commits.ts',
    find: `({ isHeard } = await this.#checkpoint.commit(
          changes.map(([, change]) => change),
          beside,
        ));`,
    put: `isHeard = true;
        this.#checkpoint.commit(changes.map(([, change]) => change)).catch(() => {});`,
  },
  {
    name: 'the latch never says that a creation was sent',
    file: 'src/adapters/http-task-service/exchange.ts',
    find: 'this.sent = true;',
    put: 'this.sent = false;',
  },
  {
    name: 'an uncertain creation is sent again by itself',
    file: 'src/core/transition.ts',
    find: `    'run-started': foundSubmitting,`,
    put: `    'run-started': (item) => become(item, { status: 'pending' }),`,
  },
  {
    name: 'two processes may hold one folder',
    file: 'src/adapters/sqlite/folder-lock.ts',
    find: `'BEGIN EXCLUSIVE'`,
    put: `'BEGIN'`,
  },
  {
    name: 'a file counts as whole whatever its length',
    file: 'src/runner/download-artifact.ts',
    find: 'if (totalBytes !== null && part.sizeBytes < totalBytes)',
    put: 'if (totalBytes === -1)',
  },
  {
    name: 'open tasks take no slot',
    file: 'src/core/tick.ts',
    find: 'policy.concurrency - submitting - open - slots.uncertain',
    put: 'policy.concurrency - submitting - slots.uncertain',
  },
  {
    name: 'uncertain creations take no slot',
    file: 'src/core/tick.ts',
    find: 'policy.concurrency - submitting - open - slots.uncertain',
    put: 'policy.concurrency - submitting - open',
  },
  {
    name: 'a task may belong to two rows',
    file: 'src/runner/commits.ts',
    find: 'if (other === null || other.key === item.key) return event;',
    put: 'if (other !== undefined) return event;',
  },
  {
    name: 'another spelling of an id is another task',
    file: 'src/core/task-id.ts',
    find: 'return one === other || taskKey(one) === taskKey(other);',
    put: 'return one === other;',
  },
  {
    name: 'the first 0 is believed',
    file: 'src/core/late-price.ts',
    find: 'const isFirstWord = item.endedAt === null && said > 0;',
    put: 'const isFirstWord = item.endedAt === null;',
  },
  {
    name: 'a price that rises is believed before it stands',
    file: 'src/core/late-price.ts',
    find: 'const isFirstWord = item.endedAt === null && said > 0;',
    put: 'const isFirstWord = said > 0;',
  },
  {
    name: 'a clock that is set ends the wait for a price',
    file: 'src/runner/entry.ts',
    find: 'if (after.endedAt !== entry.item.endedAt) entry.endedAt = clock.steady();',
    put: 'entry.endedAt = clock.steady() - Math.max(0, (clock as Clock).now() - (after.endedAt ?? 0));',
    from: 41_000_706,
  },
  {
    name: 'a lost task is paid again by itself',
    file: 'src/core/transition.ts',
    find: `    'run-started': (item) => stay(item, [{ type: 'poll' }]),`,
    put: `    'run-started': (item) => orderRetry(item, { type: 'retry-ordered', at: 0 }, {} as Policy),`,
  },
  {
    name: 'a lost task reserves nothing',
    file: 'src/core/summary.ts',
    find: 'return points === null && (reservingStatuses.has(status) || taskId !== null);',
    put: "return status !== 'lost' && points === null && (reservingStatuses.has(status) || taskId !== null);",
  },
  {
    name: 'a task that has ended at an unknown price reserves nothing',
    file: 'src/core/summary.ts',
    find: 'return taskId !== null && points === null && !reservingStatuses.has(status);',
    put: 'return false;',
  },
  {
    name: 'an unseen quality is expected to cost what another one costs',
    file: 'src/core/summary.ts',
    find: 'return ledger.largestPoints.get(effectiveQuality(quality)) ?? null;',
    put: 'return ledger.largestPoints.get(effectiveQuality(quality)) ?? [...ledger.largestPoints.values()][0] ?? null;',
  },
  {
    name: 'sixteen creations leave before the first is accepted',
    file: 'src/core/circuit-breaker.ts',
    find: `export const freshBreaker: Breaker = {
  window: 1,`,
    put: `export const freshBreaker: Breaker = {
  window: 16,`,
  },
  {
    name: 'a passing refusal ends its row',
    file: 'src/core/transition.ts',
    find: 'if (!passing) return become',
    put: 'if (passing || !passing) return become',
  },
  {
    name: 'a task is lost as soon as the service does not know it',
    file: 'src/core/transition.ts',
    find: 'missed.misses >= fixed.notFoundTicks && event.unknownMs >= fixed.notFoundMs',
    put: 'missed.misses > 0',
  },
  {
    name: 'a row whose id was renumbered is a new row',
    file: 'src/adapters/sqlite/staged-rows.ts',
    find: `          matching.findSentText('all'),`,
    put: '',
  },
  {
    name: 'a new attempt sends the text that was sent before',
    file: 'src/adapters/sqlite/sqlite-checkpoint.ts',
    find: `if (after.status === 'pending' && before.status !== 'pending') this.#takeEdit(after.key);`,
    put: '',
    from: 380,
  },
  {
    name: 'a corrected row sends the text of the file',
    file: 'src/runner/prepare-request.ts',
    find: 'const { question, own } = readSent({ item, ...saved });',
    put: 'const { own } = readSent({ item, ...saved }); const { question } = own;',
  },
  {
    name: 'a corrected text is a new row under another id',
    file: 'src/app/corrected-rows.ts',
    find: 'return corrected.length === 0 ? row : { ...row, corrected };',
    put: 'return row;',
  },
  {
    name: 'a row without an id takes the place of its twin that was corrected',
    file: 'src/adapters/sqlite/staged-rows.ts',
    find: 'if (isWithoutItem.get(pair.row) !== undefined && leave',
    put: 'if (isWithoutItem.get(pair.row) === null && leave',
    from: 7_016,
  },
  {
    name: 'a status that can never be read is waited for for ever',
    file: 'src/runner/polls.ts',
    find: 'if (end.isWhole !== true || end.retryAfterMs !== null) return end;',
    put: 'if (end.failure !== null) return end;',
  },
  {
    name: 'rows are paid for while no video can be had',
    file: 'src/core/delivery-breaker.ts',
    find: 'return Math.min(mostInRow, concurrency);',
    put: 'return 1_000 * concurrency;',
    from: 520,
  },
  {
    name: 'new links are asked for without a pause',
    file: 'src/core/transition.ts',
    find: 'afterMs === 0 ?',
    put: 'afterMs >= 0 ?',
  },
  {
    name: 'a host that fails for all frames is asked for each',
    file: 'src/core/frame-hosts.ts',
    find: 'return failures >= fixed.frameHostFailures;',
    put: 'return failures < 0;',
    from: 900,
  },
  {
    name: 'an order for a new attempt forgets what was made',
    file: 'src/core/transition.ts',
    find: 'artifacts: keepSaved(item),',
    put: 'artifacts: [],',
  },
  {
    name: 'a new attempt forgets what the one before has made',
    file: 'src/core/transition.ts',
    find: 'artifacts: setAside(item, event.aside),',
    put: 'artifacts: [],',
  },
  {
    name: 'a file whose disk was away is never known again',
    file: 'src/core/artifacts.ts',
    find: "return { ...artifact, state: 'wanted', tries: 0 };",
    put: "return { ...artifact, state: 'wanted', path: null, sizeBytes: null, sha256: null, tries: 0 };",
  },
  {
    name: 'a deadline that rings late throws away what came in time',
    file: 'src/core/deadline.ts',
    find: 'if (isRead || !isWaiting()) stop();',
    put: 'if (isRead || lateMs > 0 || !isWaiting()) stop();',
  },
  {
    name: 'a mistyped task id is settled for good',
    file: 'src/core/transition.ts',
    find: `    'task-adopted': adopt,
    'not-created': writeOff,
  },
  invalid`,
    put: `    'task-adopted': late,
    'not-created': writeOff,
  },
  invalid`,
  },
  {
    name: 'two signals that come together are two wishes',
    file: 'src/core/stop-signal.ts',
    find: `signal === 'SIGHUP' || sinceFirstMs < secondWishMs`,
    put: 'sinceFirstMs < 0',
  },
  {
    name: 'the id of an accepted task has no room on a full disk',
    file: 'src/runner/unsaved-tasks.ts',
    find: 'if (id !== null && this.#journal?.keep(id)) this.#kept.add(task);',
    put: 'if (id !== null) this.#kept.add(task);',
  },
  {
    name: 'the time of an adoption is saved in the row only',
    file: 'src/stores/tables.ts',
    find: 'before[field] !== after[field]',
    put: "field !== 'submittedAt' && before[field] !== after[field]",
  },
  {
    name: 'a task is as old as the first creation of its row',
    file: 'src/runner/entry.ts',
    find: "status === 'pending' || submittedAt === null",
    put: 'submittedAt === null',
  },
  {
    name: 'a run that is tuned goes on with its old numbers',
    file: 'src/runner/runner.ts',
    find: 'Object.assign(this.#policy, { ...policy, haltAfter });',
    put: '',
  },
  {
    name: 'a retry also submits the rows that wait',
    file: 'src/adapters/sqlite/sqlite-checkpoint.ts',
    find: 'if (retry === null) return pending[turn].all({ limit });',
    put: 'if (retry !== -1) return pending[turn].all({ limit });',
  },
  {
    name: 'a proposed retry takes what ends badly in it, too',
    file: 'src/terminal/next-steps.ts',
    find: "isPaid ? payingOptions(offers, offer, true) : ''",
    put: "isPaid ? payingOptions(offers, offer, false) : ''",
  },
  {
    name: 'what goes on with a retry submits all that waits',
    file: 'src/app/round.ts',
    find: 'retry: goesOn ?? number',
    put: 'retry: goesOn === null ? number : null',
  },
  {
    name: 'a proposed command goes by the cap that it passes',
    file: 'src/core/estimate.ts',
    find: 'needed > cap ? needed : null',
    put: 'null',
  },
  {
    name: 'a pause is not heard',
    file: 'src/runner/submissions.ts',
    find: `      this.pause === null &&
`,
    put: '',
  },
  {
    name: 'claims are saved that were decided before the run was tuned',
    file: 'src/adapters/sqlite/sqlite-checkpoint.ts',
    find: '(this.#statements.steering.get()?.n ?? 0) > steering',
    put: 'steering < 0',
  },
  {
    name: 'what is refused to one poll is refused to all',
    file: 'src/runner/polls.ts',
    find: "if (free.outcome === 'refused') {",
    put: "if (free.outcome !== 'unreachable') {",
    about: 'foreverBarredTask',
  },
  {
    name: 'what is refused to one row is refused to all',
    file: 'src/core/refused-rows.ts',
    find: 'const isAlike = rows.inQuestion.some((other) => other.bar === bar && other.isFree);',
    put: 'const isAlike = true;',
    about: 'foreverBarredRow',
  },
  {
    name: 'a row that is barred goes first again',
    file: 'src/core/transition.ts',
    find: "(turn === 'spent' ? 'spent' : 'last')",
    put: "(turn === 'spent' ? 'spent' : 'first')",
    about: 'foreverBarredRow',
  },
  {
    name: "a gateway's page for one row comes in the place of the service",
    file: 'src/core/creation-answer.ts',
    find: "if (refusals.has(status)) return { type: 'creation-barred', at, failure, bar: 'gateway' };",
    put: '',
    about: 'pageForRow',
  },
  {
    name: 'creations are sent while a gateway answers the free question',
    file: 'src/core/circuit-breaker.ts',
    find: "return { outcome: 'unreachable', failure: answer.failure, isGateway: true };\n    case 'foreign':",
    put: "return { outcome: 'odd', failure: answer.failure };\n    case 'foreign':",
    about: 'downAtStart',
  },
  {
    name: 'a creation goes before the free question',
    file: 'src/core/circuit-breaker.ts',
    find: "  probe: 'due',\n  isProven: false,",
    put: "  probe: 'fine',\n  isProven: false,",
    about: 'downAtStart',
  },
  {
    name: 'patience does not begin while tasks are open',
    file: 'src/core/circuit-breaker.ts',
    find: 'const begins = breaker.passingInRow > 0 && open < breaker.acceptedOpen;',
    put: 'const begins = false;',
    about: 'shut',
  },
  {
    name: 'a pause that the service asks for outlasts patience',
    file: 'src/core/circuit-breaker.ts',
    find: 'if (breaker.stopped !== null || isTried ||',
    put: 'if (breaker.stopped !== null || now < breaker.notBefore || isTried ||',
    about: 'shut',
  },
  {
    name: 'rows that were refused alike get no second chance',
    file: 'src/core/refused-rows.ts',
    find: 'const verdicts: readonly Verdict[] = rows.hasAlike',
    put: 'const verdicts: readonly Verdict[] = rows.hasAlike && false',
    about: 'manyAlike',
  },
  {
    name: 'a later run forgets the rows that were refused alike',
    file: 'src/runner/submissions.ts',
    find: 'const hasAlike = (await checkpoint.refusedAlike(1)).length > 0;',
    put: 'const hasAlike = false;',
    about: 'manyAlike',
  },
  {
    name: 'rows that were refused alike wait for others that there are not',
    file: 'src/runner/submissions.ts',
    find: "if (hasAlike && !this.#hasPending && this.#isOpen()) this.#outlet.judged([{ type: 'try' }]);",
    put: '',
    about: 'manyAlike',
  },
  {
    name: 'the first price of a quality counts for ever',
    file: 'src/core/summary.ts',
    find: 'if (points > (ledger.largestPoints.get(quality) ?? 0)) ledger',
    put: 'if (points > 0 && !ledger.largestPoints.has(quality)) ledger',
    about: 'dearer',
  },
  {
    name: 'each start pays for rows anew while no video can be had',
    file: 'src/core/delivery-breaker.ts',
    find: 'const isDoubtful = waiting(counts) >= mostUndelivered(policy);',
    put: 'const isDoubtful = waiting(counts) < 0;',
    from: 5_000,
    about: 'deadHost',
  },
  {
    name: 'a video without a link is given up at once',
    file: 'src/core/transition.ts',
    find: 'if (afterMs === null) return giveUpFiles({ ...item, renewals }, failure);',
    put: 'if (afterMs !== 0) return giveUpFiles({ ...item, renewals }, failure);',
    about: 'lateLink',
  },
  {
    name: 'a claim is sent however long its process was paused',
    file: 'src/runner/creations.ts',
    find: 'return waitedMs <= fixed.sendWindowMs;',
    put: 'return waitedMs >= 0;',
    about: 'suspend',
  },
];
