/** The numbers that tune a run, each with its unit, default and reason. */

import type { FrameChoice, Quality } from './item.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** What a user can set (the options of the command line), already validated. */
export interface Policy {
  /** Tasks open at the service at once, including those of earlier runs. */
  readonly concurrency: number;
  /** Where the search for the number that the service takes begins; `concurrency` is then its end. Null for no search. */
  readonly searchFrom: number | null;
  /** Interval of the shared tick. The service recommends 30 s. */
  readonly pollIntervalMs: number;
  /** For rows without a quality of their own; null sends none. */
  readonly quality: Quality | null;
  readonly frames: FrameChoice;
  /** How long to wait for a task; after that the row becomes `lost` and keeps its task id. */
  readonly taskTimeoutMs: number;
  /** Total deadline of one API request, headers and body. */
  readonly requestTimeoutMs: number;
  /** How long submitting waits for a service that is unreachable or refuses everything, before the run ends. */
  readonly outageTimeoutMs: number;
  /** Cap on spent + reserved points; null for none. */
  readonly maxPoints: number | null;
  /** Stop submitting after this many rows ended badly in this run; null for none. */
  readonly haltAfter: number | null;
  /** Submit at most this many more rows in this run; null for all. */
  readonly limit: number | null;
  /** The largest image that is sent: a larger one is usually a mistake, and the service may refuse or fail on it. */
  readonly maxImageBytes: number;
}

