/** What curl and browsers read is read here too, in one try: an answer with an odd head, or odd lines between its chunks. */

import { describe, it } from 'vitest';
import { ask, create, download } from './lied-to.ts';
import { malformedWire } from './malformed-wire.ts';

const readable = Object.entries(malformedWire).filter(
  ([, { creation, file, hangs }]) => creation === 'accepted' && file === 'honest' && hangs !== true,
);
const idOnly = Object.entries(malformedWire).filter(
  ([, { creation, status }]) => creation === 'accepted' && status === undefined,
);

describe.each([
  ['a creation', create, [...readable, ...idOnly]],
  ['a status', ask, readable],
  ['a video', download, readable],
] as const)('%s that is answered with', (_, meet, odd) => {
  it.for(odd)('%s', ([, lie]) => meet(lie, 20_000));
});
