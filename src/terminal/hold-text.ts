/** What keeps a run waiting, in words. */

import { message } from '../messages/message.ts';
import type { Hold } from '../ports.ts';
import { asTyped, type RunWords } from '../text/run-words.ts';
import { resolveWords, settleWords } from './failure-lines.ts';
import type { Phrases } from './phrases/phrases.ts';

/** One missed answer is nothing; none for this long (ms) is worth a message. */
const worthSayingMs = 10_000;

/** The user's pause, for people. `until` (epoch ms) is null for a pause without an end. */
export function renderPause(until: number | null, now: number, { told, moment }: Phrases): string {
  return told(message('steering.pause', { time: until === null ? null : moment(until, now) }));
}

/** For how long (ms) nothing is submitted, where that is known. `now` is epoch ms. */
export function heldMs(hold: Hold | null, now: number): number {
  return hold?.why === 'pause' || hold?.why === 'paused' ? Math.max(0, (hold.until ?? now) - now) : 0;
}

/** One sentence, with each of several commands in a line of its own; none where nothing keeps the run waiting. `now` is epoch ms. */
export function renderHold(
  hold: Hold | null,
  now: number,
  words: RunWords,
  phrases: Phrases,
): readonly string[] {
  const text = holdText(hold, now, words, phrases);
  const lines = text === null ? [] : typeof text === 'string' ? [text] : text;
  return lines.map(asTyped);
}

function holdText(
  hold: Hold | null,
  now: number,
  { run }: RunWords,
  phrases: Phrases,
): string | readonly string[] | null {
  const { progress: say, moment } = phrases;
  switch (hold?.why) {
    case 'closed':
      return phrases.told(message('hold.closed', hold));
    case 'stopping':
      return phrases.told(message('hold.stopping', hold));
    case 'pause':
      return say.pauses(hold.until - now, hold.failure === null ? null : phrases.told(hold.failure));
    case 'paused':
      return phrases.told(
        message('steering.pause-ends', {
          time: hold.until === null ? null : moment(hold.until, now),
          command: `batch continue ${run}`,
        }),
      );
    case 'probe':
      return say.probe;
    case 'service':
      return say.service(hold.open);
    case 'uncertain':
      return say.uncertain(
        hold.held,
        hold.of,
        moment(hold.until, now),
        `batch ${resolveWords(run, hold.id)}`,
        `batch ${settleWords(run, hold.id, '--not-created')}`,
      );
    case 'poll-pause':
      return say.pollPause(hold.until - now);
    case 'callbacks':
      return say.callbacks(moment(hold.until, now));
    case 'videos':
      return say.videos(hold.count, moment(hold.until, now));
    case 'budget':
      return say.budget;
    case 'downloads':
      return say.downloads;
    case 'silence':
      return now - hold.since < worthSayingMs ? null : say.silence(now - hold.since);
    case 'idle':
      return say.idle;
    case undefined:
      return null;
  }
}
