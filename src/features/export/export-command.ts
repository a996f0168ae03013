/** `batch export`: puts the videos into a folder under names of the user's choice. Reads only, even during a run. */

import { lookIntoRun } from '../../app/open-run.ts';
import { parseOptions } from '../../app/options/job-file.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { pupilAssets } from '../../app/page-assets.ts';
import type { Handle } from '../../cli/command.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { lookGroups } from '../../cli/flags/common-flags.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { longLook } from '../../cli/long-work.ts';
import { UsageError } from '../../errors.ts';
import { message } from '../../messages/message.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { toTerminalText } from '../../terminal/terminal-text.ts';
import { languages } from '../../text/languages.ts';
import { exportNewsLine, exportResult } from './export-text.ts';
import { type ExportRequest, exportVideos } from './export-videos.ts';
import type { PageRequest } from './page/page-request.ts';
import { addressesBelow } from './url-base.ts';

/** Exports the videos of the run in `dir`. Returns the exit code. */
async function exportRun(
  dir: string,
  request: Omit<ExportRequest, 'report' | 'say' | 'onProgress'>,
  isJson: boolean,
  flags: RawOptions,
): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  const say = phrasesOf(invocation.language);
  using work = longLook(message('work.export'), { ...invocation, options: { json: isJson } });
  await using opened = await lookIntoRun(invocation);
  const report: ExportRequest['report'] = (news) => printNotice(toTerminalText(exportNewsLine(news, say)));
  const sums = await exportVideos(opened, {
    ...request,
    report,
    onProgress: work.done,
    say: (note) => printNotice(say.render(note)),
  });
  if (isJson) printJson({ ...sums, to: request.to });
  else for (const line of exportResult(sums, request.to, say)) printResult(line);
  return sums.problems === 0 ? 0 : 1;
}

function readUrlBase(base: unknown): ExportRequest['addressOf'] {
  if (base === undefined) return null;
  const addressOf = addressesBelow(String(base));
  if (addressOf === null) throw new UsageError(message('export.url-base', { base: String(base) }));
  return addressOf;
}

/** Flags that say what the page shows. */
const pageFlags = ['title', 'chapters', 'page-answers', 'page-ids', 'page-qr'] as const;

function readPage(argv: Parameters<Handle>[0], { lang }: RawOptions): PageRequest | null {
  const given = pageFlags.find((flag) => argv[flag] !== undefined && argv[flag] !== false);
  if (argv.page !== true) {
    if (given !== undefined) throw new UsageError(message('export.needs-page', { option: `--${given}` }));
    return null;
  }
  const { chapters = null, title = null } = argv;
  if (!isTextOrNull(chapters)) throw new UsageError(message('export.one-column'));
  if (!isTextOrNull(title)) throw new UsageError(message('export.one-title'));
  const hasCodes = argv['page-qr'] === true;
  if (hasCodes && argv['url-base'] === undefined) throw new UsageError(message('export.qr-without-base'));
  return {
    assets: pupilAssets(),
    title,
    chapters,
    hasIds: argv['page-ids'] === true,
    hasAnswers: argv['page-answers'] === true,
    hasCodes,
    language: languages.find((language) => language === lang) ?? null,
  };
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.trim() !== '');
}

export const handle: Handle = async (argv) => {
  const { to, name = '{id}' } = argv;
  if (typeof to !== 'string' || to === '') throw new UsageError(message('export.no-place'));
  if (typeof name !== 'string' || name === '') throw new UsageError(message('refused.export-name'));
  if (argv.link === true && argv.copy === true) throw new UsageError(message('export.link-or-copy'));
  const { only = ['completed'] } = parseOptions({ only: argv.only }, (option) => `--${option}`);
  const manner = argv.link === true ? 'link' : argv.copy === true ? 'copy' : 'either';
  const addressOf = readUrlBase(argv['url-base']);
  const flags = givenOptions(argv, lookGroups);
  const page = readPage(argv, flags);
  const request = { to, name, only, manner, deletes: argv.delete === true, addressOf, page } as const;
  process.exitCode = await exportRun(String(argv.dir), request, argv.json === true, flags);
};
