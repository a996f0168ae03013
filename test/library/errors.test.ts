import { spawn } from 'node:child_process';
import { getEventListeners, once } from 'node:events';
import { cpSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  BatchError,
  collectBatch,
  InputError,
  type RunOptions,
  resumeBatch,
  runBatch,
  UsageError,
} from '../../src/index.ts';
import { apiKey } from '../cli/support/scripted-service.ts';
import { openLibraryStage, readAll } from './stage.ts';

const holder = new URL('../stores/sqlite/hold-folder.ts', import.meta.url).pathname;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('an invalid option', () => {
  it.for([
    [{ concurrency: 0 }, 'concurrency: use a whole number of at least 1, such as 10'],
    [{ pollInterval: 30 }, "pollInterval: use a time with its unit, such as '30s' or '500ms'"],
    [{ duration: '1' }, "duration: use a time with its unit, such as '30s' or '500ms'"],
    [{ signal: {} }, 'signal: use the signal of an AbortController'],
    [{ signal: null }, 'signal: use the signal of an AbortController'],
    [{ apiKey: 5 }, 'apiKey: use the key as text'],
    [{ maxPoint: 5 }, 'maxPoint is not an option; did you mean maxPoints?'],
    [{ 'max-points': 5 }, 'max-points is not an option; did you mean maxPoints?'],
    [{ yes: true }, 'yes is not an option'],
    [{ only: 'a' }, 'only: use a list of ids'],
    [{ only: ['nobody'] }, 'no row has the id nobody'],
    [{ baseUrl: 'ftp://video.example' }, 'baseUrl: "ftp://video.example" is not valid'],
    [{ input: undefined }, 'input: use the path of an Excel, CSV, JSONL or Parquet file'],
    [{ input: 'nowhere.csv' }, 'nowhere.csv does not exist'],
    [{ apiKey: '' }, 'the API key is empty'],
    [{ baseUrl: undefined }, 'no service address'],
    [{ apiKey: undefined }, 'no API key'],
    [{ baseUrl: undefined, apiKey: undefined }, 'no service address and no API key; give --base-url URL'],
  ] as const)('is told by its name: %j', async ([wrong, message]) => {
    await using stage = await openLibraryStage();
    const failure = await runBatch({ ...stage.options, ...(wrong as object) }).summary.catch(
      (error) => error,
    );
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({ code: 'USAGE', exitCode: 2, message: expect.stringContaining(message) });
    expect(stage.service.events).toEqual([]);
  });
});

it('a folder that was copied is refused, unless the program says that the other one is run no more', async () => {
  await using stage = await openLibraryStage();
  await runBatch({ ...stage.options, limit: 1 }).summary;
  const out = `${stage.options.out}-copy`;
  cpSync(stage.options.out, out, { recursive: true });
  const { input: _, ...options } = { ...stage.options, out };
  await expect(resumeBatch(options).summary).rejects.toThrow(/is a copy of .*use moved: true/);
  expect(stage.service.creations).toHaveLength(1);
  await expect(collectBatch(options).summary).resolves.toMatchObject({ exitCode: 4 });
  await expect(resumeBatch({ ...options, moved: true }).summary).resolves.toMatchObject({ exitCode: 0 });
});

it.for([undefined, null, 'questions.csv'])(
  'options that are %j are refused like a wrong option',
  async (wrong) => {
    for (const start of [runBatch, resumeBatch, collectBatch]) {
      const run = start(wrong as unknown as RunOptions);
      await expect(run.summary).rejects.toThrow('the options must be an object');
      await expect(run.summary).rejects.toBeInstanceOf(UsageError);
    }
  },
);

describe('a failure', () => {
  it('before the loop is entered waits for it', async () => {
    await using stage = await openLibraryStage();
    const run = runBatch({ ...stage.options, concurrency: 0 });
    // A rejection that nobody hears of within a turn of the loop would end the program.
    await new Promise((resolve) => setImmediate(resolve));
    await expect(readAll(run)).rejects.toThrow('concurrency');
    await expect(run.summary).rejects.toThrow('concurrency');
  });

  it('is thrown to who leaves before the first event', async () => {
    await using stage = await openLibraryStage();
    const reader = runBatch({ ...stage.options, concurrency: 0 })[Symbol.asyncIterator]();
    await expect(reader.return?.()).rejects.toThrow('concurrency');
  });

  it('is thrown from the loop, and from the promise', async () => {
    await using stage = await openLibraryStage();
    const input = await stage.write('twice.csv', 'id,question\na,One\na,Two\n');
    const run = runBatch({ ...stage.options, input });
    await expect(readAll(run)).rejects.toThrow(InputError);
    await expect(run.summary).rejects.toMatchObject({
      code: 'INPUT',
      problems: [
        { line: 3, message: expect.stringContaining('"a"') },
        { line: null, message: expect.stringContaining('--map id=none') },
      ],
    });
  });

  it('says that another process, or another run of this one, holds the folder', async () => {
    await using stage = await openLibraryStage();
    const { out } = stage.options;
    mkdirSync(out);
    const other = spawn(process.execPath, [holder, out], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(other.stdout, 'data');
    await expect(runBatch(stage.options).summary).rejects.toMatchObject({ code: 'HELD', exitCode: 6 });
    other.stdin.end();
    await once(other, 'close');
    const reader = runBatch(stage.options)[Symbol.asyncIterator]();
    await reader.next();
    await expect(runBatch(stage.options).summary).rejects.toMatchObject({ code: 'HELD' });
    await reader.return?.();
    expect(await runBatch(stage.options).summary).toMatchObject({ exitCode: 0 });
  });

  it('says that there is nothing to go on with', async () => {
    await using stage = await openLibraryStage();
    const { input: _, ...options } = stage.options;
    await expect(resumeBatch(options).summary).rejects.toThrow('there is no run in');
    await expect(resumeBatch(options).summary).rejects.toBeInstanceOf(BatchError);
  });
});

describe('the key', () => {
  it('that a program gives wins over the environment, and is in no file', async () => {
    await using stage = await openLibraryStage();
    vi.stubEnv('BATCH_API_KEY', 'sk-of-somebody-else');
    expect(await runBatch(stage.options).summary).toMatchObject({ exitCode: 0 });
    const files = globSync('**/*', { cwd: stage.folder, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const holding = files.filter((entry) =>
      readFileSync(join(entry.parentPath, entry.name)).includes(apiKey),
    );
    expect(files.length).toBeGreaterThan(8);
    expect(holding).toEqual([]);
  });

  it('and the address can come from the environment', async () => {
    await using stage = await openLibraryStage();
    const { baseUrl, apiKey: key, ...options } = stage.options;
    vi.stubEnv('BATCH_BASE_URL', baseUrl);
    vi.stubEnv('BATCH_API_KEY', key);
    expect(await runBatch(options).summary).toMatchObject({ exitCode: 0 });
  });
});

it('a run lets go of the signal that it was given', async () => {
  await using stage = await openLibraryStage();
  const { signal } = new AbortController();
  await runBatch({ ...stage.options, signal }).summary;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
