/** What `batch export` says. */

import { join } from 'node:path';
import type { Phrases } from '../../terminal/phrases/phrases.ts';
import { shellPath } from '../../text/shell-word.ts';
import type { ManifestSums } from './export-manifests.ts';
import type { ExportNews } from './export-news.ts';

const entries = {
  unknown: 'unknown',
  'without-video': 'withoutVideo',
  'other-attempt': 'otherAttempt',
  contested: 'contested',
  flawed: 'flawed',
  picture: 'picture',
  'in-the-way': 'inTheWay',
  changed: 'changed',
  'last-copy': 'lastCopy',
} as const;

/** One line about a row or file. */
export function exportNewsLine(news: ExportNews, { handover }: Phrases): string {
  return handover[entries[news.why]]('id' in news ? news.id : news.path);
}

/** Changes and ways, in the order in which they are said. */
const changes = ['added', 'replaced', 'unchanged', 'removed'] as const;
const ways = ['linked', 'copied'] as const;

/** An export in numbers of files. */
type Sums = Readonly<
  Record<
    (typeof changes)[number] | (typeof ways)[number] | 'videos' | 'captions' | 'problems' | 'left',
    number
  >
> &
  Pick<ManifestSums, 'page' | 'pageLeft'>;

/** The result, and what to know of earlier exports. */
export function exportResult(sums: Sums, to: string, say: Phrases): string[] {
  const { handover, between } = say;
  const { videos, captions, problems, left, page, pageLeft } = sums;
  const parts = [changes, ways].map((names) =>
    names.flatMap((name) => (sums[name] > 0 ? [handover[name](sums[name])] : [])).join(between),
  );
  const details = parts.filter((part) => part !== '');
  const plain = handover.videos(videos, shellPath(to));
  const text = captions > 0 ? handover.withCaptions(plain, captions) : plain;
  return [
    details.length === 0 ? text : handover.detailed(text, details),
    handover.manifest,
    ...(page === undefined ? [] : [handover.page(shellPath(join(to, page)))]),
    ...(pageLeft ? [handover.pageLeft] : []),
    ...(problems > 0 ? [handover.problems(problems)] : []),
    ...(left > 0 ? [handover.left(left, problems > 0)] : []),
  ];
}
