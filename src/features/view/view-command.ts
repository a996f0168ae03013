/** `batch view`: serves the live page of a run on loopback. Works during and after the run; reads only, unless reviewers save their marks. */

import { lookIntoRun, placeOf } from '../../app/open-run.ts';
import { invalidOption } from '../../app/options/invalid-option.ts';
import type { RawOptions } from '../../app/options/options.ts';
import { readInvocation } from '../../app/options/settings.ts';
import { userName } from '../../app/program.ts';
import { reportFacts } from '../../app/report-facts.ts';
import type { Handle } from '../../cli/command.ts';
import { printJson, printNotice, printResult } from '../../cli/console.ts';
import { lookGroups } from '../../cli/flags/common-flags.ts';
import { givenOptions } from '../../cli/flags/flag.ts';
import { saidOf, UsageError } from '../../errors.ts';
import { portNumber } from '../../messages/choices.ts';
import { message } from '../../messages/message.ts';
import { phrasesOf } from '../../terminal/phrases/phrases.ts';
import { openBrowser } from './browser.ts';
import { openLivePage } from './live-page.ts';
import { readConfidence } from './read-confidence.ts';
import { openViewServer } from './view-server.ts';

/** The range of default ports, one derived from each folder: above those of known services. */
const firstPort = 20_000;
const portCount = 40_000;

/** How to show the page. */
interface ViewOptions {
  /** null for the folder's default port. */
  readonly port: number | null;
  readonly json: boolean;
  /** True to open a browser. */
  readonly open: boolean;
  /** The name that marks are saved under, unless the page gives another; null where the page only shows them. */
  readonly reviewer: string | null;
  /** Of what is said of a sample; absent for the usual one. */
  readonly confidence: number | undefined;
  readonly flags: RawOptions;
}

/** Serves the page of the run in `dir` until SIGINT or SIGTERM. */
export async function view(dir: string, options: ViewOptions): Promise<void> {
  await using opened = await lookIntoRun(readInvocation(options.flags, { out: dir }));
  const { store, invocation } = opened;
  const place = await placeOf(invocation);
  const { render } = phrasesOf(invocation.language);
  const { run } = await reportFacts(opened, false);
  await using outputs = await place.openShown(opened);
  const wish = firstPort + (Number.parseInt(run.slice(0, 8), 16) % portCount);
  const port = options.port === null ? { port: wish, isWish: true } : { port: options.port, isWish: false };
  const gone = Promise.withResolvers<never>();
  const failed = (error: unknown): void => {
    if (error instanceof UsageError) gone.reject(error);
    else printNotice(`batch: ${render(saidOf(error))}`);
  };
  await using saved = options.reviewer === null ? null : await place.openSettings(invocation);
  const desk =
    saved === null
      ? null
      : { reviews: saved.reviews, settings: saved.settings, reviewer: options.reviewer ?? '' };
  const content = await openLivePage(opened, outputs, failed, desk, options.confidence);
  await using server = await openViewServer(port, content).catch((error: unknown) => {
    throw new UsageError(message('refused.port', { failure: saidOf(error) }), error);
  });
  const ended = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  if (options.json) printJson({ url: server.url });
  else printResult(render(place.showing(invocation, server.url)));
  const mark = await store.archive.mark();
  if (mark?.state === 'moved')
    printNotice(render(message('view.moved', { command: `batch view ${mark.place}` })));
  if (options.port === null && server.port !== wish)
    printNotice(render(message('view.port-taken', { port: wish })));
  if (options.reviewer !== null)
    printNotice(
      render(
        options.reviewer === ''
          ? message('view.saves')
          : message('view.saves-by', { name: options.reviewer }),
      ),
    );
  printNotice(render(message('view.stop')));
  if (options.open) openBrowser(server.url, () => printNotice(render(message('view.no-browser'))));
  await Promise.race([ended, gone.promise]);
}

/** The name of the reviewer; null without `--review`. Two reviewers without a name would replace each other's marks. */
function readReviewer({ review, reviewer }: Parameters<Handle>[0]): string | null {
  if (reviewer !== undefined && (typeof reviewer !== 'string' || reviewer.trim() === ''))
    throw new UsageError(message('refused.reviewer'));
  if (reviewer !== undefined) return reviewer.trim().slice(0, 200);
  return review === true ? userName() : null;
}

export const handle: Handle = async (argv) => {
  const port = argv.port === undefined ? null : Number(argv.port);
  if (port !== null && (argv.port === '' || !Number.isInteger(port) || port < 0 || port > 65_535))
    throw invalidOption('--port', argv.port, portNumber);
  await view(String(argv.dir), {
    port,
    json: argv.json === true,
    open: argv.open === true,
    reviewer: readReviewer(argv),
    confidence: readConfidence(argv.confidence),
    flags: givenOptions(argv, lookGroups),
  });
  process.exitCode = 0;
};
