/** What keeps a run waiting, in words. */

import { message } from '../messages/message.ts';
import type { Obstacle } from '../ports.ts';
import { asTyped, type RunWords } from '../text/run-words.ts';
import { resolveWords, settleWords } from './failure-lines.ts';
import type { Phrases } from './phrases/phrases.ts';

/** One missed answer is nothing; none for this long (ms) is worth a message. */
const worthSayingMs = 10_000;

/** The user's pause, for people. `until` (epoch ms) is null for a pause without an end. */
export function renderPause(until: number | null, now: number, { render, moment }: Phrases): string {
  return render(message('steering.pause', { time: until === null ? null : moment(until, now) }));
}

/** For how long (ms) nothing is submitted, where that is known. `now` is epoch ms. */
export function pausedMs(obstacle: Obstacle | null, now: number): number {
  return obstacle?.why === 'pause' || obstacle?.why === 'paused'
    ? Math.max(0, (obstacle.until ?? now) - now)
    : 0;
}

/** One sentence, with each of several commands in a line of its own; none where nothing keeps the run waiting. `now` is epoch ms. */
export function renderObstacle(
  obstacle: Obstacle | null,
  now: number,
  words: RunWords,
  phrases: Phrases,
): readonly string[] {
  const text = obstacleText(obstacle, now, words, phrases);
  const lines = text === null ? [] : typeof text === 'string' ? [text] : text;
  return lines.map(asTyped);
}

function obstacleText(
  obstacle: Obstacle | null,
  now: number,
  { run }: RunWords,
  phrases: Phrases,
): string | readonly string[] | null {
  const { progress: say, moment } = phrases;
  switch (obstacle?.why) {
    case 'closed':
      return phrases.render(message('hold.closed', obstacle));
    case 'stopping':
      return phrases.render(message('hold.stopping', obstacle));
    case 'pause':
      return say.pauses(
        obstacle.until - now,
        obstacle.failure === null ? null : phrases.render(obstacle.failure),
      );
    case 'paused':
      return phrases.render(
        message('steering.pause-ends', {
          time: obstacle.until === null ? null : moment(obstacle.until, now),
          command: `batch continue ${run}`,
        }),
      );
    case 'probe':
      return say.probe;
    case 'service':
      return say.service(obstacle.open);
    case 'uncertain':
      return say.uncertain(
        obstacle.held,
        obstacle.of,
        moment(obstacle.until, now),
        `batch ${resolveWords(run, obstacle.id)}`,
        `batch ${settleWords(run, obstacle.id, '--not-created')}`,
      );
    case 'poll-pause':
      return say.pollPause(obstacle.until - now);
    case 'callbacks':
      return say.callbacks(moment(obstacle.until, now));
    case 'videos':
      return say.videos(obstacle.count, moment(obstacle.until, now));
    case 'budget':
      return say.budget;
    case 'downloads':
      return say.downloads;
    case 'silence':
      return now - obstacle.since < worthSayingMs ? null : say.silence(now - obstacle.since);
    case 'idle':
      return say.idle;
    case undefined:
      return null;
  }
}
