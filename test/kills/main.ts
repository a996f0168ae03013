/**
 * `node test/kills/main.ts`: kills the real program as often as one likes, and says what came of it.
 *
 * --kills N     kills at random moments (200), over --folders F output folders (8)
 * --pairs N     crashes at named points in the recovery from a crash at another: N times all points (0)
 * --signals N   runs that are told to stop at random moments, and as many that are told twice (0)
 * --nightly     2,000 kills, all pairs there are, 500 signals; about three hours on two cores
 * --seed S      the same seed, the same choices; a new one each time where none is given
 */

import { parseArgs } from 'node:util';
import { chainsOf, recurringPoints } from './crash/chains.ts';
import { crashChain } from './crash/crash-run.ts';
import { inParallel } from './in-parallel.ts';
import { killFolders } from './kill-run.ts';
import { measureSecondSignal, percentile, signalFolders } from './signal-run.ts';

const { values } = parseArgs({
  options: {
    nightly: { type: 'boolean', default: false },
    kills: { type: 'string' },
    folders: { type: 'string' },
    pairs: { type: 'string' },
    signals: { type: 'string' },
    seed: { type: 'string' },
  },
});
const usual = values.nightly
  ? { kills: 2_000, folders: 40, pairs: recurringPoints.length, signals: 500 }
  : { kills: 200, folders: 8, pairs: 0, signals: 0 };
const seed = wholeNumber('seed', Date.now() % 1_000_000);
const kills = wholeNumber('kills', usual.kills);
const folders = Math.max(1, Math.min(kills, wholeNumber('folders', usual.folders)));
const pairs = wholeNumber('pairs', usual.pairs);
const signals = wholeNumber('signals', usual.signals);

/** The second signal has to end a run within this (ms), but for one in a hundred. */
const secondSignalMs = 500;
const signalsPerFolder = 10;

const broken: string[] = [];
if (kills > 0) await tellKills();
if (pairs > 0) await tellPairs();
if (signals > 0) await tellSignals();
print(
  `again: node test/kills/main.ts --seed ${seed} --kills ${kills} --folders ${folders} --pairs ${pairs} --signals ${signals}`,
);
for (const flaw of broken) print(`BROKEN ${flaw}`);
process.exitCode = broken.length === 0 ? 0 : 1;

async function tellKills(): Promise<void> {
  const { result: tally, seconds } = await timed(() => killFolders(seed, kills, folders));
  const { killsIn, broken: flaws, paidTwice, ...numbers } = tally;
  broken.push(...flaws);
  if (tally.kills !== kills) broken.push(`${tally.kills} kills instead of ${kills}`);
  table({ ...numbers, 'paid twice': paidTwice, seconds });
  table(Object.fromEntries(Object.entries(killsIn).map(([phase, count]) => [`  in ${phase}`, count])));
}

/** Each step pairs every point with the one so many places further. */
async function tellPairs(): Promise<void> {
  const steps = Array.from({ length: pairs }, (_, i) => (seed + i) % recurringPoints.length);
  const chains = steps.flatMap((step) => chainsOf(recurringPoints, step));
  const { result, seconds } = await timed(() => inParallel(chains, crashChain));
  const flaws = result.flat();
  broken.push(...flaws);
  table({
    points: recurringPoints.length,
    pairs: pairs * recurringPoints.length,
    broken: flaws.length,
    seconds,
  });
}

async function tellSignals(): Promise<void> {
  const inFolders = Math.ceil(signals / signalsPerFolder);
  const { result: tally, seconds } = await timed(() => signalFolders(seed, signalsPerFolder, inFolders));
  broken.push(...tally.broken);
  table({ signals: inFolders * signalsPerFolder, ...tally.endings, seconds });
  const measured = await measureSecondSignal(seed, signals);
  const [half, most] = [0.5, 0.99].map((share) => Math.round(percentile(measured, share)));
  table({ 'second signals': measured.length, 'p50 ms': half, 'p99 ms': most });
  if (percentile(measured, 0.99) > secondSignalMs)
    broken.push(`the second signal took ${most} ms to end a run, ${secondSignalMs} are allowed`);
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const startedAt = performance.now();
  const result = await work();
  return { result, seconds: Math.round((performance.now() - startedAt) / 1000) };
}

function wholeNumber(name: 'seed' | 'kills' | 'folders' | 'pairs' | 'signals', otherwise: number): number {
  const number = Number(values[name] ?? otherwise);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} is a whole number`);
  return number;
}

function table(cells: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(cells)) print(`${name.padEnd(16)}${String(value).padStart(8)}`);
  print('');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
