/**
 * Every crash point by name, with what it stands for. Whatever the program does to the checkpoint, to the wire and to
 * the disk is in these tables; a step that is not is found by the census in the tests.
 */

/** How a point is reached: the name of a story in `stories.ts`. */
export type StoryName =
  | 'whole'
  | 'refused'
  | 'busy'
  | 'silent'
  | 'failing'
  | 'forgotten'
  | 'found again'
  | 'broken link'
  | 'mended link'
  | 'retried'
  | 'rerun'
  | 'adopted'
  | 'not created'
  | 'found unanswered'
  | 'edited'
  | 'mended row';

export interface CrashPoint {
  readonly name: string;
  /** What the process was about, in a sentence. */
  readonly meaning: string;
  readonly story: StoryName;
  /** True between the commit of the intent and the commit of the answer: the only place where a crash may leave a row uncertain. */
  readonly isInDoubt: boolean;
  /** True for what happens in the first process of a folder only. */
  readonly isOnce: boolean;
}

type Table = Readonly<Record<string, string>>;

/** What is done once in the life of a folder. */
const once: ReadonlySet<string> = new Set([
  'the making of the output folder',
  'the commit of the schema',
  'the saving of the options',
  'the saving of the input',
  'the saving of the place',
  'the saving of the service',
  'the saving of the callback-secret',
]);

/** Steps with a before and an after, in the order of a run. */
const steps: Table = {
  'the making of the output folder': 'Nothing is there yet.',
  'the lock': 'The folder is held for this process alone.',
  'the staging of the rows': 'The rows of the file are laid beside those of the checkpoint.',
  'the saving of the place': 'Where the folder lies is kept with the run.',
  'the saving of the options': 'The options are kept with the run.',
  'the saving of the input': 'Which file was read, and how, is kept with the run.',
  'the saving of the rounds': 'That a round begins is counted with the run.',
  'the saving of the service': 'Whose tasks these are is kept with the run.',
  'the saving of the callback-secret': 'What makes callback addresses unguessable is kept with the run.',
  'the making of the folder of the row': 'The first file of a row is on its way.',
  'the syncing of the folder that holds the folder of the row': 'The new folder is made to last.',
  'the making of the folder of the frames': 'The first frame of a row is on its way.',
  'the syncing of the folder that holds the folder of the frames': 'The new folder is made to last.',
  ...downloadSteps('the frame'),
  ...downloadSteps('the video'),
  ...wholeFileSteps('the task file'),
  ...wholeFileSteps('report.csv'),
  ...wholeFileSteps('report.jsonl'),
  ...wholeFileSteps('report.html'),
  ...wholeFileSteps('failed.csv'),
  'the saving of the written failed.csv':
    'What the table of failed rows was when the run wrote it is kept with the run.',
};

function downloadSteps(file: string): Table {
  return {
    [`the making of ${file}`]: `The part of ${file} is made, empty.`,
    [`the emptying of ${file}`]: `The part of ${file} starts anew.`,
    [`the making of the validator of ${file}`]:
      'The note by which a later process may go on with the part is made, empty.',
    [`the writing of the validator of ${file}`]: 'The note is written.',
    [`the writing of ${file}`]: `The first bytes of ${file} are written.`,
    [`the syncing of ${file}`]: `All bytes of ${file} are made to last.`,
    [`the renaming of ${file}`]: `The part becomes ${file}.`,
    [`the removal of the validator of ${file}`]: 'The note is of no use any more.',
    [`the syncing of the folder that holds ${file}`]: 'The new name is made to last.',
  };
}

function wholeFileSteps(file: string): Table {
  return {
    [`the making of ${file}`]: `${file} is made under a temporary name.`,
    [`the writing of ${file}`]: `${file} is written under its temporary name.`,
    [`the syncing of ${file}`]: `The bytes of ${file} are made to last.`,
    [`the renaming of ${file}`]: `${file} takes the place of the one before.`,
    [`the syncing of the folder that holds ${file}`]: 'The new name is made to last.',
  };
}

/** Steps of a new attempt, which keeps the files of the one before. */
const asideSteps: Table = {
  'the making of the folder of files set aside': 'The files of an earlier attempt get a folder of their own.',
  'the setting aside of the task file': 'The task file of an earlier attempt has a second name there.',
  'the removal of the task file': 'The new attempt is saved: the file of the earlier one loses its old name.',
};

