/** How many of the videos damaged in known ways are found, and how many sound ones are suspected. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openPlayer } from '../../src/features/inspect/ffmpeg.ts';
import { Comparison, type InspectedRow } from '../../src/features/inspect/suspects.ts';
import { openContainerReader } from '../../src/features/inspect/video-container.ts';
import type { Finding, Inspection } from '../../src/money/inspection/inspection.ts';
import { localFileAccess } from '../../src/outputs/local-file-access.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Damage, damages, type MadeVideo, makeVideos } from './made-videos.ts';

const count = 200;

const hasFfmpeg = (() => {
  try {
    return execFileSync('ffmpeg', ['-version']).length > 0;
  } catch {
    return false;
  }
})();

async function inspect(path: string): Promise<Inspection> {
  const file = localFileAccess(path, statSync(path).size);
  try {
    const container = (await (await openContainerReader())?.read(path, file)) ?? null;
    return { container, playback: (await (await openPlayer())?.play(path)) ?? null };
  } finally {
    await file.close();
  }
}

function rowOf(key: number, { path, question }: MadeVideo, inspection: Inspection): InspectedRow {
  const bytes = readFileSync(path);
  return {
    ...inspection,
    key,
    quality: 'm',
    question,
    title: `About ${key}`,
    framesMissing: 0,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
  };
}

function compare(rows: readonly InspectedRow[]): readonly (readonly Finding[])[] {
  const comparison = new Comparison();
  for (const row of rows) comparison.add(row);
  const norms = comparison.norms();
  return rows.map((row) => norms.findingsOf(row, String));
}

interface Figures {
  /** Found of how many, by the kind of damage. */
  readonly found: Readonly<Record<Damage, string>>;
  readonly foundShare: number;
  /** What was said of sound videos that are nobody else's file. */
  readonly falsely: readonly string[];
  readonly falseShare: number;
}

function figuresOf(videos: readonly MadeVideo[], findings: readonly (readonly Finding[])[]): Figures {
  const givenAway = new Set(videos.map(({ other }) => other));
  const sound = videos.flatMap(({ damage }, at) => (damage === null && !givenAway.has(at) ? [at] : []));
  const falsely = sound.flatMap((at) => (findings[at] ?? []).map((finding) => JSON.stringify(finding)));
  const suspected = sound.filter((at) => (findings[at] ?? []).length > 0);
  const countsOf = (wanted: Damage) => {
    const places = videos.flatMap(({ damage }, at) => (damage === wanted ? [at] : []));
    return { all: places.length, found: places.filter((at) => (findings[at] ?? []).length > 0).length };
  };
  const counts = damages.map((damage) => [damage, countsOf(damage)] as const);
  const sum = (name: 'all' | 'found') => counts.reduce((total, [, each]) => total + each[name], 0);
  return {
    found: Object.fromEntries(
      counts.map(([damage, { all, found }]) => [damage, `${found}/${all}`]),
    ) as Figures['found'],
    foundShare: sum('found') / sum('all'),
    falsely,
    falseShare: suspected.length / sound.length,
  };
}

describe.skipIf(!hasFfmpeg)('videos, half of them damaged in known ways', () => {
  let videos: readonly MadeVideo[] = [];
  let rows: readonly InspectedRow[] = [];

  beforeAll(async () => {
    await using folder = await temporaryFolder();
    videos = await makeVideos(folder.path, count);
    const seen: InspectedRow[] = [];
    for (const [key, video] of videos.entries()) seen.push(rowOf(key, video, await inspect(video.path)));
    rows = seen;
  }, 300_000);

  it('are found where ffmpeg is installed, and sound ones are not suspected', () => {
    const figures = figuresOf(videos, compare(rows));
    process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
    expect(figures.foundShare, JSON.stringify(figures)).toBeGreaterThanOrEqual(0.95);
    expect(figures.falseShare, JSON.stringify(figures)).toBeLessThanOrEqual(0.02);
  });

  it('are found without ffmpeg but for black and silent ones', () => {
    const figures = figuresOf(videos, compare(rows.map((row) => ({ ...row, playback: null }))));
    process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
    const seen = damages.filter((damage) => damage !== 'black' && damage !== 'silent');
    const least = 0.95 * seen.length * (count / 2 / damages.length);
    const found = seen.reduce((sum, damage) => sum + Number.parseInt(figures.found[damage], 10), 0);
    expect(found, JSON.stringify(figures)).toBeGreaterThanOrEqual(least);
    expect(figures.falseShare).toBeLessThanOrEqual(0.02);
  });
});
