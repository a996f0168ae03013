import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPinoLog } from '../../src/app/pino-log.ts';
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

it('takes the lines of its last moment along, and none after its end', async () => {
  await using place = await openPlace();
  place.log.info({}, 'the last');
  place.log[Symbol.dispose]();
  place.log.info({}, 'too late');
  expect(await place.said()).toEqual(['the last']);
});
