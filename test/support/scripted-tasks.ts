/** A video service and its file hosts in virtual time: they answer as a test says, and keep a ledger of all they were asked. */

import type { PollEnd, ProbeAnswer } from '../../src/money/answers/status-answer.ts';
import type { CreationEvent } from '../../src/money/event.ts';
import type { FileAnswer, FileHost, TaskService } from '../../src/ports.ts';
import { ending } from '../money/lives.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** How long requests take here (ms). */
const latencyMs = { creation: 200, status: 100, file: 300 } as const;

/** How long a video is in the making unless a test says otherwise (ms). */
export const makingMs = 5 * 60_000;

/** One creation request as it came. */
export interface Creation {
  readonly question: string;
  /** Creations of this question so far, this one included. */
  readonly attempt: number;
  /** As it was sent. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Time since the start (ms) at which it came. */
  readonly sentMs: number;
  /** Makes the task and gives its id, whatever is answered then. */
  make(): string;
}

/** A task that was made. */
export interface Task {
  readonly taskId: string;
  readonly question: string;
  /** Since the start (ms). */
  readonly madeMs: number;
  /** Times since the start (ms) of all its status requests, the current one included. */
  readonly queriedMs: readonly number[];
  /** How long it has been in the making (ms). */
  readonly ageMs: number;
}

/** One request for a file; `link` is its address without what comes before the task. */
export interface FileRequest {
  readonly link: string;
  readonly host: string;
  /** What follows the `?`. */
  readonly query: string;
  readonly sentMs: number;
  /** Cuts it, its body included. */
  readonly signal: AbortSignal;
}

/** How a request ended; when, the service itself says. */
type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;
export type StatusFact = WithoutTime<PollEnd>;

/** What to answer; without an answer creations are accepted, tasks are completed after `makingMs`, and files are there. */
export interface Script {
  readonly create?: (creation: Creation) => CreationFact | undefined;
  readonly status?: (task: Task) => StatusFact | undefined;
  /** The answer to the question who is there; takes no time. */
  readonly probe?: () => ProbeAnswer | undefined;
  /** How long the answer to a creation takes (ms), where that is not the usual time. */
  readonly createMs?: () => number;
  /** How long the answer to a status request takes (ms), where that is not the usual time. */
  readonly statusMs?: (task: Task) => number;
  readonly file?: (request: FileRequest) => FileAnswer | undefined;
}

export const inProgress = (...frameIds: readonly string[]): StatusFact => ({
  type: 'task-progressed',
  frames: frameIds.map((id) => ({ id, url: linkTo(`frames/${id}`) })),
});

export const done = ({ taskId }: Pick<Task, 'taskId'>, frameIds: readonly string[] = []): StatusFact => ({
  type: 'task-completed',
  ending,
  videoUrl: linkTo(`${taskId}/video`),
  frames: frameIds.map((id) => ({ id, url: linkTo(`frames/${id}`) })),
});

export const failed = (points = 0): StatusFact => ({
  type: 'task-failed',
  ending: { ...ending, points },
  failure: 'it cannot be drawn',
});

export const notFound: StatusFact = {
  type: 'task-not-found',
  failure: 'Server error: Task not found',
  unknownMs: 0,
};
export const unanswered: StatusFact = {
  type: 'poll-unanswered',
  failure: 'no answer came',
  retryAfterMs: null,
};
export const keyRefused = {
  type: 'poll-refused',
  failure: 'Unauthorized: Invalid API key',
  endsRun: 'key-refused',
} as const;

/** What the free question brings where the key is refused for all. */
export const refusedToAll: ProbeAnswer = {
  outcome: 'refused',
  failure: keyRefused.failure,
  endsRun: keyRefused.endsRun,
};

export type CreationFact = WithoutTime<CreationEvent>;

export const uncertain: CreationFact = {
  type: 'creation-uncertain',
  failure: 'the connection was lost',
  origin: 'service',
};
export const notSent: CreationFact = { type: 'creation-not-sent', failure: 'connection refused' };
const accepted = (taskId: string): CreationFact => ({ type: 'creation-accepted', taskId });
/** What a refused key says of a creation, and of whatever else is asked. */
export const creationBarred: CreationFact = {
  type: 'creation-barred',
  failure: keyRefused.failure,
  bar: keyRefused.endsRun,
};
/** What the question who is there brings where nobody is. */
export const nobody: ProbeAnswer = {
  outcome: 'unreachable',
  failure: 'connection refused',
  obstacle: null,
};

export function refused(failure: string, passing = false, retryAfterMs: number | null = null): CreationFact {
  return { type: 'creation-refused', failure, passing, retryAfterMs };
}

/** Makes the task, but the answer is lost. */
export function acceptedButLost(creation: Creation): CreationFact {
  creation.make();
  return uncertain;
}

/** Answers the creations of these questions like this, by number, and the others as usual. */
export function forQuestions(
  numbers: readonly number[],
  answer: (creation: Creation) => CreationFact,
): Script {
  return {
    create: (creation) =>
      numbers.includes(Number(creation.question.replace('Question ', ''))) ? answer(creation) : undefined,
  };
}

