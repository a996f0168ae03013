/** What the marks on rows drawn at random say of the others: two pages of one run, and `batch status`. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawnKeys, drawSample, type WatchSample } from '../../../src/money/review/watch-sample.ts';
import { type PageRow, unpackRow } from '../../../src/reports/page-wire.ts';
import { movesOf } from '../../cli/support/moves.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { type Postgres, startPostgres } from '../../support/postgres.ts';
import { askFor, lastHeading, listen, startView } from './visitor.ts';

const timeout = 240_000;
const ids = Array.from({ length: 30 }, (_, at) => `q${at + 1}`);

/** Sends what a page sends, and returns the status of the answer. */
async function put(url: string, name: string, body: unknown): Promise<number> {
  const headers = { 'content-type': 'application/json', origin: new URL(url).origin };
  const { status } = await fetch(url + name, { method: 'PUT', headers, body: JSON.stringify(body) });
  return status;
}

async function rowsOn(url: string): Promise<readonly PageRow[]> {
  const page = (await askFor(url, '')).body.toString();
  return [...page.matchAll(/class="rows">(.*)<\/script>/g)].flatMap(([, rows = '']) =>
    JSON.parse(rows).map(unpackRow),
  );
}

/** A run of thirty rows, and what to type to name it. */
type Open = () => Promise<{ readonly stage: Stage; readonly place: readonly string[] }>;

const inFolder: Open = async () => {
  const stage = await openStage();
  await stage.write('q.csv', questions(...ids));
  expect(await stage.batch(runLine('q.csv', '--frames', 'none'))).toMatchObject({ code: 0 });
  return { stage, place: [] };
};

let server: Postgres;

beforeAll(async () => {
  server = await startPostgres();
}, timeout);
afterAll(() => server[Symbol.asyncDispose]());

const inStore: Open = async () => {
  const { stage } = await inFolder();
  const url = `${await server.createDatabase()}?sslmode=disable`;
  expect(await stage.batch(movesOf(url, 'exam').into)).toMatchObject({ code: 0 });
  return { stage, place: ['--store', url, '--run', 'exam'] };
};

describe.each([
  ['in a folder', inFolder],
  ['in a store that machines share', inStore],
])('a sample of a run %s', { timeout }, (_, open) => {
  it('is the same for all who look, and says the same of the others whoever marks', async () => {
    const { stage, place } = await open();
    await using _stage = stage;
    const stated = async (...more: readonly string[]) =>
      JSON.parse((await stage.batch(['status', '--json', ...place, ...more])).stdout).sample;
    const told = async (...more: readonly string[]) =>
      (await stage.batch(['status', ...place, ...more])).stdout;
    expect(await stated()).toBeUndefined();
    expect(await told()).not.toContain('at random');

    const [anna, ben] = await Promise.all(
      ['Anna', 'Ben'].map(async (name) => (await startView(stage, '--reviewer', name, ...place)).url),
    );
    if (anna === undefined || ben === undefined) return expect.unreachable();
    const rows = await rowsOn(anna);
    const idOf = (key: number | undefined) => rows.find((row) => row.key === key)?.id ?? '';
    const keys = rows.map(({ key }) => key);
    const sample = { ...drawSample(keys, { seed: 7, at: Date.now(), confidence: 0.95 }), size: 12 };
    using line = await listen(ben, '');
    expect(await put(anna, 'sample', { sample, instead: null })).toBe(204);
    await line.until((received) => lastHeading(received)?.sample?.at === sample.at);
    expect(lastHeading(line.received)?.sample).toEqual(sample);
    expect(await put(ben, 'sample', { sample: { ...sample, at: 5 }, instead: null })).toBe(412);
    expect(await stated()).toMatchObject({ size: 12, watched: 0, mostBad: null, share: null });
    expect(await told()).toContain(
      '12 of 30 are drawn at random to be watched, and count in the order drawn; none does yet\n',
    );

    await markAll(sample, { anna, ben, idOf });
    expect(await stated()).toEqual({
      ...{ population: 30, size: 12, confidence: 0.95, watched: 10, bad: 2, madeAgain: 0, toWatchAgain: 0 },
      ...{ mostBad: 11, share: 0.367, left: 20, leftFor: 0.02, others: 20, othersAgain: 0 },
    });
    expect(await told()).toContain(
      '10 of 30 watched, drawn at random: 2 bad; with 95 % confidence at most 11 of the other 20 are (36.7 % of all)\n' +
        '  watch 20 more, all of them good, to be as sure that at most 2 % of all are\n' +
        '  it speaks of what reviewers see and call bad, not of what nobody noticed\n',
    );
    expect(await told('--lang', 'zh', '--confidence', '80')).toContain('有 80% 的把握');

    const bad = idOf(sample.keys[0]);
    expect(await stage.batch(['retry', '--only', bad, '--yes', ...place])).toMatchObject({ code: 0 });
    expect(await stated()).toMatchObject({ watched: 9, bad: 1, madeAgain: 1, toWatchAgain: 1, mostBad: 11 });
    expect(await told()).toContain('1 of them was made again since: what was said before still speaks');
    expect(await put(ben, `marks/${bad}`, { mark: 'good', note: '', attempt: 2 })).toBe(204);
    expect(await stated()).toMatchObject({ watched: 10, bad: 1, madeAgain: 1, toWatchAgain: 0, mostBad: 11 });
    const report = place.length > 0 ? null : await stage.read('videos/report.html');
    if (report !== null) expect(report).toContain(`"sample":${JSON.stringify(sample)}`);
  });
});

/** The first is bad, one is good and bad, eight are good, one is passed over, one comes after it, one was never drawn. */
async function markAll(
  sample: WatchSample,
  { anna, ben, idOf }: { anna: string; ben: string; idOf: (key: number | undefined) => string },
): Promise<void> {
  const mark = async (url: string, key: number | undefined, verdict: 'good' | 'bad') =>
    expect(await put(url, `marks/${idOf(key)}`, { mark: verdict, note: '', attempt: 1 })).toBe(204);
  for (const [at, key] of drawnKeys(sample).entries())
    if (at !== 10) await mark(at % 2 === 0 ? anna : ben, key, at === 0 ? 'bad' : 'good');
  await mark(ben, sample.keys[2], 'bad');
  await mark(anna, sample.keys.at(-1), 'bad');
}

it.each(['100%', '0.4', 'sure', ''])('a confidence of %j is refused', async (value) => {
  await using stage = await openStage();
  for (const command of ['status', 'view'])
    expect(await stage.batch([command, '--confidence', value])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `--confidence: ${JSON.stringify(value)} is not valid; use a share such as 95%, from 50% to 99.9%`,
      ),
    });
});
