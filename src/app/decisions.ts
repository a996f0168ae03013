/** What a person decides about money, told in one way by every command: who, when, by which command line, and what. */

import type { DecisionKind } from '../money/review/decision-kinds.ts';
import type { Decision } from '../stores/port/decisions.ts';
import type { Store } from '../stores/port/store.ts';
import { cutLine } from '../text/cells/cut-text.ts';
import { createRedact } from '../text/redact.ts';
import { programName } from '../text/run-words.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Invocation } from './options/invocation.ts';
import { parseOptions } from './options/job-file.ts';
import type { RawOptions } from './options/options.ts';
import { secretsFromHooks } from './options/run-secrets.ts';
import { machineName, typedWords, userName } from './program.ts';
import { timeOf } from './system-clock.ts';

/** Who decides, and when: all that one command decides at once has the same. */
export type Decider = Pick<Decision, 'at' | 'userName' | 'machine' | 'command'>;

export async function deciderOf(store: Pick<Store, 'sharing'>, invocation: Invocation): Promise<Decider> {
  return {
    at: await timeOf(store),
    userName: userName(),
    machine: machineName(),
    command: commandOf(invocation),
  };
}

/** A decision to be saved with what it decides; `item` is the key of its row, null where it is about the run. */
export function noteDecision(
  decider: Decider,
  kind: DecisionKind,
  detail: Readonly<Record<string, unknown>>,
  item: number | null = null,
): Decision {
  return { ...decider, kind, item, detail: JSON.stringify(detail) };
}

/** A cap that another one takes the place of, to be saved with the options; none where it stays. */
export async function capDecisions(
  store: Pick<Store, 'sharing'>,
  invocation: Invocation,
  before: RawOptions,
  after: RawOptions,
): Promise<readonly Decision[]> {
  const [from, to] = [capIn(before), capIn(after)];
  return from === to ? [] : [noteDecision(await deciderOf(store, invocation), 'cap', { from, to })];
}

/** The cap among options as they are saved; null for none. */
export function capIn(options: RawOptions): number | null {
  const points = options['max-points'];
  return parseOptions({ 'max-points': points }, (name) => `--${name}`)['max-points'] ?? null;
}

/** Longer ones are cut: they name hundreds of rows. */
const mostLetters = 300;

/** The command line as it was typed, without secrets: each word loses them before quotes change how they are spelled. */
function commandOf(invocation: Invocation): string {
  const words = typedWords();
  if (words === null) return 'runBatch';
  const redact = createRedact(secretsFromHooks(invocation, null));
  const shown = withoutHooks(words).map((word) => typedWord(redact(word)));
  return cutLine([programName(), ...shown].join(' '), mostLetters);
}

/** An option is not quoted, because its dash is meant. */
function typedWord(word: string): string {
  const [, option = '', value = word] = /^(--?[a-z][a-z-]*=?)(.*)$/s.exec(word) ?? [];
  return option + (option !== '' && value === '' ? '' : shellWord(value));
}

/** Commands that the run calls may hold secrets that nobody knows of. */
function withoutHooks(words: readonly string[]): readonly string[] {
  return words.map((word, at) =>
    /^--on-(row|end)$/.test(words[at - 1] ?? '') ? '...' : word.replace(/^(--on-(?:row|end)=).*$/s, '$1...'),
  );
}
