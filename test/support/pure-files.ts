/** Which files are pure, as the watch over imports and the count of branches (`vitest.config.ts`) see it. */

import { globSync, readFileSync } from 'node:fs';

const pureFolders = ['money', 'text', 'files', 'messages'];

const isInPureFolder = (file: string): boolean => pureFolders.some((folder) => file.startsWith(`${folder}/`));

/** Elsewhere the header of a file says so with its first word. */
const saysPure = /^\/\*\*\s+(?:\* )?Pure\. /;

const isPure = (file: string): boolean =>
  isInPureFolder(file) || saysPure.test(readFileSync(`src/${file}`, 'utf8'));

/** Relative to `src/`: no clock, no chance, no waiting, no outside. */
export const pureFiles: ReadonlySet<string> = new Set(
  globSync('**/*.ts', { cwd: 'src' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter(isPure),
);

/** The tests of what is pure: those of its own room, wherever that is. */
export const pureTests: readonly string[] = [
  ...pureFolders.map((folder) => `test/${folder}/**/*.test.ts`),
  ...[...pureFiles]
    .filter((file) => !isInPureFolder(file))
    .map((file) => `test/${file.replace(/\.ts$/, '*.test.ts')}`),
];
