/** What is saved with a run by name, and what may be changed while another process works on it. */

import type { Decision } from './decisions.ts';
import type { Inspections, Reviews } from './reviews.ts';

/** Values saved with the run, by name. */
export interface Settings {
  get(name: string): Promise<string | null>;
  save(name: string, value: string): Promise<void>;
  /**
   * Saves all these values, durably and at once, if those named in `before` are still the same (null: not saved); else
   * saves none and returns false. `decisions` are saved with them. Throws `UsageError` where the run is elsewhere or on its
   * way there.
   */
  replace(
    before: SettingValues,
    after: Readonly<Record<string, string>>,
    decisions?: readonly Decision[],
  ): Promise<boolean>;
}

export type SettingValues = Readonly<Record<string, string | null>>;

/** What may be changed of a run that another process may work on. */
export interface OpenSettings extends AsyncDisposable {
  readonly settings: Settings;
  readonly reviews: Reviews;
  readonly inspections: Inspections;
}

/** The name under which the course of the search for the concurrency is saved: a `LimitCourse` as JSON. */
export const limitCourseSetting = 'concurrency';

/** The setting that says how the run is steered: a `Steering` as JSON. A claim decided on an older one is refused. */
export const steeringSetting = 'steering';

/** The setting that says that rows are owed calls of the command of `--on-row`. */
export const hooksSetting = 'hooks';
