/** What `npm pack` puts into the package, the built program left out: that is looked at where it is built. */

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { schemas } from '../docs/schemas.ts';

async function packedFiles(): Promise<string[]> {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', args, { shell: process.platform === 'win32' });
  const [packed] = Object.values(JSON.parse(stdout)) as { files: { path: string }[] }[];
  return (packed?.files ?? []).map(({ path }) => path).sort();
}

it('the package holds the program, what it needs, and what its pages name; nothing else', async () => {
  const files = (await packedFiles()).filter((path) => !path.startsWith('dist/'));
  const pages = files.filter((path) => /^docs\/[\w.-]+\.md$/.test(path));
  expect(files.filter((path) => !pages.includes(path))).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'README.zh-CN.md',
    'docs/events.schema.json',
    'docs/library-example.mts',
    ...[...Object.keys(schemas)]
      .filter((path) => path.startsWith('schemas/'))
      .map((path) => `docs/${path}`)
      .sort(),
    'jobs/job.schema.json',
    'package.json',
    'samples/clip.png',
    'samples/clip.webm',
  ]);
  const readme = await readFile('README.md', 'utf8');
  const named = [...readme.matchAll(/\]\((docs\/[\w-]+\.md)/g)].map(([, path]) => path);
  expect(pages).toEqual(expect.arrayContaining(named));
});

it('what became part of the program goes along with its licence', async () => {
  const licences = await readFile('dist/LICENSES.txt', 'utf8');
  for (const name of ['yargs', 'zod', 'qr', '@mathjax/src'])
    expect(licences).toMatch(new RegExp(`^${name} \\(.+\\)$`, 'm'));
});

it('what the page of a run is made of goes along with its licences', async () => {
  const licences = await readFile('dist/page/LICENSES.txt', 'utf8');
  expect(licences).toContain('Permission is hereby granted, free of charge');
  expect(licences).toContain('Khan Academy');
  expect(licences).toContain('SIL OPEN FONT LICENSE');
});
