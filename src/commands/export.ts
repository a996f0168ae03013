/** `batch export`: puts the videos into a folder under names of the user's choice. Reads only, even during a run. */

import { type ExportRequest, exportVideos } from '../app/export-videos.ts';
import { parseOptions } from '../app/job-file.ts';
import { lookIntoRun } from '../app/open-run.ts';
import type { RawOptions } from '../app/options.ts';
import { readInvocation } from '../app/settings.ts';
import { UsageError } from '../errors.ts';
import { exportNewsLine, exportResult } from '../terminal/export-text.ts';
import { phrasesOf } from '../terminal/phrases/phrases.ts';
import { toTerminalText } from '../terminal/terminal-text.ts';
import type { Handle } from './command.ts';
import { printJson, printNotice, printResult } from './console.ts';
import { givenOptions, lookGroups } from './flags.ts';

/** Exports the videos of the run in `dir`. Returns the exit code. */
async function exportRun(
  dir: string,
  request: Omit<ExportRequest, 'told'>,
  isJson: boolean,
  flags: RawOptions,
): Promise<number> {
  const invocation = readInvocation(flags, { out: dir });
  const say = phrasesOf(invocation.language);
  await using opened = await lookIntoRun(invocation);
  const told: ExportRequest['told'] = (news) => printNotice(toTerminalText(exportNewsLine(news, say)));
  const sums = await exportVideos(opened, { ...request, told });
  if (isJson) printJson({ ...sums, to: request.to });
  else for (const line of exportResult(sums, request.to, say)) printResult(line);
  return sums.problems === 0 ? 0 : 1;
}

export const handle: Handle = async (argv) => {
  const { to, name = '{id}' } = argv;
  if (typeof to !== 'string' || to === '') throw new UsageError('say where the videos go, once: --to DIR');
  if (typeof name !== 'string' || name === '')
    throw new UsageError("--name is empty or was given twice; give it once, such as '{id} {title}'");
  if (argv.link === true && argv.copy === true)
    throw new UsageError(
      '--link and --copy exclude each other; leave out both to link where that is possible',
    );
  const { only = ['completed'] } = parseOptions({ only: argv.only }, (option) => `--${option}`);
  const manner = argv.link === true ? 'link' : argv.copy === true ? 'copy' : 'either';
  const request = { to, name, only, manner, deletes: argv.delete === true } as const;
  const flags = givenOptions(argv, lookGroups);
  process.exitCode = await exportRun(String(argv.dir), request, argv.json === true, flags);
};
