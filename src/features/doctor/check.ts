/** What one check of a machine, a folder or an account found. */

import type { Said } from '../../messages/message.ts';
import { type Phrases, phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';

/** `warning`: batch works without it, or it is worth knowing. */
export type State = 'ok' | 'warning' | 'failed';

export interface Check {
  readonly id: string;
  readonly state: State;
  /** What is, and after a semicolon what to do, as every error says it. */
  readonly sentence: (say: Phrases) => string;
}

export function check(id: string, state: State, said: Said): Check {
  return { id, state, sentence: (say) => say.render(said) };
}

const marks: Readonly<Record<State, string>> = { ok: '✓', warning: '!', failed: '✗' };

/** One line of the list. */
export function renderCheck({ state, sentence }: Check, say: Phrases): string {
  return `${marks[state]} ${toTerminalText(sentence(say))}`;
}

/** For programs; `hint` is null where nothing is to be done. */
export function checkJson({ id, state, sentence }: Check): object {
  const whole = toTerminalText(sentence(phrasesOf('en')));
  const at = whole.indexOf('; ');
  if (at < 0 || state === 'ok') return { id, state, text: whole, hint: null };
  return { id, state, text: whole.slice(0, at), hint: whole.slice(at + 2) };
}
