/** Pure. What the page of an export knows: the videos as pupils see them, and how JSON carries them there. */

import type { Language } from '../text/languages.ts';
import { packingOf } from './packed-fields.ts';

/** The island `page`, before the script: facts about the whole page. */
export interface PupilPage {
  /** What the page is called. */
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

/** In the order in which their values travel; the last fields are null or empty in most pages. */
const packing = packingOf<PupilVideo>()([
  ...(['anchor', 'title', 'question', 'chapter', 'video', 'questionImages'] as const),
  ...(['captions', 'answer', 'answerImages', 'id', 'url', 'qr'] as const),
]);

/** A video as JSON carries it. */
export type PackedVideo = ReturnType<typeof packing.pack>;

export function packVideo(video: PupilVideo): PackedVideo {
  return packing.pack(video);
}

/** The video from what `packVideo` made of it. */
export function unpackVideo(values: PackedVideo): PupilVideo {
  return packing.unpack(values);
}
