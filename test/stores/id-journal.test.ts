import { readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiskError } from '../../src/errors.ts';
import { syncFolderNow } from '../../src/outputs/directory-sync.ts';
import { openIdJournal, readIdJournal } from '../../src/stores/id-journal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const idOf = (number: number) => ({ token: `token-${number}`, taskId: `task-${number}` });

test('room is made at once, and what is kept takes no more of it', async () => {
  await using folder = await temporaryFolder();
  using journal = openIdJournal(folder.path, syncFolderNow);
  const path = join(folder.path, 'batch.ids');
  const { size } = statSync(path);
  expect(size).toBe(32 * 4096);
  for (let number = 0; number < 32; number++) expect(journal.keep(idOf(number))).toBe(true);
  expect(journal.keep(idOf(3))).toBe(true);
  expect(journal.keep(idOf(32))).toBe(false);
  expect(statSync(path).size).toBe(size);
  expect(readIdJournal(folder.path)).toEqual(Array.from({ length: 32 }, (_, number) => idOf(number)));
});

test('only the user can read it where only the user can write', async () => {
  await using folder = await temporaryFolder();
  for (const [mode, own] of [
    [0o755, 0o600],
    [0o775, 0o666],
  ] as const) {
    await chmod(folder.path, mode);
    openIdJournal(folder.path, syncFolderNow)[Symbol.dispose]();
    const path = join(folder.path, 'batch.ids');
    expect(statSync(path).mode & 0o777).toBe(own & ~process.umask());
    await rm(path);
  }
});

test('its name is made to last once, by what knows the systems that cannot', async () => {
  await using folder = await temporaryFolder();
  const synced: string[] = [];
  for (let time = 0; time < 2; time += 1)
    openIdJournal(folder.path, (path) => synced.push(path))[Symbol.dispose]();
  expect(synced).toEqual([folder.path]);
});

test('what was kept is there for the next process, until it is forgotten', async () => {
  await using folder = await temporaryFolder();
  expect(readIdJournal(folder.path)).toEqual([]);
  {
    using journal = openIdJournal(folder.path, syncFolderNow);
    for (const number of [1, 2, 3]) journal.keep(idOf(number));
  }
  {
    using journal = openIdJournal(folder.path, syncFolderNow);
    expect(journal.kept()).toEqual([1, 2, 3].map(idOf));
    journal.forget([idOf(2)]);
    journal.keep({ token: 'token-4', taskId: '任务'.repeat(100) });
  }
  expect(readIdJournal(folder.path)).toEqual([
    idOf(1),
    { token: 'token-4', taskId: '任务'.repeat(100) },
    idOf(3),
  ]);
});

test('a file that the system does not give is an error of the disk, for whoever only reads it, too', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'batch.ids'));
  const [read, opened] = [() => readIdJournal(folder.path), () => openIdJournal(folder.path, syncFolderNow)];
  for (const use of [read, opened]) {
    expect(use).toThrow(DiskError);
    expect(use).toThrow(/batch\.ids cannot be \w+ \(EISDIR: .*\); fix that and run the same command again$/);
  }
});

test('an id that is longer than a slot is not kept', async () => {
  await using folder = await temporaryFolder();
  using journal = openIdJournal(folder.path, syncFolderNow);
  expect(journal.keep({ token: 't', taskId: 'x'.repeat(4096) })).toBe(false);
  expect(journal.kept()).toEqual([]);
});

test('a slot that was cut in its writing has nothing, and the others keep what they had', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'batch.ids');
  {
    using journal = openIdJournal(folder.path, syncFolderNow);
    for (const number of [1, 2]) journal.keep(idOf(number));
  }
  const bytes = readFileSync(path);
  bytes.fill(0, 5, 4096);
  await writeFile(path, bytes);
  expect(readIdJournal(folder.path)).toEqual([idOf(2)]);
  // Where its room is gone it is made anew.
  await truncate(path, 100);
  using journal = openIdJournal(folder.path, syncFolderNow);
  expect(journal.kept()).toEqual([]);
  expect(statSync(path).size).toBe(32 * 4096);
});
