/** Every word on the page, in English and in Chinese. */

import type { Finding } from '../core/inspection.ts';
import type { Status } from '../core/item.ts';
import { findingText, reasonNames } from '../core/text/finding-text.ts';
import type { Language } from '../core/text/languages.ts';
import { statusNames } from '../core/text/status-names.ts';
import type { MarkFilter, SortField } from './rows.ts';
import { chinese } from './words-zh.ts';

const english = {
  status: statusNames.en,
  meaning: {
    pending: 'Not sent yet.',
    submitting: 'Being sent; no answer yet.',
    open: 'The video is being made.',
    downloading: 'The video is made and is being downloaded.',
    completed: 'The video is downloaded and complete.',
    failed: 'The service could not make this video.',
    rejected: 'The service refused the question. No video, no points.',
    uncertain: 'Sent, but the answer was lost: it is unknown whether a video is being made.',
    undelivered: 'The video was made and charged, but could not be fetched yet.',
    lost: 'The service no longer knows this video, or waiting for it took too long.',
    invalid: 'The row cannot be sent in its current form.',
  } as Readonly<Record<Status, string>>,
  anyMark: 'All marks',
  markFilter: {
    ...{ good: 'good', bad: 'bad', none: 'not marked' },
    ...{ noted: 'with a note', corrected: 'corrected' },
  } as Readonly<Record<MarkFilter, string>>,
  allVideos: 'All videos',
  worthALook: 'Worth a look',
  worthALookBecause: (reasons: string) => `Worth a look: ${reasons}`,
  reason: reasonNames,
  finding: findingText as (finding: Finding, id: string) => string,
  sort: {
    suspect: 'Worth a look first',
    row: 'Row',
    id: 'Id',
    status: 'Status',
    points: 'Points',
    seconds: 'Duration',
    submitted: 'Sent',
  } as Readonly<Record<SortField, string>>,
  quality: { h: 'high', m: 'medium', l: 'low' } as Readonly<Record<string, string>>,

  pageTitle: (out: string) => `${out} – report`,
  writtenAt: (time: string) => `Written ${time}`,
  goesOn: 'running',
  goesOnHint: 'The run is in progress. This page is rewritten meanwhile: reload it to see more.',
  workers: (count: number) => (count === 1 ? '1 worker' : `${count} workers`),
  paused: (until: string | null) =>
    until === null ? 'submitting is paused' : `submitting is paused until ${until}`,
  rehearsal: 'rehearsal: play money',
  rehearsalHint: 'The embedded service made these videos. No account was used, and no points were paid.',
  live: 'live',
  liveEnded: 'no run in progress',
  liveLost: 'connection lost, trying again',
  reading: (count: string) => `Reading the rows: ${count} so far`,
  noRows: 'This run has no rows.',
  leftOut: (count: string) =>
    `${count} more rows are not on this page, which would be too large for a browser. They are in report.csv.`,
  noSuchRow: (id: string) => `This page has no row “${id}”.`,

  points: (count: string, isOne: boolean) => `${count} ${isOne ? 'point' : 'points'}`,
  figureRows: 'rows',
  figureVideos: 'videos',
  figurePoints: 'points spent',
  figurePlayPoints: 'play points spent',
  figureEach: 'points per video',
  cap: (points: string) => `cap ${points}`,
  figureLeft: 'left, estimated',
  doneAt: (time: string) => `done at ${time}`,
  figureRest: 'points for the rest, estimated',
  restBasis: (videos: string, byQuality: boolean, byLength: boolean) => {
    const by = [...(byQuality ? ['quality'] : []), ...(byLength ? ['length'] : [])].join(' and ');
    return `${videos} videos${by === '' ? '' : `, by ${by}`}`;
  },
  unpriced: (count: string, isOne: boolean) => `unknown for ${count} ${isOne ? 'row' : 'rows'}`,
  rowsLabel: 'Rows',
  totals: 'Totals',
  states: 'Rows by status',
  pointsOverTime: 'Points over time',
  pointsText: (points: string, from: string, to: string) => `${points} points from ${from} to ${to}`,
  durations: 'Time per video',
  durationsText: (median: string, most: string, longest: string) =>
    `half under ${median}, 95 % under ${most}, longest ${longest}`,
  durationsBar: (from: string, to: string, count: string) => `${from} to ${to}: ${count}`,
  durationsLastBar: (from: string, count: string) => `${from} and more: ${count}`,
  concurrency: 'Tasks at once',
  concurrencyText: (last: string, most: string) => `${last} last, ${most} at most`,
  nothingYet: 'nothing yet',

  search: 'Search questions, answers, ids, failures …',
  searchLabel: 'Search',
  sortLabel: 'Sort',
  viewLabel: 'View',
  table: 'Table',
  gallery: 'Gallery',
  found: (count: string, total: string) => `${count} of ${total} rows`,
  foundAll: (total: string, isOne: boolean) => `${total} ${isOne ? 'row' : 'rows'}`,
  nothingFound: 'No row matches.',
  clear: 'Show all rows',
  theme: 'Colours',
  themes: { system: 'Auto', light: 'Light', dark: 'Dark' } as Readonly<Record<string, string>>,
  language: 'Language',
  keys: 'Keys',
  print: 'Print',

  pages: 'Pages',
  pageOf: (page: string, pages: string) => `Page ${page} of ${pages}`,
  first: 'First page',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  last: 'Last page',

  columnQuestion: 'Question',
  columnMark: 'Mark',
  noText: 'no text, only images',
  noQuestion: 'neither text nor image',
  noFrames: 'no frame yet',
  gone: 'no longer in the input',

  close: 'Close',
  previousRow: 'Previous row',
  nextRow: 'Next row',
  placeOf: (place: string, count: string) => `${place} of ${count}`,
  rowNumber: (row: string) => `Row ${row}`,
  question: 'Question',
  answer: 'Reference answer',
  questionImages: 'Images of the question',
  answerImages: 'Images of the answer',
  image: (index: string) => `Image ${index}`,
  imageTooLarge: 'A picture in the input, too large for this page',
  imageElsewhere: 'Image on the web: ',
  failure: 'What went wrong',
  settle: 'What to type',
  settleFound: 'If the task is in your account, with its id:',
  settleNotCreated: 'If there is certainly no such task; the row is then sent again:',
  settleList: 'All uncertain rows as one table to fill in:',
  facts: 'Facts',
  factTitle: 'Title',
  factStatus: 'Status',
  factPoints: 'Points',
  factSeconds: 'Took',
  factPlays: 'Plays',
  factSubmitted: 'Sent',
  factEnded: 'Ended',
  factAttempts: 'Attempts',
  factQuality: 'Quality',
  factTask: 'Task id',
  factFiles: 'Files',
  openVideo: 'Video file',
  unknown: 'unknown',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'The browser could not copy it. The text is selected: press Ctrl+C.',

  video: 'Video',
  captions: 'Captions',
  play: 'Play the video',
  noVideo: 'No video',
  videoMissing: 'The browser cannot play this video. Is the file still beside the report?',
  frames: 'Frames',
  frameOf: (place: string, count: string) => `Frame ${place} of ${count}`,
  showFrame: (place: string) => `Show frame ${place}`,
  frameMissing: 'This frame is no longer beside the report.',
  speed: 'Speed',
  playAtOnce: 'Play when opened',
  nextAfterMark: 'Next row after marking',

  mark: 'Mark',
  good: 'Good',
  bad: 'Bad',
  unmark: 'No mark',
  markedOn: {
    good: (attempt: string) => `marked good on attempt ${attempt}`,
    bad: (attempt: string) => `marked bad on attempt ${attempt}`,
  },
  note: 'Note',
  savedMarks: 'Marks of reviewers, saved with the run',
  someReviewer: 'a reviewer',
  savedHint: (reviewer: string) =>
    `Marks and notes are saved with the run${reviewer === '' ? '' : `, by ${reviewer}`}.`,
  unsaved: (count: string) => `${count} not saved yet, trying again`,
  refused: (count: string) =>
    `${count} not saved: the run does not take them. Export the marks to keep them.`,
  attempts: 'Attempts',
  attempt: (attempt: string) => `Attempt ${attempt}`,
  prefer: 'Prefer this one',
  standing: 'stands for the row',
  correct: 'Correct the texts',
  correctField: { question: 'Corrected question', answer: 'Corrected answer' },
  correctHint:
    'Kept with your mark. Mark the row as bad and retry it with the exported marks: the corrected text is sent then.',
  correctReset: 'As it was',
  correctDone: 'Done',
  correctedByYou: { question: 'Question, as you corrected it', answer: 'Answer, as you corrected it' },
  inFile: 'Before it was corrected',
  notePlaceholder: 'A note for the next reader',
  marks: 'Marks',
  marksCount: (good: string, bad: string) => `${good} good, ${bad} bad`,
  marksHint: 'Marks and notes are kept in this browser only. Export them to save or share them.',
  exportMarks: 'Export marks (CSV)',
  importMarks: 'Import marks …',
  imported: (count: string, isOne: boolean) => `${count} ${isOne ? 'mark' : 'marks'} imported`,
  importedForeign: 'The marks in this file belong to rows that this page does not have.',
  importedNone: 'This file contains no marks. Choose one written by “Export marks”.',
  retry: 'Redo the bad rows',
  retryHint: 'Run this in a terminal, in the folder where the run was started. It pays for new attempts.',
  noBad: 'No row is marked bad.',

  keysTitle: 'Keys',
  keyList: [
    ['/', 'search'],
    ['j  k', 'next and previous row'],
    ['↓  ↑', 'next and previous row, in the detail'],
    ['←  →', 'frame by frame, in the detail'],
    ['Enter', 'open'],
    ['Esc', 'close'],
    ['Space', 'play and pause'],
    ['g  b  u', 'good, bad, no mark'],
    ['n', 'write a note'],
    ['e', 'correct question or answer, in the detail'],
    ['a', 'next attempt, in the detail'],
    ['p', 'prefer the attempt shown, in the detail'],
    ['t  v', 'table, gallery'],
    ['?', 'this list'],
  ] as readonly (readonly [string, string])[],
};

/** The words of one language. */
export type Words = typeof english;

const spoken: Readonly<Record<Language, Words>> = { en: english, zh: chinese };
let language: Language = 'en';

export function currentLanguage(): Language {
  return language;
}

/** Switches `words()` to this language, and declares it for screen readers. */
export function speak(chosen: Language): void {
  language = chosen;
  document.documentElement.lang = chosen === 'zh' ? 'zh-CN' : 'en';
}

export function words(): Words {
  return spoken[language];
}
