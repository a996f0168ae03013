import { statSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LogFile, openPinoLog } from '../../src/app/pino-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const redact = (text: string): string => text.replaceAll('hush', '[secret]');

async function openPlace() {
  const folder = await temporaryFolder();
  const path = join(folder.path, 'batch.log');
  return {
    log: openPinoLog(path, redact),
    /** What the lines say that are in the file. */
    async said(): Promise<unknown[]> {
      const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
      return lines.map((line) => (JSON.parse(line) as { msg: unknown }).msg);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

it('has all lines in their order, without secrets, before anything else happens', async () => {
  await using place = await openPlace();
  place.log.info({}, 'one');
  place.log.warn({}, 'two hush');
  place.log.info({}, 'three');
  expect(await place.said()).toEqual(['one', 'two [secret]', 'three']);
  place.log[Symbol.dispose]();
});

it('and its older half can be read by their user alone where nobody else can write', async () => {
  await using folder = await temporaryFolder();
  for (const [mode, own] of [
    [0o755, 0o600],
    [0o777, 0o666],
  ] as const) {
    await chmod(folder.path, mode);
    const log = new LogFile(join(folder.path, 'batch.log'), 8);
    for (const line of ['one\n', 'two\n']) log.write(line);
    log[Symbol.dispose]();
    for (const name of ['batch.log', 'batch.log.1']) {
      expect(statSync(join(folder.path, name)).mode & 0o777).toBe(own & ~process.umask());
      await rm(join(folder.path, name));
    }
  }
});

it('takes the lines of its last moment along, and none after its end', async () => {
  await using place = await openPlace();
  place.log.info({}, 'the last');
  place.log[Symbol.dispose]();
  place.log.info({}, 'too late');
  expect(await place.said()).toEqual(['the last']);
});

it('turns its page at half of its size, and loses no line on the way, also where two processes write', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'batch.log');
  const [one, other] = [new LogFile(path, 200), new LogFile(path, 200)];
  const lines = Array.from({ length: 14 }, (_, at) => `line ${String(at).padStart(4, '0')}\n`);
  for (const [at, line] of lines.entries()) (at % 2 === 0 ? one : other).write(line);
  const read = async (name: string): Promise<string> => readFile(join(folder.path, name), 'utf8');
  const all = (await read('batch.log.1')) + (await read('batch.log'));
  expect(all.split('\n').filter(Boolean).toSorted()).toEqual(lines.map((line) => line.trim()));
  for (let at = 0; at < 200; at++) one.write(`more ${at}\n`);
  expect((await readdir(folder.path)).toSorted()).toEqual(['batch.log', 'batch.log.1']);
  expect((await read('batch.log')).length + (await read('batch.log.1')).length).toBeLessThanOrEqual(200);
  expect(await read('batch.log')).toMatch(/^(?:more \d+\n)+$/);
  one[Symbol.dispose]();
  one.write('too late\n');
  other[Symbol.dispose]();
  expect(await read('batch.log')).toMatch(/more 199\n$/);
});

it('goes on in its place where the older half cannot be replaced', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'batch.log');
  await mkdir(`${path}.1/x`, { recursive: true });
  using log = new LogFile(path, 20);
  for (let at = 0; at < 5; at++) log.write(`line ${at}\n`);
  expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(6);
});
