/** Notes the steps by which a command begins paid work, in their order: what it reads, whom it asks, what it saves. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Invocation } from '../../src/app/options/invocation.ts';
import type { RawOptions } from '../../src/app/options/options.ts';
import { readInvocation } from '../../src/app/options/settings.ts';
import type { RunSetup } from '../../src/app/session.ts';
import { systemClock } from '../../src/app/system-clock.ts';
import type { StagedFile } from '../../src/features/import/stage-file.ts';
import { retryRows } from '../../src/features/retry/retry-rows.ts';
import { continueRun, startRun } from '../../src/features/run/start-run.ts';
import type { RoundStart } from '../../src/stores/port/sharing.ts';
import type { Store } from '../../src/stores/port/store.ts';
import { events } from '../money/lives.ts';
import { noChoice } from './retry-choice.ts';
import { accepted, completed, liveOn } from './saved-lives.ts';
import { temporaryFolder } from './temporary-folder.ts';

const steps: string[] = [];

function noteStep(step: string): void {
  steps.push(step);
}

/** For steps before the user is asked, when a store is in nobody's hands yet. */
export function noteEarlyStep(step: string): void {
  if (!steps.includes('agree')) noteStep(step);
}

/** What saving a setting is. */
const savings: Readonly<Record<string, string>> = {
  options: 'save options',
  place: 'save place',
  database: 'save place',
  sample: 'save sample',
  rounds: 'count round',
  'round,rounds': 'count round with its terms',
  round: 'end ordering',
  outputs: 'mark outputs',
};

/** Notes `step` of each call of a method, before it is made. */
function noteBefore<T extends object, K extends keyof T>(
  part: T,
  name: K,
  step: (...given: T[K] extends (...given: infer G) => unknown ? G : never) => string | undefined,
): void {
  const method = part[name] as (...given: unknown[]) => unknown;
  const noted = (...given: never): unknown => {
    const said = step(...given);
    if (said !== undefined) noteStep(said);
    return method.apply(part, given);
  };
  Object.assign(part, { [name]: noted });
}

function renderRound({ options, terms }: RoundStart): string {
  return `begin round ${terms} with ${Object.keys(options).sort().join(' and ')}`;
}

/** Notes what is saved in this store from now on, as its port says it. */
function watchStore(store: Store, staged: StagedFile | undefined): void {
  const { settings, checkpoint, reviews, sharing } = store;
  noteBefore(store, 'checkSound', () => 'check sound');
  noteBefore(settings, 'save', (name) => savings[name]);
  noteBefore(settings, 'replace', (_, after) => savings[Object.keys(after).join()]);
  noteBefore(checkpoint, 'commit', (changes) => (changes.length > 0 ? 'change rows' : undefined));
  noteBefore(checkpoint, 'order', (_, changes, waiting) =>
    changes.length + waiting.length > 0 ? 'order rows' : undefined,
  );
  noteBefore(reviews, 'correct', () => 'save corrections');
  noteBefore(reviews, 'prefer', () => 'withdraw preferences');
  if (sharing !== null) noteBefore(sharing, 'beginRound', renderRound);
  if (staged !== undefined)
    noteBefore(staged.ingest, 'apply', ({ round }) =>
      sharing === null || round === undefined ? 'import rows' : `import rows and ${renderRound(round)}`,
    );
  noteBefore(store, Symbol.asyncDispose, () => 'close');
  noteBefore(store, 'abandon', () => 'abandon');
}

/** What the user says. */
interface Answers {
  readonly place?: boolean;
  readonly plan?: boolean;
}

/** The callbacks of a command, which note that they are called. */
function callbacksWith({ place = true, plan = true }: Answers) {
  return {
    askPlace: () => async () => {
      noteStep('ask place');
      return place;
    },
    agree: async ({ store, staged }: { readonly store: Store; readonly staged?: StagedFile }) => {
      noteStep('agree');
      watchStore(store, staged);
      return plan;
    },
    note: () => noteStep('note'),
    session: async ({ submits }: RunSetup) => {
      noteStep(submits ? 'session' : 'session that submits nothing');
      return 'ended';
    },
  };
}

