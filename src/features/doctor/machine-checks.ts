/** The programs, fonts and the terminal of this machine. */

import { platform } from 'node:os';
import type { Environment } from '../../app/options/environment.ts';
import { programVersion, surroundings } from '../../app/program.ts';
import { message } from '../../messages/message.ts';
import { openPlayer } from '../inspect/ffmpeg.ts';
import { type Finding, finding } from './finding.ts';

/** The list of rows is cut below this. */
const leastColumns = 60;

export function versionFinding(): Finding {
  return finding(
    'version',
    'ok',
    message('doctor.version', { version: programVersion(), ...surroundings() }),
  );
}

export async function ffmpegFinding(): Promise<Finding> {
  const player = await openPlayer().catch(() => null);
  if (player === null) return finding('ffmpeg', 'warning', message('doctor.no-ffmpeg'));
  return finding('ffmpeg', 'ok', message('doctor.ffmpeg'));
}

export async function fontsFinding(): Promise<Finding> {
  try {
    const { drawsChinese } = await import('../../service/simulator/chinese-font.ts');
    if (drawsChinese()) return finding('fonts', 'ok', message('doctor.fonts'));
    return finding('fonts', 'warning', message('doctor.no-fonts'));
  } catch {
    // The package is optional.
    return finding('fonts', 'warning', message('doctor.no-canvas'));
  }
}

/** `width`: columns of the terminal; null where the output goes elsewhere. */
export function terminalFinding(width: number | null, env: Environment, system = platform()): Finding {
  if (width === null) return finding('terminal', 'ok', message('doctor.no-terminal'));
  const variable = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((name) => env[name]);
  const encoding = variable === undefined ? 'C' : (env[variable] ?? '');
  // Windows and macOS say it nowhere, and their terminals take it.
  if (!/^(win32|darwin)$/.test(system) && !/utf-?8/i.test(encoding)) {
    return finding(
      'terminal',
      'warning',
      message('doctor.not-utf8', { variable: variable ?? 'LANG', encoding }),
    );
  }
  if (width < leastColumns) return finding('terminal', 'warning', message('doctor.narrow', { width }));
  return finding('terminal', 'ok', message('doctor.terminal', { width }));
}
