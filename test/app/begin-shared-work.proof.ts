/** In which order a command that pays begins where machines share the run: options are seen with the rows they hold for. */

import { afterAll, expect, it } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import {
  type BeginCommand,
  type BeginPlace,
  makeRun,
  openBeginPlace,
  stepsOf,
} from '../support/recorded-begin.ts';

const server = await startPostgres();
afterAll(() => server[Symbol.asyncDispose]());

const terms = 'with base-url and max-points';
const sampled = ['save sample', 'note', 'count round', `begin round {"only":["new"]} ${terms}`];
const ended = ['session', 'close'];

/** What comes after the plan is agreed to: the options are saved with the round that they hold for. */
const orders: Readonly<Record<BeginCommand, readonly string[]>> = {
  run: [`import rows and begin round {} ${terms}`, 'count round', ...ended],
  // No row is submitted until the sample is chosen.
  'run --sample': [`import rows and begin round {"limit":0} ${terms}`, ...sampled, ...ended],
  resume: ['check sound', 'count round', `begin round {} ${terms}`, ...ended],
  'resume --sample': ['check sound', ...sampled, ...ended],
  collect: ['check sound', 'save options', 'count round', 'session that submits nothing', 'close'],
  retry: [
    'check sound',
    'save corrections',
    'withdraw preferences',
    'change rows',
    // Of two retries at one moment, the second must see that the first orders rows.
    'count round with its terms',
    `begin round null ${terms}`,
    'order rows',
    'order rows',
    'end ordering',
    ...ended,
  ],
};

const names = Object.keys(orders) as BeginCommand[];

const openShared = async (): Promise<BeginPlace> =>
  openBeginPlace({ store: await server.createDatabase(), run: 'begun' });

it.for(names)('batch %s: terms before rows, rows before the session', async (command) => {
  await using place = await openShared();
  await makeRun(place);
  expect(await stepsOf(place, command)).toEqual(['agree', ...orders[command]]);
});

it('a new run marks its outputs, and says where it is paid for, once it has rows', async () => {
  await using place = await openShared();
  expect(await stepsOf(place, 'run', { plan: false })).toEqual(['agree', 'abandon', 'close']);
  const [imported, ...begun] = orders.run;
  expect(await stepsOf(place, 'run')).toEqual(['agree', imported, 'mark outputs', 'save place', ...begun]);
});
