/** Pure. Which of the installed files a package to unzip takes along. */

import type { System } from './systems.ts';

/**
 * What only draws the clips of a rehearsal (without it they are the clip of the program), and what only builds other
 * packages.
 */
const leftOut = [/^@napi-rs\//, /^\./, /(^|\/)\.bin\//, /^better-sqlite3\/(deps|src)\//];

/** What only compilers and debuggers read. */
const unread = /\.(d\.[cm]?ts|map|tsbuildinfo|gyp)$/;

/** `path` is relative to `node_modules`, with `/`. */
export function isTaken(path: string, { platform, arch }: System): boolean {
  const [, prebuilt] = /^better-sqlite3\/prebuilds\/(.+)\.node$/.exec(path) ?? [];
  if (prebuilt !== undefined) return prebuilt === `${platform}-${arch}`;
  return !unread.test(path) && leftOut.every((pattern) => !pattern.test(path));
}

/** The packages that these files (relative to `node_modules`) belong to, by their folders. */
export function packageFolders(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const [, folder] = /^((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/@]+)\/package\.json$/.exec(path) ?? [];
    return folder ?? [];
  });
}
