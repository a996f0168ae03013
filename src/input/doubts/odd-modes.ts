/** What becomes of rows that look odd. */

export const oddModes = ['hold', 'send'] as const;
export type OddMode = (typeof oddModes)[number];
