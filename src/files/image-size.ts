/** Whether the images of a row are small enough to send. The service's own limits are unknown. */

import { type Message, message } from '../messages/message.ts';
import type { ImageSource } from '../money/item.ts';
import { fixed } from '../money/policy.ts';
import { renderByteSize } from '../text/byte-size.ts';

/** Bytes of an image in the row itself; images at an address are not sent and count nothing. */
export function inlineBytes(image: ImageSource): number {
  if (image.kind !== 'inline') return 0;
  const isPlain = /^data:[^,]*,/i.exec(image.data);
  if (isPlain !== null && !/;base64,$/i.test(isPlain[0])) return image.data.length;
  const letters = image.data.length - (isPlain?.[0].length ?? 0);
  return Math.floor((letters * 3) / 4);
}

/** Why an image of this size is not sent, as the end of a sentence; null where it is. */
export function tooLarge(bytes: number, maxImageBytes: number): Message | null {
  if (bytes <= maxImageBytes) return null;
  return message('picture.large', { size: renderByteSize(bytes), most: renderByteSize(maxImageBytes) });
}

/** Why the images of one request are not sent together; null where they are. */
export function tooLargeTogether(bytes: number, maxImageBytes: number): Message | null {
  const most = maxImageBytes * fixed.imagesOfOneRequest;
  if (bytes <= most) return null;
  return message('row.large-images', {
    size: renderByteSize(bytes),
    most: renderByteSize(most),
    times: String(fixed.imagesOfOneRequest),
  });
}