export const defaultPolicy: Policy = {
  concurrency: 10,
  searchFrom: null,
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

/**
 * The range of `--concurrency auto`. It begins with what any service takes, and ends with as many tasks as one failure of the
 * service may cost.
 */
export const autoRange = { from: 4, to: 64 } as const;

/** Tick of a rehearsal: its tasks last only seconds. */
export const simulatedPollIntervalMs = second;

/** What a user cannot set. */
export const fixed = {
  /** Creations in flight at once in one process: limits how many rows one crash can leave uncertain. */
  creationsInFlight: 16,
  /** Pause of all creations after a temporary refusal or an outage; it grows each time... */
  creationPauseMs: second,
  /** ...slowly: a service that refuses every second creation is no reason to stop... */
  creationPauseGrowth: 1.5,
  /** ...up to this, so that a recovered service is found soon. */
  creationPauseMaxMs: minute,
  /** The search for the concurrency: it first climbs in steps of this share, each worth a line... */
  searchClimbShare: 1 / 4,
  /** ...later, one task time after the other, in steps of this one... */
  searchStepShare: 1 / 8,
  /** ...keeps this share of the open tasks when the service refuses one... */
  searchBackoff: 0.7,
  /** ...and tries more than was refused only after so many accepted creations: of them at most 2 % are refused... */
  searchProbeCreations: 60,
  /** ...and after the time of so many tasks, because the slots are not full after a refusal. */
  searchProbeTaskTimes: 8,
  /** Limit on all images of one request together, as a multiple of the limit on one. */
  imagesOfOneRequest: 2.5,
  /**
   * An incomplete last line in a file modified more recently than this is read again: its writer may only be pausing.
   */
  inputQuietMs: 2 * second,
  /** Longest Retry-After that is honoured, so that a server cannot park a run for a year. */
  retryAfterMaxMs: hour,
  /** Longest pause of polling, whatever the service asks for: paid videos are waiting there. */
  pollPauseMaxMs: minute,
  /** Patience with an address that names no host or no trusted one and never answered in this run: it is probably mistyped. */
  obstaclePatienceMs: 20 * second,
  /**
   * Uncertain creations in a row that stop submitting: the service or the network is failing, and each may cost points.
   */
  uncertainBreaker: 3,
  /** Refusals in a row with the same message that stop submitting: the cause is the account, not the rows. */
  refusalBreaker: 5,
  /**
   * Lost tasks in a row, while the service knows no other, that stop submitting: the address or the service is wrong,
   * and each may cost points.
   */
  lostBreaker: 3,
  /** How long an uncertain creation holds its slot while no task has ended yet to measure by. */
  uncertainHoldMs: 30 * minute,
  /** Ticks in a row at which the service does not know a task, before the row is lost... */
  notFoundTicks: 3,
  /**
   * ...and the least time this takes: a service on many machines may need minutes until all of them know a new task.
   */
  notFoundMs: 10 * minute,
  /** Ticks in a row at which a task exceeds `--task-timeout`, each confirmed by an answer. */
  overdueTicks: 2,
  /**
   * How long a task of an earlier run is waited for with answers in this one, whatever the wall clock says of its age: longer
   * than most take.
   */
  answeredWaitMs: 30 * minute,
  /** Answers requested after a video whose points were missing or zero: the price may come an answer late... */
  priceAnswers: 2,
  /** ...and ticks at which they are requested at most, if the service does not answer. */
  priceTicks: 10,
  /** Under a points cap 0, or another price than before, is believed so long after the end of the task... */
  priceSettleMs: 10 * minute,
  /** ...once so many ticks in a row have said it. */
  priceSettleTicks: 3,
  /** Lost rows are polled again every so many ticks. */
  lostTicks: 10,
  /**
   * How long a video that cannot be fetched is asked about before it is given up for this run: at once, after the first
   * pause, then after pauses that grow to the longest. File hosts lag behind the service by seconds, sometimes minutes.
   */
  linkAskMs: 10 * minute,
  linkPauseMs: 2 * second,
  linkPauseGrowth: 2,
  linkPauseMaxMs: 2 * minute,
  /**
   * Tries of one download with one link, for temporary failures; after them it waits for a new link without holding a
   * slot.
   */
  downloadTries: 5,
  downloadPauseMs: second,
  downloadPauseGrowth: 3,
  /** Tries of one frame over the whole life of a task; a frame is never worth more. */
  frameTries: 3,
  /** Requests of one such try, and its total time: a frame is small, and never worth more. */
  frameRequests: 2,
  frameTimeMs: 30 * second,
  /** Once the video is saved, links for missing frames are requested after this pause. */
  framePauseMs: 5 * second,
  /**
   * How long a row with its video waits for its frames. Then it gives up those tried in vain, and the others too unless
   * any frames have arrived meanwhile: then they are only waiting in the queue.
   */
  frameWaitMs: 2 * minute,
  /**
   * Failed frames in a row that open a host's circuit breaker: the host is then asked for one frame after this pause,
   * which doubles each time up to the longest.
   */
  frameHostFailures: 4,
  frameHostPauseMs: 10 * second,
  frameHostPauseMaxMs: 10 * minute,
  /** A download that receives nothing for this long is cut and resumed. */
  downloadStallMs: 30 * second,
  /** Fewer bytes than this in that time count as nothing: even a connection of 1 kB/s brings 30 times as many. */
  downloadStallBytes: 1_000,
  /** A refused link older than this may have expired: a new one is requested at once. */
  linkFreshMs: 10 * second,
  /** Redirects of one download. */
  downloadRedirects: 5,
  /** Share of the budget at which a warning is printed. */
  budgetWarningShare: 0.8,
  /**
   * How long events wait after a commit to share the next one: with 10 ms, `npm run bench -- end-to-end` with 64 busy items
   * makes 0.8 commits an item instead of 0.3.
   */
  gatherMs: 30,
  /** Status requests at once. */
  pollConnections: 32,
  /**
   * Minimum pause between two status requests for one row that callbacks cause: a flood of callbacks costs no more than
   * this.
   */
  callbackPauseMs: second,
  /** Task ids that callbacks name for one uncertain row and that await confirmation. */
  callbackTasks: 20,
  /** Videos downloaded at once: enough to fill a connection, few enough to spare the disk. */
  downloadConnections: 8,
  /** Frames downloaded at once, in addition to the videos: frames never take a slot from a video. */
  frameConnections: 4,
  /** Small files synced at once, in addition to the downloads: files synced together cost the disk one sync. */
  savesAtOnce: 160,
  /** The longest of them; a second Ctrl-C waits for those being written. */
  smallFileBytes: 2 ** 20,
  /**
   * Items beyond the concurrency that may wait for their files. Where downloads are slower than the service, more tasks
   * would not end the run sooner: links would expire in the queue, and each file would need another request for a new
   * one.
   */
  downloadLine: 64,
  /** More rows than this need a yes on a terminal before they are submitted. */
  confirmAboveRows: 100,
  /** How often reports are written during a run... */
  reportIntervalMs: minute,
  /** ...but writing them takes no more than this share of the time. */
  reportTimeShare: 1 / 20,
  /** How often a run looks whether somebody tuned or paused it. */
  steeringLookMs: second,
  /**
   * How often a run checks that its folder is still in place; it also checks before each claim, because the paid files
   * go there.
   */
  placeCheckMs: second,
  /** How long a claim may wait before it is sent: a process that was paused for longer does not send it... */
  sendWindowMs: 30 * second,
  /** ...and how long after its deadline its answer may still come: clocks of machines differ by less. */
  answerMarginMs: 30 * second,
  /** How soon a worker claims again where creations of others on their way have taken the places; longer each time. */
  placeTakenMs: 25,
  /** How often a worker reads what the other workers of its run did. */
  sharedLookMs: second,
  /** So many of the latest polls show what share of them fails, and so many without an answer are more than bad luck. */
  latestPolls: 100,
  silentPolls: 3,
  /** How often the log reports them while they continue. */
  outageLineMs: 60 * second,
  /** How often it looks for creations whose worker died before their answer was saved. */
  unansweredLookMs: 5 * second,
  /** How often a worker says that it lives, and after which silence the others do not count on it. */
  workerBeatMs: 3 * second,
  workerSilenceMs: 10 * second,
  /**
   * Where another server has taken the place of the store's, the workers compare what they know before anything is claimed
   * there: at least for the longest pause between two tries to reach it...
   */
  serverSettleMs: 5 * second,
  /** ...and those that were there before are waited for: a statement of theirs may wait so long for the old server. */
  serverPatienceMs: 45 * second,
  /** After so long without any answer of the service a worker gives its rows to others, who may reach it. */
  restAfterMs: minute,
  /** How often a worker without a network probes the service. */
  restProbeMs: 30 * second,
  /** Facts of a round that a worker reads when it joins: more than any circuit breaker counts. */
  factsKept: 200,
  /** How often a followed run is read: fast enough for the eye, negligible for the disk... */
  lookIntervalMs: second / 2,
  /** ...and reading all its rows takes no more than this share of the time. */
  lookTimeShare: 1 / 20,
} as const;

/** When a video is worth a look. How these were tried: docs/suspects.md. */
export const suspicion = {
  /** Below so many comparable videos nothing is called unusual: median and deviation of fewer say little. */
  fewestRows: 20,
  /** Lengths of questions (characters) at which comparable videos change: a line, a paragraph, a page. */
  questionLengths: [80, 200, 500],
  /** So many deviations from the median are far: of normal numbers seven in a million... */
  farDeviations: 4.5,
  /** ...but never less than this many times longer or shorter, larger or smaller: sizes vary more than durations. */
  durationFactor: 2,
  sizeFactor: 3,
  /** What more videos of a quality have in common is the way of the service. */
  usualShare: 1 / 2,
  /** Where more rows than this repeat titles, titles are not the row's own... */
  titleShare: 1 / 20,
  /** ...unless it is only so many rows. */
  fewTitles: 4,
  /** A stretch without packets that a viewer notices (seconds). */
  gapSeconds: 1.5,
  /** A black start that is no fade-in (seconds): explanatory videos often begin with an empty dark board. */
  blackStartSeconds: 4,
} as const;
