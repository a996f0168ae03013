/** Who follows a run besides the terminal: a reader of its events, a dead man's switch. None of them can touch it. */

import type { PlanEvent } from '../../app/events/events.ts';
import type { RunObserver, RunSetup } from '../../app/session.ts';
import { systemClock } from '../../app/system-clock.ts';
import { BatchError, bugExitCode } from '../../errors.ts';
import type { Said } from '../../messages/message.ts';
import type { RunEnding } from '../../runner/ending.ts';
import type { EventLog } from './event-log.ts';
import { RunPings } from './run-pings.ts';

/** How long a ping may take (ms). */
const pingTimeoutMs = 5_000;

export interface Followers {
  /** Receives what the terminal receives. */
  readonly observer: RunObserver;
  ended(ending: RunEnding, exitCode: number): Promise<void>;
  /** The run ended without a summary. */
  failed(error: unknown): Promise<void>;
}

/** Opens those that the options name. Throws `UsageError`. */
export async function openFollowers(
  setup: RunSetup,
  plan: PlanEvent | null,
  terminal: RunObserver,
): Promise<Followers> {
  const warn = (said: Said): void => terminal.warn(said);
  const events = await openEvents(setup, plan, warn);
  const pings = await openPings(setup, warn);
  const others: Partial<RunObserver>[] = [];
  if (events !== null) others.push(events.reporter);
  if (pings !== null) others.push({ started: (view) => pings.follow(view) });
  return {
    observer: others.length === 0 ? terminal : together(terminal, others),
    async ended(ending, exitCode) {
      await events?.end(ending);
      await Promise.all([events?.close(), pings?.end(ending.reason, exitCode)]);
    },
    async failed(error) {
      const exitCode = error instanceof BatchError ? error.exitCode : bugExitCode;
      await Promise.all([events?.close(), pings?.end('error', exitCode)]);
    },
  };
}

async function openEvents(
  setup: RunSetup,
  plan: PlanEvent | null,
  warn: (said: Said) => void,
): Promise<EventLog | null> {
  if (setup.options.events === undefined) return null;
  const { EventLog } = await import('./event-log.ts');
  return EventLog.open(setup, plan, warn);
}

async function openPings(
  { options, invocation }: RunSetup,
  warn: (said: Said) => void,
): Promise<RunPings | null> {
  if (options.ping === undefined) return null;
  const url = options.ping;
  const { createHttpPing } = await import('./http-ping.ts');
  const { openAgent } = await import('../../service/proxy-agent.ts');
  const wire = { headersTimeout: pingTimeoutMs, bodyTimeout: pingTimeoutMs, timeout: pingTimeoutMs };
  const open = () => openAgent(url, invocation.env, wire);
  const ping = createHttpPing({ url, timeoutMs: pingTimeoutMs, open });
  return new RunPings(ping, systemClock, warn);
}

/** The terminal's observer, and others that receive some of it. */
function together(terminal: RunObserver, others: readonly Partial<RunObserver>[]): RunObserver {
  const all: readonly Partial<RunObserver>[] = [terminal, ...others];
  return {
    changed: (before, after) => {
      for (const one of all) one.changed?.(before, after);
    },
    note: (text, row) => {
      for (const one of all) one.note?.(text, row);
    },
    warn: (text) => {
      for (const one of all) one.warn?.(text);
    },
    started: (view) => {
      for (const one of all) one.started?.(view);
    },
    crewSeen: (crew) => terminal.crewSeen?.(crew),
    ended: () => terminal.ended(),
    ...(terminal.logged === undefined ? {} : { logged: (line) => terminal.logged?.(line) }),
  };
}
