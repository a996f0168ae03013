/** Writes the reports of a run into another folder, with links that work from there. */

import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isBucketAddress } from '../../app/files/bucket-address.ts';
import { ownReports } from '../../app/files/own-files.ts';
import { placeOf } from '../../app/open-run.ts';
import { openReadOnly } from '../../app/outputs.ts';
import { reportFacts } from '../../app/report-facts.ts';
import type { SeenRun } from '../../app/run-handles.ts';
import { systemClock } from '../../app/system-clock.ts';
import { DiskError, saidOf } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { openFileOutputTree } from '../../outputs/file-output-tree.ts';
import { makeFolders } from '../../outputs/make-folders.ts';
import {
  type Reported,
  type ReportFacts,
  type ReportInUse,
  reportNames,
  writeReports,
} from '../../reports/write-report.ts';
import type { ReportRow } from '../../stores/port/reading.ts';

/** Buckets sign no link for longer. With credentials that end sooner, links end with them. */
const linkSeconds = 7 * 24 * 3_600;

/** How files are named from the other folder. */
interface Links extends Disposable {
  of(path: string): Promise<string>;
  /** Where the links lead, if not to files: the page may load nothing else. */
  readonly origin: string | null;
  /** What the page says of them. */
  readonly note: string;
}

/** What was written. */
interface WrittenReports {
  readonly facts: ReportFacts;
  readonly inUse: readonly ReportInUse[];
}

/** Writes them into the folder `to`, which is made if needed, and returns what they show. Throws `DiskError`, and `UsageError` where a file is not of this run. */
export async function writeReportsInto(to: string, opened: SeenRun, rows: Reported): Promise<WrittenReports> {
  const { invocation, isInUse } = opened;
  const folder = resolve(to);
  const facts = await reportFacts(opened, isInUse);
  try {
    makeFolders(folder);
  } catch (error) {
    throw new DiskError(message('output.no-report-folder', { folder: to, failure: saidOf(error) }), error);
  }
  const tree = await openFileOutputTree(folder, systemClock.now);
  const names = reportNames(await rows.sources(), facts);
  const advice = { en: 'move it away, or choose another --to', zh: '请移走，或另选 --to' };
  const reports = await ownReports(folder, names, { shown: to, advice, by: facts.run }, tree);
  using links = await linksFrom(folder, opened);
  const place = await placeOf(invocation);
  const out = `${facts.out}${links.note}`;
  const reported = { ...rows, reportPages: () => linked(rows.reportPages(), links) };
  const hasFile = (path: string): boolean => existsSync(join(folder, path));
  const inUse = await writeReports(reported, reports, {
    ...facts,
    ...place.pictures(opened, folder, links.of),
    out,
    folder,
    fileOrigin: links.origin,
    ...(facts.hasFile === undefined ? {} : { hasFile }),
  });
  return { facts, inUse };
}

async function linksFrom(folder: string, run: SeenRun): Promise<Links> {
  const { out } = run.invocation;
  if (!isBucketAddress(out)) {
    const way = relative(folder, out).replaceAll('\\', '/');
    const prefix = way === '' ? '' : `${way}/`;
    return { of: async (path) => prefix + path, origin: null, note: '', [Symbol.dispose]: () => {} };
  }
  const destination = await openReadOnly(run);
  const of = async (path: string): Promise<string> =>
    (await destination.signedLink(path, linkSeconds)) ?? path;
  const until = new Date(systemClock.now() + linkSeconds * 1_000).toISOString().slice(0, 16);
  return {
    of,
    origin: new URL(await of('report.html')).origin,
    note: ` (links to files open until ${until.replace('T', ' ')} UTC, or until the key that signed them ends)`,
    [Symbol.dispose]: () => destination.close(),
  };
}

async function* linked(
  pages: AsyncIterable<readonly ReportRow[]>,
  links: Links,
): AsyncGenerator<readonly ReportRow[]> {
  for await (const page of pages) yield await Promise.all(page.map((row) => withLinks(row, links)));
}

async function withLinks(row: ReportRow, links: Links): Promise<ReportRow> {
  const artifacts = await Promise.all(
    row.item.artifacts.map(async (file) =>
      file.path === null ? file : { ...file, path: await links.of(file.path) },
    ),
  );
  return { ...row, item: { ...row.item, artifacts } };
}
