/** The numbers that tune a run: unit, default and reason of each. */

import type { FrameChoice, Quality } from './item.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What a user can set (contract of the command line), already validated. */
export interface Policy {
  /** Tasks open at the service at once, those of earlier runs included. */
  readonly concurrency: number;
  /** Length of the shared tick. The service recommends 30 s. */
  readonly pollIntervalMs: number;
  /** For rows without a quality of their own; null sends none. */
  readonly quality: Quality | null;
  readonly frames: FrameChoice;
  /** Waiting for a task ends after this; its id is kept and the row becomes `lost`. */
  readonly taskTimeoutMs: number;
  /** Total deadline of one API request, headers and body. */
  readonly requestTimeoutMs: number;
  /** How long submitting waits for a service that is out of reach or refuses everything, before the run ends. */
  readonly outageTimeoutMs: number;
  /** Cap on spent + reserved points; null for none. */
  readonly maxPoints: number | null;
  /** Stop submitting after this many rows ended badly in this run; null for none. */
  readonly haltAfter: number | null;
  /** Submit at most this many more rows in this run; null for all. */
  readonly limit: number | null;
  /** The largest image that is sent: more is an oversight most often, and a request that the service refuses or chokes on. */
  readonly maxImageBytes: number;
}

export const defaultPolicy: Policy = {
  concurrency: 10,
  pollIntervalMs: 30 * second,
  quality: null,
  frames: 'all',
  taskTimeoutMs: 6 * hour,
  requestTimeoutMs: minute,
  outageTimeoutMs: 10 * minute,
  maxPoints: null,
  haltAfter: null,
  limit: null,
  maxImageBytes: 20_000_000,
};

/** Tick of a rehearsal: its tasks last seconds, so 30 s would only be waiting. */
export const simulatedPollIntervalMs = second;

