/** The flags of commands that do one thing and end, in the groups of their help. */

import { optionNames, optionOf } from '../../app/options/options.ts';
import { languageGroup, lookGroups, placeGroup, serviceGroup, speechGroup } from './common-flags.ts';
import { type FlagGroup, flagsFor } from './flag.ts';

/** For the command that lists what a run needs. */
export const doctorGroups: readonly FlagGroup[] = [
  placeGroup,
  {
    title: serviceGroup.title,
    flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout', 'simulate'),
  },
  { title: speechGroup.title, flags: flagsFor('json', 'lang') },
];

/** For the command that looks into the videos. */
export const deepGroups: readonly FlagGroup[] = [
  ...lookGroups,
  { title: 'Output', flags: flagsFor('json', 'quiet') },
];

/** For the command that writes the reports again. */
export const reportGroups: readonly FlagGroup[] = [
  { title: 'Which reports', flags: flagsFor('report') },
  ...lookGroups,
];

/** For the command that asks for fresh links. */
export const linksGroups: readonly FlagGroup[] = [
  {
    title: 'Which rows',
    flags: {
      only: { describe: 'these rows: ID,ID, or @FILE with a column id', value: 'IDS', repeats: true },
    },
  },
  {
    title: serviceGroup.title,
    flags: flagsFor('baseUrl', 'apiKeyFile', 'requestTimeout', 'yes'),
  },
  placeGroup,
  { title: speechGroup.title, flags: flagsFor('json', 'lang') },
];

/** For the command that exports videos. */
export const exportGroups: readonly FlagGroup[] = [
  {
    title: 'Where to, and which',
    flags: {
      to: { describe: 'folder for the videos, created if needed', value: 'DIR' },
      name: {
        describe:
          'of each video: {COLUMN}, {id}, {row}, {title}, {quality}, {attempt} and text; / between folders',
        value: 'NAME',
        otherwise: '{id}',
      },
      only: {
        describe:
          'completed, good (by marks that are saved), ID,ID, or @FILE (a CSV file; with marks, the good ones)',
        value: 'IDS',
        otherwise: 'completed',
        repeats: true,
      },
    },
  },
  {
    title: 'A page for pupils',
    flags: {
      page: { describe: 'index.html beside the videos: question, player and search, for any browser' },
      title: { describe: 'what the page is called', value: 'TEXT', otherwise: 'the name of the run' },
      chapters: { describe: 'the column that gives each video its heading there', value: 'COLUMN' },
      'page-answers': { describe: 'the answer too, behind a fold' },
      'page-ids': { describe: 'the id of each video, also in links to it' },
      'page-qr': { describe: 'for print: a QR code that opens the video; needs --url-base' },
    },
  },
  {
    title: 'How',
    flags: {
      link: {
        describe: 'only hard links; stop where they are impossible',
        otherwise: 'links where possible, else copies',
      },
      copy: { describe: 'only copies: what is changed there does not change in the run' },
      'url-base': {
        describe: 'the address that the folder will have: manifests and page say that of each video',
        value: 'URL',
      },
      delete: { describe: 'remove what an earlier export put there and this one does not' },
      json: { describe: 'one JSON object' },
    },
  },
  ...lookGroups,
];

/** For the command that compares a statement: what it shares with others. */
export const auditGroups: readonly FlagGroup[] = [
  {
    title: 'How to read the statement',
    flags: flagsFor('format', 'sheet', 'headerRow', 'delimiter', 'encoding'),
  },
  {
    title: placeGroup.title,
    flags: {
      ...placeGroup.flags,
      run: { describe: 'name of a run in --store', value: 'NAME', repeats: true },
    },
  },
  { title: speechGroup.title, flags: flagsFor('json', 'lang') },
];

/** For the command that changes a run while it goes. */
export const tuneGroups: readonly FlagGroup[] = [
  {
    title: 'What to change',
    flags: flagsFor(...optionNames.filter((name) => optionOf(name).isTuned === true)),
  },
  placeGroup,
  languageGroup,
];

/** For the command that pauses submitting. */
export const pauseGroups: readonly FlagGroup[] = [
  {
    title: 'How long',
    flags: {
      for: { describe: 'a time such as 2h', value: 'D', otherwise: 'until `batch continue`' },
      until: { describe: 'the next time the clock of this machine shows it', value: 'HH:MM' },
    },
  },
  placeGroup,
  languageGroup,
];

/** For the command that ends what works on a run. */
export const stopGroups: readonly FlagGroup[] = [
  {
    title: 'How',
    flags: {
      now: { describe: 'leave at once, as at a second Ctrl-C: creations without an answer become uncertain' },
    },
  },
  {
    title: placeGroup.title,
    flags: {
      ...placeGroup.flags,
      worker: {
        describe: 'only this worker, as `batch status` names it',
        value: 'NAME',
        otherwise: 'all that work on the run now',
      },
    },
  },
  languageGroup,
];

/** For the command that settles rows. */
export const resolveGroups: readonly FlagGroup[] = [
  { ...serviceGroup, flags: { ...serviceGroup.flags, ...flagsFor('yes') } },
  placeGroup,
  languageGroup,
];

/** For the command that moves a run. */
export const moveGroups: readonly FlagGroup[] = [
  {
    title: placeGroup.title,
    flags: {
      ...placeGroup.flags,
      out: {
        describe: 'folder or s3://BUCKET/PREFIX for the files',
        letter: 'o',
        value: 'DIR',
        otherwise: 'DIR itself',
      },
      ...flagsFor('moved'),
    },
  },
];
