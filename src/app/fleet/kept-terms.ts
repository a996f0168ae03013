/**
 * How far the run may spend, as this machine knows it. A store that is an older copy of itself has forgotten a lower cap or a pause
 * that its workers obeyed: the stricter of both is put back before anything is claimed there, until a person says otherwise.
 */

import { type Message, message, several } from '../../messages/message.ts';
import { type Pause, pauseAt, strictest } from '../../money/steering.ts';
import { type SettingValues, steeringSetting } from '../../stores/port/settings.ts';
import type { SharedState } from '../../stores/port/sharing.ts';
import type { Store } from '../../stores/port/store.ts';
import type { KeptTerms, SentLog } from '../../stores/sent-log.ts';
import { capIn } from '../decisions.ts';
import { readSavedOptions, type SavedSettings } from '../output-folder.ts';
import { readSteering } from '../steering/steering-source.ts';

/** Terms up to these were compared with this store. */
export type ComparedTerms = Pick<KeptTerms, 'round' | 'steering'>;

/** What a look at the terms found. */
type TermsEnd =
  | { readonly type: 'same' }
  /** Another process saved something meanwhile: to be looked at again. */
  | { readonly type: 'raced' }
  /** The store had forgotten them; null where what it has is as strict. */
  | { readonly type: 'put-back'; readonly said: Message | null };

export class TermsMemory {
  readonly #store: Pick<Store, 'settings'>;
  readonly #kept: Pick<SentLog, 'obey'>;
  #known: KeptTerms | null = null;
  #change = -1;

  constructor(store: Pick<Store, 'settings'>, kept: Pick<SentLog, 'obey'>) {
    this.#store = store;
    this.#kept = kept;
  }

  /** A worker of this machine obeyed these. */
  recall(terms: KeptTerms): void {
    if (this.#known === null || !isEarlier(terms, this.#known)) this.#known = terms;
  }

  /** `at` is epoch ms. The marks that are compared with that are saved with what is put back, as `setting`. */
  async check(
    state: SharedState,
    compared: ComparedTerms,
    at: number,
    setting: { readonly name: string; after(compared: ComparedTerms): string },
  ): Promise<TermsEnd> {
    if (state.change === this.#change && state.server === this.#known?.server) return { type: 'same' };
    const { settings } = this.#store;
    const names = [steeringSetting, 'options', setting.name];
    const before: Record<string, string | null> = {};
    // The steering first: of a change that is saved meanwhile too little is known, and never too much.
    for (const name of names) before[name] = await settings.get(name);
    const now = await termsIn(before, state);
    // A pause that is over is none.
    const known = this.#known && { ...this.#known, pause: pauseAt(this.#known.pause, at) };
    if (known === null || !isForgotten(known, now, compared)) {
      this.#change = state.change;
      if (JSON.stringify(this.#known) !== JSON.stringify(now)) this.#kept.obey(now);
      this.#known = now;
      return { type: 'same' };
    }
    const after = await withTerms(before, known, now);
    const marks = {
      round: Math.max(known.round, compared.round),
      steering: Math.max(known.steering, compared.steering),
    };
    const isSaved = await settings.replace(before, { ...after, [setting.name]: setting.after(marks) });
    return isSaved ? { type: 'put-back', said: saidOf(known, now) } : { type: 'raced' };
  }
}

function isEarlier(one: ComparedTerms, other: ComparedTerms): boolean {
  return one.steering < other.steering || (one.steering === other.steering && one.round < other.round);
}

/** The store has another past than the one in which these were obeyed. */
function isForgotten(known: KeptTerms, now: KeptTerms, compared: ComparedTerms): boolean {
  if (known.server === now.server) return false;
  if (known.round <= compared.round && known.steering <= compared.steering) return false;
  if (known.round > now.round || known.steering > now.steering) return true;
  return known.round === now.round && known.steering === now.steering && saidOf(known, now) !== null;
}

/** As they were read at once. */
function settingsOf(values: SettingValues): SavedSettings {
  return { settings: { get: async (name) => values[name] ?? null } };
}

async function termsIn(
  values: SettingValues,
  { round, server }: Pick<SharedState, 'round' | 'server'>,
): Promise<KeptTerms> {
  const saved = settingsOf(values);
  const { number, pause } = await readSteering(saved);
  return { server, round, steering: number, cap: capIn(await readSavedOptions(saved)), pause };
}

/** The settings with the stricter of both, as one more change than anybody knows: every worker takes it up. */
async function withTerms(
  values: SettingValues,
  known: KeptTerms,
  now: KeptTerms,
): Promise<Readonly<Record<string, string>>> {
  const saved = settingsOf(values);
  const number = Math.max(known.steering, now.steering) + 1;
  const steering = { ...(await readSteering(saved)), number, pause: strictest(known.pause, now.pause) };
  const cap = lowest(known.cap, now.cap);
  const options = {
    ...(await readSavedOptions(saved)),
    ...(cap !== now.cap && { 'max-points': String(cap) }),
  };
  return { [steeringSetting]: JSON.stringify(steering), options: JSON.stringify(options) };
}

function lowest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** What the store had forgotten; null where it is no stricter than it was. */
function saidOf(known: KeptTerms, now: KeptTerms): Message | null {
  const cap = lowest(known.cap, now.cap);
  const said = [
    ...(cap === null || cap === now.cap ? [] : [message('memory.cap', { points: cap })]),
    ...(isSamePause(strictest(known.pause, now.pause), now.pause) ? [] : [message('memory.pause')]),
  ];
  return said.length === 0 ? null : several(said);
}

function isSamePause(one: Pause | null, other: Pause | null): boolean {
  return one?.until === other?.until;
}
