/** Whole runs against a service that completes every task at the first poll: beside a program without state, and beside scripts. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bigFile } from './big-file.ts';
import { runNode, runShell, startService, type Usage } from './child.ts';
import { type Bench, type Figure, inTurns, median, quantity, type Setting } from './table.ts';

const path = (relative: URL): string => fileURLToPath(relative);
const dist = path(new URL('../dist/cli.js', import.meta.url));
const parallel = path(new URL('peers/parallel.sh', import.meta.url));
const pool = path(new URL('peers/pool.py', import.meta.url));
const queueAndState = path(new URL('peers/queue-and-state.ts', import.meta.url));

export const endToEnd: Bench = async (setting) => {
  await using service = await startService('end-to-end-service.ts');
  const few = 2_000 * setting.scale;
  const fewRuns = await besideFloor(setting, service.url, few);
  const many = await besideFloor(setting, service.url, few * 10);
  return [
    perSecondOfProcessor(fewRuns),
    perSecondOfProcessor(many),
    {
      work: `processor time of an item, ${quantity(few * 10, 'items')} against ${quantity(few, 'items')}`,
      reached: quantity(many.ours, 'ms'),
      floor: quantity(fewRuns.ours, 'ms'),
      ratio: many.ours / fewRuns.ours,
      goal: { atMost: 1.1 },
    },
    ...(await besidePeers(setting, service.url, few)),
  ];
};

let folderCount = 0;

/**
 * A folder that was never there. None is removed before the end: after thousands of files were deleted, a disk makes new
 * ones much slower for minutes.
 */
function newFolder({ folder }: Setting): string {
  folderCount += 1;
  return join(folder, `end-to-end-${folderCount}`);
}

/** The program as it is installed, from its start to its reports. */
function runOurs(setting: Setting, url: string, items: number): Promise<Usage> {
  const file = bigFile(setting.folder, items, 'csv');
  const to = ['--base-url', url, '--out', newFolder(setting)];
  return runNode({
    file: dist,
    args: ['run', file, ...to, '--concurrency', '64', '--yes', '--quiet'],
    env: { BATCH_API_KEY: 'benchmark' },
  });
}

interface BesideFloor {
  readonly items: number;
  /** Processor time of one item (ms). */
  readonly ours: number;
  readonly floor: number;
}

async function besideFloor(setting: Setting, url: string, items: number): Promise<BesideFloor> {
  const file = bigFile(setting.folder, items, 'csv');
  const { first, second } = await inTurns(
    setting.runs,
    () => runOurs(setting, url, items),
    () => runNode({ file: 'end-to-end-floor.ts', args: [file, newFolder(setting), url] }),
  );
  const perItem = (usages: readonly Usage[]): number => median(usages.map(({ cpuMs }) => cpuMs)) / items;
  return { items, ours: perItem(first), floor: perItem(second) };
}

function perSecondOfProcessor({ items, ours, floor }: BesideFloor): Figure {
  return {
    work: `${quantity(items, 'items')} from file to folder`,
    reached: quantity(1_000 / ours, 'items per second of processor'),
    floor: quantity(1_000 / floor, 'items (same requests, files and syncs, no state)'),
    ratio: floor / ours,
    goal: { atLeast: 0.6 },
  };
}

interface Peer {
  readonly name: string;
  readonly line: (file: string, out: string, url: string) => string;
  readonly needs: string;
  /** Goes on where it was when it is started again. */
  readonly keepsState: boolean;
  /** Of the items, where all of them would take many minutes; the figures are those of one item. */
  readonly share: number;
}

const peers: readonly Peer[] = [
  {
    name: 'GNU parallel and curl',
    line: (file, out, url) => `bash ${parallel} ${file} ${out} ${url}`,
    needs: 'parallel --version && curl --version && jq --version',
    keepsState: true,
    share: 0.1,
  },
  {
    name: 'asyncio pool, no state',
    line: (file, out, url) => `exec python3 ${pool} ${file} ${out} ${url}`,
    needs: 'python3 --version',
    keepsState: false,
    share: 1,
  },
  {
    name: 'p-queue and a JSON state file',
    line: (file, out, url) => `exec ${process.execPath} ${queueAndState} ${file} ${out} ${url}`,
    needs: 'true',
    keepsState: true,
    share: 1,
  },
];

async function besidePeers(setting: Setting, url: string, items: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const peer of peers) {
    if ((await runShell(peer.needs)) === null) {
      process.stderr.write(`NOT MEASURED: ${peer.name}, this machine has not what it needs: ${peer.needs}\n`);
      continue;
    }
    figures.push(...(await besidePeer(setting, url, items, peer)));
  }
  return figures;
}

async function besidePeer(setting: Setting, url: string, items: number, peer: Peer): Promise<Figure[]> {
  const peerItems = items * peer.share;
  const file = bigFile(setting.folder, peerItems, 'jsonl');
  const { first, second } = await inTurns(
    setting.runs,
    () => runOurs(setting, url, items),
    () => runPeer(peer.line(file, newFolder(setting), url)),
  );
  const of = (usages: readonly Usage[], what: (usage: Usage) => number): number => median(usages.map(what));
  const perSecond = (usages: readonly Usage[], count: number): number =>
    count / (of(usages, ({ wallMs }) => wallMs) / 1_000);
  const ours = { speed: perSecond(first, items), cpu: of(first, ({ cpuMs }) => cpuMs) / items };
  const theirs = { speed: perSecond(second, peerItems), cpu: of(second, ({ cpuMs }) => cpuMs) / peerItems };
  return [
    {
      work: `${quantity(items, 'items')} beside ${peer.name}`,
      reached: quantity(ours.speed, 'items/s'),
      floor: quantity(theirs.speed, 'items/s'),
      ratio: ours.speed / theirs.speed,
      goal: { atLeast: 1 },
    },
    {
      work: 'processor time of an item',
      reached: quantity(ours.cpu, 'ms'),
      floor: quantity(theirs.cpu, 'ms'),
      ratio: ours.cpu / theirs.cpu,
      goal: peer.keepsState ? { atMost: 1 } : null,
    },
  ];
}

async function runPeer(line: string): Promise<Usage> {
  const usage = await runShell(line);
  if (usage === null) throw new Error(`failed: ${line}`);
  return usage;
}
