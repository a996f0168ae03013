import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiskError } from '../../src/errors.ts';
import { syncFolderNow } from '../../src/outputs/directory-sync.ts';
import { openSentLog, readSentLog, sentLogName } from '../../src/stores/sent-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sentOf = (number: number) => ({
  token: `token-${number}`,
  key: number,
  id: `q${number}`,
  attempt: 1,
  requestHash: 'hash',
  quality: null,
  submittedAt: number,
});

const terms = { server: 'first', round: 1, steering: 2, cap: 200, pause: { until: null } };

async function linesIn(folder: string) {
  return (await Array.fromAsync(readSentLog(folder))).flat();
}

test('what left is there for the next process, with how it was answered and what was obeyed', async () => {
  await using folder = await temporaryFolder();
  expect(await linesIn(folder.path)).toEqual([]);
  {
    using log = openSentLog(folder.path, syncFolderNow);
    log.leave([sentOf(1), sentOf(2)]);
    log.obey(terms);
    log.answer({ token: 'token-1', taskId: '任务'.repeat(2_000) });
  }
  using log = openSentLog(folder.path, syncFolderNow);
  log.answer({ token: 'token-2', taskId: null });
  expect(await linesIn(folder.path)).toEqual([
    ...[sentOf(1), sentOf(2), { terms }, { token: 'token-1', taskId: '任务'.repeat(2_000) }],
    { token: 'token-2', taskId: null },
  ]);
});

test('a line that was cut while it was written says nothing, and spoils no other', async () => {
  await using folder = await temporaryFolder();
  {
    using log = openSentLog(folder.path, syncFolderNow);
    log.leave([sentOf(1)]);
  }
  appendFileSync(join(folder.path, sentLogName), '{"token":"token-2","ke');
  using log = openSentLog(folder.path, syncFolderNow);
  log.leave([sentOf(3)]);
  expect(await linesIn(folder.path)).toEqual([sentOf(1), sentOf(3)]);
});

test('comes in pages, however much left', async () => {
  await using folder = await temporaryFolder();
  using log = openSentLog(folder.path, syncFolderNow);
  log.leave(Array.from({ length: 2_500 }, (_, number) => sentOf(number)));
  const pages = await Array.fromAsync(readSentLog(folder.path));
  expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
});

test('a disk that refuses it says so before anything leaves', async () => {
  await using folder = await temporaryFolder();
  mkdirSync(join(folder.path, sentLogName));
  expect(() => openSentLog(folder.path, syncFolderNow)).toThrow(DiskError);
});