/** A folder of questions, and how to begin with them. */
export interface BeginPlace extends AsyncDisposable {
  readonly path: string;
  readonly input: string;
  readonly invocation: (flags?: RawOptions) => Invocation;
}

/** `flags` are those of every command; the run is in `out` below the folder where they do not say otherwise. */
export async function openBeginPlace(flags: RawOptions = {}): Promise<BeginPlace> {
  const folder = await temporaryFolder();
  const input = join(folder.path, 'q.csv');
  await writeFile(input, 'id,question,image\ndone,A,\nlate,B,\nfailed,C,\nnew,D,\nshown,E,shown.png\n');
  const out = join(folder.path, 'out');
  const invocation = (more: RawOptions = {}): Invocation =>
    readInvocation(
      { 'base-url': 'http://service.example', out, ...flags, ...more },
      // Now, and not with the process: another run of it may have imported its first rows since.
      { apiKey: 'key', dotEnv: false, begunAt: systemClock.steady() },
    );
  return { ...folder, input, invocation };
}

/** Makes the run, with rows of every kind. */
export async function makeRun({ input, invocation }: BeginPlace, flags: RawOptions = {}): Promise<void> {
  await startRun({
    input,
    invocation: invocation(flags),
    agree: async () => true,
    askPlace: () => async () => true,
    session: async ({ store: { checkpoint, reviews } }) => {
      const again = events['retry-ordered'];
      const done = await liveOn(checkpoint, 'done', ...completed('task-1'), again, ...completed('task-2'));
      await reviews.prefer(new Map([[done.key, 1]]));
      await liveOn(checkpoint, 'late', ...accepted('task-3'), events['task-failed'], again);
      await liveOn(checkpoint, 'failed', ...accepted('task-4'), events['task-failed']);
    },
  });
}

const corrected = { question: 'And now?', answer: null };
const named = ['done', 'late', 'failed'].map((id) => ({ id, isTyped: false, attempt: 1, corrected }));

/** An option to save. */
const capped = { 'max-points': '500' };

/** The commands, by what is typed. Each begins as the user answers. */
const commands = {
  run: ({ input, invocation }: BeginPlace, callbacks: ReturnType<typeof callbacksWith>) =>
    startRun({ input, invocation: invocation(capped), ...callbacks }),
  'run --sample': ({ input, invocation }: BeginPlace, callbacks: ReturnType<typeof callbacksWith>) =>
    startRun({ input, invocation: invocation({ ...capped, sample: '1' }), ...callbacks }),
  resume: ({ invocation }: BeginPlace, callbacks: ReturnType<typeof callbacksWith>) =>
    continueRun({ submits: true, invocation: invocation(capped), ...callbacks }),
  'resume --sample': ({ invocation }: BeginPlace, callbacks: ReturnType<typeof callbacksWith>) =>
    continueRun({ submits: true, invocation: invocation({ ...capped, sample: '1' }), ...callbacks }),
  collect: ({ invocation }: BeginPlace, callbacks: ReturnType<typeof callbacksWith>) =>
    continueRun({ submits: false, invocation: invocation(capped), ...callbacks }),
  retry: ({ invocation }: BeginPlace, callbacks: ReturnType<typeof callbacksWith>) =>
    retryRows({ choice: noChoice, invocation: { ...invocation(capped), named }, ...callbacks }),
};

/** A command that begins work, as it is typed. */
export type BeginCommand = keyof typeof commands;

/** The steps of a command, in their order. Throws where it goes on although the user said no, or ends although not. */
export async function stepsOf(
  place: BeginPlace,
  command: BeginCommand,
  answers: Answers = {},
): Promise<readonly string[]> {
  steps.splice(0);
  const ending = await commands[command](place, callbacksWith(answers));
  const said = steps.splice(0);
  if ((ending === null) === said.some((step) => step.startsWith('session')))
    throw new Error(`${command} gives back ${ending} after ${said.join(', ')}`);
  return said;
}