/** A file of these bytes. */
export function content(bytes: Uint8Array): FileAnswer {
  const body = (async function* () {
    yield bytes;
  })();
  return {
    outcome: 'content',
    offset: 0,
    totalBytes: bytes.length,
    validator: null,
    contentType: null,
    body,
  };
}

export const mp4 = Buffer.from('\0\0\0\u0018ftypisom and a video', 'latin1');
/** No two frames have the same bytes. */
const pngOf = (link: string): Buffer => Buffer.from(`\u0089PNG\r\n\u001a\n and ${link}`, 'latin1');

function linkTo(path: string): string {
  return `https://files.example/${path}?signature=s3cret`;
}

export class ScriptedTasks {
  readonly creations: Creation[] = [];
  readonly tasks = new Map<string, Task & { readonly queriedMs: number[] }>();
  readonly fileRequests: FileRequest[] = [];
  /** When the service was asked who it is (ms since the start). */
  readonly probedMs: number[] = [];
  /** Most creations that were on their way at once. */
  mostInFlight = 0;
  #inFlight = 0;
  #script: Script;
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock, script: Script) {
    this.#clock = clock;
    this.#script = script;
  }

  /** From now on the service answers by this script. */
  follow(script: Script): void {
    this.#script = script;
  }

  /** The tasks of a question, oldest first. */
  tasksOf(question: string): Task[] {
    return [...this.tasks.values()].filter((task) => task.question === question);
  }

  /** When the creations of a question, or all, were sent (ms since the start). */
  sentMs(question?: string): number[] {
    return this.creations
      .filter((creation) => question === undefined || creation.question === question)
      .map((creation) => creation.sentMs);
  }

  /** Most tasks that were in the making at once, where each takes `makingMs`. */
  get mostOpen(): number {
    const made = [...this.tasks.values()].map((task) => task.madeMs);
    return Math.max(...made.map((at) => made.filter((other) => other <= at && at < other + makingMs).length));
  }

  readonly service: TaskService = {
    create: (text, signal) => this.#create(text, signal),
    status: (taskId, signal) => this.#status(taskId, signal),
    probe: async () => {
      this.probedMs.push(this.#clock.elapsedMs);
      return this.#script.probe?.() ?? { outcome: 'service' };
    },
    close: async () => {},
  };

  readonly host: FileHost = {
    get: async (url, _from, signal) => {
      const { pathname, host, search } = new URL(url);
      const link = pathname.slice(1);
      const request = { link, host, query: search.slice(1), sentMs: this.#clock.elapsedMs, signal };
      this.fileRequests.push(request);
      await this.#clock.wait(latencyMs.file, signal);
      if (signal.aborted) return { outcome: 'unanswered', failure: 'it was cut' };
      return (
        this.#script.file?.(request) ?? content(/(^|\/)f(rames\/)?\w*\d+$/.test(link) ? pngOf(link) : mp4)
      );
    },
    close: async () => {},
  };

  async #create(text: string, signal: AbortSignal): Promise<CreationEvent> {
    const body: Record<string, unknown> = JSON.parse(text);
    const question = String(body.question);
    const attempt = this.creations.filter((creation) => creation.question === question).length + 1;
    const make = (): string => this.make(question);
    const creation = { question, attempt, text, body, sentMs: this.#clock.elapsedMs, make };
    this.creations.push(creation);
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    const answer = this.#script.create?.(creation);
    await this.#clock.wait(this.#script.createMs?.() ?? latencyMs.creation, signal);
    this.#inFlight -= 1;
    const at = this.#clock.now();
    if (signal.aborted) return { type: 'creation-uncertain', at, failure: 'it was cut', origin: 'service' };
    return { ...(answer ?? accepted(make())), at };
  }

  /** Makes a task of this question and gives its id. */
  make(question: string): string {
    const taskId = `task-${this.tasks.size + 1}`;
    const clock = this.#clock;
    const madeMs = clock.elapsedMs;
    this.tasks.set(taskId, {
      taskId,
      question,
      madeMs,
      queriedMs: [],
      get ageMs() {
        return clock.elapsedMs - madeMs;
      },
    });
    return taskId;
  }

  async #status(taskId: string, signal: AbortSignal): Promise<PollEnd> {
    const task = this.tasks.get(taskId);
    task?.queriedMs.push(this.#clock.elapsedMs);
    // The answer is what holds when the request arrives; its way back takes time.
    const answer = task === undefined ? notFound : (this.#script.status?.(task) ?? usualStatus(task));
    const statusMs = task === undefined ? undefined : this.#script.statusMs?.(task);
    await this.#clock.wait(statusMs ?? latencyMs.status, signal);
    const end = { ...(signal.aborted ? unanswered : answer), at: this.#clock.now() };
    return end;
  }
}

function usualStatus(task: Task): StatusFact {
  return task.ageMs < makingMs ? inProgress() : done(task);
}
