import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The oldest that the package takes, and the newest. */
it.for(['22.19.0', '26'])('the package works under Node %s', { timeout: 1_200_000 }, async (version) => {
  await using folder = await temporaryFolder();
  const npm = (...args: string[]): string => execFileSync('npm', args, { encoding: 'utf8' });
  const quietly = ['--silent', '--no-audit', '--no-fund'];
  npm('install', ...quietly, '--prefix', folder.path, `node@${version}`);
  const tarball = npm('pack', '--silent', '--ignore-scripts', '--pack-destination', folder.path).trim();
  const bin = join(folder.path, 'node_modules', '.bin');
  const said = execFileSync('bash', ['test/package/install.sh', join(folder.path, tarball), bin], {
    encoding: 'utf8',
  });
  expect(said).toContain(`node v${version.split('.')[0]}.`);
});
