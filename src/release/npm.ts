/** What is asked of npm: the project as a package, Node.js of another system, and everything that the program needs there. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { System } from './systems.ts';

/** `npm` is a `.cmd` on Windows, which only its shell starts. */
const shell = process.platform === 'win32';

async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', [...args], { cwd, shell, maxBuffer: 1 << 28 });
  return stdout;
}

/** Packs the project as it is built, or a package of the registry; the path of the tarball in `into`. */
export async function packInto(into: string, cwd: string, name: string[] = []): Promise<string> {
  const file = await npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', into, ...name], cwd);
  return join(into, file.trim());
}

/** The tarball of Node.js; one with other bytes than those that were looked at is refused. */
export async function fetchNode(system: System, into: string): Promise<string> {
  const { nodePackage, nodeVersion, integrity } = system;
  const path = await packInto(into, into, [`${nodePackage}@${nodeVersion}`]);
  const found = `sha512-${createHash('sha512')
    .update(await readFile(path))
    .digest('base64')}`;
  if (found !== integrity) throw new Error(`${nodePackage}@${nodeVersion} is ${found}, not ${integrity}`);
  return path;
}

/** Installs what the lock in this folder names, for another system: nothing of it is run here. */
export async function installFor({ platform, arch }: System, folder: string): Promise<void> {
  const target = [`--os=${platform}`, `--cpu=${arch}`, ...(platform === 'linux' ? ['--libc=glibc'] : [])];
  await npm(['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...target], folder);
}
