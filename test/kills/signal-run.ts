/** Signals: runs that are told to stop at any moment, once politely and once impatiently. */

import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { Dice } from '../sim/dice.ts';
import { Folder, type Phase, phases } from './folder.ts';
import { inParallel } from './in-parallel.ts';

/** Exit code of a run that was stopped by each signal. */
const codes = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof codes;

/** What came of the signals. */
export interface SignalTally {
  /** How the processes ended: by exit code, or by the signal itself where there was nothing to wait for yet. */
  readonly endings: Readonly<Record<string, number>>;
  readonly phases: ReadonlySet<Phase | null>;
  readonly broken: readonly string[];
}

/**
 * Sends so many signals to runs in each of some new folders, and in at most as many more, until they have met every phase: a process
 * may end before its signal comes.
 */
export async function signalFolders(seed: number, signals: number, folders: number): Promise<SignalTally> {
  const endings: Record<string, number> = {};
  const hitPhases = new Set<Phase | null>();
  const seeds = Array.from({ length: folders }, (_, i) => seed + i);
  const play = async (one: number): Promise<string[]> => {
    await using folder = await Folder.open(one, signals, true);
    const dice = new Dice(one, 'signals');
    for (let count = 0; count < signals; count++) {
      const { phase, how } = await signalOnce(folder, dice.pick(['SIGINT', 'SIGTERM']));
      hitPhases.add(phase);
      endings[how] = (endings[how] ?? 0) + 1;
    }
    await folder.runToTheEnd();
    await folder.checkEnd();
    return folder.broken.map((flaw) => `seed ${one}: ${flaw}`);
  };
  const broken = (await inParallel(seeds, play)).flat();
  const isMissing = (): boolean => phases.some((phase) => !hitPhases.has(phase));
  for (let more = 0; more < folders && isMissing(); more++)
    broken.push(...(await play(seed + folders + more)));
  return { endings, phases: hitPhases, broken };
}

async function signalOnce(folder: Folder, signal: Signal) {
  const { ending, phase } = await folder.hit(signal);
  // Before the run has begun and after it has ended there is nothing to wait for: the signal itself ends the process.
  const isAtOnce = ending.signal === signal;
  const isStopped = ending.code === codes[signal] && /Stopping/.test(ending.stderr);
  if (!isAtOnce && !isStopped) folder.checkEnding(ending);
  for (const { id, status } of await folder.check()) {
    if (status === 'uncertain' || status === 'submitting')
      folder.broken.push(`${id} is ${status} after ${signal} (${phase})`);
  }
  if (isStopped) await folder.checkReport();
  return { phase, how: isAtOnce ? signal : String(ending.code) };
}

/** How long a process goes on after the second signal (ms), so many times; its creations are not answered. */
export async function measureSecondSignal(seed: number, times: number): Promise<number[]> {
  const dice = new Dice(seed, 'second signals');
  const held = Promise.withResolvers<undefined>();
  const measured: number[] = [];
  for (let count = 0; count < times; count++) {
    await using stage = await openStage({
      // The first goes alone, the next two together.
      create: ({ question }, accept) => {
        if (question === 'Question r1') return undefined;
        accept();
        return held.promise;
      },
    });
    await stage.write('q.csv', questions('r1', 'r2', 'r3', 'r4'));
    const program = stage.start(runLine('q.csv'));
    await stage.service.until(({ creations }) => creations.length === 3);
    program.kill(dice.pick(['SIGINT', 'SIGTERM']));
    await program.said(/Stopping/);
    // Sooner it would be taken for the rest of the first.
    await new Promise((resolve) => setTimeout(resolve, dice.integer(1_050, 1_150)));
    const startedAt = performance.now();
    program.kill('SIGINT');
    const { code } = await program.ended;
    if (code !== codes.SIGINT) throw new Error(`the second signal ended the run with ${code}`);
    measured.push(performance.now() - startedAt);
  }
  return measured.sort((a, b) => a - b);
}

/** The value that this share of the sorted values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
