/** Parses creation requests, as strictly as the service's interface is written. */

import type { IncomingMessage } from 'node:http';
import { sha256 } from './seeded-random.ts';

const qualities = ['h', 'm', 'l'] as const;
/** High, medium, low. */
export type Quality = (typeof qualities)[number];

const defaultQuality: Quality = 'm';

/** Limit on a creation's body; images come as base64. */
const bodyLimitBytes = 32 * 2 ** 20;

/** A valid creation. */
export interface CreationRequest {
  /** '' where the question is in the images. */
  readonly question: string;
  readonly quality: Quality;
  /** http(s) address to notify when the task has ended; null for none. */
  readonly notifyUrl: string | null;
  /** Digest of everything requested, except the callback address, which may differ from run to run. */
  readonly asked: string;
  /** Lower-case hex digest of the raw body. */
  readonly bodySha256: string;
  readonly imageSha256: ImageDigests;
}

/** Lower-case hex digests of the images' bytes, in order; null for an address. */
export interface ImageDigests {
  readonly question: readonly (string | null)[];
  readonly answer: readonly (string | null)[];
}

/** An invalid creation; the message goes into the error envelope. */
export class BadCreation extends Error {
  override readonly name = 'BadCreation';
  readonly statusCode: number;

  constructor(message: string, statusCode = 400) {
    super(`Bad request: ${message}`);
    this.statusCode = statusCode;
  }
}

/** Reads a creation to its end; throws `BadCreation`. */
export async function readCreation(request: IncomingMessage): Promise<CreationRequest> {
  const body = await readBody(request);
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new BadCreation('Content-Type must be application/json', 415);
  }
  const fields = parseObject(body.toString('utf8'));
  const question = readText(fields, 'question');
  const questionImages = readTexts(fields, 'questionImages');
  const answer = readText(fields, 'answer');
  const answerImages = readTexts(fields, 'answerImages');
  const quality = readQuality(fields.quality);
  if (question.trim() === '' && questionImages.length === 0) {
    throw new BadCreation('question or questionImages must be given');
  }
  return {
    question,
    quality,
    notifyUrl: readAddress(readText(fields, 'notify_url')),
    asked: sha256(JSON.stringify([question, questionImages, answer, answerImages, quality])),
    bodySha256: sha256(body),
    imageSha256: { question: questionImages.map(digestOf), answer: answerImages.map(digestOf) },
  };
}

function digestOf(image: string): string | null {
  if (/^https?:/i.test(image)) return null;
  return sha256(Buffer.from(image.replace(/^data:[^,]*,/i, ''), 'base64'));
}

/** Bytes over the limit are read and dropped, so that the client gets to the answer. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes <= bodyLimitBytes) chunks.push(chunk);
  }
  if (sizeBytes > bodyLimitBytes) throw new BadCreation(`the body is over ${bodyLimitBytes} bytes`, 413);
  return Buffer.concat(chunks);
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(body: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new BadCreation('the body is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadCreation('the body must be a JSON object');
  }
  return value as Fields;
}

function readText(fields: Fields, name: string): string {
  const { [name]: value = '' } = fields;
  if (typeof value !== 'string') throw new BadCreation(`${name} must be a string`);
  return value;
}

function readTexts(fields: Fields, name: string): readonly string[] {
  const { [name]: value = [] } = fields;
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string' && text !== '')) {
    throw new BadCreation(`${name} must be an array of image URLs or base64 data`);
  }
  return value;
}

function readQuality(value: unknown = defaultQuality): Quality {
  const quality = qualities.find((known) => known === value);
  if (quality === undefined) throw new BadCreation(`quality must be one of ${qualities.join(', ')}`);
  return quality;
}

function readAddress(text: string): string | null {
  if (text === '') return null;
  const protocol = URL.parse(text)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new BadCreation('notify_url must be a complete http or https URL');
  }
  return text;
}
