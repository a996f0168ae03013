/** `batch view`: the page of a run, live, on loopback. Reads only, before, during and after the run. */

import { openSavedFile } from '../adapters/file-output-tree/saved-file.ts';
import { localImages } from '../adapters/local-images.ts';
import { openRunWatch } from '../adapters/sqlite/run-watch.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { openViewServer, type ViewContent } from '../adapters/view-server.ts';
import { lookIntoFolder, type OpenFolder } from '../app/output-folder.ts';
import { reportFacts } from '../app/report-facts.ts';
import { readInvocation } from '../app/settings.ts';
import { shellPath } from '../core/text/shell-word.ts';
import { messageOf, UsageError } from '../errors.ts';
import { pagePolicy } from '../report/page.ts';
import { RunFollower } from '../view/follow-run.ts';
import { mayShow } from '../view/show-file.ts';
import { showImage } from '../view/show-image.ts';
import { openBrowser } from './browser.ts';
import type { Handle } from './command.ts';
import { printJson, printNotice, printResult } from './console.ts';

/** The ports that folders get by themselves: above those of known services. */
const firstPort = 20_000;
const portCount = 40_000;

/** How the page is shown. */
interface ViewOptions {
  /** null for the folder's own one. */
  readonly port: number | null;
  readonly json: boolean;
  /** True for a browser to be opened. */
  readonly open: boolean;
}

/** Serves the page of the run in `dir` until SIGINT or SIGTERM. */
export async function view(dir: string, options: ViewOptions): Promise<void> {
  const { out, outShown } = readInvocation({}, { out: dir });
  using folder = lookIntoFolder(out);
  const { run } = reportFacts(folder.checkpoint, { out, outShown }, false);
  const wish = firstPort + (Number.parseInt(run.slice(0, 8), 16) % portCount);
  const port = options.port === null ? { port: wish, isWish: true } : { port: options.port, isWish: false };
  const gone = Promise.withResolvers<never>();
  await using server = await openViewServer(port, contentOf(folder, { out, outShown }, gone.reject)).catch(
    (error: unknown) => {
      throw new UsageError(`${messageOf(error)}; choose another --port`, error);
    },
  );
  const ended = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  if (options.json) printJson({ url: server.url });
  else printResult(`Looking at ${shellPath(outShown)}: ${server.url}`);
  if (options.port === null && server.port !== wish)
    printNotice(`port ${wish} is taken; marks made at that address do not appear here`);
  printNotice('Ctrl-C ends the page; the run continues');
  if (options.open)
    openBrowser(server.url, () => printNotice('no browser could be opened; open the address'));
  await Promise.race([ended, gone.promise]);
}

/** What there is to see in the folder; `leave` hears why nothing is to be seen there any more. */
function contentOf(
  { db, checkpoint }: Pick<OpenFolder, 'db' | 'checkpoint'>,
  { out, outShown }: { readonly out: string; readonly outShown: string },
  leave: (why: UsageError) => void,
): ViewContent {
  const facts = () => reportFacts(checkpoint, { out, outShown }, false);
  const { assets } = facts();
  const failed = (error: unknown): void => {
    if (error instanceof UsageError) leave(error);
    else printNotice(`batch: ${messageOf(error)}`);
  };
  const watch = openRunWatch(out, db, checkpoint);
  const follower = new RunFollower({ watch, clock: systemClock, facts, assets, failed });
  return {
    policy: pagePolicy(assets, true),
    page: () => follower.page(),
    openFile: async (path) => ((await mayShow(watch, path)) ? openSavedFile(out, path) : null),
    image: (key, field, index) => showImage(watch, localImages, { key, field, index }),
    join: (listener, since) => follower.join(listener, since),
    failed,
  };
}

export const handle: Handle = async (argv) => {
  const port = argv.port === undefined ? null : Number(argv.port);
  if (port !== null && (argv.port === '' || !Number.isInteger(port) || port < 0 || port > 65_535))
    throw new UsageError(`--port: "${argv.port}" is not valid; use a number from 0 to 65535`);
  await view(String(argv.dir), { port, json: argv.json === true, open: argv.open === true });
  process.exitCode = 0;
};
