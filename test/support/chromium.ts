/** The browser of this machine, for tests that need a real one. */

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usualPlaces = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);

/** Path of Chromium: what CHROMIUM_PATH names, else the first of the usual places; null where there is none. */
export const chromiumPath =
  [process.env.CHROMIUM_PATH ?? '', ...usualPlaces].find((path) => path !== '' && existsSync(path)) ?? null;

/** Starts it without a window. As root, as in most containers, it has no sandbox. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('no Chromium here; set CHROMIUM_PATH');
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}
