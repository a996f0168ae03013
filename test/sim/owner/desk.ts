/** Command lines of an owner, carried out by what the program carries them out with, in virtual time. */

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { OpenedRun } from '../../../src/app/begin-work.ts';
import { lookedAt, readEnd } from '../../../src/app/offers/offers.ts';
import { lookIntoRun } from '../../../src/app/open-run.ts';
import type { Invocation } from '../../../src/app/options/invocation.ts';
import type { RawOptions } from '../../../src/app/options/options.ts';
import { policyOf, readInvocation } from '../../../src/app/options/settings.ts';
import type { SeenRun } from '../../../src/app/run-handles.ts';
import { reportedRunId, runSecret } from '../../../src/app/run-id.ts';
import type { RunSetup } from '../../../src/app/session.ts';
import { resolveRow } from '../../../src/features/resolve/resolve-row.ts';
import { resolveRows } from '../../../src/features/resolve/resolve-rows.ts';
import { uncertainRowsOf } from '../../../src/features/resolve/uncertain-rows.ts';
import { renderUncertain, uncertainHeader } from '../../../src/features/resolve/uncertain-table.ts';
import type { RetryChoice } from '../../../src/features/retry/plan-retry.ts';
import { refuseEmpty } from '../../../src/features/retry/retry-lines.ts';
import { isIdle, retryRows } from '../../../src/features/retry/retry-rows.ts';
import { continueRun, startRun } from '../../../src/features/run/start-run.ts';
import { countQualities } from '../../../src/money/forecast/estimate.ts';
import { paidRowsOf } from '../../../src/money/paid-rows.ts';
import type { EndingReason } from '../../../src/money/summary.ts';
import { Runner } from '../../../src/runner/runner.ts';
import type { Store } from '../../../src/stores/port/store.ts';
import { failureLines } from '../../../src/terminal/failure-lines.ts';
import { nextSteps } from '../../../src/terminal/next-steps.ts';
import { english } from '../../../src/terminal/phrases/phrases.ts';
import { MemoryTree } from '../../support/memory-tree.ts';
import { noImages } from '../../support/no-images.ts';
import { noChoice } from '../../support/retry-choice.ts';
import { ScriptedTasks } from '../../support/scripted-tasks.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import type { Dice } from '../dice.ts';
import type { Service } from './ledger.ts';
import type { Shown } from './papers.ts';

/** What came of a command. */
export interface Done {
  /** Rows that its plan said it would send; null for one that sends nothing. */
  readonly planned: number | null;
  /** How its session ended; null where it had none. */
  readonly ending: EndingReason | null;
  /** What the run shows then; null where nobody looked. */
  readonly shown: Shown | null;
}

/** Nobody answers there: what is asked outside a session stays unanswered. */
const nobody = 'http://127.0.0.1:1';

const flagTypes = {
  only: { type: 'string', multiple: true },
  failed: { type: 'boolean' },
  rejected: { type: 'boolean' },
  'rerun-changed': { type: 'boolean' },
  'not-created': { type: 'boolean' },
  'task-id': { type: 'string' },
  from: { type: 'string' },
  until: { type: 'string' },
  unsent: { type: 'string' },
  failure: { type: 'string' },
  'max-points': { type: 'string' },
} as const;

/** The words of a line without those that only some shells want. */
export function wordsOf(line: string): readonly string[] {
  const [, ...words] = (line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'/g, '$1'),
  );
  return words;
}

export class Desk {
  readonly #clock = new VirtualClock(Date.now());
  readonly #tasks: ScriptedTasks;
  readonly #dice: Dice;
  /** The files of each folder. */
  readonly #trees = new Map<string, MemoryTree>();
  /** The folder of the tables and of the runs. */
  readonly #root: string;

  constructor(root: string, dice: Dice, service: Service) {
    this.#root = root;
    this.#dice = dice;
    this.#tasks = new ScriptedTasks(this.#clock, service.script);
  }

  folder(run: string): string {
    return join(this.#root, run);
  }

  copy(from: string, to: string): void {
    this.#trees.set(to, new MemoryTree(new Map(this.#treeOf(from).files)));
  }

  #treeOf(run: string): MemoryTree {
    const known = this.#trees.get(run) ?? new MemoryTree();
    this.#trees.set(run, known);
    return known;
  }

  invocation(run: string, flags: RawOptions = {}): Invocation {
    return readInvocation(
      { 'base-url': nobody, ...flags },
      { out: this.folder(run), apiKey: 'a-key', dotEnv: false },
    );
  }

  /** Carries the line out. Rejects as the program ends with 2. */
  async type(run: string, words: readonly string[]): Promise<Done> {
    const [verb = ''] = words;
    const { values, positionals } = parseArgs({
      args: [...words.slice(1)],
      options: flagTypes,
      allowPositionals: true,
      strict: true,
    });
    if (verb === 'run') return this.#run(run, join(this.#root, positionals[0] ?? ''), values);
    if (verb === 'resume' || verb === 'collect') return this.#goOn(run, verb === 'resume', values);
    if (verb === 'retry') return this.#retry(run, values);
    if (verb !== 'resolve') throw new Error(`nobody types ${verb} here`);
    return this.#resolve(run, positionals.at(-1) ?? '', values);
  }

