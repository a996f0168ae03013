/** Makes the bytes of local pictures part of a row's content. */

import { keptEntry } from '../files/image-source.ts';
import { contentWith, type LocalImage, type ParsedQuestion } from '../money/parse-question.ts';
import { pictureFields } from '../money/question.ts';
import type { SentQuestion } from '../money/sent-question.ts';
import { readContent, writeContent } from '../text/ids/row-content.ts';

/** A digest of all bytes of a local file; null where it cannot be read. */
export type PictureDigest = (path: string) => Promise<string | null>;

/** Files read at once: enough to hide the disk's latency. */
const atOnce = 8;

/** Digests of these pictures by path; unreadable ones are omitted. */
export async function readDigests(
  images: readonly LocalImage[],
  digestOf: PictureDigest,
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  if (images.length === 0) return digests;
  const wanted = new Set(images.map(({ path }) => path)).values();
  const lane = async (): Promise<void> => {
    for (const path of wanted) {
      const digest = await digestOf(path);
      if (digest !== null) digests.set(path, digest);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return digests;
}

/**
 * The content of a row with the bytes of its local pictures in place of their names; unchanged where one of them cannot
 * be read. A renamed picture is the same picture.
 */
export function contentWithBytes(
  { content, files }: Pick<ParsedQuestion, 'content' | 'files'>,
  digests: ReadonlyMap<string, string>,
): string {
  if (files.length === 0 || files.some(({ path }) => !digests.has(path))) return content;
  const byName = new Map(files.map(({ written, path }) => [written, keptEntry(digests.get(path) ?? '')]));
  const parts = readContent(content);
  const withBytes = (entries: readonly string[]): readonly string[] =>
    entries.map((entry) => byName.get(entry) ?? entry);
  const pictures = pictureFields.map((field) => [field, withBytes(parts[field])] as const);
  return writeContent({ ...parts, ...Object.fromEntries(pictures) });
}

/** The content that a request is made of: with corrected texts, and with the bytes of the local pictures where they are known. */
export function contentSent(
  { question, own, corrected }: SentQuestion,
  digests: ReadonlyMap<string, string>,
): string {
  const content = corrected === null ? null : contentWith(own.content, own.question, question);
  return contentWithBytes({ files: own.files, content: content ?? own.content }, digests);
}
