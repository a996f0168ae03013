import { expect, it } from 'vitest';
import { isTaken, packageFolders } from '../../src/release/chosen-files.ts';
import { archiveNameOf, isSystemName, systems } from '../../src/release/systems.ts';

const { windows, linux, macos } = systems;

it.each([
  ['undici/index.js', true],
  ['undici/LICENSE', true],
  ['undici/types/index.d.ts', false],
  ['pino/file.js.map', false],
  ['.bin/semver', false],
  ['.package-lock.json', false],
  ['a/node_modules/.bin/b', false],
  ['@napi-rs/canvas/index.js', false],
  ['better-sqlite3/deps/sqlite3/sqlite3.c', false],
  ['better-sqlite3/lib/index.js', true],
  ['better-sqlite3/prebuilds/win32-x64.node', true],
  ['better-sqlite3/prebuilds/win32-arm64.node', false],
  ['better-sqlite3/prebuilds/linux-x64.node', false],
])('%s goes to Windows: %s', (path, isSo) => {
  expect(isTaken(path, windows)).toBe(isSo);
});

it('each system has the binary of its own', () => {
  expect(isTaken('better-sqlite3/prebuilds/linux-x64.node', linux)).toBe(true);
  expect(isTaken('better-sqlite3/prebuilds/linuxmusl-x64.node', linux)).toBe(false);
  expect(isTaken('better-sqlite3/prebuilds/darwin-arm64.node', macos)).toBe(true);
});

it('a package is the folder of its own description, not of one within it', () => {
  const paths = [
    'a/package.json',
    '@b/c/package.json',
    'a/esm/package.json',
    'a/node_modules/d/package.json',
    'a/x.js',
  ];
  expect(packageFolders(paths)).toEqual(['a', '@b/c', 'a/node_modules/d']);
});

it('archives are named by version and system', () => {
  expect(archiveNameOf(windows, '1.2.3')).toBe('batch-video-1.2.3-windows-x64.zip');
  expect(archiveNameOf(macos, '1.2.3')).toBe('batch-video-1.2.3-darwin-arm64.tar.gz');
  expect(['windows', 'toString', undefined].map(isSystemName)).toEqual([true, false, false]);
});
