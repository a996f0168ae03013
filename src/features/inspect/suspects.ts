/**
 * Pure. Which videos to look at first. Each video is compared with the others of the run, in two passes over the rows: the first
 * gathers what is usual, in numbers only; the second finds what is not. What most videos of the run have is the way of
 * the service, and no reason to look.
 */

import { type Finding, findingCodes, type Inspection } from '../../money/inspection/inspection.ts';
import type { Quality } from '../../money/item.ts';
import { suspicion } from '../../money/policy.ts';
import { RepeatFinder, type Repeats } from './repeats.ts';
import { type Spread, spreadOf, unusualTimes } from './spread.ts';
import { textNumber } from './text-number.ts';

/** A row with its video. */
export interface InspectedRow extends Inspection {
  readonly key: number;
  /** As the service uses it. */
  readonly quality: Quality;
  /** The text; empty where there are only pictures. */
  readonly question: string;
  readonly title: string | null;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Frames that were given up. */
  readonly framesMissing: number;
}

/** What is usual in a run. */
export interface Norms {
  /** Keys of the rows that findings may name. */
  readonly named: ReadonlySet<number>;
  /** The findings about a row, the worst first. `nameOf` gives the id of a row. */
  findingsOf(row: InspectedRow, nameOf: (key: number) => string): readonly Finding[];
}

/** What some videos have and others do not. */
const traits = {
  'no-sound': ({ container }) => readable(container)?.hasSound === false,
  gap: ({ container }) => (readable(container)?.gap?.seconds ?? 0) >= suspicion.gapSeconds,
  silent: ({ playback }) => readable(playback)?.isSilent === true,
  'black-start': ({ playback }) => (readable(playback)?.blackSeconds ?? 0) >= suspicion.blackStartSeconds,
} as const satisfies Readonly<Record<string, (row: Inspection) => boolean>>;

type Trait = keyof typeof traits;
const traitNames = Object.keys(traits) as Trait[];

/** Of all videos of one quality. */
class Tally {
  videos = 0;
  readonly having: Record<Trait, number> = { 'no-sound': 0, gap: 0, silent: 0, 'black-start': 0 };
  readonly resolutions = new Map<string, number>();
}

/** Sizes and durations of comparable videos. */
class Measures {
  readonly sizes: number[] = [];
  readonly seconds: number[] = [];
}

/** The first pass. */
export class Comparison {
  readonly #tallies = new Map<Quality, Tally>();
  readonly #measures = new Map<string, Measures>();
  readonly #files = new RepeatFinder();
  readonly #titles = new RepeatFinder();
  #rows = 0;