  /** Paths of tables are those of the world. */
  #only(entries: readonly string[]): readonly string[] {
    return entries.map((entry) => (entry.startsWith('@') ? `@${join(this.#root, entry.slice(1))}` : entry));
  }

  async #run(run: string, input: string, values: Flags): Promise<Done> {
    let planned: number | null = null;
    const rerunChanged = values['rerun-changed'] === true;
    const end = await startRun({
      input,
      invocation: this.invocation(run, rerunChanged ? { 'rerun-changed': true } : {}),
      agree: async ({ staged }) => {
        planned = staged.plan.toSubmit;
        return true;
      },
      ...this.#session(run),
    });
    return { planned, ...noEnd, ...end };
  }

  async #goOn(run: string, submits: boolean, { 'max-points': cap }: Flags): Promise<Done> {
    let planned: number | null = null;
    const agree = async ({ store }: OpenedRun): Promise<boolean> => {
      planned = countQualities(await store.totals.pendingQualities(paidRowsOf({})));
      return true;
    };
    const invocation = this.invocation(run, cap === undefined ? {} : { 'max-points': cap });
    const end = await continueRun({ submits, invocation, agree, ...this.#session(run) });
    return { planned: submits ? planned : 0, ...noEnd, ...end };
  }

  async #retry(run: string, values: Flags): Promise<Done> {
    const { only, failure = null, until, unsent, 'max-points': cap } = values;
    const numbered = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
    const choice: RetryChoice = {
      ...noChoice,
      statuses: (['failed', 'rejected'] as const).filter((status) => values[status] === true),
      failure,
      until: numbered(until),
      unsent: numbered(unsent),
    };
    let planned: number | null = null;
    const end = await retryRows({
      invocation: this.invocation(run, {
        ...(only !== undefined && { only: this.#only(only) }),
        ...(cap !== undefined && { 'max-points': cap }),
      }),
      choice,
      agree: async (_, plan) => {
        refuseEmpty(plan, choice);
        planned = isIdle(plan) ? 0 : countQualities(plan.paid);
        return true;
      },
      ...this.#session(run),
    });
    return { planned, ...noEnd, ...end };
  }

  async #resolve(run: string, id: string, values: Flags): Promise<Done> {
    const invocation = this.invocation(run);
    const sure = async (): Promise<boolean> => true;
    const agree = async (): Promise<boolean> => true;
    const { from, 'task-id': taskId = null } = values;
    if (from !== undefined) await resolveRows(invocation, join(this.#root, from), agree, sure);
    else await resolveRow({ invocation, id, taskId, agree, sure, unchecked: () => {} });
    return { planned: null, ending: null, shown: await this.look(run) };
  }

  #session(run: string) {
    return {
      askPlace: () => async () => true,
      session: async (setup: RunSetup): Promise<Pick<Done, 'ending' | 'shown'>> => {
        const { store, isIdle = false } = setup;
        await store.checkSound();
        await runSecret(store.settings);
        const ending = isIdle ? 'done' : (await this.#runner(run, setup).run()).reason;
        const seen = { ...setup, isInUse: false, holder: null, [Symbol.asyncDispose]: async () => {} };
        return { ending, shown: await shownBy(seen, ending) };
      },
    };
  }

  #runner(run: string, { store, options, submits }: RunSetup): Runner {
    const { checkpoint, settings } = store;
    const hex = (): string => this.#dice.integer(0, 0xffff).toString(16).padStart(4, '0');
    return new Runner(
      {
        clock: this.#clock,
        service: this.#tasks.service,
        host: this.#tasks.host,
        tree: this.#treeOf(run),
        checkpoint,
        settings,
        images: noImages,
        redact: (text) => text,
        journal: null,
        log: { info: () => {}, warn: () => {} },
        reporter: { note: () => {}, warn: () => {}, changed: () => {} },
      },
      {
        policy: policyOf(options, 0),
        submits,
        ...paidRowsOf(options),
        newToken: () =>
          `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-8${hex().slice(1)}-${hex()}${hex()}${hex()}`,
        notifyUrl: () => null,
        listens: false,
        isSameService: true,
      },
    );
  }

  /** What a run shows that nobody works on. */
  async look(run: string): Promise<Shown> {
    await using seen = await lookIntoRun(this.invocation(run));
    return await shownBy(seen, null);
  }
}

const noEnd = { ending: null, shown: null };

/** What a run shows, and the lines that it proposes after this end; none where no session ended. */
async function shownBy(seen: SeenRun, reason: EndingReason | null): Promise<Shown> {
  const { store, invocation } = seen;
  let uncertain = uncertainHeader();
  for await (const row of uncertainRowsOf(seen)) uncertain += renderUncertain(row, '');
  return {
    rows: await Array.fromAsync(store.checkpoint.reportRows()),
    run: await reportedRunId(store.settings, invocation.out),
    uncertain,
    proposed: reason === null ? [] : await proposedBy(invocation, store, reason),
  };
}

async function proposedBy(
  { words }: Invocation,
  store: Store,
  reason: EndingReason,
): Promise<readonly string[]> {
  const end = await readEnd(store, await store.checkpoint.ledger(), { ...lookedAt, reason });
  const steps = nextSteps({ ...end, isInUse: false, words }, english);
  const lines = failureLines(await store.totals.failureGroups(), words, end.offers);
  return [...steps, ...lines].flatMap(({ command }) => command ?? []);
}

type Flags = Readonly<{
  only?: string[];
  failed?: boolean;
  rejected?: boolean;
  'rerun-changed'?: boolean;
  'not-created'?: boolean;
  'task-id'?: string;
  from?: string;
  until?: string;
  unsent?: string;
  failure?: string;
  'max-points'?: string;
}>;
