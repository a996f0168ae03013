import { execFileSync } from 'node:child_process';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPackage, writeTarGz, writeZip } from '../../src/release/archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it.each([
  ['zip', writeZip],
  ['tar.gz', writeTarGz],
] as const)('a %s of the same files has the same bytes, whatever their order and time', async (_, write) => {
  await using folder = await temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  await writeFile(at('a'), 'one');
  const files = [
    { name: 'p/说明.txt', content: Buffer.from('two') },
    { name: 'p/a', content: at('a'), isProgram: true },
  ];
  await write(at('first'), files);
  await utimes(at('a'), 1, 1);
  await write(at('second'), files.toReversed());
  expect(await readFile(at('first'))).toEqual(await readFile(at('second')));
});

it('a package that was packed is read again, with the names and modes of its files', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'p.tar.gz');
  await writeTarGz(path, [
    { name: 'package/bin/a', content: Buffer.from('one'), isProgram: true },
    { name: 'package/b', content: Buffer.from('two') },
  ]);
  expect([...(await readPackage(path, (name) => name !== 'b'))]).toEqual([['bin/a', Buffer.from('one')]]);
  execFileSync('tar', ['xzf', path], { cwd: folder.path });
  expect((await stat(join(folder.path, 'package/bin/a'))).mode & 0o777).toBe(0o755);
});
