/** What a command is: what the user may type, told without its work, and the way to the work. */

import type { FlagGroup } from './flags.ts';

/** The work of a command. Sets the exit code; throws what the user must hear. */
export type Handle = (argv: Readonly<Record<string, unknown>>) => Promise<void>;

/** The words of a command that are no flags. */
export interface Argument {
  /** What the work finds it under. */
  readonly name: string;
  readonly describe: string;
  /** True where the command cannot do without. */
  readonly isNeeded?: boolean;
  /** True where there may be several words. */
  readonly isList?: boolean;
  /** The value without it. */
  readonly otherwise?: string;
  /** What a shell offers: paths of files, of folders, or these words. */
  readonly value: 'FILE' | 'DIR' | readonly string[];
}

/** A command as the parser, the help and the completion of a shell need it. */
export interface Command {
  readonly name: string;
  /** What is typed after the name, for people. */
  readonly synopsis: string;
  /** One line, for people. */
  readonly summary: string;
  readonly argument?: Argument;
  readonly groups: readonly FlagGroup[];
  /** Lines to copy, without `batch`, and what each is for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** Exit codes the command can end with, and what each means for it. */
  readonly exitCodes: readonly (readonly [code: string, meaning: string])[];
  /** More that its help has to tell; loaded when it is asked for. */
  readonly appendix?: () => Promise<Appendix>;
  /** Loads the work. */
  readonly load: () => Promise<{ readonly handle: Handle }>;
}

/** A list at the end of a command's help. */
interface Appendix {
  readonly title: string;
  readonly rows: readonly (readonly [word: string, meaning: string])[];
}

/** Commands of one purpose. */
export interface Chapter {
  readonly title: string;
  readonly commands: readonly Command[];
}
