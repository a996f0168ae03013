/** What a command file holds besides its plain function. */

import type { Argv } from 'yargs';

/** A command as the command line sees it; its name and summary stand in the list of `main.ts`. */
export interface Command {
  /** Tells the parser the command's arguments. */
  build(yargs: Argv): Argv;
  /** Does the work and sets the exit code; throws what the user must hear. */
  handle(argv: Readonly<Record<string, unknown>>): Promise<void>;
}
