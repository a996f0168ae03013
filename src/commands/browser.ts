/** Opens an address in the user's browser, as each system does it. */

import { spawn } from 'node:child_process';

/** Goes on at once; `failed` hears it when there is no browser to open. */
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
  // `start` takes its first quoted word for a title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url];
  return ['xdg-open', url];
}
