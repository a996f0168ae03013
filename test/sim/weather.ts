/** What goes wrong in one simulated world, and how often. Each seed has its own few kinds of trouble. */

import { Dice } from './dice.ts';

/** All kinds of trouble, with the rate of each while it is about: of requests, of tasks, of steps, as its name says. */
const troubles = {
  /** Connections that are refused before anything is sent. */
  unreachable: 0.15,
  /** Creations whose connection is reset when they have left, before the service has taken them. */
  lostBefore: 0.15,
  /** ...and after it has taken them. */
  lostAfter: 0.15,
  /** Requests that reach the service only after a long way, and answers that take as long. */
  slow: 0.12,
  /** Answers that are no answers: cut, HTML, another shape. */
  garbled: 0.15,
  /** Creations answered with the task of another row. */
  wrongTask: 0.08,
  /** Refusals for good, and for a passing cause. */
  refusal: 0.12,
  passingRefusal: 0.2,
  /** 429 with Retry-After. */
  tooMany: 0.15,
  /** Creations answered with a redirect. */
  redirect: 0.03,
  /** Status requests that get no answer. */
  unansweredPoll: 0.2,
  /** Tasks that end as FAILED. */
  failedTask: 0.25,
  /** Completed tasks without a video. */
  noVideo: 0.1,
  /** Completed tasks whose points are 0 or missing at first. */
  latePoints: 0.3,
  /** Completed tasks whose points are not said, or in words. */
  unpriced: 0.3,
  /** Tasks the service forgets, for a while or for good. */
  vanishing: 0.2,
  /** Creations after which the service knows none of its tasks for a while. */
  amnesia: 0.15,
  /** Tasks that never end. */
  endless: 0.08,
  /** States that are not documented; completed tasks that are in progress again. */
  unknownState: 0.15,
  flapping: 0.15,
  /** File requests without an answer, with a page in the place of the file, cut, cut without a word, changed files. */
  unansweredFile: 0.15,
  errorPage: 0.1,
  cutFile: 0.35,
  shortFile: 0.25,
  changedFile: 0.2,
  /** Completed tasks whose link, or whose file at its host, comes only after a while; those that name a lost copy first. */
  lateLink: 0.3,
  lateFile: 0.3,
  lostCopy: 0.2,
  /** Tasks of which some frames cannot be had, ever. */
  deadFrames: 0.7,
  /** Steps at which the disk begins to refuse. */
  diskFull: 0.01,
  /** Days on which the disk with the files is not mounted, and somebody has them fetched again. */
  diskAway: 0.3,
  /** Steps at which the process dies. */
  crash: 0.02,
  /** Steps at which the user stops the run. */
  interrupt: 0.004,
  /** Steps at which the process is stopped for a while, and goes on: its answers come meanwhile. */
  suspend: 0.004,
  /** Task ids that the user mistypes. */
  typo: 0.4,
  /** Steps at which the clock jumps by a day, or the computer sleeps for eight hours. */
  clockJump: 0.004,
  sleep: 0.004,
  /** Steps at which the service begins to answer everything with 5xx, or to refuse the key. */
  storm: 0.006,
  keyExpired: 0.003,
  /** Steps at which a second process is started in the same folder. */
  secondRun: 0.006,
  /** Steps at which somebody calls the callback address with whatever comes to mind. */
  falseHit: 0.01,
  /** Rows that a gateway refuses for ever, as if their key were: 401, 402 or 403; and tasks of which it lets nobody ask. */
  barredRow: 0.08,
  barredTask: 0.08,
  /** Rows for which a gateway has a page: too large, not allowed. */
  pageForRow: 0.08,
  /** Creations at which the account begins to be without points, or without permission, for a while. */
  accountBarred: 0.03,
  /** Creations at which maintenance begins, in the words of the service and with HTTP 200. */
  maintenance: 0.02,
} as const;

/** The same, thrown with dice of their own: what is found in a world stays in it when more kinds of trouble are known. */
const rarer = {
  /** Tasks whose id the service spells in another way each time. */
  spelling: 0.5,
  /** Completed tasks whose points rise from 0 by steps. */
  risingPoints: 0.4,
} as const;

/** The same of few worlds: where one of these is about, little else can be seen. */
const strange = {
  /** Tasks whose status can never be read. */
  unreadable: 0.3,
  /** Hosts that refuse all videos until the weather clears. */
  deadHost: 1,
  /** Services that become five times as dear, in the middle of a run. */
  dearer: 1,
  /** Starts into an outage: a gateway answers everything. */
  downAtStart: 0.6,
  /** Creations from which on the service refuses all for a day, for now. */
  shut: 0.15,
  /** Creations at which maintenance begins, often: it takes many rows. */
  manyAlike: 0.15,
  /** Rows and tasks that a gateway refuses for ever, in fair weather, too. */
  foreverBarredRow: 0.3,
  foreverBarredTask: 0.2,
  /** Rows for which a gateway has a page that does not say whether the creation went through. */
  oddPageForRow: 0.2,
  /** Requests and claims of a fleet that somebody's change crosses on their way. */
  crossing: 0.5,
  /** Tasks whose states the service names by words of its own. */
  oddWords: 0.5,
  /** Calls that the service makes again, half an hour after the last one. */
  repeatedCalls: 0.8,
} as const;

/** How many worlds know each of them. */
const strangeShare = 0.05;

const rates = { ...troubles, ...rarer, ...strange };

export type Trouble = keyof typeof rates;

export class Weather {
  readonly #rates = new Map<Trouble, number>();
  readonly #dice = new Map<string, Dice>();
  #isClear = false;
  readonly #never: ReadonlySet<Trouble>;

  /** `never`: kinds of trouble that this world does not know. */
  constructor(seed: number, never: readonly Trouble[] = []) {
    this.#never = new Set(never);
    for (const [name, kinds] of [
      ['weather', troubles],
      ['rare weather', rarer],
    ] as const) {
      const dice = new Dice(seed, name);
      const share = dice.pick([0, 0.1, 0.3, 0.3, 0.6, 1]);
      for (const kind of Object.keys(kinds) as Trouble[]) {
        this.#dice.set(kind, dice);
        if (dice.chance(share)) this.#rates.set(kind, rates[kind] * dice.pick([0.3, 1, 1, 2]));
      }
    }
    for (const kind of Object.keys(strange) as Trouble[]) {
      const dice = new Dice(seed, `strange weather: ${kind}`);
      this.#dice.set(kind, dice);
      if (dice.chance(strangeShare)) this.#rates.set(kind, rates[kind]);
    }
  }

  /** True while this trouble is about. */
  isAbout(kind: Trouble): boolean {
    return this.#rates.has(kind) && !this.#isClear && !this.#never.has(kind);
  }

  /** True when this trouble strikes now. */
  strikes(kind: Trouble): boolean {
    const rate = this.#rates.get(kind);
    return (
      rate !== undefined &&
      !this.#isClear &&
      !this.#never.has(kind) &&
      this.#dice.get(kind)?.chance(rate) === true
    );
  }

  /** True where this trouble is about, or was before the weather cleared. */
  has(kind: Trouble): boolean {
    return this.#rates.has(kind);
  }

  /** From now on nothing goes wrong any more. */
  clear(): void {
    this.#isClear = true;
  }

  get isClear(): boolean {
    return this.#isClear;
  }

  /** The kinds of trouble in this world, for the transcript. */
  describe(): string {
    return this.#rates.size === 0 ? 'fair' : [...this.#rates.keys()].join(', ');
  }
}
