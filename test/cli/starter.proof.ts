/** What becomes of a run whose starter ends: npx that is killed, npx whose terminal closes, a shell. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cleanEnvironment } from './support/program.ts';
import { apiKey, inProgress } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** A working folder in which `npx batch` is this program, with a service whose tasks stay open. */
async function openCheckout(): Promise<Stage> {
  const stage = await openStage({ status: inProgress });
  await stage.write('q.csv', questions('a', 'b'));
  await stage.write('node_modules/.bin/batch', `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
  await chmod(join(stage.folder, 'node_modules/.bin/batch'), 0o755);
  return stage;
}

/** A command in a group of its own, as a shell starts one; `log` hears what all its processes say. */
function startIn(stage: Stage, [command = '', ...args]: readonly string[], log: FileHandle) {
  const child = spawn(command, args, {
    cwd: stage.folder,
    env: {
      ...cleanEnvironment(),
      BATCH_BASE_URL: stage.service.url,
      BATCH_API_KEY: apiKey,
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  const exited = once(child, 'exit');
  const killGroup = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // Nothing is left of it.
    }
  };
  return {
    exited,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    killGroup,
    [Symbol.dispose]: () => killGroup('SIGKILL'),
  };
}

const npx = ['npx', 'batch', ...runLine('q.csv', '-j', '1')];

async function firstIsOpen({ service }: Stage): Promise<void> {
  await service.until(({ events }) => events.includes('status Question a'));
}

/** The service is asked so often that the run has looked at its starter several times meanwhile. */
async function goesOn({ service }: Stage): Promise<void> {
  const asked = service.events.length;
  await service.until(({ events }) => events.length >= asked + 40);
}

/** The process notes itself in the folder until it ends in good order. */
async function ended(stage: Stage): Promise<void> {
  while (existsSync(join(stage.folder, 'videos/batch.pid'))) await pause(50);
}

describe.concurrent('a run that npx started', () => {
  it.for(['SIGTERM', 'SIGKILL'] as const)('stops in good order where npx ends by %s', async (signal) => {
    await using stage = await openCheckout();
    await using log = await open(join(stage.folder, 'log'), 'w');
    using starter = startIn(stage, npx, log);
    await firstIsOpen(stage);
    starter.kill(signal);
    await starter.exited;
    await ended(stage);
    expect(await stage.statuses()).toEqual({ a: 'open', b: 'pending' });
    const said = await stage.read('log');
    expect(said).toMatch(/npx, or the npm .* is gone[\s\S]*Stopping: [\s\S]*Terminated[\s\S]*batch collect/);
  });

  it('goes on under nohup where the terminal closes, which ends npx', async () => {
    await using stage = await openCheckout();
    await using log = await open(join(stage.folder, 'log'), 'w');
    using starter = startIn(stage, ['nohup', ...npx], log);
    await firstIsOpen(stage);
    starter.killGroup('SIGHUP');
    await starter.exited;
    await goesOn(stage);
    stage.service.follow({});
    await ended(stage);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });

  it('goes on where the shell ends that started npx', async () => {
    await using stage = await openCheckout();
    await using log = await open(join(stage.folder, 'log'), 'w');
    using starter = startIn(stage, ['sh', '-c', '"$@" &', 'sh', ...npx], log);
    await starter.exited;
    await firstIsOpen(stage);
    await goesOn(stage);
    stage.service.follow({});
    await ended(stage);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });
});

it('a run that no npm started goes on where its parent ends', async () => {
  await using stage = await openCheckout();
  await using log = await open(join(stage.folder, 'log'), 'w');
  const line = ['sh', '-c', '"$@" & wait', 'sh', process.execPath, cli, ...runLine('q.csv', '-j', '1')];
  using starter = startIn(stage, line, log);
  await firstIsOpen(stage);
  starter.kill('SIGKILL');
  await starter.exited;
  await goesOn(stage);
  stage.service.follow({});
  await ended(stage);
  expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
});
