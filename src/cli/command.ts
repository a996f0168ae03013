/** The description of a command: what the user may type, and how to load its code. */

import type { FlagGroup } from './flags/flag.ts';

/** The code of a command. Sets the exit code; throws errors meant for the user. */
export type Handle = (argv: Readonly<Record<string, unknown>>) => Promise<void>;

/** What was given besides flags to a command that takes several words. */
export function wordsOf(argv: Readonly<Record<string, unknown>>): string[] {
  return ((argv.words ?? []) as readonly unknown[]).map(String);
}

/** The positional argument of a command. */
export interface Argument {
  /** Its name in `argv`. */
  readonly name: string;
  readonly describe: string;
  /** True when it is required. */
  readonly isNeeded?: boolean;
  /** True when it may be several words. */
  readonly isList?: boolean;
  /** The default. */
  readonly otherwise?: string;
  /** What a shell completes: paths of files, of folders, or these words. */
  readonly value: 'FILE' | 'DIR' | readonly string[];
}

/** A command for the parser, the help and shell completion. */
export interface Command {
  readonly name: string;
  /** What to type after the name, for people. */
  readonly synopsis: string;
  /** One line, for people. */
  readonly summary: string;
  readonly argument?: Argument;
  readonly groups: readonly FlagGroup[];
  /** True for one that works on a run until `batch stop` ends it. */
  readonly begins?: boolean;
  /** Command lines without `batch`, and the purpose of each. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** Its exit codes, and what each means. */
  readonly exitCodes: readonly (readonly [code: string, meaning: string])[];
  /** A further list in its help, loaded on demand. */
  readonly appendix?: () => Promise<Appendix>;
  /** Loads the code. */
  readonly load: () => Promise<{ readonly handle: Handle }>;
}

/** A list at the end of a command's help. */
export interface Appendix {
  readonly title: string;
  readonly rows: readonly (readonly [word: string, meaning: string])[];
}

/** Commands of one purpose. */
export interface Chapter {
  readonly title: string;
  readonly commands: readonly Command[];
}
