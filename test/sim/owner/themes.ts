/** What an owner's world is about: what its service does with creations, and what its owner does, most of the time. */

/** What becomes of a creation. */
export type Fate = 'video' | 'failed' | 'refused' | 'lost answer' | 'never arrived';

export type Theme = 'all' | 'reviews' | 'failures' | 'doubts';

export const themes = ['all', 'reviews', 'failures', 'doubts'] as const satisfies readonly Theme[];

export const fates: Readonly<Record<Theme, readonly [Fate, ...Fate[]]>> = {
  all: ['video', 'video', 'video', 'failed', 'failed', 'refused', 'lost answer', 'never arrived'],
  reviews: ['video', 'video', 'video', 'video', 'video', 'failed', 'refused', 'lost answer'],
  failures: ['video', 'video', 'failed', 'failed'],
  doubts: ['video', 'lost answer', 'lost answer', 'never arrived', 'never arrived'],
};

/** What an owner does next. */
export type Act =
  | 'retry tables'
  | 'review'
  | 'work on a table'
  | 'proposed'
  | 'retry ids'
  | 'feed a table'
  | 'edit'
  | 'mend'
  | 'settle by table'
  | 'settle one'
  | 'copy'
  | 'other folder';

const common = [
  'retry tables',
  'work on a table',
  'proposed',
  'retry ids',
  'edit',
  'copy',
  'other folder',
] as const;

export const acts: Readonly<Record<Theme, readonly [Act, ...Act[]]>> = {
  all: [
    ...common,
    ...common,
    'retry tables',
    'review',
    'feed a table',
    'mend',
    'settle by table',
    'settle one',
  ],
  reviews: [
    ...common,
    'review',
    'review',
    ...Array<Act>(5).fill('retry tables'),
    ...Array<Act>(3).fill('work on a table'),
  ],
  failures: [...common, 'proposed', 'mend', 'mend', 'mend', ...Array<Act>(5).fill('feed a table')],
  doubts: [
    ...common,
    'settle one',
    ...Array<Act>(3).fill('proposed'),
    ...Array<Act>(6).fill('settle by table'),
  ],
};
