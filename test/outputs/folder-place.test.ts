import { cpSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { comparePlaces } from '../../src/files/folder-place.ts';
import { readFolderPlace } from '../../src/outputs/folder-place.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function openFolder() {
  const place = await temporaryFolder();
  const folder = join(place.path, 'videos');
  mkdirSync(folder);
  writeFileSync(join(folder, 'file'), 'something');
  return { ...place, folder, beside: (name: string) => join(place.path, name) };
}

describe('the place of a folder', () => {
  it('does not change with what is written into it, nor with the way that leads there', async () => {
    await using place = await openFolder();
    const before = readFolderPlace(place.folder);
    writeFileSync(join(place.folder, 'another'), 'more');
    symlinkSync(place.folder, place.beside('link'));
    expect(before.path).toBe(realpathSync(place.folder));
    expect(comparePlaces(before, readFolderPlace(place.beside('link')))).toBe(null);
  });

  it('distinguishes a copy from its original, also where it stands in its place', async () => {
    await using place = await openFolder();
    const before = readFolderPlace(place.folder);
    cpSync(place.folder, place.beside('copy'), { recursive: true, preserveTimestamps: true });
    expect(comparePlaces(before, readFolderPlace(place.beside('copy')))).toBe('elsewhere');
    renameSync(place.folder, place.beside('original'));
    expect(comparePlaces(before, readFolderPlace(place.beside('original')))).toBe('renamed');
    renameSync(place.beside('copy'), place.folder);
    expect(comparePlaces(before, readFolderPlace(place.folder))).toBe('replaced');
  });

  it('names the computer without giving its name away, and none where that is missing or empty', async () => {
    await using place = await openFolder();
    const machineOf = (name: string | null): string | null => {
      if (name !== null) writeFileSync(place.beside('machine-id'), name);
      return readFolderPlace(place.folder, place.beside('machine-id')).machine;
    };
    expect(machineOf(null)).toBe(null);
    expect(machineOf('\n')).toBe(null);
    const first = machineOf('0123456789abcdef\n');
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(first).not.toContain('0123456789abcdef');
    expect(machineOf('0123456789abcdef')).toBe(first);
    expect(machineOf('fedcba9876543210')).not.toBe(first);
  });
});
