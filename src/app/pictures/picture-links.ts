/** Links from a page to the pictures of the input. */

import { keptPath } from '../../files/output-paths.ts';
import { linkTo } from '../../files/path-link.ts';
import type { ImageSource } from '../../money/item.ts';
import { parseQuestion } from '../../money/parse-question.ts';
import { pictureOnDisk } from '../../outputs/pictures/path-on-disk.ts';
import { linkPictures } from '../../reports/page-row.ts';
import type { ReportFacts } from '../../reports/write-report.ts';
import type { ReportRow } from '../../stores/port/reading.ts';

/** Links from a page in `folder` to local files, and to the pictures that a run in `out` keeps (both absolute). */
export function findLocalPictures(folder: string, out: string): NonNullable<ReportFacts['findPictures']> {
  const linkOf = linkPictures(folder, out);
  return async () => (image) =>
    linkOf(image.kind === 'file' ? { ...image, path: pictureOnDisk(image.path) } : image);
}

/**
 * Links to pictures that lie among the outputs under the digest of their bytes. `linkOf` gives the relative path,
 * or the address, of a file among the outputs. A picture that is not stored has no link.
 */
export function findStoredPictures(
  digestsOf: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>,
  linkOf: (path: string) => Promise<string>,
): NonNullable<ReportFacts['findPictures']> {
  return async (rows) => {
    const images = rows.flatMap(picturesOf);
    const paths = images.flatMap((image) => (image.kind === 'file' ? [image.path] : []));
    const digests = paths.length === 0 ? new Map<string, string>() : await digestsOf([...new Set(paths)]);
    const digestOf = (image: ImageSource): string | null => {
      if (image.kind === 'kept') return image.sha256;
      return image.kind === 'file' ? (digests.get(image.path) ?? null) : null;
    };
    const links = new Map<string, string>();
    for (const digest of images.map(digestOf))
      if (digest !== null && !links.has(digest)) links.set(digest, linkTo(await linkOf(keptPath(digest))));
    return (image) => links.get(digestOf(image) ?? '') ?? null;
  };
}

function picturesOf({ input, source }: ReportRow): readonly ImageSource[] {
  const { questionImages, answerImages } = source.fields;
  // Most inputs have none, and parsing takes its time.
  if (questionImages === undefined && answerImages === undefined) return [];
  const { question } = parseQuestion(input, source);
  return [...question.questionImages, ...question.answerImages];
}
