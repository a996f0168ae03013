import type { Decider } from '../../src/app/decisions.ts';

/** Somebody who decides. */
export const decider: Decider = { at: 0, userName: 'ann', machine: 'here', command: 'batch retry' };
