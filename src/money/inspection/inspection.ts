/** Pure. What was seen of a video by looking into it, and what that gives a reason to look at. */

/** What the container of a video says. Times are seconds. */
export interface Container {
  /** How long it plays; null where the container does not say. */
  readonly seconds: number | null;
  readonly hasPicture: boolean;
  readonly hasSound: boolean;
  /** Of the picture as it is shown; null where there is none. */
  readonly width: number | null;
  readonly height: number | null;
  /** The file is shorter than its own header says. */
  readonly isCut: boolean;
  /** The longest stretch without a packet in the middle of a track, where there are only a few such. */
  readonly gap: { readonly at: number; readonly seconds: number } | null;
}

/** What a decoder found in a video. */
export interface Playback {
  /** Seconds of black at the start; 0 where it starts with a picture. */
  readonly blackSeconds: number;
  /** Black from beginning to end. */
  readonly isBlack: boolean;
  /** There is a sound track, and it is silent. */
  readonly isSilent: boolean;
}

/** What is remembered of a video, by the digest of its bytes. */
export interface Inspection {
  /** Null where nothing here reads containers of this kind. */
  readonly container: Container | 'unreadable' | null;
  /** Null where there was no decoder. */
  readonly playback: Playback | 'unreadable' | null;
}

/** A reason to look at a video; not a verdict. */
export type Finding =
  /** Rows of different questions have this file, or this title; two of them by their ids. */
  | { readonly code: 'same-file' | 'same-title'; readonly rows: readonly string[] }
  /** So many times the usual size, or duration, of comparable videos. */
  | { readonly code: 'size'; readonly times: number }
  | { readonly code: 'duration'; readonly times: number }
  | { readonly code: 'frames-missing'; readonly count: number }
  | { readonly code: 'unreadable' | 'cut-off' | 'no-picture' | 'no-sound' | 'black' | 'silent' }
  | { readonly code: 'gap'; readonly at: number; readonly seconds: number }
  | { readonly code: 'resolution'; readonly is: string; readonly usual: string }
  | { readonly code: 'black-start'; readonly seconds: number };

export type FindingCode = Finding['code'];

/** Every code, in the order in which reasons are listed: what spoils a video first. */
export const findingCodes = [
  'unreadable',
  'cut-off',
  'no-picture',
  'black',
  'no-sound',
  'silent',
  'same-file',
  'gap',
  'duration',
  'size',
  'resolution',
  'black-start',
  'frames-missing',
  'same-title',
] as const satisfies readonly FindingCode[];

/** An inspection with what it gave a reason for when it was last compared with the others of the run. */
export interface InspectedVideo extends Inspection {
  readonly findings: readonly Finding[];
}

/** How long the video plays, in seconds; null where that is not known. */
export function secondsOfVideo({ container }: Pick<Inspection, 'container'>): number | null {
  return container === null || container === 'unreadable' ? null : container.seconds;
}

/**
 * What was saved as two JSON texts. What is damaged counts as not known: a report without it is better than no report,
 * and the video can be looked into again.
 */
export function readInspected(facts: string, findings: string): InspectedVideo {
  try {
    return { ...(JSON.parse(facts) as Inspection), findings: JSON.parse(findings) };
  } catch {
    return { container: null, playback: null, findings: [] };
  }
}
