import {
  appendFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInvocation } from '../../src/app/options/settings.ts';
import { UsageError } from '../../src/errors.ts';
import { openInput } from '../../src/features/import/input-bytes.ts';
import { startRun } from '../../src/features/run/start-run.ts';
import { localImages } from '../../src/outputs/pictures/local-images.ts';
import { apiKey, picture } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What may happen to a file while it is read; null leaves it alone. */
const changes: Readonly<Record<string, ((path: string) => void) | null>> = {
  nothing: null,
  'rows are appended': (path) => appendFileSync(path, 'z,Last\n'),
  'it is cut': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'it is emptied and written anew, as long as it was': (path) =>
    writeFileSync(path, 'x'.repeat(statSync(path).size || 1)),
  'another one takes its place by renaming': (path) => {
    writeFileSync(`${path}.new`, 'y'.repeat(statSync(path).size || 1));
    renameSync(`${path}.new`, path);
  },
  'it goes': (path) => rmSync(path),
  'it is put back in time': (path) => utimesSync(path, 1_000_000, 1_000_000),
};

describe('a file that changes while it is read', () => {
  it('is read as it stood, or not at all, whatever happens to it and whenever', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'q.csv');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(changes)),
        fc.nat(4),
        fc.integer({ min: 1, max: 300_000 }),
        async (name, chunk, size) => {
          const whole = 'q'.repeat(size);
          writeFileSync(path, whole);
          // A clock that ticks slowly would give the file and what happens to it the same time.
          utimesSync(path, 2_000_000, 2_000_000);
          const change = changes[name] ?? null;
          let text = '';
          let isChanged = false;
          const read = async (): Promise<void> => {
            const { bytes, refuseChanged } = openInput(path, { resume: null });
            const chunks = bytes[Symbol.asyncIterator]();
            for (let at = 0; ; at++) {
              if (at === chunk && change !== null) {
                isChanged = true;
                change(path);
              }
              const next = await chunks.next();
              if (next.done === true) break;
              text += Buffer.from(next.value).toString();
            }
            if (change !== null && !isChanged) {
              isChanged = true;
              change(path);
            }
            refuseChanged();
          };
          if (change === null) {
            await read();
            expect(text === whole).toBe(true);
          } else {
            await expect(read()).rejects.toThrow(UsageError);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it.for([
    ['in the middle of a line, just written', 'id,question\na,Half of a quest', 0, 1],
    ['in the middle of a line, UTF-16', '\ufeffid,question\na,Half of a quest', 0, 1, 'utf16le'],
    ['in the middle of a line, written by a clock that is ahead', 'id,question\na,Half', 1_000, 1],
    ['in the middle of a line, written long ago', 'id,question\na,One', -3_000, 0],
    ['in the middle of a line, written tomorrow', 'id,question\na,One', 100_000_000, 0],
    ['with a line, just written', 'id,question\r\na,One\r\n', 0, 0],
    ['with a line, UTF-16', '\ufeffid,question\na,One\n', 0, 0, 'utf16le'],
  ] as const)('is looked at once more where it ends %s: its writer may only pause', async (given) => {
    const [, text, writtenMs, waits, encoding = 'utf8'] = given;
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'q.csv');
    const now = 1_700_000_000_000;
    const read = async (meanwhile: () => void): Promise<number[]> => {
      writeFileSync(path, text, encoding);
      utimesSync(path, (now + writtenMs) / 1_000, (now + writtenMs) / 1_000);
      const waited: number[] = [];
      const wait = async (ms: number): Promise<void> => {
        waited.push(ms);
        meanwhile();
      };
      for await (const _ of openInput(path, { resume: null }, { now: () => now, steady: () => now, wait })
        .bytes);
      return waited;
    };
    const waited = await read(() => {});
    expect(waited).toEqual(waits === 0 ? [] : [2_000 + writtenMs]);
    const goesOn = read(() => appendFileSync(path, 'ion\n'));
    if (waits === 0) await goesOn;
    else await expect(goesOn).rejects.toThrow('changed while it was read');
  });

  it('is refused by the program while somebody writes into it, and nothing is taken over', async () => {
    await using stage = await openStage();
    const rows = Array.from({ length: 20_000 }, (_, at) => `q-${at}`);
    await stage.write('q.csv', questions(...rows));
    const program = stage.start(runLine('q.csv'));
    let isOver = false;
    const ended = program.ended.finally(() => {
      isOver = true;
    });
    await program.said(/Reading q\.csv/);
    while (!isOver) {
      appendFileSync(join(stage.folder, 'q.csv'), 'next,"Half of a quest');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const { code, stderr } = await ended;
    expect(code).toBe(2);
    expect(stderr).toBe(
      'Reading q.csv\nbatch: q.csv changed while it was read; wait until it is complete, ' +
        'then run the same command again; nothing was imported\n',
    );
    expect(stage.service.events).toEqual([]);
    expect(await stage.list('.')).toEqual(['q.csv']);
  });

  it('is refused after the plan was agreed to, where it changed in front of the question', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    const input = join(stage.folder, 'q.csv');
    const out = join(stage.folder, 'videos');
    const invocation = readInvocation({ out, 'base-url': stage.service.url }, { apiKey, dotEnv: false });
    const start = startRun({
      input,
      invocation,
      agree: async () => {
        await stage.write('q.csv', questions('a', 'b', 'c'));
        return true;
      },
      askPlace: () => async () => true,
      session: async () => 'carried out',
    });
    await expect(start).rejects.toThrow(/changed while it was read/);
    expect(await stage.list('.')).toEqual(['q.csv']);
  });

  it('is refused on standard input too, where that is a file', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions(...Array.from({ length: 20_000 }, (_, at) => `q-${at}`)));
    const path = join(stage.folder, 'q.csv');
    const program = stage.start(runLine('-'), { stdinFile: path });
    let isOver = false;
    const ended = program.ended.finally(() => {
      isOver = true;
    });
    await program.said(/Reading standard input/);
    while (!isOver) {
      appendFileSync(path, 'next,Half of a quest');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('batch: standard input changed while it was read'),
    });
    expect(stage.service.events).toEqual([]);
  });
});

describe('a picture that changes while it is read', () => {
  it('is not sent', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'a.png');
    // Large enough to be read in many turns of the event loop, and so changed in most of them.
    const bytes = Buffer.concat([picture, Buffer.alloc(20_000_000)]);
    for (const [name, change] of Object.entries(changes)) {
      if (name === 'it goes') continue;
      writeFileSync(path, bytes);
      let isOver = false;
      const reading = localImages.read(path).finally(() => {
        isOver = true;
      });
      reading.catch(() => {});
      while (change !== null && !isOver) {
        change(path);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (change === null) expect(Buffer.compare(await reading, bytes)).toBe(0);
      // Its length alone: twenty million bytes in the message of a test that fails would end the test instead.
      else
        await expect(
          reading.then(({ length }) => length),
          name,
        ).rejects.toThrow(`${path} changed while it was read`);
    }
  });
});
