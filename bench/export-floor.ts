/** Links the listed files into one folder, and nothing more: `OUT LIST FOLDER`. */

import { linkSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [out = '', list = '', folder = ''] = process.argv.slice(2);
mkdirSync(folder);
for (const [at, path] of readFileSync(list, 'utf8').split('\n').entries())
  linkSync(join(out, path), join(folder, `${at}.mp4`));
