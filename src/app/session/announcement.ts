/** What a session says before it starts, and to whom. */

import { createHmac } from 'node:crypto';
import type { Log, Reporter } from '../../ports.ts';
import type { TermsMark } from '../../stores/port/sharing.ts';
import type { Redact } from '../../text/redact.ts';
import { type Callbacks, openCallbacks } from '../callbacks.ts';
import type { hooksOf } from '../hooks/hook-options.ts';
import { placeOf } from '../open-run.ts';
import { isServiceOfRun, type Service } from '../service/run-service.ts';
import type { MendedTables, RunParts, RunSession } from '../session.ts';
import { observedLog, reporterTo } from './followers.ts';

/** What a session has open before it says or sends anything. */
export interface Opened {
  readonly service: Service;
  readonly parts: RunParts;
  readonly commands: ReturnType<typeof hooksOf>;
  /** Which terms the first round has. */
  readonly mark: TermsMark;
  /** The name of this session in orders to stop. */
  readonly name: string | null;
  /** Secret of the run, from which its callback addresses are made. */
  readonly secret: string;
  /** What no hook may have. */
  readonly secrets: readonly string[];
  /** Removes what no text may show. */
  readonly redact: Redact;
}

/** Who follows the session, once what is to be said of its place has been said. */
export interface Announced {
  readonly log: Log;
  readonly reporter: Reporter;
  readonly isSameService: boolean;
  /** Where reports go; tables that a user mended are kept. */
  readonly reportsOf: ReturnType<MendedTables['reports']>;
  readonly callbacks: Callbacks | null;
}

/** Says what is to be known before the run starts. Throws `UsageError` for a service that is not the run's. */
export async function announce({ setup, observer, mended }: RunSession, opened: Opened): Promise<Announced> {
  const { service, parts, secret, redact } = opened;
  const { settings } = setup.store;
  const log = observedLog(parts.log, observer, redact);
  const reporter = reporterTo(observer, log, redact);
  const isSameService = await isServiceOfRun(settings, service.baseUrl);
  const place = await placeOf(setup.invocation);
  if (!setup.options.simulate) await place.noteService(setup, service, reporter);
  for (const text of parts.warnings) reporter.warn(text);
  // Of a shared run any worker may be the one that writes the reports: it looks when it does.
  if (!setup.invocation.words.isShared) for (const text of await mended.keep(setup)) reporter.warn(text);
  const reportsOf = mended.reports(setup, parts.tree, reporter.warn);
  const callbacks = await openCallbacks(setup.options, callbackNames(secret));
  return { log, reporter, isSameService, reportsOf, callbacks };
}

/** Callback paths are unguessable; the secret is saved with the run, because tasks outlive a process. */
function callbackNames(secret: string): (key: number) => string {
  return (key) => createHmac('sha256', secret).update(String(key)).digest('hex').slice(0, 32);
}
