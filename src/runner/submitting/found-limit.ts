/**
 * Keeps what the search for the concurrency has found with the run: the next process continues from there, the page draws it,
 * and in a shared run the number of one worker counts for all.
 */

import { messageOf } from '../../errors.ts';
import { addLimitStep, type LimitCourse, lastLimit } from '../../money/breakers/limit-steps.ts';
import type { Policy } from '../../money/policy.ts';
import type { Log } from '../../ports.ts';
import { limitCourseSetting, type Settings } from '../../stores/port/settings.ts';

export class FoundLimit {
  readonly #settings: Pick<Settings, 'get' | 'replace'>;
  readonly #log: Log;
  #saving: Promise<void> = Promise.resolve();

  constructor({
    settings,
    log,
  }: { readonly settings: Pick<Settings, 'get' | 'replace'>; readonly log: Log }) {
    this.#settings = settings;
    this.#log = log;
  }

  /** The limit saved last, by whichever process; null where there is none for this range. */
  async read(policy: Policy): Promise<number | null> {
    return lastLimit(parseCourse(await this.#settings.get(limitCourseSetting)), policy);
  }

  /** Saves a limit in the background, after those before it. A run continues without it. */
  save(limit: number, at: number, policy: Policy): void {
    const write = async (): Promise<void> => {
      // Another worker may save its own step meanwhile: neither may be lost.
      let isSaved = false;
      while (!isSaved) {
        const before = await this.#settings.get(limitCourseSetting);
        const course = addLimitStep(parseCourse(before), [at, limit], policy);
        const after = { [limitCourseSetting]: JSON.stringify(course) };
        isSaved = await this.#settings.replace({ [limitCourseSetting]: before }, after);
      }
    };
    this.#saving = this.#saving
      .then(write)
      .catch((error: unknown) =>
        this.#log.warn({ failure: messageOf(error) }, 'the concurrency could not be saved'),
      );
  }

  /** Resolves when all of them are saved. */
  idle(): Promise<void> {
    return this.#saving;
  }
}

function parseCourse(saved: string | null): LimitCourse | null {
  return saved === null ? null : (JSON.parse(saved) as LimitCourse);
}
