/** Stands before the program: starts it without the superuser's right to write where nobody may. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';

const line = [process.execPath, ...process.argv.slice(2)];
const [command = '', ...args] =
  process.getuid?.() === 0
    ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all', ...line]
    : line;
const [code] = await once(spawn(command, args, { stdio: 'inherit' }), 'close');
process.exitCode = Number(code);