const rerunSteps: Table = {
  'the setting aside of the video': 'The video of an earlier attempt has a second name in its own folder.',
  'the setting aside of the frame': 'The frames of an earlier attempt have one too.',
  'the removal of the video': 'The new attempt is saved: the video of the earlier one loses its old name.',
  'the removal of the frame': 'The frames of the earlier attempt lose theirs.',
};

/** Transactions of a plain run, with a before, an inside and an after. */
const commits: Table = {
  'the file': 'The file is taken up.',
  'the intent': 'The row is about to be sent.',
  'the acceptance': 'The task is known.',
  'the frame that appeared': 'A frame is wanted.',
  'the saved frame': 'A frame is on disk.',
  'the completion': 'The points are known, the video is wanted.',
  'the last file': 'The video is on disk.',
};

/** Transactions that only special stories come to. */
const rareCommits: Readonly<Record<string, readonly [StoryName, meaning: string]>> = {
  'the refusal': ['refused', 'The service refused the row.'],
  'the passing refusal': ['busy', 'The service refused the row for now.'],
  'the lost answer': ['silent', 'The connection broke before the answer.'],
  'the failure': ['failing', 'The service says that the task failed.'],
  'a miss': ['forgotten', 'The service does not know the task.'],
  'the loss': ['forgotten', 'The service did not know the task three times in a row.'],
  'the finding again': ['found again', 'The service knows a lost task after all.'],
  'a refused link': ['broken link', 'The link to the video was refused, a new one is asked for.'],
  'the giving up of the video': ['broken link', 'No link to the video was any good.'],
  'another try of the video': ['mended link', 'A video that could not be had is tried again.'],
  'the ordered retry': ['retried', 'The user orders a new attempt for a failed row.'],
  'the ordered rerun': ['rerun', 'The user orders a new attempt for an edited row.'],
  'the adoption': ['adopted', 'The user names the task of an uncertain row.'],
  'the word that there is no task': ['not created', 'The user knows that an uncertain row has no task.'],
  'the unanswered creation that was found': [
    'found unanswered',
    'A process found a creation of a killed one.',
  ],
  'an edited question': ['edited', 'A row that was not sent has another text now.'],
  'the mended row': ['mended row', 'A row that could not be sent can be now.'],
};

/** Moments of a request, in order; a request over an open connection has no connecting. */
const connecting = ['is about to connect', 'has connected'] as const;
const exchange = [
  'is about to leave',
  'has left',
  'has the head of its answer',
  'has its whole answer',
] as const;

const requests: readonly (readonly [name: string, moments: readonly string[]])[] = [
  ['the creation', ['is asked for', ...connecting, 'has left but for its body', ...exchange]],
  ['the poll', ['is asked for', ...connecting, ...exchange]],
  ['the request for a file', connecting],
  ['the request for the frame', ['is asked for', ...exchange]],
  ['the request for the video', ['is asked for', ...exchange]],
];

const doubtful =
  /^(after the commit of the intent|the creation .*|(before|inside) the commit of (the acceptance|the refusal|the passing refusal))$/;

function point(name: string, meaning: string, story: StoryName): CrashPoint {
  // The answer itself says that the outcome is not known, or an earlier process had left it so.
  const isDoubtSaved = /the lost answer|the unanswered creation/.test(name);
  const isOnce = once.has(name.replace(/^(before|inside|after) /, ''));
  return { name, meaning, story, isInDoubt: isDoubtSaved || doubtful.test(name), isOnce };
}

function pointsOf(whens: readonly string[], table: Table, story: StoryName): CrashPoint[] {
  return Object.entries(table).flatMap(([step, meaning]) =>
    whens.map((when) => point(`${when} ${step}`, meaning, story)),
  );
}

const stepWhens = ['before', 'after'];
const commitWhens = ['before the commit of', 'inside the commit of', 'after the commit of'];

/** Points that a plain run of one row comes to. */
export const wholePoints: readonly CrashPoint[] = [
  ...pointsOf(stepWhens, steps, 'whole'),
  point('inside the commit of the schema', 'The tables are made.', 'whole'),
  ...pointsOf(commitWhens, commits, 'whole'),
  ...requests.flatMap(([name, moments]) =>
    moments.map((moment) => point(`${name} ${moment}`, 'A request is on its way.', 'whole')),
  ),
];

/** All points. */
export const points: readonly CrashPoint[] = [
  ...wholePoints,
  ...pointsOf(stepWhens, asideSteps, 'retried'),
  ...pointsOf(stepWhens, rerunSteps, 'rerun'),
  ...Object.entries(rareCommits).flatMap(([name, [story, meaning]]) =>
    pointsOf(commitWhens, { [name]: meaning }, story),
  ),
];
