/** The interfaces to the outside world. Adapters implement them; tests use fakes. */

export type * from './ports/followers.ts';
export type * from './ports/inputs.ts';
export type * from './ports/outputs.ts';
export type * from './ports/run.ts';
export type * from './ports/service.ts';