/** What a user cannot set. */
export const fixed = {
  /** Creations in flight at once in one process: how many rows one crash can leave uncertain. */
  creationsInFlight: 16,
  /** Pause of all creations after one was refused for a passing cause or the service was out of reach; it grows from time to time... */
  creationPauseMs: second,
  /** ...gently: a service that refuses every second creation is no reason to stop... */
  creationPauseGrowth: 1.5,
  /** ...and up to this, so that what is back is found again. */
  creationPauseMaxMs: minute,
  /** All images of one request may be as large as this many of the largest one. */
  imagesOfOneRequest: 2.5,
  /** A file that ends in the middle of a line and was written later than this is looked at again: its writer may only pause. */
  inputQuietMs: 2 * second,
  /** A server may ask for any pause with Retry-After; longer ones are cut to this, so that a run cannot be parked for a year. */
  retryAfterMaxMs: hour,
  /** Polling pauses no longer than this, whatever is asked for: what is paid for waits at the service. */
  pollPauseMaxMs: minute,
  /** A service that was never heard of in a run is given up after this: it is a typo more often than an outage. */
  startPatienceMs: 20 * second,
  /** Uncertain creations in a row that stop submitting: the service or the line is ill, each one may cost points. */
  uncertainBreaker: 3,
  /** Refusals in a row with the same message that stop submitting: it is the account, not the rows. */
  refusalBreaker: 5,
  /** Tasks that become lost in a row while the service knows no other: the address or the service is wrong, each one may cost points. */
  lostBreaker: 3,
  /** An uncertain creation holds its slot this long while no task has ended yet to measure by. */
  uncertainHoldMs: 30 * minute,
  /** Ticks in a row at which the service does not know a task, before the row is lost... */
  notFoundTicks: 3,
  /** ...and for how long at least: a service of many machines may take minutes to know its own tasks everywhere. */
  notFoundMs: 10 * minute,
  /** Ticks in a row at which a task is older than `--task-timeout`, on the word of the service. */
  overdueTicks: 2,
  /** Answers that are heard after a video came without points, or with none: they may come an answer late... */
  priceAnswers: 2,
  /** ...and ticks at which they are asked for at most, where the service is silent. */
  priceTicks: 10,
  /** Lost rows are asked about again at each so many ticks. */
  lostTicks: 10,
  /**
   * A video that cannot be had is asked about for as long as this before it is given up for this run: at once, after this pause,
   * and after pauses that grow up to the longest. File hosts lag behind the service by seconds, sometimes by minutes.
   */
  linkAskMs: 10 * minute,
  linkPauseMs: 2 * second,
  linkPauseGrowth: 2,
  linkPauseMaxMs: 2 * minute,
  /** Tries of one download with one link, for causes that may pass: after them it waits for a new link, and holds no place meanwhile. */
  downloadTries: 5,
  downloadPauseMs: second,
  downloadPauseGrowth: 3,
  /** Tries of one frame over the whole life of a task; a frame is never worth more. */
  frameTries: 3,
  /** Requests of one such try, and how long it may take in all: a frame is small, and never worth more. */
  frameRequests: 2,
  frameTimeMs: 30 * second,
  /** Once the video is here, the links of frames that could not be had are asked for after this pause. */
  framePauseMs: 5 * second,
  /**
   * How long a row whose video is here waits for its frames. After it those that were tried in vain are given up; the others too,
   * unless frames have come from somewhere meanwhile: then the line moves, and only its length holds them back.
   */
  frameWaitMs: 2 * minute,
  /** Frames in a row that a host fails for, before it is asked for one only now and then: after this pause, and at most twice as long each time. */
  frameHostFailures: 4,
  frameHostPauseMs: 10 * second,
  frameHostPauseMaxMs: 10 * minute,
  /** A download that brings no byte for this long is cut and goes on from where it was. */
  downloadStallMs: 30 * second,
  /** Fewer bytes than this in that time count as none: a line of 1 kB/s brings 30 times as many. */
  downloadStallBytes: 1_000,
  /** A link that is refused and older than this may have expired: its file is tried at once by a new one. */
  linkFreshMs: 10 * second,
  /** Redirects of one download. */
  downloadRedirects: 5,
  /** Share of the budget at which a warning is printed. */
  budgetWarningShare: 0.8,
  /** Events wait this long after a commit for others to be saved with. */
  gatherMs: 10,
  /** Status requests at once. */
  pollConnections: 32,
  /** Between two questions about one row that callbacks bring about: a flood of them costs no more than this. */
  callbackPauseMs: second,
  /** Task ids that callbacks name for one uncertain row and that wait to be tried. */
  callbackClaims: 20,
  /** Videos that are downloaded at once: enough to fill a line, few enough to leave the disk alone. */
  downloadConnections: 8,
  /** Frames at once, beside the videos: none of them takes a place from a video. */
  frameConnections: 4,
  /** Small whole files that are made to last at once, beside the downloads: what is synced together costs the disk one sync. */
  savesAtOnce: 160,
  /** The longest of them; a second Ctrl-C waits for those that are on their way to the disk. */
  smallFileBytes: 2 ** 20,
  /**
   * Items beyond the concurrency that may wait for their files. Where files come slower than tasks are made, more tasks would
   * not end the run sooner: their links would expire in the line, and each file cost a question for a new one.
   */
  downloadLine: 64,
  /** Rows to be submitted that need a yes on a terminal. */
  confirmAboveRows: 100,
  /** Reports are written this often during a run... */
  reportIntervalMs: minute,
  /** ...but take no more than this share of the time. */
  reportTimeShare: 1 / 20,
  /** A run sees this often whether its folder is still in its place, and before each claim: what is paid for goes there. */
  placeCheckMs: second,
  /** A run that is followed is looked at this often: quick to the eye, nothing to the disk... */
  lookIntervalMs: second / 2,
  /** ...and looks at all its rows take no more than this share of the time. */
  lookTimeShare: 1 / 20,
} as const;
