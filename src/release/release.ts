/**
 * `npm run release`: all that a release consists of, in `release/`, from a commit and from the packages that `package-lock.json` names.
 * It publishes nothing. The same commit gives the same files, with the same versions of Node.js and npm: the list of packages names npm.
 */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../errors.ts';
import { renderByteSize } from '../text/byte-size.ts';
import { type Bill, type Component, packagesIn, shippedBill } from './bill-of-materials.ts';
import { releaseNotes } from './changelog-section.ts';
import { renderChecksums } from './checksums.ts';
import { type Commit, cleanCommit } from './clean-commit.ts';
import { differingPackages, type LockFile, lockedVersion } from './lock-file.ts';
import { makePackage } from './package.ts';
import { type SystemName, systems } from './systems.ts';
import { writeWholeFolder } from './whole-folder.ts';

const project = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { name, version, devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as {
  readonly [field in 'name' | 'version']: string;
} & { readonly [field in 'devDependencies' | 'optionalDependencies']: Readonly<Record<string, string>> };
const lock = JSON.parse(read('package-lock.json')) as LockFile;

function read(path: string): string {
  return readFileSync(join(project, path), 'utf8');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuseOtherPackages(): void {
  const installed = JSON.parse(read('node_modules/.package-lock.json')) as LockFile;
  const [first, ...more] = differingPackages(lock, installed);
  if (first !== undefined)
    throw new Error(`${first} is not as package-lock.json has it, nor ${more.length} others; use npm ci`);
}

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** The same text has the same number, in the form of a UUID that is made of a name. */
function serialNumber(text: string): string {
  const digits = sha256(text);
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `5${digits.slice(13, 16)}`];
  return `urn:uuid:${[...groups, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-')}`;
}

/** Node.js as the packages to unzip have it. */
function nodeComponent(node: string, its: string, integrity: string): Component {
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    'bom-ref': `${node}@${its}`,
    type: 'library',
    name: node,
    version: its,
    purl: `pkg:npm/${node}@${its}`,
    hashes: [{ alg: 'SHA-512', content }],
    licenses: [{ license: { id: 'MIT' } }],
  };
}

function billOf(...options: readonly string[]): Bill {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', ...options];
  return JSON.parse(execFileSync('npm', args, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 28 }));
}

/** After the program was built: its licences say what became part of it. */
function renderBill({ hash, at }: Commit): string {
  const licences = ['dist/LICENSES.txt', 'dist/page/LICENSES.txt'].map(read);
  const parts = [...new Set(licences.flatMap(packagesIn))];
  const asLocked = (part: string): string => `${part}@${lockedVersion(lock, part)}`;
  const bill = shippedBill({
    installed: billOf('--omit=dev'),
    whole: billOf(),
    built: parts.map(asLocked),
    twofold: Object.keys(optionalDependencies)
      .filter((each) => each in devDependencies)
      .map(asLocked),
    runtimes: Object.values(systems).map(({ nodePackage, nodeVersion, integrity }) =>
      nodeComponent(nodePackage, nodeVersion, integrity),
    ),
    name,
    commit: hash,
    at,
  });
  return `${JSON.stringify({ serialNumber: serialNumber(JSON.stringify(bill)), ...bill }, null, 2)}\n`;
}

async function fill(folder: string, commit: Commit, notes: string): Promise<void> {
  const put = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  put('RELEASE-NOTES.md', notes);
  say('== npm pack');
  const args = ['pack', '--silent', '--pack-destination', folder];
  execFileSync('npm', args, { cwd: project, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const system of Object.keys(systems) as SystemName[]) {
    say(`== the package to unzip for ${systems[system].label}`);
    await makePackage(system, folder);
  }
  put(`${name}-${version}.cdx.json`, renderBill(commit));
  const files = readdirSync(folder).map((file) => ({
    name: file,
    sha256: sha256(readFileSync(join(folder, file))),
  }));
  put('SHA256SUMS', renderChecksums(files));
  if (cleanCommit(project).hash !== commit.hash)
    throw new Error('another commit was checked out meanwhile; begin again');
}

/** What is there, and what a person types to publish it. */
function sayWhatIsThere(folder: string, { hash }: Commit, isUnreleased: boolean): void {
  say(`\nrelease/ of ${name} ${version}, from ${hash}:`);
  for (const file of readdirSync(folder).sort())
    say(`  ${file}  ${renderByteSize(statSync(join(folder, file)).size)}`);
  if (isUnreleased)
    say(
      `CHANGELOG.md has no section for ${version}: name "Unreleased" after it, commit, and make this again.`,
    );
  say('\nNothing is published. To publish it:');
  say(`  git tag v${version} ${hash} && git push origin v${version}`);
  say(`  npm publish ./release/${name}-${version}.tgz`);
  say(`  gh release create v${version} --verify-tag --notes-file release/RELEASE-NOTES.md release/*`);
}

async function release(): Promise<void> {
  const commit = cleanCommit(project);
  refuseOtherPackages();
  const { text, isUnreleased } = releaseNotes(read('CHANGELOG.md'), name, version);
  const folder = join(project, 'release');
  await writeWholeFolder(folder, (part) => fill(part, commit, text));
  sayWhatIsThere(folder, commit, isUnreleased);
}

try {
  await release();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
