import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openFolderDestination } from '../../src/outputs/folder-destination.ts';
import { digestOf, listAll, noise } from '../support/destination-contract.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const length = 100 * 2 ** 20;

it('a process killed while it copies leaves the old file whole, and a start of its worker removes the rest', async () => {
  await using folder = await temporaryFolder();
  const out = join(folder.path, 'out');
  const parent = join(out, 'q1/attempt-1');
  const path = 'q1/attempt-1/video.mp4';
  await mkdir(parent, { recursive: true });
  const file = join(folder.path, 'file');
  const [old, bytes] = [noise(1_000, 9), noise(length)];
  await writeFile(file, bytes);
  const destination = await openFolderDestination(out, { worker: 'sender', now: Date.now });
  const script = join(import.meta.dirname, 'folder-sender.ts');
  for (let round = 0; round < 10; round++) {
    await writeFile(join(parent, 'video.mp4'), old);
    const changes = watch(parent);
    const sender = spawn(process.execPath, [script, out, file, path], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const ended = once(sender, 'exit');
    // The first change is its temporary file; the later ones are its bytes.
    for (let seen = 0; seen <= round; seen++) await Promise.race([once(changes, 'change'), ended]);
    sender.kill('SIGKILL');
    await ended;
    changes.close();
    expect(await listAll(destination)).toEqual([path]);
    expect([digestOf(old), digestOf(bytes)]).toContainEqual(await destination.inspect(path));
    await destination.clearUnfinished(path);
    expect(await readdir(parent)).toEqual(['video.mp4']);
  }
});
