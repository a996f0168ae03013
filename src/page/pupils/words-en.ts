/** Every word of the page for pupils that it does not share, in English. */

import { sharedEnglish } from '../shared/words-en.ts';

export const english = {
  ...sharedEnglish,
  pageTitle: (video: string, page: string) => `${video} – ${page}`,
  videos: (count: string, isOne: boolean) => `${count} ${isOne ? 'video' : 'videos'}`,
  found: (count: string, total: string) => `${count} of ${total} videos`,
  search: 'Search the videos …',
  nothingFound: 'No video matches.',
  showAll: 'Show all videos',
  noVideos: 'There are no videos here yet.',
  noSuchVideo: 'The video of this link is not on this page. Here are all that are.',
  untitled: (place: string) => `Video ${place}`,

  chapters: 'Chapters',
  listLabel: 'Videos',
  back: 'All videos',
  previous: 'Previous video',
  next: 'Next video',
  showAnswer: 'Show the answer',
  link: 'Link to this video',
  qrCode: 'QR code of the link',

  keyList: [
    ['/', 'search'],
    ['j  k', 'next and previous video'],
    ['Enter', 'open'],
    ['Space', 'play and pause'],
    ['Esc', 'back to all videos'],
    ['?', 'this list'],
  ] as readonly (readonly [string, string])[],
};

/** The words of one language. */
export type Words = typeof english;
