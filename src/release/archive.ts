/** Archives of a folder: the same files make the same bytes, whenever and wherever. */

import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { ZipFile } from 'yazl';

export interface ArchivedFile {
  /** With `/`. */
  readonly name: string;
  /** Where its bytes are. */
  readonly content: string | Buffer;
  readonly isProgram?: boolean;
}

const sorted = (files: readonly ArchivedFile[]): readonly ArchivedFile[] =>
  files.toSorted((one, other) => (one.name < other.name ? -1 : 1));

const modeOf = ({ isProgram }: ArchivedFile): number => (isProgram === true ? 0o755 : 0o644);

const bytesOf = async ({ content }: ArchivedFile): Promise<Buffer> =>
  typeof content === 'string' ? await readFile(content) : content;

/** The first day that both formats have. The ZIP has the time of a wall clock, of no zone. */
const wallClock = new Date(1980, 0, 1);
const utc = new Date(Date.UTC(1980, 0, 1));

export async function writeZip(path: string, files: readonly ArchivedFile[]): Promise<void> {
  const archive = new ZipFile();
  for (const file of sorted(files))
    archive.addBuffer(await bytesOf(file), file.name, {
      mtime: wallClock,
      forceDosTimestamp: true,
      mode: 0o100000 | modeOf(file),
      compressionLevel: 9,
    });
  archive.end();
  await pipeline(archive.outputStream, createWriteStream(path));
}

export async function writeTarGz(path: string, files: readonly ArchivedFile[]): Promise<void> {
  const archive = pack();
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(path));
  for (const file of sorted(files)) {
    const bytes = await bytesOf(file);
    await new Promise<void>((resolve, reject) => {
      archive.entry({ name: file.name, mode: modeOf(file), mtime: utc }, bytes, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }
  archive.finalize();
  await written;
}

/** The files of a package of npm, by their paths in it; only those that are `wanted`. */
export async function readPackage(
  path: string,
  wanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const entries = extract();
  const read = pipeline(createReadStream(path), createGunzip(), entries);
  for await (const entry of entries) {
    const name = entry.header.name.replace(/^[^/]+\//, '');
    if (entry.header.type !== 'file' || !wanted(name)) entry.resume();
    else files.set(name, await buffer(entry));
  }
  await read;
  return files;
}
