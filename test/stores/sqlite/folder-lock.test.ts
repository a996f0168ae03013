import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { HeldError } from '../../../src/errors.ts';
import { lockFolder } from '../../../src/stores/sqlite/folder-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A process that has tried to lock the folder, and the result. */
interface Contender extends AsyncDisposable {
  readonly outcome: string;
  kill(): Promise<void>;
}

async function contend(folder: string): Promise<Contender> {
  const script = new URL('./hold-folder.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, [script, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  if (child.stdout === null) throw new Error('the process has no output');
  const [outcome] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { outcome, kill, [Symbol.asyncDispose]: kill };
}

it('lets one of several processes hold a folder, and is free at once when that one is killed', async () => {
  await using folder = await temporaryFolder();
  for (let round = 1; round <= 3; round++) {
    await using contenders = new AsyncDisposableStack();
    const started = await Promise.all([1, 2, 3].map(() => contend(folder.path)));
    for (const contender of started) contenders.use(contender);
    expect(started.map((contender) => contender.outcome).sort(), `round ${round}`).toEqual([
      'HELD',
      'HELD',
      'held',
    ]);
    await started.find((contender) => contender.outcome === 'held')?.kill();
    lockFolder(folder.path)[Symbol.dispose]();
  }
});

it('says which folder is held', async () => {
  await using folder = await temporaryFolder();
  using _held = lockFolder(folder.path);
  expect(() => lockFolder(folder.path)).toThrow(HeldError);
  expect(() => lockFolder(folder.path)).toThrow(
    `${folder.path} is in use by another batch process; wait for it or stop it`,
  );
});

it('is free again once it is let go', async () => {
  await using folder = await temporaryFolder();
  lockFolder(folder.path)[Symbol.dispose]();
  expect(() => lockFolder(folder.path)[Symbol.dispose]()).not.toThrow();
});

it('holds one folder and no other', async () => {
  await using one = await temporaryFolder();
  await using other = await temporaryFolder();
  using _held = lockFolder(one.path);
  expect(() => lockFolder(other.path)[Symbol.dispose]()).not.toThrow();
});
