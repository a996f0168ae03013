/** The life of a task: fully decided when the task is accepted, so that its state depends only on the time. */

import type { CreationRequest, ImageDigests, Quality } from './creation-request.ts';
import type { Faults } from './faults.ts';
import { seededRandom, sha256 } from './seeded-random.ts';

/** An accepted creation. Times are epoch ms. */
export interface Task {
  readonly taskId: string;
  /** The seed of every random decision for this task: what was requested, and how often before. */
  readonly lot: string;
  readonly question: string;
  readonly quality: Quality;
  readonly notifyUrl: string | null;
  /** Lower-case hex digest of the raw request body. */
  readonly bodySha256: string;
  readonly imageSha256: ImageDigests;
  readonly createdAt: number;
  /** When it stops being open. */
  readonly finishAt: number;
  readonly ending: Ending;
}

/** How a task ends: as reported by the service, or forgotten halfway. */
type Ending = 'COMPLETED' | 'FAILED' | 'VANISHED';

/** The state of a task at one time. */
export interface TaskState {
  readonly status: 'IN_PROGRESS' | Ending;
  /** 0..1. */
  readonly progress: number;
}

/** The numbers that decide a task's life. */
export interface TaskOdds {
  readonly seed: number;
  /** Typical length; each task's own is 50 to 150 % of it. */
  readonly durationMs: number;
  /** Share of tasks that end FAILED, 0..1. */
  readonly failRate: number;
  readonly faults: Faults;
}

/** Progress frames of one task; they appear one by one, evenly over its life. */
export const frameCount = 3;

/** A vanishing task does so after this share of its normal duration. */
const vanishShare = 0.5;

const pointsOfQuality: Readonly<Record<Quality, number>> = { l: 5, m: 10, h: 20 };

/** The real service may answer in any language, and so does this one. */
const failureTexts = [
  'Generation failed: the question could not be understood',
  'Generation failed: no explanation could be found for this question',
  '视频生成失败:题目内容无法识别',
] as const;

/** Decides the life of a task accepted at `createdAt` (epoch ms). */
export function createTask(request: CreationRequest, lot: string, createdAt: number, odds: TaskOdds): Task {
  const wholeMs = odds.durationMs * (0.5 + seededRandom(odds.seed, 'duration', lot));
  let ending: Ending = 'COMPLETED';
  if (seededRandom(odds.seed, 'failure', lot) < odds.failRate) ending = 'FAILED';
  if (odds.faults.happens('vanish', lot)) ending = 'VANISHED';
  return {
    // The time makes the id unique, even for a service that has lost its state.
    taskId: `sim-${sha256(`${lot} ${createdAt}`).slice(0, 20)}`,
    lot,
    question: request.question,
    quality: request.quality,
    notifyUrl: request.notifyUrl,
    bodySha256: request.bodySha256,
    imageSha256: request.imageSha256,
    createdAt,
    finishAt: createdAt + Math.round(ending === 'VANISHED' ? wholeMs * vanishShare : wholeMs),
    ending,
  };
}

/** The state of the task at `now`. */
export function stateAt(task: Task, now: number): TaskState {
  if (now >= task.finishAt) return { status: task.ending, progress: 1 };
  const progress = (now - task.createdAt) / (task.finishAt - task.createdAt);
  // With the clock set back, a task must not appear before its start.
  return { status: 'IN_PROGRESS', progress: Math.max(0, progress) };
}

/** Frames visible in that state, 0 to `frameCount`; all of them once the task is completed. */
export function framesAt(state: TaskState): number {
  return Math.min(frameCount, Math.floor(state.progress * (frameCount + 1)));
}

/** Points charged so far: all at once, and only for a completed task. */
export function pointsOf(task: Task, state: TaskState): number {
  return state.status === 'COMPLETED' ? pointsOfQuality[task.quality] : 0;
}

/** The text in the task's video and frames. */
export function captionOf(task: Task): string {
  return task.question.trim() === '' ? 'A question in pictures' : task.question;
}

const titleCharacters = 60;

/** The start of the question, on one line. */
export function titleOf(task: Task): string {
  const characters = Array.from(captionOf(task).trim().replace(/\s+/gu, ' '));
  return characters.slice(0, titleCharacters).join('').trimEnd();
}

/** Why the task failed. */
export function failureOf(task: Task, seed: number): string {
  const choice = Math.floor(seededRandom(seed, 'failure text', task.lot) * failureTexts.length);
  return failureTexts[choice] ?? failureTexts[0];
}
