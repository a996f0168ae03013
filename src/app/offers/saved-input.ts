/** The file that the rows of a run were last read from, and how it is read: proposed commands name both. */

import { basename, join, relative, resolve } from 'node:path';
import type { Store } from '../../stores/port/store.ts';
import { shellOption, shellPath } from '../../text/shell-word.ts';
import type { Options } from '../options/options.ts';
import { isBelow } from '../options/saved-paths.ts';
import { standardInput, standardSource } from '../options/standard-input.ts';
import { readSetting } from '../output-folder.ts';

const settingName = 'input';

/** How a file is read, as options of the command line. */
const manners = ['format', 'sheet', 'header-row', 'delimiter', 'encoding'] as const;

/** As saved with the run. */
interface SavedInput {
  /** Absolute; `-` for standard input. */
  readonly file: string;
  /** Pairs of an option and its value. */
  readonly options: readonly (readonly [string, string])[];
  /** The rows were added to those of another file. */
  readonly add: boolean;
}

/** Saves where the rows of this command are from. A run that is stopped before it proposes an older file. */
export async function saveInput(
  { settings }: Pick<Store, 'settings'>,
  file: string,
  options: Options,
): Promise<void> {
  const given = manners.flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [[name, value === '\t' ? 'tab' : String(value)] as const];
  });
  const columns = Object.entries(options.map ?? {}).map(
    ([field, column]) => ['map', `${field}=${column}`] as const,
  );
  const saved: SavedInput = {
    file: file === standardInput ? standardSource : resolve(file),
    options: [...given, ...columns],
    add: options.add ?? false,
  };
  const after = JSON.stringify(saved);
  if ((await settings.get(settingName)) !== after) await settings.save(settingName, after);
}

/** The file with its options, in shell words; null where nobody knows it. */
export async function readInputWords({
  settings,
  checkpoint,
}: Pick<Store, 'settings' | 'checkpoint'>): Promise<string | null> {
  const saved = (await readSetting<SavedInput>(settings, settingName)) ?? (await fromSources(checkpoint));
  if (saved === null) return null;
  const { file, options, add } = saved;
  const words = options.map(([name, value]) => shellOption(name, value));
  return [shownInput(file), ...words, ...(add ? ['--add'] : [])].join(' ');
}

/** Of a run that was begun when its input was not saved. */
async function fromSources(checkpoint: Store['checkpoint']): Promise<SavedInput | null> {
  const [only, ...others] = (await inputFiles(checkpoint)).map((file) => ({ file, options: [], add: false }));
  return only === undefined || others.length > 0 ? null : only;
}

/** The files that the run was made of, absolute; a table that it wrote itself comes and goes. */
export async function inputFiles(
  checkpoint: Pick<Store['checkpoint'], 'sources'>,
): Promise<readonly string[]> {
  const paths = (await checkpoint.sources())
    .filter(({ file }) => file !== standardSource)
    .map(({ file, folder }) => join(folder, basename(file)))
    .filter((path) => !/^failed\.(?:csv|xlsx)$/.test(basename(path)));
  return [...new Set(paths)];
}

function shownInput(file: string): string {
  if (file === standardSource) return file;
  const here = relative('.', file);
  return shellPath(isBelow(here) ? here : file);
}
