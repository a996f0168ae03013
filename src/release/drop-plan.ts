/** Pure. What is done with a table that was dropped: the commands of the program, and where they are carried out. */

import { type Message, message } from '../messages/message.ts';

export interface Drop {
  /** The folder of the table: there are its pictures, its `.env`, and its videos. */
  readonly folder: string;
  readonly plan: readonly string[];
  /** After the question; null where the plan is all. */
  readonly run: readonly string[] | null;
}

export type DropCommand = 'check' | 'run';

/** Each table has a folder of videos beside it: two tables in one folder are two runs. */
export function planDrop(command: DropCommand, files: readonly string[]): Drop | Message {
  const [path, ...others] = files;
  if (path === undefined) return message('dropped.none');
  if (others.length > 0) return message('dropped.many', { files: files.length });
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  const [folder, name] = [path.slice(0, cut), path.slice(cut)];
  // A name that begins with `-` would be an option.
  const words = [name.replace(/^-/, './-'), `--out=${name.replace(/(?<=.)\.[^.]*$/, '')}-videos`];
  return {
    folder: folder === '' ? '.' : folder,
    plan: command === 'check' ? ['check', ...words] : ['run', ...words, '--dry-run'],
    // What is agreed to here needs no second question; `run` still asks where it sends the key for the first time.
    run: command === 'check' ? null : ['run', ...words, '--yes'],
  };
}

export function isDrop(planned: Drop | Message): planned is Drop {
  return 'folder' in planned;
}
