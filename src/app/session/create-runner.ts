/** Puts the runner of a round together. */

import { randomUUID } from 'node:crypto';
import { paidRowsOf } from '../../money/paid-rows.ts';
import type { Policy } from '../../money/policy.ts';
import type { Steering } from '../../money/steering.ts';
import type { FileHost, Reporter, TaskService } from '../../ports.ts';
import type { RunnerOptions, RunnerPorts } from '../../runner/context.ts';
import { Runner } from '../../runner/runner.ts';
import type { TermsMark } from '../../stores/port/sharing.ts';
import type { RoundOptions, SessionOptions } from '../rounds/round.ts';
import type { RunSetup } from '../session.ts';
import { steeringSource } from '../steering/steering-source.ts';
import type { Announced, Opened } from './announcement.ts';

/** What all runners of a session work with. */
interface RunnerParts {
  readonly setup: RunSetup;
  readonly opened: Opened;
  readonly announced: Announced;
  readonly host: FileHost;
  readonly reporter: Reporter;
  /** Gets how the run is steered. */
  readonly seen: (steering: Steering) => void;
}

/** One round. */
interface Round {
  readonly policy: Policy;
  readonly options: SessionOptions;
  readonly mark: TermsMark;
  readonly terms: RoundOptions;
}

export function createRunner(parts: RunnerParts, service: TaskService, round: Round): Runner {
  return new Runner(portsOf(parts, service), optionsOf(parts, round));
}

function portsOf(
  { setup, opened, announced, host, reporter }: RunnerParts,
  service: TaskService,
): RunnerPorts {
  const { checkpoint, settings } = setup.store;
  const { clock, tree, journal, images, checkPlace } = opened.parts;
  const { redact } = opened;
  const { log } = announced;
  return {
    clock,
    service,
    host,
    tree,
    checkpoint,
    settings,
    journal,
    log,
    reporter,
    redact,
    images,
    checkPlace,
  };
}

function optionsOf(
  { setup, opened, announced, reporter, seen }: RunnerParts,
  { policy, options, mark, terms }: Round,
): RunnerOptions {
  const { invocation, store, stays = false, submits } = setup;
  const { clock, shared } = opened.parts;
  const { callbacks, isSameService, log } = announced;
  return {
    policy,
    submits,
    ...paidRowsOf(options),
    newToken: randomUUID,
    notifyUrl: (item) => callbacks?.addressOf(item.key) ?? null,
    listens: callbacks !== null,
    isSameService,
    shared: shared === null ? null : { ...shared, stays, round: mark.round },
    steering: steeringSource(
      store,
      { number: mark.steering, options, saved: terms.saved },
      { clock, reporter, log, words: invocation.words, seen },
    ),
  };
}
