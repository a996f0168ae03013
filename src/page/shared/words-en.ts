/** The words of the parts that both pages have, in English. */

export const sharedEnglish = {
  searchLabel: 'Search',
  theme: 'Colours',
  themes: { system: 'Auto', light: 'Light', dark: 'Dark' } as Readonly<Record<string, string>>,
  language: 'Language',
  keys: 'Keys',
  keysTitle: 'Keys',
  print: 'Print',
  close: 'Close',
  placeOf: (place: string, count: string) => `${place} of ${count}`,

  question: 'Question',
  questionImages: 'Images of the question',
  answerImages: 'Images of the answer',
  image: (index: string) => `Image ${index}`,
  imageTooLarge: 'A picture in the input, too large for this page',
  imageElsewhere: 'Image on the web: ',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'The browser could not copy it. The text is selected: press Ctrl+C.',

  video: 'Video',
  captions: 'Captions',
  play: 'Play the video',
  videoMissing: 'The browser cannot play this video. Is the file still beside this page?',
  frameOf: (place: string, count: string) => `Frame ${place} of ${count}`,
  frameMissing: 'This frame is no longer beside the report.',
  speed: 'Speed',
};

/** The words of one language. */
export type SharedWords = typeof sharedEnglish;
