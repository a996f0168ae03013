import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { syncProgram } from '../../src/outputs/sync-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test.each<[string, readonly string[], string | null]>([
  ['videos', ['.dropbox'], 'Dropbox'],
  ['a/b/videos', ['.dropbox.cache/'], 'Dropbox'],
  ['videos', ['.dropbox/'], null],
  ['Dropbox/videos', [], 'Dropbox'],
  ['videos', ['.sync_0a1b2c3d.db'], 'Nextcloud or ownCloud'],
  ['videos', ['.nextcloudsync.log'], 'Nextcloud or ownCloud'],
  ['videos', ['.owncloudsync.log'], 'Nextcloud or ownCloud'],
  ['OneDrive/videos', [], 'OneDrive'],
  ['OneDrive - School/a', [], 'OneDrive'],
  ['Mobile Documents/a', [], 'iCloud'],
  ['videos', ['.tmp.driveupload/'], 'Google Drive'],
  ['videos', ['.tmp.drivedownload/'], 'Google Drive'],
  ['videos', ['.stfolder/'], 'Syncthing'],
  ['videos', ['batch.sqlite', '.sync'], null],
  ['not there', [], null],
])('%s below %j is synced by %j', async (path, marks, name) => {
  await using folder = await temporaryFolder();
  if (path !== 'not there') await mkdir(join(folder.path, path), { recursive: true });
  for (const mark of marks)
    if (mark.endsWith('/')) await mkdir(join(folder.path, mark));
    else await writeFile(join(folder.path, mark), '');
  expect(syncProgram(join(folder.path, path))).toBe(name);
});
