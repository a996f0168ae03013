/** The licence of an installed package. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Licensed } from './licences.ts';

/** `folder` is that of the package. */
export async function readLicence(folder: string): Promise<Licensed> {
  const { name, version, license, homepage, repository } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(folder)).filter((each) => /^(licen[cs]e|notice|copying)/i.test(each)).sort();
  const texts = await Promise.all(
    files.map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()),
  );
  const home = homepage ?? repository?.url ?? repository ?? null;
  return { name, version, license, text: texts.length === 0 ? null : texts.join('\n\n'), home };
}
