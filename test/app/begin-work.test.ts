/** In which order a command that pays begins: what it reads, whom it asks, what it saves. Nothing follows a no. */

import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqliteSettings } from '../../src/stores/sqlite/sqlite-settings.ts';
import {
  type BeginCommand,
  type BeginPlace,
  makeRun,
  noteEarlyStep,
  openBeginPlace,
  stepsOf,
} from '../support/recorded-begin.ts';
import { smallPng } from '../support/small-png.ts';

/** What reading a setting is for. */
const readings: Readonly<Record<string, string>> = {
  steering: 'read mark',
  options: 'merge options',
  place: 'compare place',
  sample: 'plan sample',
};

const { get } = SqliteSettings.prototype;

beforeAll(() => {
  SqliteSettings.prototype.get = function (name) {
    const reading = readings[name];
    if (reading !== undefined) noteEarlyStep(reading);
    return get.call(this, name);
  };
});

afterAll(() => {
  SqliteSettings.prototype.get = get;
});

/** A run that has another path than when it was made, with a picture that was missing then. */
async function openMoved(): Promise<BeginPlace> {
  const place = await openBeginPlace();
  const first = join(place.path, 'first');
  await makeRun(place, { out: first });
  await rename(first, join(place.path, 'out'));
  await writeFile(join(place.path, 'shown.png'), smallPng(1, 2, 3));
  return place;
}

const known = ['read mark', 'merge options'];
const placed = [...known, 'compare place', 'ask place'];
const savedTerms = ['check sound', 'save options', 'save place'];
const begun = ['count round', 'session', 'close'];
const sampled = ['save sample', 'note', ...begun];

/** What comes before the plan is agreed to, the plan included, and what comes after. */
const orders: Readonly<Record<BeginCommand, readonly [readonly string[], readonly string[]]>> = {
  // Options are saved before the rows that they hold for, and the place only with rows to pay for.
  run: [placed, ['save options', 'import rows', 'save place', ...begun]],
  'run --sample': [
    [...placed, 'plan sample'],
    ['save options', 'import rows', 'save place', ...sampled],
  ],
  resume: [
    placed,
    // A refused command mends no row.
    [...savedTerms, 'change rows', ...begun],
  ],
  'resume --sample': [
    [...placed, 'plan sample'],
    [...savedTerms, 'change rows', ...sampled],
  ],
  // Nothing is paid for: the place is of no matter.
  collect: [known, ['check sound', 'save options', 'count round', 'session that submits nothing', 'close']],
  retry: [
    placed,
    [
      ...savedTerms,
      // Whoever sends a row then sends its corrected texts.
      'save corrections',
      'withdraw preferences',
      'change rows',
      'count round',
      // Those that wait already, then the others.
      'order rows',
      'order rows',
      'session',
      'close',
    ],
  ],
};

const names = Object.keys(orders) as BeginCommand[];

describe('the order in which a command begins', () => {
  it.for(names)('batch %s: terms before rows, rows before the session', async (command) => {
    await using place = await openMoved();
    const [before, after] = orders[command];
    expect(await stepsOf(place, command)).toEqual([...before, 'agree', ...after]);
  });

  it.for(names)('batch %s: nothing follows a plan that is declined', async (command) => {
    await using place = await openMoved();
    expect(await stepsOf(place, command, { plan: false })).toEqual([...orders[command][0], 'agree', 'close']);
  });

  it.for(names.filter((name) => name !== 'collect'))(
    'batch %s: nothing follows a place that is declined',
    async (command) => {
      await using place = await openMoved();
      expect(await stepsOf(place, command, { place: false })).toEqual(placed);
    },
  );

  it.for(names)('batch %s: nothing is done with a hook that cannot be called', async (command) => {
    await using place = await openMoved();
    const invocation: BeginPlace['invocation'] = (flags) => place.invocation({ ...flags, 'on-row': '"' });
    await expect(stepsOf({ ...place, invocation }, command)).rejects.toThrow('a quote has no end');
  });

  it('of a run that is declined ends with its folder taken back', async () => {
    await using place = await openBeginPlace();
    expect(await stepsOf(place, 'run', { plan: false })).toEqual([
      ...known,
      'compare place',
      'agree',
      'abandon',
      'close',
    ]);
    expect(await readdir(place.path)).toEqual(['q.csv']);
  });
});
