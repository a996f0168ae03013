/** Captions of a video: a WebVTT file of the same name next to it, which people put there. */

/** The path of the captions of the video at this path (relative, with `/`). */
export function captionsPath(video: string): string {
  return video.replace(/(?<=[^/])\.[^./]*$/, '').concat('.vtt');
}
