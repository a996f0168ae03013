/** Opens an address in the user's browser, by the system's own command. */

import { spawn } from 'node:child_process';

/** Returns at once; `failed` is called when no browser can be opened. */
export function openBrowser(url: string, failed: () => void): void {
  const [name = '', ...args] = openerOf(process.platform, url);
  const child = spawn(name, args, { stdio: 'ignore', detached: true });
  child.once('error', failed);
  child.once('exit', (code) => {
    if (code !== 0) failed();
  });
  child.unref();
}

function openerOf(platform: NodeJS.Platform, url: string): string[] {
  if (platform === 'darwin') return ['open', url];
  // `start` uses its first quoted word as the title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url];
  return ['xdg-open', url];
}
