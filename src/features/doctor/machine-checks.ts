/** The programs, fonts and the terminal of this machine. */

import { platform } from 'node:os';
import type { Environment } from '../../app/options/environment.ts';
import { programVersion, surroundings } from '../../app/program.ts';
import { message } from '../../messages/message.ts';
import { openPlayer } from '../inspect/ffmpeg.ts';
import { type Check, check } from './check.ts';

/** The list of rows is cut below this. */
const leastColumns = 60;

export function versionCheck(): Check {
  return check('version', 'ok', message('doctor.version', { version: programVersion(), ...surroundings() }));
}

export async function ffmpegCheck(): Promise<Check> {
  const player = await openPlayer().catch(() => null);
  if (player === null) return check('ffmpeg', 'warning', message('doctor.no-ffmpeg'));
  return check('ffmpeg', 'ok', message('doctor.ffmpeg'));
}

export async function fontsCheck(): Promise<Check> {
  try {
    const { drawsChinese } = await import('../../service/simulator/chinese-font.ts');
    if (drawsChinese()) return check('fonts', 'ok', message('doctor.fonts'));
    return check('fonts', 'warning', message('doctor.no-fonts'));
  } catch {
    // The package is optional.
    return check('fonts', 'warning', message('doctor.no-canvas'));
  }
}

/** `width`: columns of the terminal; null where the output goes elsewhere. */
export function terminalCheck(width: number | null, env: Environment, system = platform()): Check {
  if (width === null) return check('terminal', 'ok', message('doctor.no-terminal'));
  const variable = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((name) => env[name]);
  const encoding = variable === undefined ? 'C' : (env[variable] ?? '');
  // Windows and macOS say it nowhere, and their terminals take it.
  if (!/^(win32|darwin)$/.test(system) && !/utf-?8/i.test(encoding)) {
    return check(
      'terminal',
      'warning',
      message('doctor.not-utf8', { variable: variable ?? 'LANG', encoding }),
    );
  }
  if (width < leastColumns) return check('terminal', 'warning', message('doctor.narrow', { width }));
  return check('terminal', 'ok', message('doctor.terminal', { width }));
}
