/** Saves files with LibreOffice from Debian's packages, where it is installed. */

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True where `soffice` can be started; says so loudly where not. */
export async function hasLibreOffice(): Promise<boolean> {
  try {
    await run('soffice', ['--version']);
    return true;
  } catch {
    process.stderr.write(
      'NOT TRIED: LibreOffice is not installed (apt-get install libreoffice-calc-nogui)\n',
    );
    return false;
  }
}

/** The path of the file that LibreOffice made of this flat OpenDocument sheet. */
export async function saveAs(folder: string, sheet: string, ending: 'xlsx' | 'ods' | 'xls'): Promise<string> {
  await writeFile(join(folder, 'made.fods'), sheet);
  return convert(folder, join(folder, 'made.fods'), ending);
}

/** What LibreOffice calls a kind of file, where its ending does not say all: CSV in UTF-8. */
const filters: Readonly<Record<string, string>> = { csv: 'csv:Text - txt - csv (StarCalc):44,34,76' };

/** The path of what LibreOffice made of this file, in the same folder. */
export async function convert(folder: string, file: string, ending: string): Promise<string> {
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  await run('soffice', [
    profile,
    '--headless',
    '--convert-to',
    filters[ending] ?? ending,
    '--outdir',
    folder,
    file,
  ]);
  return join(folder, `${parse(file).name}.${ending}`);
}
