/** Which sample is shown: that of the run, else one that the page draws by itself. Where the page may save, it draws for all. */

import { chance } from '../../money/chance.ts';
import type { SampleBody } from '../../money/review/sample-wire.ts';
import { drawSample, grown, usualConfidence, type WatchSample } from '../../money/review/watch-sample.ts';
import type { PageHeading } from '../../reports/page.ts';

/** What became of it: `other` where somebody else has drawn meanwhile. */
export type DrawEnd = 'saved' | 'other' | 'unsaved';

/** What drawing needs from the page. */
export interface SamplingWorld {
  /** Keys of the rows to draw from now. */
  keys(): readonly number[];
  send(body: SampleBody): Promise<DrawEnd>;
  /** A number of 32 bits, another one each time. */
  seed(): number;
  /** Epoch ms. */
  now(): number;
  /** Called when a drawing has ended. */
  changed(): void;
}

/** The facts of the page that count here. */
export type SampleFacts = Pick<PageHeading, 'run' | 'writtenAt' | 'review' | 'sample' | 'confidence'>;

export interface Sampling {
  /** Receives news of the run. */
  look(facts: SampleFacts): void;
  /** The sample to show; null where there is none. */
  current(): WatchSample | null;
  /** True where what is drawn here is drawn for all. */
  readonly isSaving: boolean;
  /** Why the last drawing is not shown, `nothing` where no row has a video; null where it is. */
  readonly trouble: Exclude<DrawEnd, 'saved'> | 'nothing' | null;
  /** Draws for all reviewers, instead of what was drawn before. */
  draw(): Promise<void>;
  /** Adds so many rows to those drawn. */
  more(by: number): Promise<void>;
}

export function confidenceOf({ confidence = usualConfidence }: Pick<SampleFacts, 'confidence'>): number {
  return confidence;
}

export function createSampling({ keys, send, seed, now, changed }: SamplingWorld): Sampling {
  let facts: SampleFacts | null = null;
  let saved: WatchSample | null = null;
  /** As the run last said: news that left the server before this page saved one say so again. */
  let heard: WatchSample | null = null;
  /** Drawn by this page for its reader alone. */
  let own: WatchSample | null = null;
  let isBusy = false;
  let trouble: Sampling['trouble'] = null;

  const isSaving = (): boolean => facts?.review === true;
  const save = async (sample: WatchSample) => {
    if (isBusy) return;
    isBusy = true;
    trouble = null;
    const end = await send({ sample, instead: saved?.at ?? null });
    isBusy = false;
    if (end === 'saved') saved = sample;
    else trouble = end;
    changed();
  };
  return {
    look(news) {
      facts = news;
      const said = news.sample ?? null;
      if (isSame(said, heard)) return;
      if (!isSame(said, saved)) own = null;
      saved = said;
      heard = said;
    },
    current() {
      if (own === null && saved === null && facts !== null && !isSaving()) own = drawnAlone(facts, keys());
      return own ?? saved;
    },
    get isSaving() {
      return isSaving();
    },
    get trouble() {
      return trouble;
    },
    async draw() {
      const from = keys();
      if (facts === null || from.length === 0) {
        trouble = 'nothing';
        changed();
      } else await save(drawSample(from, { seed: seed(), at: now(), confidence: confidenceOf(facts) }));
    },
    async more(by) {
      const sample = own ?? saved;
      if (sample === null) return;
      if (isSaving()) return save(grown(sample, by));
      own = grown(sample, by);
      changed();
    },
  };
}

/** A sample only grows, until another one is drawn. */
function isSame(one: WatchSample | null, other: WatchSample | null): boolean {
  return one?.at === other?.at && one?.seed === other?.seed && one?.size === other?.size;
}

/** The same for all who have the same page; null while there is nothing to draw from. */
function drawnAlone(facts: SampleFacts, keys: readonly number[]): WatchSample | null {
  const seed = Math.floor(chance(0, facts.run) * 2 ** 32);
  return keys.length === 0
    ? null
    : drawSample(keys, { seed, at: facts.writtenAt, confidence: confidenceOf(facts) });
}

/** Saves a sample with the run, through the server of the page. */
export async function sendSample(body: SampleBody): Promise<DrawEnd> {
  try {
    const answer = await fetch('sample', {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    if (answer.ok) return 'saved';
    return answer.status === 412 ? 'other' : 'unsaved';
  } catch {
    return 'unsaved';
  }
}
