/** Which extension a downloaded file gets. */

import { imageExtension, unknownVideo, videoExtension } from '../../files/file-kind.ts';
import { parseLink } from '../../files/file-link.ts';
import type { FileKind } from '../../money/item.ts';

/** Extensions of frames by content type. The name in the link counts only if it has one of these. */
const frameExtensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/bmp': 'bmp',
  'image/tiff': 'tiff',
  'image/avif': 'avif',
  'image/heic': 'heic',
};

/** By content; for a frame of unknown format by the link's file name, then by the announced type. */
export function extensionOf(
  { kind, url }: { readonly kind: FileKind; readonly url: string },
  head: Uint8Array,
  contentType: string | null,
): string {
  if (kind === 'video') return videoExtension(head) ?? unknownVideo;
  const known = imageExtension(head);
  if (known !== null) return known;
  const named = /\.(\w+)(?:\?.*)?$/s.exec(parseLink(url)?.path ?? '')?.[1]?.toLowerCase() ?? '';
  const announced = frameExtensions[(contentType ?? '').replace(/\s*;.*$/s, '').toLowerCase()];
  return Object.values(frameExtensions).includes(named) ? named : (announced ?? 'png');
}