  add(row: InspectedRow): void {
    this.#rows += 1;
    const question = questionNumber(row);
    this.#files.add(fileNumber(row), question, row.key);
    const title = titleNumber(row);
    if (title !== null) this.#titles.add(title, question, row.key);
    const tally = entryOf(this.#tallies, row.quality, () => new Tally());
    tally.videos += 1;
    for (const name of traitNames) if (traits[name](row)) tally.having[name] += 1;
    const resolution = resolutionOf(row);
    if (resolution !== null) tally.resolutions.set(resolution, (tally.resolutions.get(resolution) ?? 0) + 1);
    for (const group of groupsOf(row)) {
      const measures = entryOf(this.#measures, group, () => new Measures());
      if (row.sizeBytes > 0) measures.sizes.push(row.sizeBytes);
      const seconds = secondsOf(row);
      if (seconds !== null) measures.seconds.push(seconds);
    }
  }

  /** Call it once, after the last row. */
  norms(): Norms {
    const files = this.#files.find();
    const titles = this.#titles.find();
    const spreads = new Map<string, { readonly size: Spread | null; readonly seconds: Spread | null }>();
    for (const [group, { sizes, seconds }] of this.#measures)
      spreads.set(group, {
        size: spreadOf(sizes, suspicion.sizeFactor),
        seconds: spreadOf(seconds, suspicion.durationFactor),
      });
    const most = Math.max(2, this.#rows * suspicion.usualShare);
    const areTitlesOwn = titles.rows <= Math.max(suspicion.fewTitles, this.#rows * suspicion.titleShare);
    return {
      named: new Set([...files.keys, ...titles.keys]),
      findingsOf: (row, nameOf) => {
        const tally = this.#tallies.get(row.quality) ?? new Tally();
        const findings = [
          ...plainFindings(row),
          ...traitFindings(row, tally),
          ...repeatFindings(row, { files, titles: areTitlesOwn ? titles : null, most }, nameOf),
          ...spreadFindings(row, (group) => spreads.get(group)),
          ...resolutionFindings(row, tally),
        ];
        return findings.sort((a, b) => findingCodes.indexOf(a.code) - findingCodes.indexOf(b.code));
      },
    };
  }
}

/** What needs no comparison. */
function plainFindings({ container, playback, framesMissing }: InspectedRow): Finding[] {
  const findings: Finding[] = [];
  if (container === 'unreadable' || playback === 'unreadable') findings.push({ code: 'unreadable' });
  if (readable(container)?.isCut === true) findings.push({ code: 'cut-off' });
  if (readable(container)?.hasPicture === false) findings.push({ code: 'no-picture' });
  if (readable(playback)?.isBlack === true) findings.push({ code: 'black' });
  if (framesMissing > 0) findings.push({ code: 'frames-missing', count: framesMissing });
  return findings;
}

function traitFindings(row: InspectedRow, { videos, having }: Tally): Finding[] {
  const unusual = traitNames.filter(
    (name) => traits[name](row) && having[name] <= videos * suspicion.usualShare,
  );
  return unusual.flatMap((code): Finding[] => {
    if (code === 'gap')
      return [{ code, ...(readable(row.container)?.gap as { at: number; seconds: number }) }];
    const black = readable(row.playback);
    if (code !== 'black-start') return [{ code }];
    return black?.isBlack === true ? [] : [{ code, seconds: black?.blackSeconds as number }];
  });
}

interface FoundRepeats {
  readonly files: Repeats;
  /** Null where many titles of the run repeat, so that one more says nothing. */
  readonly titles: Repeats | null;
  /** A file that more rows have is what the service gives to everybody. */
  readonly most: number;
}

function repeatFindings(
  row: InspectedRow,
  { files, titles, most }: FoundRepeats,
  nameOf: (key: number) => string,
): Finding[] {
  const namesOf = ({ first, second }: { readonly first: number; readonly second: number }) => [
    nameOf(first),
    nameOf(second),
  ];
  const file = files.pairOf(fileNumber(row));
  if (file !== null) return file.count > most ? [] : [{ code: 'same-file', rows: namesOf(file) }];
  const title = titleNumber(row);
  const same = title === null ? null : (titles?.pairOf(title) ?? null);
  return same === null ? [] : [{ code: 'same-title', rows: namesOf(same) }];
}

function spreadFindings(
  row: InspectedRow,
  spreadsOf: (group: string) => { readonly size: Spread | null; readonly seconds: Spread | null } | undefined,
): Finding[] {
  const groups = groupsOf(row).map(spreadsOf);
  const first = (name: 'size' | 'seconds'): Spread | null =>
    groups.find((spreads) => spreads !== undefined && spreads[name] !== null)?.[name] ?? null;
  const seconds = secondsOf(row);
  const usualSeconds = first('seconds');
  const duration = seconds === null || usualSeconds === null ? null : unusualTimes(seconds, usualSeconds);
  if (duration !== null) return [{ code: 'duration', times: duration }];
  // The size of a video that is too short follows from that.
  const usualSize = first('size');
  const size = row.sizeBytes === 0 || usualSize === null ? null : unusualTimes(row.sizeBytes, usualSize);
  return size === null ? [] : [{ code: 'size', times: size }];
}

function resolutionFindings(row: InspectedRow, { resolutions }: Tally): Finding[] {
  const is = resolutionOf(row);
  const known = [...resolutions.values()].reduce((sum, count) => sum + count, 0);
  const usual = [...resolutions].find(([, count]) => count > known * suspicion.usualShare)?.[0];
  return is === null || usual === undefined || is === usual ? [] : [{ code: 'resolution', is, usual }];
}

/** The videos that a row is compared with: those of its quality and length, or where they are few those of its quality. */
function groupsOf({ quality, question }: InspectedRow): readonly string[] {
  const length = suspicion.questionLengths.filter((least) => question.length >= least).length;
  return [`${quality} ${length}`, quality];
}

function readable<Seen>(seen: Seen | 'unreadable'): Seen | null {
  return seen === 'unreadable' ? null : seen;
}

/** A file that is cut off says how long it should be. */
function secondsOf({ container }: InspectedRow): number | null {
  const seconds = readable(container)?.seconds ?? 0;
  return seconds > 0 ? seconds : null;
}

function resolutionOf({ container }: InspectedRow): string | null {
  const { width = null, height = null } = readable(container) ?? {};
  return width === null || height === null ? null : `${width}×${height}`;
}

/** Two questions of pictures alone are two questions. */
function questionNumber({ question, key }: InspectedRow): number {
  const text = question.trim();
  return text === '' ? -1 - key : textNumber(text);
}

/** Bytes are the same where the first 52 bits of their digests are. */
function fileNumber({ sha256 }: InspectedRow): number {
  return Number.parseInt(sha256.slice(0, 13), 16);
}

function titleNumber({ title }: InspectedRow): number | null {
  const text = (title ?? '').trim().toLowerCase();
  return text === '' ? null : textNumber(text);
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
