/**
 * Undoes the encodings of a body while it arrives. What a header says of a file is often wrong: bytes that are a known
 * image or video already are used as they are, whatever it says.
 */

import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { messageOf } from '../errors.ts';
import { imageExtension, videoExtension } from '../files/file-kind.ts';

type Body = AsyncIterable<Uint8Array>;

/** Enough to know an image or a video. */
const headBytes = 512;

/** From so many bytes on, more than this many times the size of what arrived is a bomb: videos hardly shrink. */
const harmlessBytes = 64 * 2 ** 20;
const mostGrowth = 20;

/** Null for an encoding that cannot be undone here. `head` is the start of the encoded bytes. */
function decoderOf(encoding: string, head: Uint8Array): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      // Some servers send the raw stream, without the two-byte header.
      return ((head[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd':
      return zlib.createZstdDecompress();
    default:
      return null;
  }
}

/** True for an encoding whose end shows that everything arrived. */
export function isDecodable(encoding: string): boolean {
  return ['gzip', 'x-gzip', 'deflate', 'br', 'zstd'].includes(encoding);
}

/**
 * The file that was sent in these encodings, the last of which was applied last. Throws, naming `place`, where the bytes
 * are neither a known file nor in the encoding.
 */
export function decodeBody(body: Body, encodings: readonly string[], place: string): Body {
  // Next to an encoding that can be undone, an unknown name changes nothing: `gzip, aws-chunked` of S3-like stores.
  const undone = encodings.filter(isDecodable);
  const applied = undone.length > 0 ? undone : encodings;
  return applied.reduceRight<Body>((encoded, encoding) => decodeOnce(encoded, encoding, place), body);
}

async function* decodeOnce(body: Body, encoding: string, place: string): AsyncGenerator<Uint8Array> {
  const rest = body[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let arrivedBytes = 0;
  async function* arriving(): AsyncGenerator<Uint8Array> {
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
      arrivedBytes += next.value.length;
      yield next.value;
    }
  }
  const more = arriving();
  try {
    while (arrivedBytes < headBytes) {
      const { done, value } = await more.next();
      if (done === true) break;
      first.push(value);
    }
    const head = Buffer.concat(first).subarray(0, headBytes);
    if (head.length === 0 || videoExtension(head) !== null || imageExtension(head) !== null) {
      yield* first;
      yield* more;
      return;
    }
    const decoder = decoderOf(encoding, head);
    if (decoder === null) throw new Error(`${place}: sent in an encoding that cannot be undone`);
    let cut: unknown = null;
    async function* encoded(): AsyncGenerator<Uint8Array> {
      yield* first;
      try {
        yield* more;
      } catch (error) {
        cut = error;
        throw error;
      }
    }
    // The callback keeps the error from being unhandled: the loop below throws it.
    const unpacked: AsyncIterable<Uint8Array> = pipeline(Readable.from(encoded()), decoder, () => {});
    let fileBytes = 0;
    try {
      for await (const bytes of unpacked) {
        fileBytes += bytes.length;
        if (fileBytes > harmlessBytes && fileBytes > mostGrowth * arrivedBytes)
          throw new Error('it unpacks to far more than was sent');
        yield bytes;
      }
    } catch (error) {
      throw cut ?? new Error(`${place}: its ${encoding} encoding cannot be undone: ${messageOf(error)}`);
    }
  } finally {
    // Not awaited: where nothing arrives any more, it would wait for that.
    rest.return?.().catch(() => {});
  }
}
