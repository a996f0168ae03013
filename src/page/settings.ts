/** What the reader likes, remembered by the browser where it remembers at all. */

/** Names of what is remembered. */
export type SettingName = 'theme' | 'language' | 'view' | 'speed' | 'play-at-once' | 'next-after-mark';

const prefix = 'batch.';

/** The remembered value; null where there is none. */
export function recall(name: SettingName): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

/** Remembers a value; a browser that keeps nothing for this page forgets it with the page. */
export function remember(name: SettingName, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // A private window, or a folder the browser grants no memory: the choice still holds on this page.
  }
}
