import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createHookCommand } from '../../../src/app/hooks/hook-process.ts';
import type { HookInput } from '../../../src/ports.ts';

const env = { PATH: process.env.PATH ?? '' };
const forever = new AbortController().signal;

/** Runs a script of Node, or a program with its words. */
async function call(
  line: string | readonly string[],
  more: Partial<HookInput> & { timeoutMs?: number } = {},
) {
  const { timeoutMs = 60_000, ...input } = more;
  const words = typeof line === 'string' ? [process.execPath, '-e', line] : line;
  const command = createHookCommand({ words, timeoutMs });
  return command.run({ input: '', env, ...input }, forever);
}

/** True while a process with this number lives. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(5);
}

describe.concurrent('a command of the user', () => {
  it('has its input and its environment, and nothing else', async () => {
    const script = 'console.log(process.env.BATCH_ROW_ID, require("fs").readFileSync(0, "utf8"))';
    const ended = await call(script, { input: '{"id":"q"}\n', env: { ...env, BATCH_ROW_ID: 'q' } });
    expect(ended).toEqual({ failure: null, output: 'q {"id":"q"}\n\n', outputBytes: 14 });
  });

  it('is read by a shell only where that is the program', async () => {
    expect(await call(['echo', '$HOME;', 'exit 3'])).toMatchObject({ output: '$HOME; exit 3\n' });
    const shell = await call(['sh', '-c', 'echo "$BATCH_ROW_ID" | tr a b; exit 3'], {
      env: { ...env, BATCH_ROW_ID: 'a;`a`' },
    });
    expect(shell).toMatchObject({ failure: 'exit code 3', output: 'b;`b`\n' });
  });

  it.each([
    ['process.exit(3)', 'exit code 3'],
    ['process.kill(process.pid, "SIGTERM")', 'ended by SIGTERM'],
  ])('that fails says how: %s', async (script, failure) => {
    expect(await call(script)).toMatchObject({ failure });
  });

  it('that is not there says so', async () => {
    const ended = await call(['no-such-program-anywhere']);
    expect(ended.failure).toBe('ENOENT: there is no such program');
  });

  it('need not read its input', async () => {
    expect((await call('process.exit(0)', { input: 'x'.repeat(4_000_000) })).failure).toBeNull();
  });

  it('is ended at its deadline with all that it started, whatever it does about it', async () => {
    const child = '"process.on(\\"SIGTERM\\", () => {}); setInterval(() => {}, 1000)"';
    const script = `process.on("SIGTERM", () => {});
      const child = require("child_process").spawn(process.execPath, ["-e", ${child}], { stdio: "inherit" });
      console.log(process.pid, child.pid); setInterval(() => {}, 1000)`;
    const { failure, output } = await call(script, { timeoutMs: 2_000 });
    expect(failure).toBe('no end within 2 s');
    expect(output).toMatch(/^\d+ \d+/);
    for (const pid of output.split(' ').map(Number)) await untilGone(pid);
  });

  it('leaves nothing behind when it ends by itself', async () => {
    const script = `const child = require("child_process").spawn("sleep", ["600"], { stdio: "inherit" });
      console.log(child.pid); child.unref()`;
    const { failure, output } = await call(script);
    expect(failure).toBeNull();
    await untilGone(Number(output));
  });

  it('is ended when the run stops', async () => {
    const stop = new AbortController();
    const command = createHookCommand({ words: ['sleep', '600'], timeoutMs: 60_000 });
    const ended = command.run({ input: '', env }, stop.signal);
    stop.abort();
    expect(await ended).toMatchObject({ failure: 'the run was stopped' });
  });

  it('that prints much is cut, and one that prints without end is ended', async () => {
    const much = await call('process.stdout.write("a" + " x".repeat(50_000) + "z")');
    expect(much).toMatchObject({ failure: null, outputBytes: 100_002 });
    expect(much.output).toMatch(/^a( x){1023} \n…\n( x){1023}z$/);
    const torn = await call('process.stdout.write("k".repeat(20) + " " + "secret".repeat(1_000) + " z")');
    expect(torn.output.length).toBeLessThan(2 * (2_048 - 1_000));
    const endless = await call(['yes']);
    expect(endless).toMatchObject({ failure: 'it printed more than 16 MB' });
  });
});
