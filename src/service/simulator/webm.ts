/**
 * Makes a playable WebM from pictures without a video encoder: a lossy WebP picture is one VP8 key frame in a
 * container.
 */

import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Output, WebMOutputFormat } from 'mediabunny';

/** The chunks of a RIFF file start after `RIFF`, its size and `WEBP`. */
const firstChunkOffset = 12;
const chunkHeaderBytes = 8;

/**
 * A WebM that shows each picture for `secondsEach`. All pictures are lossy WebP of one size; a lossless one throws. The
 * same pictures give the same bytes.
 */
export async function muxWebM(
  pictures: readonly Buffer[],
  size: { readonly width: number; readonly height: number },
  secondsEach: number,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const track = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(track);
  await output.start();
  const decoderConfig = { codec: 'vp8', codedWidth: size.width, codedHeight: size.height };
  for (const [i, picture] of pictures.entries()) {
    const packet = new EncodedPacket(keyFrameOf(picture), 'key', i * secondsEach, secondsEach);
    await track.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (target.buffer === null) throw new Error('the WebM is empty');
  return new Uint8Array(target.buffer);
}

/** The `VP8 ` chunk of a WebP file. Other chunks (colour profile, size) may precede it. */
function keyFrameOf(webp: Buffer): Uint8Array {
  let offset = firstChunkOffset;
  while (offset + chunkHeaderBytes <= webp.length) {
    const sizeBytes = webp.readUInt32LE(offset + 4);
    const start = offset + chunkHeaderBytes;
    if (webp.toString('latin1', offset, offset + 4) === 'VP8 ')
      return webp.subarray(start, start + sizeBytes);
    // A chunk of odd size is followed by one byte of padding.
    offset = start + sizeBytes + (sizeBytes % 2);
  }
  throw new Error('the picture is not a lossy WebP');
}
