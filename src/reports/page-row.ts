/** Makes the rows of `report.html` and of the live page. */

import { captionsPath } from '../files/captions.ts';
import { imageExtension } from '../files/file-kind.ts';
import { keptPath } from '../files/output-paths.ts';
import { linkTo } from '../files/path-link.ts';
import { ownColumnsReader } from '../input/columns/own-columns.ts';
import { hasOwnReason, inChinese } from '../messages/reasons/in-chinese.ts';
import { attemptVideos, shownFiles } from '../money/artifacts.ts';
import type { ImageSource } from '../money/item.ts';
import type { PictureField } from '../money/question.ts';
import { readSent } from '../money/sent-question.ts';
import { asStanding } from '../money/standing-attempt.ts';
import { effectiveQuality } from '../money/summary.ts';
import type { ReportRow } from '../stores/port/reading.ts';
import { tokenMark } from '../text/ids/row-key.ts';
import { type ReportLine, reportLine } from './columns.ts';
import type { AttemptApart, PageImage, PageRow, PageVideo } from './page-wire.ts';
import { cellOf } from './report-table.ts';

/** Ends an address shown without its query, which therefore cannot be opened. */
const hiddenQuery = '?…';

/** Where the page finds an image of a row. */
export type ImageLinks = (image: ImageSource, place: ImagePlace) => PageImage;

/** Which image of which row. */
export interface ImagePlace {
  readonly key: number;
  readonly field: PictureField;
  readonly index: number;
}

/** True for a file, by its path relative to the folder of the page. */
export type HasFile = (path: string) => boolean;

/** What else is known of a row. */
export interface PageRowFacts {
  /** Its `reportLine`. */
  readonly line?: ReportLine | undefined;
  /** Finds captions; without it there are none. */
  readonly hasFile?: HasFile | undefined;
  /** Reads the user's own columns; without it there are none. */
  readonly own?: OwnCells | undefined;
}

/** The row as the page reads it. */
export function pageRow(
  report: ReportRow,
  links: ImageLinks,
  { line = reportLine(report), hasFile = () => false, own }: PageRowFacts = {},
): PageRow {
  const standing = asStanding(report);
  const { question, corrected } = readSent(standing);
  const { key } = report.item;
  const imagesOf = (field: ImagePlace['field']): PageImage[] =>
    question[field].map((image, index) => links(image, { key, field, index }));
  const { frames } = shownFiles(report.item);
  return {
    key,
    row: line.row,
    id: line.id,
    status: line.status,
    points: line.points,
    question: line.question,
    answer: question.answer,
    questionImages: imagesOf('questionImages'),
    answerImages: imagesOf('answerImages'),
    quality: line.quality,
    title: line.title,
    failure: line.failure,
    failureZh: failureInChinese(line),
    taskId: line.task_id,
    submittedAt: standing.item.submittedAt,
    endedAt: standing.item.endedAt,
    seconds: line.seconds,
    attempts: report.item.attempt,
    token: tokenMark(report.item.token),
    counted: line.attempts,
    video: line.video === null ? null : linkTo(line.video),
    secondsVideo: line.seconds_video,
    findings: report.inspection?.findings ?? [],
    frames: frames.flatMap(({ path }) => (path === null ? [] : [linkTo(path)])),
    videos: videosOf(report, { ...question, quality: line.quality }),
    preferred: report.preferred,
    draft: report.final?.draft ?? null,
    corrected:
      corrected === null
        ? null
        : {
            ...(corrected.question === undefined ? {} : { question: corrected.question.from }),
            ...(corrected.answer === undefined ? {} : { answer: corrected.answer.from }),
          },
    captions: captionsOf(line.video, hasFile),
    own: own?.of(report) ?? null,
  };
}

/** The user's own columns on a page. */
export interface OwnCells {
  /** Those in which a row had something so far. A column keeps its place. */
  readonly columns: readonly string[];
  of(row: ReportRow): readonly string[] | null;
}

/** A page carries every row in full: more columns, and longer cells, are in the other reports. */
const mostColumns = 12;
const longestCell = 120;

export function createOwnCells(): OwnCells {
  const ownOf = ownColumnsReader();
  const places = new Map<string, number>();
  const columns: string[] = [];
  const placeOf = (column: string): number | undefined => {
    if (!places.has(column) && columns.length < mostColumns) places.set(column, columns.push(column) - 1);
    return places.get(column);
  };
  return {
    columns,
    of({ input, source }) {
      const cells: string[] = [];
      for (const column of ownOf(source)) {
        const text = Object.hasOwn(input, column) ? ownCell(input[column]) : '';
        const place = text === '' ? undefined : placeOf(column);
        if (place === undefined) continue;
        while (cells.length < place) cells.push('');
        cells[place] = text;
      }
      return cells.length === 0 ? null : cells;
    },
  };
}

