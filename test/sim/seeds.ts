/** Plays many seeds on all processors. */

import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { memoryRoot } from '../support/memory-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Mutant } from './mutants.ts';
import type { OwnerMutant } from './owner/mutants.ts';
import { type Trouble, Weather } from './weather.ts';
import type { SeedReport, WorkerTask, WorldKind } from './worker.ts';

/** A seed that says nothing for this long has hung for good (ms). */
const patienceMs = 120_000;

/** Where Node keeps what it made of the sources: a thread starts in half the time. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/batch-sim', import.meta.url));

export interface Plan {
  readonly from: number;
  readonly count: number;
  /** Only worlds that know this trouble are played, and counted; null for all. */
  readonly about?: Trouble | null;
  /** A safeguard to take out, or the name of a rule that an owner's world goes without; null plays the program as it is. */
  readonly mutant?: Mutant | string | null;
  /** Runs of one process after the other, unless it says otherwise. */
  readonly kind?: WorldKind;
  /** Stop at the first broken promise. */
  readonly untilFlaw?: boolean;
  readonly onReport?: (report: SeedReport) => void;
}

/** Plays the seeds and gives back what came of each, in the order of the seeds. */
export async function playSeeds(plan: Plan): Promise<SeedReport[]> {
  const { mutant = null, kind = 'run' } = plan;
  // An owner's world opens its folder for each command: on a disk most of its time would be waiting.
  await using folder = await temporaryFolder(kind === 'owner' ? memoryRoot : null);
  const reports: SeedReport[] = [];
  const chosen = chooseSeeds(plan);
  const threads = Math.max(1, Math.min(availableParallelism(), plan.count));
  const enough = new AbortController();
  const note = (report: SeedReport): void => {
    reports.push(report);
    plan.onReport?.(report);
    if (report.flaw !== null && plan.untilFlaw === true) enough.abort();
  };
  await Promise.all(
    Array.from({ length: threads }, async (_, thread) => {
      const own = join(folder.path, String(thread));
      await mkdir(own);
      const seeds = chosen.filter((_, at) => at % threads === thread);
      await playInThread({ seeds, folder: own, mutant, kind }, note, enough.signal);
    }),
  );
  return reports.sort((a, b) => a.seed - b.seed);
}

/**
 * Whether one of so many worlds notices that a safeguard is out. The first of them is one that did: it is played alone, because a second
 * thread takes longer to start than it.
 */
export async function isNoticed(
  mutant: Mutant | OwnerMutant,
  count: number,
  kind: WorldKind = 'run',
): Promise<boolean> {
  const { from = 1 } = mutant;
  const about = 'about' in mutant ? mutant.about : null;
  const taken = 'alter' in mutant ? mutant.name : mutant;
  for (const worlds of [1, count]) {
    const reports = await playSeeds({ from, about, count: worlds, mutant: taken, kind, untilFlaw: true });
    if (reports.some(({ flaw }) => flaw !== null)) return true;
  }
  return false;
}

function chooseSeeds({ from, count, about = null }: Plan): number[] {
  const seeds: number[] = [];
  for (let seed = from; seeds.length < count; seed++)
    if (about === null || new Weather(seed).has(about)) seeds.push(seed);
  return seeds;
}

/** One thread, to its end, to the first hang, or until there is enough. */
async function playInThread(
  task: WorkerTask,
  note: (report: SeedReport) => void,
  enough: AbortSignal,
): Promise<void> {
  let played = 0;
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: task,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    });
    const hang = setInterval(() => {
      const seed = task.seeds[played] ?? 0;
      note({ seed, flaw: 'it hangs', transcript: [], digest: '', processCount: 0, taskCount: 0 });
      void worker.terminate();
    }, patienceMs);
    worker.on('message', (report: SeedReport) => {
      played += 1;
      hang.refresh();
      note(report);
    });
    worker.on('error', reject);
    worker.on('exit', () => {
      clearInterval(hang);
      resolve();
    });
    enough.addEventListener('abort', () => void worker.terminate());
  });
}

/** What a person needs to look into a broken promise. */
export function describeFlaw({ seed, flaw, transcript }: SeedReport, kind: WorldKind = 'run'): string {
  const again = `npm run sim -- ${kind === 'run' ? '' : `--${kind} `}--seed ${seed}`;
  return `seed ${seed} broke a promise: ${flaw}\nreplay it with: ${again}\n\n${transcript.join('\n')}`;
}
