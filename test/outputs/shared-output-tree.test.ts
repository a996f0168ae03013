import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DiskError } from '../../src/errors.ts';
import { frameTarget, taskFilePath, videoTarget } from '../../src/files/output-paths.ts';
import { openFileOutputTree } from '../../src/outputs/file-output-tree.ts';
import { openFolderDestination } from '../../src/outputs/folder-destination.ts';
import { openSharedOutputTree, type SharedOutputTree } from '../../src/outputs/shared-output-tree.ts';
import type { Destination } from '../../src/ports.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { bytes, leavePart, listFiles, save, sha256 } from './tree.ts';

/** A destination that can be told to refuse, and that counts what is put there. */
class Watched {
  puts: string[] = [];
  /** Thrown by every put; null while it accepts. */
  refusal: Error | null = null;
  /** Awaited by every put before its file is visible. */
  hold: Promise<void> = Promise.resolve();
  readonly destination: Destination;

  constructor(real: Destination) {
    this.destination = {
      ...real,
      put: async (file, path, expected) => {
        await this.hold;
        if (this.refusal !== null) throw this.refusal;
        await real.put(file, path, expected);
        this.puts.push(path);
      },
    };
  }
}

async function openPlace() {
  const folder = await temporaryFolder();
  const out = join(folder.path, 'out');
  const openWorker = async (name: string) => {
    const scratch = join(folder.path, name);
    const watched = new Watched(await openFolderDestination(out, { worker: name, now: Date.now }));
    const tree = await openSharedOutputTree(
      { folder: scratch, tree: await openFileOutputTree(scratch, Date.now) },
      watched.destination,
      Date.now(),
    );
    return { scratch, watched, tree };
  };
  return { out, openWorker, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const target = 'q1/attempt-1/video';
const path = `${target}.mp4`;
const full = new DiskError('the bucket is full');

describe('a file of a run on several machines', () => {
  it('is received in the scratch folder, and is in the outputs once it is whole', async () => {
    await using place = await openPlace();
    const { tree, scratch } = await place.openWorker('worker');
    await using part = await tree.openPart(target);
    await part.restart('"v1"');
    await part.append(bytes('hello '));
    expect(await listFiles(place.out)).toEqual([]);
    expect(await listFiles(scratch)).toEqual([`${target}.part`, `${target}.part.json`]);
    await part.append(bytes('world'));
    expect(Buffer.from(await part.head()).toString()).toBe('hello world');
    const saved = { path, sizeBytes: 11, sha256: sha256('hello world') };
    expect(await part.commit(path)).toEqual(saved);
    expect(await listFiles(place.out)).toEqual([path]);
    expect(await readFile(join(place.out, path), 'utf8')).toBe('hello world');
    expect(await listFiles(scratch)).toEqual([]);
    expect(await tree.inspect(path)).toEqual({ sizeBytes: saved.sizeBytes, sha256: saved.sha256 });
    expect(await tree.saveReceived(target)).toBeNull();
  });

  it('continues where an earlier process of the worker ended', async () => {
    await using place = await openPlace();
    const first = await place.openWorker('worker');
    await leavePart(first.tree, target, 'half', '"v1"');
    const { tree } = await place.openWorker('worker');
    await using part = await tree.openPart(target);
    expect([part.sizeBytes, part.validator]).toEqual([4, '"v1"']);
  });

  it('that is refused stays whole in the scratch folder, and is sent later without a download', async () => {
    await using place = await openPlace();
    const { tree, scratch, watched } = await place.openWorker('worker');
    watched.refusal = full;
    await expect(save(tree, target, 'mp4', 'video')).rejects.toThrow(full);
    expect(await listFiles(place.out)).toEqual([]);
    expect(await listFiles(scratch)).toEqual([path]);
    await expect(tree.saveReceived(target)).rejects.toThrow(full);
    const later = await place.openWorker('worker');
    expect(await later.tree.saveReceived('q1/attempt-1/vid')).toBeNull();
    expect(await later.tree.saveReceived('q1/attempt-2/video')).toBeNull();
    const saved = { path, sizeBytes: 5, sha256: sha256('video') };
    expect(await later.tree.saveReceived(target)).toEqual(saved);
    expect(await readFile(join(place.out, path), 'utf8')).toBe('video');
    expect(await listFiles(scratch)).toEqual([]);
  });

  it('whose sending was confirmed to nobody is not sent again', async () => {
    await using place = await openPlace();
    const { tree, watched } = await place.openWorker('worker');
    watched.refusal = full;
    await expect(save(tree, target, 'mp4', 'video')).rejects.toThrow(full);
    const other = await place.openWorker('other');
    await save(other.tree, target, 'mp4', 'video');
    watched.refusal = null;
    expect(await tree.saveReceived(target)).toMatchObject({ path, sha256: sha256('video') });
    expect(watched.puts).toEqual([]);
  });

  it('never has an old attempt: each has its folder, and a late one replaces nothing', async () => {
    await using place = await openPlace();
    const [old, now] = [await place.openWorker('old'), await place.openWorker('now')];
    for (let round = 0; round < 20; round++) {
      const items = [1, 2].map((attempt) => ({ folder: `q${round}`, attempt }));
      const saveAll = async (tree: SharedOutputTree, at: 0 | 1): Promise<void> => {
        const item = items[at] ?? { folder: '', attempt: 0 };
        await save(tree, videoTarget(item, tree.layout), 'mp4', `video of ${at}`);
        await save(tree, frameTarget(item, 1, tree.layout), 'png', `frame of ${at}`);
        await tree.writeWhole(taskFilePath(item, tree.layout), `task of ${at}`);
      };
      const held = Promise.withResolvers<void>();
      old.watched.hold = held.promise;
      const late = saveAll(old.tree, 0);
      expect(await now.tree.foreignFile(`q${round}`)).toBeNull();
      expect(await now.tree.setAside(`q${round}`, 1)).toBeNull();
      await now.tree.clearAside(`q${round}`);
      await saveAll(now.tree, 1);
      held.resolve();
      await late;
      const readNow = (name: string): Promise<string> =>
        readFile(join(place.out, `q${round}/attempt-2`, name), 'utf8');
      expect(await readNow('video.mp4')).toBe('video of 1');
      expect(await readNow('frames/001.png')).toBe('frame of 1');
      expect(await readNow('task.json')).toBe('task of 1');
    }
  });
});

describe('a text of a run on several machines', () => {
  it('is there as it was written last', async () => {
    await using place = await openPlace();
    const { tree, scratch, watched } = await place.openWorker('worker');
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    await Promise.all(texts.map((text) => tree.writeWhole('q1/attempt-1/task.json', text)));
    expect(await readFile(join(place.out, 'q1/attempt-1/task.json'), 'utf8')).toBe('text 19');
    expect(watched.puts).toHaveLength(20);
    expect(await listFiles(scratch)).toEqual([]);
  });

  it('is replaced whole, or not at all: reports too', async () => {
    await using place = await openPlace();
    const { tree, watched } = await place.openWorker('worker');
    const write = async (text: string): Promise<void> => {
      await using report = await tree.createReport('report.csv');
      for (const letter of text) await report.write(letter);
      await report.commit();
    };
    await write('one');
    await (await tree.createReport('report.csv'))[Symbol.asyncDispose]();
    watched.refusal = full;
    await expect(write('two')).rejects.toThrow(full);
    expect(await readFile(join(place.out, 'report.csv'), 'utf8')).toBe('one');
    watched.refusal = null;
    await write('three');
    expect(await readFile(join(place.out, 'report.csv'), 'utf8')).toBe('three');
    expect(await listFiles(place.out)).toEqual(['report.csv']);
  });
});

describe('a worker that starts again', () => {
  it('clears what it has sent and old parts, and keeps what the outputs lack', async () => {
    await using place = await openPlace();
    const first = await place.openWorker('worker');
    await save(first.tree, 'q1/attempt-1/video', 'mp4', 'sent');
    const left = async (name: string, text: string): Promise<string> => {
      const file = join(first.scratch, name);
      await mkdir(join(file, '..'), { recursive: true });
      await writeFile(file, text);
      return file;
    };
    await left('q1/attempt-1/video.mp4', 'sent');
    await left('q2/attempt-1/video.mp4', 'not sent');
    await left('q2/attempt-1/task.json', 'is written anew');
    await left('q3/attempt-1/video.part', 'half');
    await left('report.csv', 'is written anew');
    const old = await left('q4/attempt-1/video.part', 'half');
    await utimes(old, new Date(0), new Date(0));
    const { tree, scratch } = await place.openWorker('worker');
    expect(await listFiles(scratch)).toEqual(['q2/attempt-1/video.mp4', 'q3/attempt-1/video.part']);
    expect(await tree.saveReceived('q2/attempt-1/video')).toMatchObject({ sizeBytes: 8 });
  });
});
