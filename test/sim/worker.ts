/** Plays seeds in a thread of its own, with the program as it is or with one safeguard taken out. */

import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Mutant } from './mutants.ts';

/** What a worker is told at its start. */
export interface WorkerTask {
  readonly seeds: readonly number[];
  /** An empty folder that nobody else uses. */
  readonly folder: string;
  readonly mutant: Mutant | null;
  /** Several workers over one store, instead of one process after the other. */
  readonly isFleet: boolean;
}

/** What a worker says of each seed. */
export interface SeedReport {
  readonly seed: number;
  readonly flaw: string | null;
  /** Only of a seed that broke a promise. */
  readonly transcript: readonly string[];
  /** sha256 of the transcript, hex. */
  readonly digest: string;
  readonly processCount: number;
  readonly taskCount: number;
}

const { seeds, folder, mutant, isFleet }: WorkerTask = workerData;

if (mutant !== null) {
  const target = new URL(`../../${mutant.file}`, import.meta.url).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (url !== target) return loaded;
      const pieces = String(loaded.source).split(mutant.find);
      if (pieces.length !== 2) throw new Error(`${mutant.file} does not hold once: ${mutant.find}`);
      return { ...loaded, source: pieces.join(mutant.put) };
    },
  });
}

const { Story } = await import('./story.ts');
const { FleetStory } = await import('./fleet/fleet-story.ts');
for (const seed of seeds) {
  const story = isFleet ? new FleetStory(seed) : new Story(seed, folder);
  const { flaw, transcript, processCount, taskCount } = await story.play();
  const digest = createHash('sha256').update(transcript.join('\n')).digest('hex');
  const report: SeedReport = {
    seed,
    flaw,
    transcript: flaw === null ? [] : transcript,
    digest,
    processCount,
    taskCount,
  };
  parentPort?.postMessage(report);
}
