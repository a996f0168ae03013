/** What one check of a machine, a folder or an account found. */

import type { Said } from '../../messages/message.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';

/** `warning`: batch works without it, or it is worth knowing. */
export type State = 'ok' | 'warning' | 'failed';

export interface Finding {
  readonly id: string;
  readonly state: State;
  /** What is, and after a semicolon what to do, as every error says it. */
  readonly sentence: (say: Phrases) => string;
}

export function finding(id: string, state: State, said: Said): Finding {
  return { id, state, sentence: (say) => say.told(said) };
}

const marks: Readonly<Record<State, string>> = { ok: '✓', warning: '!', failed: '✗' };

/** One line of the list. */
export function renderFinding({ state, sentence }: Finding, say: Phrases): string {
  return `${marks[state]} ${toTerminalText(sentence(say))}`;
}

/** For programs; `hint` is null where nothing is to be done. */
export function findingJson({ id, state, sentence }: Finding): object {
  const whole = toTerminalText(sentence(phrasesOf('en')));
  const at = whole.indexOf('; ');
  if (at < 0 || state === 'ok') return { id, state, text: whole, hint: null };
  return { id, state, text: whole.slice(0, at), hint: whole.slice(at + 2) };
}