function ownCell(value: unknown): string {
  const text = String(cellOf(value) ?? '').trim();
  const shown = /^https?:\/\//i.test(text) ? shownAddress(text) : text;
  return shown.length > longestCell
    ? `${shown.slice(0, longestCell).replace(/[\ud800-\udbff]$/, '')}…`
    : shown;
}

function captionsOf(video: string | null, hasFile: HasFile): string | null {
  const path = video === null || /^https?:\/\//.test(video) ? null : captionsPath(video);
  return path !== null && hasFile(path) ? linkTo(path) : null;
}

function failureInChinese({ status, failure }: ReportLine): string | null {
  if (failure === null || !hasOwnReason(status)) return null;
  const said = inChinese(failure);
  return said === failure ? null : said;
}

function videosOf(report: ReportRow, standing: Required<AttemptApart>): readonly PageVideo[] {
  const { item, attempts } = report;
  const videos = attemptVideos(item);
  // Most rows have one video, which the page knows.
  if (videos.every(({ attempt }) => attempt === item.attempt)) return [];
  return videos.flatMap(({ attempt, file: { path } }): PageVideo[] => {
    if (path === null) return [];
    const facts = attempts.find((one) => one.attempt === attempt);
    const { question } = readSent(asStanding({ ...report, preferred: attempt }));
    const made = { ...question, quality: effectiveQuality(facts?.quality ?? null) };
    return [[attempt, linkTo(path), facts?.points ?? null, madeApart(made, standing)]];
  });
}

function madeApart(own: Required<AttemptApart>, standing: Required<AttemptApart>): AttemptApart {
  return {
    ...(own.question === standing.question ? {} : { question: own.question }),
    ...(own.answer === standing.answer ? {} : { answer: own.answer }),
    ...(own.quality === standing.quality ? {} : { quality: own.quality }),
  };
}

/** Images of the input are embedded in the page up to this many characters each, and in total. */
const inlineMaxLength = 64 * 1024;
const inlineBudget = 16 * 1024 * 1024;

/** Links a page to a picture that is a file. */
export type PictureLink = (image: Extract<ImageSource, { readonly kind: 'file' | 'kept' }>) => PageImage;

/** Links for a page in `folder` to local files, and to the pictures that a run in `out` keeps (both absolute). */
export function linkPictures(folder: string, out = folder): PictureLink {
  const kept =
    out === folder ? keptPath : (sha256: string) => relativeLink(folder, `${out}/${keptPath(sha256)}`);
  return (image) => (image.kind === 'file' ? relativeLink(folder, image.path) : kept(image.sha256));
}

/** Links for a page: `linkOf` those to files; small pictures of the input are embedded. */
export function createImageLinks(linkOf: PictureLink): ImageLinks {
  let budget = inlineBudget;
  return (image) => {
    if (image.kind === 'url') return shownAddress(image.url);
    if (image.kind !== 'inline') return linkOf(image);
    const uri = toDataUri(image.data);
    if (uri.length > Math.min(inlineMaxLength, budget)) return null;
    budget -= uri.length;
    return uri;
  };
}

/** An address a page may show: pages are shared, and what follows the `?` may be a signature. */
export function shownAddress(url: string): string {
  const [, start = '', rest = '', query] = /^([a-z]+:\/\/)(?:[^/?#]*@)?([^?#]*)(\?[^#]+)?/i.exec(url) ?? [];
  return start + rest + (query === undefined ? '' : hiddenQuery);
}

/** A data URI unchanged; bare base64 becomes one. */
function toDataUri(data: string): string {
  if (/^data:/i.test(data)) return data;
  const head = Uint8Array.from(atob(data.slice(0, 64)), (letter) => letter.charCodeAt(0));
  const extension = imageExtension(head) ?? 'png';
  return `data:image/${extension === 'jpg' ? 'jpeg' : extension};base64,${data}`;
}

/** From a folder to a file, both absolute; a file on another drive has no relative link and gets its address. */
function relativeLink(folder: string, file: string): string {
  const from = namesOf(folder);
  const to = namesOf(file);
  if (/^[A-Za-z]:$/.test(to[0] ?? '') && to[0] !== from[0])
    return `file:///${to.map(encodeURIComponent).join('/')}`;
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared += 1;
  const up = Array.from({ length: from.length - shared }, () => '..');
  return [...up, ...to.slice(shared).map((name) => encodeURIComponent(name.toWellFormed()))].join('/');
}

function namesOf(path: string): readonly string[] {
  const isWindows = /^([A-Za-z]:[\\/]|\\\\)/.test(path);
  return (isWindows ? path.replaceAll('\\', '/') : path).split('/').filter((name) => name !== '');
}
