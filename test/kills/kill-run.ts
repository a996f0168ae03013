/** Kills: one output folder whose processes are killed again and again, and then run to the end. */

import { Folder, type Phase, phases } from './folder.ts';
import { inParallel } from './in-parallel.ts';

/** What came of the kills. */
export interface Tally {
  readonly kills: number;
  readonly killsIn: Readonly<Record<Phase, number>>;
  /** Processes that ended by themselves. */
  readonly endings: number;
  readonly accepted: number;
  readonly uncertain: number;
  /** Accepted tasks whose row is uncertain: what the user still has to look up. */
  readonly unclear: number;
  readonly paidTwice: number;
  readonly lost: number;
  /** Every broken promise, in a line. */
  readonly broken: readonly string[];
}

/** Carries out so many kills on a new folder. */
async function killRun(seed: number, kills: number): Promise<Tally> {
  await using folder = await Folder.open(seed, kills, false);
  const hits: Phase[] = [];
  let endings = 0;
  for (let life = 0; hits.length < kills && life < kills * 4; life++) {
    // The second process makes a row in peace: the run has to learn how long a task takes. Else an uncertain creation
    // would hold its place for half an hour.
    const { ending, phase } =
      life === 1 ? { ending: await folder.live('--limit', '1'), phase: null } : await folder.hit('SIGKILL');
    if (ending.signal === 'SIGKILL' && phase !== null) hits.push(phase);
    else {
      endings += 1;
      folder.checkEnding(ending);
    }
    await folder.check();
  }
  endings += await folder.runToTheEnd();
  await folder.checkEnd();
  return tallyOf(folder, hits, endings, seed);
}

function tallyOf(folder: Folder, hits: readonly Phase[], endings: number, seed: number): Tally {
  const { service, broken } = folder;
  const count = (start: string): number => broken.filter((flaw) => flaw.startsWith(start)).length;
  const rows = folder.report();
  const known = new Set(rows.flatMap(({ attempts }) => attempts.map(({ taskId }) => taskId)));
  return {
    kills: hits.length,
    killsIn: countPhases((phase) => hits.filter((hit) => hit === phase).length),
    endings,
    accepted: service.accepted.length,
    uncertain: rows.filter(({ status }) => status === 'uncertain').length,
    unclear: service.accepted.filter(({ taskId }) => !known.has(taskId)).length,
    paidTwice: count('paid twice'),
    lost: count('lost'),
    broken: broken.map((flaw) => `seed ${seed}: ${flaw}`),
  };
}

function countPhases(count: (phase: Phase) => number): Record<Phase, number> {
  return Object.fromEntries(phases.map((phase) => [phase, count(phase)])) as Record<Phase, number>;
}

/** Carries out `kills` kills on `folders` folders with seeds from `seed` upwards, and adds up what came of them. */
export async function killFolders(seed: number, kills: number, folders: number): Promise<Tally> {
  const tallies = await inParallel([...Array(folders).keys()], (index) => {
    const share = Math.floor(kills / folders) + (index < kills % folders ? 1 : 0);
    return killRun(seed + index, share);
  });
  return tallies.reduce(addTallies);
}

function addTallies(a: Tally, b: Tally): Tally {
  return {
    kills: a.kills + b.kills,
    killsIn: countPhases((phase) => a.killsIn[phase] + b.killsIn[phase]),
    endings: a.endings + b.endings,
    accepted: a.accepted + b.accepted,
    uncertain: a.uncertain + b.uncertain,
    unclear: a.unclear + b.unclear,
    paidTwice: a.paidTwice + b.paidTwice,
    lost: a.lost + b.lost,
    broken: [...a.broken, ...b.broken],
  };
}
