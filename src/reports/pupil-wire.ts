/** Pure. What the page of an export knows: the videos as pupils see them, and how JSON carries them there. */

import type { Language } from '../text/languages.ts';

/** The island `page`, before the script: facts about the whole page. */
export interface PupilPage {
  /** What people call the run. */
  readonly title: string;
  /** The language of who made the page; null leaves it to the browser. */
  readonly language: Language | null;
  /** How many videos the islands of class `videos` have together. */
  readonly videos: number;
  /** True where answers may be looked at. */
  readonly hasAnswers: boolean;
  /** True where ids are shown. */
  readonly hasIds: boolean;
  /** Headings in order of first appearance; empty where no column was named. */
  readonly chapters: readonly string[];
}

/** A video as pupils see it. Texts are exact; links are relative to the page and percent-encoded. */
export interface PupilVideo {
  /** Names the video in links to it (`#anchor`): safe in URLs, unlike all others, and the same in each export. */
  readonly anchor: string;
  /** The title of the service, else the start of the question; may be empty where there is no text. */
  readonly title: string;
  readonly question: string;
  /** Null unless asked for. */
  readonly answer: string | null;
  /** Null unless asked for. */
  readonly id: string | null;
  /** Index into the chapters; null for a row without one, which stands before the first heading. */
  readonly chapter: number | null;
  readonly video: string;
  /** WebVTT; null where there are none. */
  readonly captions: string | null;
  readonly questionImages: readonly PupilImage[];
  /** Empty unless answers are asked for. */
  readonly answerImages: readonly PupilImage[];
  /** The address of this video on the page, once the folder is at the address that was given; else null. */
  readonly url: string | null;
  /** The QR code of `url`, which `drawQr` draws; null unless asked for. */
  readonly qr: string | null;
}

/**
 * A relative link or data URI the page can show, or an http(s) address it only links to: the page sends no request
 * elsewhere.
 */
export type PupilImage = string;

/** The fields in the order in which their values travel; the last ones are null or empty in most pages. */
const fields = [
  ...(['anchor', 'title', 'question', 'chapter', 'video', 'questionImages'] as const),
  ...(['captions', 'answer', 'answerImages', 'id', 'url', 'qr'] as const),
] as const satisfies readonly (keyof PupilVideo)[];

type Field = (typeof fields)[number];
type Values<Fields extends readonly Field[]> = { readonly [At in keyof Fields]: PupilVideo[Fields[At]] };

/** The values of a `PupilVideo` in a fixed order, because keys would be repeated in every video. */
export type PackedVideo = Values<typeof fields>;

/** The video as JSON carries it. */
export function packVideo(video: PupilVideo): PackedVideo {
  return fields.map((field) => video[field]) as readonly unknown[] as PackedVideo;
}

/** The video from what `packVideo` made of it. */
export function unpackVideo(values: PackedVideo): PupilVideo {
  const video = Object.fromEntries(fields.map((field, at) => [field, values[at]]));
  // Not a whole `PupilVideo`: a field that is missing from the list does not compile.
  return video as Pick<PupilVideo, Field>;
}
