/** What `npm pack` puts into the package, the built program left out: that is looked at where it is built. */

import { execFile } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { schemas } from '../docs/schemas.ts';

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

async function pack(): Promise<{ readonly files: string[]; readonly bytes: number }> {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', args, { shell: process.platform === 'win32' });
  const [{ files, unpackedSize } = { files: [], unpackedSize: 0 }] = Object.values<Packed>(
    JSON.parse(stdout),
  );
  return { files: files.map(({ path }) => path).sort(), bytes: unpackedSize };
}

const packed = await pack();

it('the package holds the program, what it needs, and what its pages name; nothing else', () => {
  const files = packed.files.filter((path) => !path.startsWith('dist/'));
  const isShown = (path: string): boolean => /^(docs\/images|samples|jobs)\/|^docs\/[\w.-]+\.md$/.test(path);
  expect(files.filter((path) => !isShown(path))).toEqual([
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'README.zh-CN.md',
    'SECURITY.md',
    'docs/events.schema.json',
    'docs/library-example.mts',
    ...[...Object.keys(schemas)]
      .filter((path) => path.startsWith('schemas/'))
      .map((path) => `docs/${path}`)
      .sort(),
    'package.json',
  ]);
  for (const page of files.filter((path) => path.endsWith('.md'))) {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    const targets = links.map(([, path = '']) => posix.join(posix.dirname(page), path));
    const missing = targets.filter(
      (target) => !files.some((path) => path === target || path.startsWith(target)),
    );
    expect(missing, page).toEqual([]);
  }
  const [, sample = ''] =
    /npx batch run node_modules\/batch-video\/(\S+) --simulate/.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(files).toContain(sample);
});

interface Locked {
  readonly dependencies?: object;
  readonly optionalDependencies?: object;
}

/** The folders of these packages and of all that they need. */
function withAllNeeded(names: readonly string[], locked: Readonly<Record<string, Locked>>): Set<string> {
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const path = `${from}node_modules/${name}`;
    const entry = locked[path];
    if (entry === undefined && from !== '') add(name, from.slice(0, from.lastIndexOf('node_modules/')));
    if (entry === undefined || found.has(path)) return;
    found.add(path);
    const needed = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
    for (const other of needed) add(other, `${path}/`);
  };
  for (const name of names) add(name, '');
  return found;
}

/** What these packages take on the disk, in MB as `du` counts them. */
function sizeOf(folders: Iterable<string>, locked: Readonly<Record<string, Locked>>): number {
  const linked = new Set<number>();
  const bytes = (path: string): number => {
    const { ino, nlink, blocks } = lstatSync(path);
    if (nlink > 1 && linked.has(ino)) return 0;
    linked.add(ino);
    return blocks * 512;
  };
  const bytesBelow = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = posix.join(folder, entry.name);
      // One in the folder of another is counted by its own name.
      if (locked[path] !== undefined) return sum;
      return sum + bytes(path) + (entry.isDirectory() ? bytesBelow(path) : 0);
    }, 0);
  return [...folders].reduce((sum, folder) => sum + bytesBelow(folder), 0) / 2 ** 20;
}

it.skipIf(`${process.platform} ${process.arch}` !== 'linux x64')(
  'the README and the first steps say how much is installed, roughly, and the number of packages',
  () => {
    const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
    const least = withAllNeeded(Object.keys(dependencies), packages);
    const most = withAllNeeded(Object.keys({ ...dependencies, ...optionalDependencies }), packages);
    const itself = packed.bytes / 2 ** 20;
    const pages = ['README.md', 'docs/first-steps.zh-CN.md'].map((page) => readFileSync(page, 'utf8')).join();
    const told = [
      [/In total (\d+) MB in (\d+) packages/, itself + sizeOf(most, packages), most.size + 1],
      [/(\d+) MB in (\d+) packages with `--omit=optional`/, itself + sizeOf(least, packages), least.size + 1],
      [/batch itself is (\d+) MB/, itself],
      [/what runs \(the (\d+) MB above/, itself + sizeOf(most, packages)],
      [
        /`npm ci` installs (\d+) MB in (\d+) packages/,
        sizeOf(Object.keys(packages), packages),
        Object.keys(packages).length,
      ],
      [/约占 (\d+) MB/, sizeOf(Object.keys(packages), packages)],
    ] as const;
    for (const [pattern, size, count] of told) {
      const [said, megabytes, packagesSaid] = pattern.exec(pages) ?? [];
      expect(Math.abs(Number(megabytes) / size - 1), `${said}: ${size} MB`).toBeLessThan(0.15);
      if (count !== undefined) expect(Number(packagesSaid), said).toBe(count);
    }
  },
);

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
