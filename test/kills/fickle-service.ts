/**
 * A service whose moods come from a seed: it accepts, refuses, loses answers, is slow, cuts files and lets links expire.
 * Each throw has a name of its own, so that the same row meets the same mood however the kills fall. Its ledger is the
 * truth that everything else is held against.
 */

import {
  bare,
  type Creation,
  completed,
  errorEnvelope,
  type FileRequest,
  failed,
  inProgress,
  type Reply,
  reset,
  type Script,
  success,
  type Task,
} from '../cli/support/scripted-service.ts';
import { Dice } from '../sim/dice.ts';
import { type AcceptedTask, rowOf } from './oracle.ts';
import { fileReply, versionsOf, withOwnLinks } from './task-files.ts';

/** A task of this service. Times are epoch ms. */
interface FickleTask extends AcceptedTask {
  readonly acceptedAt: number;
  readonly endsAt: number;
  readonly isFailing: boolean;
}

export interface FickleService {
  readonly script: Script;
  readonly accepted: readonly AcceptedTask[];
  /** Most tasks that were being made at one moment. */
  readonly mostOpen: number;
}

/** How long tasks last (ms). */
const shortTask = [80, 350] as const;
/** Longer than any other, so that a run that has seen it end waits long enough for tasks it knows nothing of. */
const firstTaskMs = 1_500;

/** `isGentle`: every creation is accepted and answered, slowly. */
export function createFickleService(seed: number, isGentle: boolean): FickleService {
  const accepted: FickleTask[] = [];
  let mostOpen = 0;

  function note(question: string, taskId: string): void {
    const dice = new Dice(seed, `task of ${question}`);
    const acceptedAt = Date.now();
    const lasts = accepted.length === 0 ? firstTaskMs : dice.integer(...shortTask);
    const isFailing = accepted.length > 0 && dice.chance(0.12);
    const points = isFailing ? 0 : dice.integer(1, 40) / 4;
    accepted.push({
      taskId,
      row: rowOf(question),
      acceptedAt,
      endsAt: acceptedAt + lasts,
      isFailing,
      points,
    });
    mostOpen = Math.max(mostOpen, accepted.filter(({ endsAt }) => endsAt > acceptedAt).length);
  }

  async function create(creation: Creation, accept: () => string): Promise<Reply> {
    const { question, attempt } = creation;
    const dice = new Dice(seed, `creation ${attempt} of ${question}`);
    // The first task is made in any case, see `firstTaskMs`.
    const mood = isGentle || accepted.length === 0 ? 1 : dice.next();
    await pause(dice.integer(0, 30));
    if (mood < 0.05) return errorEnvelope(`Refused: ${question} is no question`);
    if (mood < 0.07 && attempt === 1) return abnormal(dice.pick([429, 503]));
    if (mood < 0.09) return reset;
    const taskId = accept();
    note(question, taskId);
    await pause(dice.integer(0, isGentle ? 150 : 60));
    if (mood < 0.12) return reset;
    return mood < 0.14 ? bare(502) : success({ task_id: taskId });
  }

  function status(task: Task): Reply | undefined {
    const dice = new Dice(seed, `query ${task.queries} of ${task.question}`);
    const known = accepted.find(({ taskId }) => taskId === task.taskId);
    const late = slow(dice.integer(0, 15));
    const mood = dice.next();
    if (known === undefined) return undefined;
    if (mood < 0.03) return reset;
    if (mood < 0.06) return late(bare(500));
    const { acceptedAt, endsAt, isFailing, points } = known;
    const shown = withOwnLinks(task);
    const mostFrames = new Dice(seed, `frames of ${task.question}`).integer(0, 2);
    const age = (Date.now() - acceptedAt) / (endsAt - acceptedAt);
    if (age < 1) return late(inProgress(shown, Math.floor(age * (mostFrames + 1))));
    if (isFailing) return late(failed(task, 'the drawing did not work out'));
    const consumption = [{ type: 'score', value: points, detail: 'one video' }];
    return late(completed(shown, { frameCount: mostFrames, consumption }));
  }

  /** The first requests for a file may go wrong; a file that never came would end a row, and hide what is tested here. */
  function file({ name, count, headers }: FileRequest): Reply {
    const dice = new Dice(seed, `request ${count} for ${name}`);
    const mood = count > 2 ? 1 : dice.next();
    if (mood < 0.04) return bare(403);
    if (mood < 0.07) return bare(503);
    const [first, second] = versionsOf(name);
    const bytes = count > 1 && second !== undefined ? second : first;
    const cutAfter = mood < 0.2 ? dice.integer(1, bytes.length - 1) : null;
    return slow(dice.integer(0, 15))(fileReply(bytes, headers, cutAfter));
  }

  return {
    script: { create, status, file },
    accepted,
    get mostOpen() {
      return mostOpen;
    },
  };
}

function abnormal(status: number): Reply {
  return errorEnvelope(`The video generation interface response is abnormal: ${status} - busy`);
}

function slow(ms: number): (reply: Reply) => Reply {
  return (reply) => (response) => void setTimeout(() => reply(response), ms);
}

/** The service takes its time: what is killed meanwhile is in the middle of a request. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
