/** What the page says of a sample, in English. */

/** What a sentence is made with. */
type Values<Names extends string> = Readonly<Record<Names, string>>;

export const sampleWords = {
  entry: 'Watch a sample',
  hint: 'Watch some videos, drawn at random, and learn how many of the others can be bad.',
  ask: 'Watch some videos, drawn at random, and learn how many of the others can be bad. They are drawn once, the same for all reviewers.',
  nothing: 'No row has a video yet that could be drawn.',
  none: (is: Values<'size' | 'population' | 'confidence' | 'share'>) =>
    `Watch these ${is.size} videos, drawn at random: if all of them are good, at most ${is.share} % of all ${is.population} are bad, with ${is.confidence} % confidence`,
  said: (is: Values<'watched' | 'population' | 'bad' | 'confidence' | 'others' | 'mostBad' | 'share'>) =>
    `${is.watched} of ${is.population} watched, drawn at random: ${is.bad} bad; with ${is.confidence} % confidence at most ${is.mostBad} of the other ${is.others} are (${is.share} % of all)`,
  more: ({ left, share }: Values<'left' | 'share'>) =>
    `Watch ${left} more, all of them good, to be as sure that at most ${share} % of all are bad.`,
  enough: ({ share }: Values<'share'>) => `Enough for what was asked: at most ${share} % of all are bad.`,
  progress: 'Watched of those that were drawn',
  first: 'Start watching',
  next: 'Watch the next one',
  draw: 'Draw videos',
  grow: ({ count }: Values<'count'>) => `Draw ${count} more`,
  anew: 'Draw anew …',
  anewAsk:
    'Draw from all videos there are now? All marks are kept; of those on the videos drawn so far, only those that are drawn again count here.',
  anewYes: 'Draw anew',
  anewNo: 'Keep these',
  trouble: {
    other: 'Somebody else drew videos meanwhile: those are shown.',
    unsaved: 'Not saved. Try again.',
    nothing: 'No row has a video yet that could be drawn.',
  },
  /** `again` is '' where all of them were watched again. */
  madeAgain: ({ count, again }: Values<'count' | 'again'>) =>
    `${count} of them ${count === '1' ? 'was' : 'were'} made again since: what was said before still speaks for the others${again === '' ? '' : `; watch ${again} again`}.`,
  othersAgain: ({ count }: Values<'count'>) =>
    `Nothing is said of ${count} that ${count === '1' ? 'was' : 'were'} not drawn and ${count === '1' ? 'was' : 'were'} made again since.`,
  gap: ({ id }: Values<'id'>) => `Videos count in the order drawn: ${id} has no verdict yet.`,
  absent: ({ count }: Values<'count'>) => `Drawn, but not on this page: ${count}.`,
  suspects: ({ count }: Values<'count'>) => `With a reason to look, watched all, apart: ${count}.`,
  showSuspects: 'Show them',
  caveat: 'It speaks of what reviewers see and call bad, not of what nobody noticed.',
  drawnAt: ({ time, population }: Values<'time' | 'population'>) =>
    `Drawn ${time}, from the ${population} videos there were then.`,
  drawnHere: ({ population }: Values<'population'>) =>
    `Drawn from the ${population} videos on this page: whoever has the same page sees the same ones.`,
};

export type SampleWords = typeof sampleWords;
