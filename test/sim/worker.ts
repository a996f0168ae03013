/** Plays seeds in a thread of its own, with the program as it is or with one safeguard taken out. */

import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { Mutant } from './mutants.ts';
import type { Outcome } from './story.ts';

/** What a worker is told at its start. */
export interface WorkerTask {
  readonly seeds: readonly number[];
  /** An empty folder that nobody else uses. */
  readonly folder: string;
  /** A safeguard, or the name of a rule that an owner's world goes without. */
  readonly mutant: Mutant | string | null;
  readonly kind: WorldKind;
}

/**
 * One process after the other, several workers over one store, machines whose store goes back to a copy, or a person who types and
 * gives tables back.
 */
export type WorldKind = 'run' | 'fleet' | 'older' | 'owner';

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

const { seeds, folder, mutant, kind }: WorkerTask = workerData;

if (mutant !== null && typeof mutant !== 'string') {
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
const { OlderStory } = await import('./fleet/older-story.ts');
const { OwnerStory } = await import('./owner/owner-story.ts');
const { ownerMutants } = await import('./owner/mutants.ts');

function storyOf(seed: number): { play(): Promise<Outcome> } {
  if (kind === 'run') return new Story(seed, folder);
  if (kind === 'fleet') return new FleetStory(seed);
  if (kind === 'older') return new OlderStory(seed);
  return new OwnerStory(seed, folder, ownerMutants.find(({ name }) => name === mutant) ?? null);
}

for (const seed of seeds) {
  const { flaw, transcript, processCount, taskCount } = await storyOf(seed).play();
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
