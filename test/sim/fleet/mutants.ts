/** Safeguards of a shared run, each taken out on its own: the simulated fleets are only worth something if they notice. */

import type { Mutant } from '../mutants.ts';

export const fleetMutants: readonly Mutant[] = [
  {
    name: 'a change is saved whatever the version of its item',
    file: 'src/stores/sqlite/checkpoint-statements.ts',
    find: 'WHERE key = @key AND status = @oldStatus AND token IS @oldToken AND version = @oldVersion',
    put: 'WHERE key = @key AND @oldStatus IS NOT NULL AND (@oldToken IS NULL OR true) AND @oldVersion >= 0',
    from: 3,
  },
  {
    name: 'the room is counted before the claims of others are saved',
    file: 'test/sim/fleet/shared-book.ts',
    find: 'if (room !== null && claims.length > 0) this.#checkRoom(room, claims, counted);',
    put: '',
    from: 13,
  },
  {
    name: 'a claim is sent however long its worker was paused',
    file: 'src/runner/submitting/creations.ts',
    find: 'return waitedMs <= fixed.sendWindowMs;',
    put: 'return waitedMs >= 0;',
    from: 3,
  },
  {
    name: 'an answer counts only while its worker has the slice',
    file: 'src/runner/runner.ts',
    find: '    this.#part.keepAnswer(event, about.token);\n',
    put: '    if (!this.#part.owns(entry.item.key)) return;\n',
    from: 102,
  },
  {
    name: 'a row that is submitting is given up as soon as it is taken over',
    file: 'src/runner/recovery.ts',
    find: "else if (item.status !== 'submitting') await",
    put: 'else await',
    from: 3,
  },
  {
    name: 'the answer to a dead worker is waited for until its claim is due',
    file: 'src/runner/submitting/room.ts',
    find: 'answerBy: at + fixed.sendWindowMs + requestTimeoutMs + fixed.answerMarginMs,',
    put: 'answerBy: at,',
    from: 157,
  },
  {
    name: 'nobody looks for rows that a dead worker left',
    file: 'src/runner/shared-run.ts',
    find: 'await this.#findUnanswered();',
    put: '',
    from: 26,
  },
  {
    name: 'an answer about one attempt is applied to the next',
    file: 'src/money/subject.ts',
    find: 'isCreationEvent(event) ? subject.token === item.token : isSameSubject(subject, item);',
    put: 'isCreationEvent(event) ? subject.token === item.token : true;',
    from: 268,
    about: 'crossing',
  },
  {
    name: 'a claim names no round',
    file: 'src/runner/shared-run.ts',
    find: 'const known = { round, creations',
    put: 'const known = { round: null, creations',
    about: 'crossing',
    from: 17,
  },
];

/** Of machines whose store goes back to a copy. */
export const olderMutants: readonly Mutant[] = [
  {
    name: 'a row that was edited or corrected gets back what was sent with another text',
    file: 'src/app/fleet/older-store.ts',
    find: 'if (item?.id === sent.id) return (await this.#says(item, sent)) ? item : null;',
    put: 'if (item?.id === sent.id) return item;',
  },
  {
    name: 'a row of another file gets the videos of the rows that had its id',
    file: 'src/app/fleet/older-store.ts',
    find: 'if (await this.#says(named, sent)) return named;',
    put: 'return named;',
    from: 11,
  },
];
