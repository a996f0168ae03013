/** Small runs that lead to the crash points: what the service does, what happened before, which line is killed. */

import { Buffer } from 'node:buffer';
import { quickPauses, swiftly } from '../../cli/support/program.ts';
import {
  bare,
  completed,
  errorEnvelope,
  failed,
  inProgress,
  notFound,
  picture,
  reset,
  type Script,
  success,
  type Task,
} from '../../cli/support/scripted-service.ts';
import type { Stage } from '../../cli/support/stage.ts';
import { type AcceptedTask, rowOf } from '../oracle.ts';
import { fileReply, versionsOf, withOwnLinks } from '../task-files.ts';
import type { StoryName } from './points.ts';

/** Points of each task that was completed. */
const price = 10;

/** What ails the service; it is well again once the crash is over. */
type Ailment =
  | 'refuses'
  | 'is busy'
  | 'is silent'
  | 'loses creations'
  | 'fails tasks'
  | 'forgets tasks'
  | 'breaks links';

/** A service for one story, and its ledger. */
export interface StoryService {
  readonly script: Script;
  readonly accepted: readonly AcceptedTask[];
  ailment: Ailment | null;
}

export function createStoryService(ailment: Ailment | null): StoryService {
  const accepted: AcceptedTask[] = [];
  const frameAskedAt = new Map<string, number>();
  const failing = new Set<string>();
  const asked = new Set<string>();

  const script: Script = {
    create({ question }, accept) {
      if (service.ailment === 'refuses') return errorEnvelope('no video can be made of this');
      if (service.ailment === 'is busy') return bare(429);
      if (service.ailment === 'loses creations') return reset;
      const taskId = accept();
      if (service.ailment === 'fails tasks') failing.add(taskId);
      accepted.push({ taskId, row: rowOf(question), points: failing.has(taskId) ? 0 : price });
      return service.ailment === 'is silent' ? reset : success({ task_id: taskId });
    },
    status(task) {
      if (service.ailment === 'forgets tasks') return notFound;
      if (failing.has(task.taskId)) return failed(task, 'the drawing did not work out');
      return growing(withOwnLinks(task));
    },
    file({ name, headers }) {
      if (service.ailment === 'breaks links' && name.startsWith('video')) return bare(404);
      asked.add(/task-\d+/.exec(name)?.[0] ?? '');
      return fileReply(versionsOf(name)[0], headers, null);
    },
  };

  /** Two queries without a frame, then one frame, and two queries after it was asked for the video. */
  function growing(task: Task) {
    const { taskId, queries } = task;
    if (queries <= 2) return inProgress(task);
    if (asked.has(taskId) && !frameAskedAt.has(taskId)) frameAskedAt.set(taskId, queries);
    const isDone = queries > (frameAskedAt.get(taskId) ?? queries) + 1;
    return isDone ? completed(task, { frameCount: 1 }) : inProgress(task, 1);
  }

  const service: StoryService = { script, accepted, ailment };
  return service;
}

/** What a story acts on. */
interface Scene {
  readonly stage: Stage;
  readonly service: StoryService;
  /** Runs a line and dies at the point. */
  crash(line: readonly string[], point: string): Promise<void>;
}

export interface Story {
  readonly ailment?: Ailment;
  readonly prepare?: (scene: Scene) => Promise<unknown>;
  /** The line that is killed. */
  readonly line: readonly string[];
  /** The program waits for minutes before it comes to the points. */
  readonly takesMinutes?: true;
  /** Lines after the crash, to their end; the last one must do whatever is left. */
  readonly afterwards?: readonly (readonly string[])[];
  /** How the row ends when the crash left no doubt about it. */
  readonly ends: string;
  /** New attempts that the user ordered. */
  readonly orders?: number;
}

const quick = ['--quiet', '--poll-interval', '30ms'];
/** The input of every story. */
export const inputName = 'q.csv';
const run = ['run', inputName, ...quick];
const resume = ['resume', ...quick];

export const stories: Readonly<Record<StoryName, Story>> = {
  whole: { line: run, ends: 'completed' },
  refused: { ailment: 'refuses', line: run, ends: 'rejected' },
  busy: { ailment: 'is busy', line: run, ends: 'completed' },
  silent: { ailment: 'is silent', line: run, ends: 'uncertain' },
  failing: { ailment: 'fails tasks', line: run, ends: 'failed' },
  forgotten: { ailment: 'forgets tasks', line: run, takesMinutes: true, ends: 'completed' },
  'found again': {
    ailment: 'forgets tasks',
    prepare: (scene) => endAndHeal(scene),
    line: run,
    ends: 'completed',
  },
  'broken link': { ailment: 'breaks links', line: run, takesMinutes: true, ends: 'completed' },
  'mended link': {
    ailment: 'breaks links',
    prepare: (scene) => endAndHeal(scene),
    line: run,
    ends: 'completed',
  },
  retried: {
    ailment: 'fails tasks',
    prepare: (scene) => endAndHeal(scene),
    line: ['retry', '--failed', ...quick],
    // A row that waits for the attempt that was ordered is not failed any more.
    afterwards: [['retry', '--failed', ...quick], resume],
    ends: 'completed',
    orders: 1,
  },
  rerun: {
    prepare: async ({ stage }) => {
      await stage.batch(run);
      await stage.write(inputName, 'id,question\nr1,"Question r1 in other words"\n');
    },
    line: [...run, '--rerun-changed'],
    ends: 'completed',
    orders: 1,
  },
  adopted: {
    ailment: 'is silent',
    prepare: (scene) => endAndHeal(scene),
    line: ['resolve', 'r1', '--task-id', 'task-1'],
    afterwards: [['resolve', 'r1', '--task-id', 'task-1'], resume],
    ends: 'completed',
  },
  'not created': {
    ailment: 'loses creations',
    prepare: (scene) => endAndHeal(scene),
    line: ['resolve', 'r1', '--not-created', '--yes'],
    afterwards: [['resolve', 'r1', '--not-created', '--yes'], resume],
    ends: 'completed',
  },
  'found unanswered': {
    prepare: ({ crash }) => crash(run, 'the creation has left'),
    line: run,
    ends: 'uncertain',
  },
  edited: {
    prepare: async ({ stage, crash }) => {
      await crash(run, 'after the commit of the file');
      await stage.write(inputName, 'id,question\nr1,"Question r1 in other words"\n');
    },
    line: run,
    ends: 'completed',
  },
  'mended row': {
    prepare: async ({ stage }) => {
      await stage.write(inputName, 'id,question,questionImages\nr1,Question r1,picture.png\n');
      await stage.batch(run);
      await stage.write('picture.png', Buffer.from(picture));
    },
    line: resume,
    ends: 'completed',
  },
};

async function endAndHeal({ stage, service }: Scene): Promise<void> {
  await stage.batch(run, { node: [...swiftly, ...quickPauses.node] });
  service.ailment = null;
}
