/** The reader's settings, saved by the browser where possible. */

/** Names of the settings. */
export type SettingName = 'theme' | 'language' | 'view' | 'speed' | 'play-at-once' | 'next-after-mark';

const prefix = 'batch.';

/** The saved value; null for none. */
export function recall(name: SettingName): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/** Saves a value; a browser without storage forgets it when the page closes. */
export function remember(name: SettingName, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // A private window, or a page without storage: the choice applies to this page only.
  }
}
