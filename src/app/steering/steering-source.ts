/** How a run that goes learns that somebody tuned, paused or stopped it: through settings that are saved with it. */

import { message } from '../../messages/message.ts';
import { type Pause, pauseAt, type Steering, unsteered } from '../../money/steering.ts';
import type { Clock, Log, Reporter } from '../../ports.ts';
import type { SteeringSource } from '../../runner/steering.ts';
import { steeringSetting } from '../../stores/port/settings.ts';
import type { Store } from '../../stores/port/store.ts';
import { english } from '../../terminal/phrases/phrases.ts';
import type { RunWords } from '../../text/run-words.ts';
import { parseOptions } from '../options/job-file.ts';
import { longNamesWhere, type Options, type RawOptions } from '../options/options.ts';
import { policyOf } from '../options/settings.ts';
import { readSavedOptions, readSetting, type SavedSettings } from '../output-folder.ts';
import { describeChanges, readRound } from '../rounds/round.ts';

/** Options that `batch tune` changes, by long name. */
export const tunedNames = longNamesWhere(({ isTuned }) => isTuned === true);

/** How the run is steered. */
export async function readSteering({ settings }: SavedSettings): Promise<Steering> {
  return { ...unsteered, ...(await readSetting<Steering>(settings, steeringSetting)) };
}

/** What a session knows when it begins. */
export interface SteeredFrom {
  /** Of the steering when the options were read: later changes are news. */
  readonly number: number;
  /** Saved ones included. */
  readonly options: Options;
  readonly saved: RawOptions;
}

interface Follower {
  readonly clock: Clock;
  readonly reporter: Reporter;
  readonly log: Log;
  readonly words: RunWords;
  /** Called at every look. */
  readonly seen: (steering: Steering) => void;
}

/** Reports each change to the people who follow the run, and to the runner. */
export function steeringSource(
  store: Pick<Store, 'settings' | 'sharing'>,
  from: SteeredFrom,
  { clock, reporter, log, words, seen }: Follower,
): SteeringSource {
  let { number, options, saved } = from;
  let pause: Pause | null = null;
  let policy = policyOf(options, 0);
  const notePause = (now: Pause | null): void => {
    if (now?.until === pause?.until && (now === null) === (pause === null)) return;
    pause = now;
    log.info({ pause }, now === null ? 'the pause has ended' : 'submitting is paused');
    reporter.note(
      now === null
        ? message('steering.pause-over')
        : message('steering.pause-ends', {
            time: now.until === null ? null : english.moment(now.until, clock.now()),
            command: `batch continue ${words.run}`,
          }),
    );
  };
  return {
    async look() {
      const steering = await readSteering(store);
      // First: a session that stops claims nothing under the new number.
      seen(steering);
      notePause(pauseAt(steering.pause, clock.now()));
      const news = { number: steering.number, pause: steering.pause, policy: null, isLimitNew: false };
      if (steering.number === number) return news;
      const isLimitNew = steering.limitNumber > number;
      number = steering.number;
      const before = saved;
      saved = await readSavedOptions(store);
      const limit = isLimitNew ? (await readRound(store)).limit : undefined;
      const tuned = tunedOptions(saved, isLimitNew);
      options = { ...options, ...tuned, ...(limit === undefined ? {} : { limit }) };
      const [was, is] = [onlyTuned(before), onlyTuned(saved)];
      // A limit of the same number counts anew.
      const changes = describeChanges(isLimitNew ? { ...was, limit: undefined } : was, is);
      if (changes !== null) reporter.note(message('steering.run-tuned', { changes }));
      const policyBefore = policy;
      // The share of `--halt` is of no use here: what the run counted at its start stays.
      policy = policyOf(options, 0);
      if (JSON.stringify(policy) === JSON.stringify(policyBefore) && !isLimitNew) return news;
      return { ...news, policy, isLimitNew };
    },
  };
}

function onlyTuned(saved: RawOptions): RawOptions {
  return Object.fromEntries(Object.entries(saved).filter(([name]) => tunedNames.has(name)));
}

/** A limit is for one command: an old one that was tuned does not replace the one that the command was given. */
function tunedOptions(saved: RawOptions, isLimitNew: boolean): Options {
  const { limit, ...lasting } = onlyTuned(saved);
  const raw = isLimitNew && limit !== undefined ? { ...lasting, limit } : lasting;
  return parseOptions(raw, (name) => `saved option "${name}"`);
}
