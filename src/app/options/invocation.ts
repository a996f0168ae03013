/** What a command line or a program asks for, once its flags, environment and job file are read. */

import { UsageError } from '../../errors.ts';
import type { Message } from '../../messages/message.ts';
import type { NamedRow } from '../../money/review/named-row.ts';
import type { Language } from '../../text/languages.ts';
import type { RunWords } from '../../text/run-words.ts';
import type { Naming } from '../naming/only-file.ts';
import { sayAside } from '../program.ts';
import type { Environment, Origin } from './environment.ts';
import type { Options, RawOptions } from './options.ts';

/** The request of a command line or program, before the saved options are known. */
export interface Invocation {
  /** Validated, without saved options. */
  readonly options: Options;
  /** What `--only` says; null without it. */
  readonly naming: Naming | null;
  /** The rows that it names: by their ids until the run is open, then also by the keys in its tables (`withKnownRows`). */
  readonly named: readonly NamedRow[] | null;
  /** The options from flags alone. */
  readonly flags: Options;
  /** To be saved with the run. */
  readonly raw: RawOptions;
  /** Environment over `.env`. */
  readonly env: Environment;
  /** The output folder as an absolute path, and as the user named it. */
  readonly out: string;
  readonly outShown: string;
  /** How to name the run on a command line. */
  readonly words: RunWords;
  /** Of the terminal. */
  readonly language: Language;
  /** The run in a store that machines share; null for one in a folder. */
  readonly shared: SharedPlace | null;
  /** True when the outputs were named, by a flag or a job file. */
  readonly isOutGiven: boolean;
  /** True when the command line names the key's file, which then takes precedence over the environment. */
  readonly isKeyFileGiven: boolean;
  /** Of the service's address and of the run's store; null where none is given here. */
  readonly addressFrom: Origin | null;
  readonly storeFrom: Origin | null;
  /** Of the key. One in a file that only a folder or a run names is the user's own. */
  readonly keyFrom: Origin;
  /** The key given by a program; takes precedence over all others and is never saved. */
  readonly apiKey: string | null;
}

/** A run in a store that machines share. */
export interface SharedPlace {
  /** Address of the database; may contain a password. */
  readonly url: string;
  readonly run: string;
  /** Address of the bucket's service, from the environment or saved with the run; null for the default. */
  readonly endpoint: string | null;
  /** When the command began (steady ms). */
  readonly begunAt: number;
  /** How long to wait for a store that does not answer, and who is notified. */
  readonly patience: Patience;
}

/** The run in a store, for what only such a run has. Throws what is `said` where it is in a folder. */
export function sharedOf({ shared }: Pick<Invocation, 'shared'>, said?: Message): SharedPlace {
  if (shared !== null) return shared;
  throw said === undefined ? new Error('this run is in a folder') : new UsageError(said);
}

/** How long (ms) to wait for a store that does not answer: a command gives up soon, a run never. */
export class Patience {
  ms = 20_000;
  /** Called when the store stops answering, with the reason, and with null when it answers again. */
  onAway: (failure: string | null) => void = () => {};
  /** Called with who keeps the store from answering. */
  onHeld: (said: Message) => void = sayAside;
}
