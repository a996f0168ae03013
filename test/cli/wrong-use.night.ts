import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ending } from './support/program.ts';
import { openStage, questions, runLine } from './support/stage.ts';

/** Wrong use is one line, never a stack. */
function expectOneLine(ending: Ending, parts: readonly string[]): void {
  expect(ending).toMatchObject({ code: 2, stdout: '' });
  expect(ending.stderr.trimEnd().split('\n')).toHaveLength(1);
  for (const part of parts) expect(ending.stderr).toContain(part);
}

/** A line of wrong use, and what has to stand in the answer. */
type Wrong = readonly [line: readonly string[], ...says: readonly string[]];

const wrongLines: readonly Wrong[] = [
  [[], 'no command was given', '`batch --help`'],
  [['rum', 'q.csv'], '"rum"', 'did you mean run?'],
  [['run'], 'no input', '`batch run FILE`'],
  [['run', 'q.csv', 'more.csv'], '"more.csv"'],
  [['run', 'none.csv'], 'none.csv does not exist'],
  [['run', '.'], '. is a folder', 'use an Excel, CSV or JSONL file'],
  [['run', 'q.csv', '--limits', '3'], '"limits"', 'did you mean --limit?'],
  [['run', 'q.csv', '--api-key', 'sk-123'], '--api-key is not an option: others could read the key'],
  [['check', 'q.csv', '--limit', '3'], '--limit is not an option of this command'],
  [['run', 'q.csv', '--limit'], '--limit', 'a whole number of at least 0'],
  [['run', 'q.csv', '--limit', 'few'], '--limit: "few"', 'a whole number of at least 0'],
  [['run', 'q.csv', '--limit', '-1'], '--limit: "-1"'],
  [['run', 'q.csv', '--limit', '1', '--limit', '2'], '--limit was given 2 times; give it once'],
  [['run', 'q.csv', '-j', '0'], '--concurrency: "0"', 'at least 1'],
  [['run', 'q.csv', '--concurrency', 'abc'], '--concurrency: "abc"'],
  [['run', 'q.csv', '--poll-interval', '5 minutes'], '--poll-interval: "5 minutes"', '250ms, 30s, 5m, 2h'],
  [['run', 'q.csv', '--task-timeout', '0'], '--task-timeout: "0"'],
  [['run', 'q.csv', '--request-timeout', 'never'], '--request-timeout: "never"'],
  [['run', 'q.csv', '--quality', 'high'], '--quality: "high"', 'use h, m or l'],
  [['run', 'q.csv', '--frames', 'some'], '--frames: "some"', 'use all, last or none'],
  [['run', 'q.csv', '--format', 'xls'], '--format: "xls"', 'csv'],
  [['run', 'q.csv', '--delimiter', '||'], '--delimiter: "||"', 'use one character, or tab'],
  [['run', 'q.csv', '--encoding', 'klingon'], '--encoding: "klingon"', 'such as utf-8'],
  [['run', 'q.csv', '--map', 'Frage=question'], '--map: "Frage=question"', 'FIELD=COLUMN'],
  [['run', 'q.csv', '--only', ','], '--only', 'ids with commas between them'],
  [['run', 'q.csv', '--max-points', 'all'], '--max-points: "all"', 'a number of points'],
  [['run', 'q.csv', '--halt', '0'], '--halt: "0"', 'such as 20, or a share such as 10%'],
  [['run', 'q.csv', '--base-url', 'video.example'], '--base-url: "video.example"', 'http:// or https://'],
  [['run', 'q.csv', '--base-url', ''], '--base-url', 'is empty'],
  [['run', 'q.csv', '--api-key-file', 'none.key'], 'none.key', '--api-key-file'],
  [['run', 'q.csv', '--api-key-file', 'empty.key'], 'the key file empty.key is empty'],
  [['run', 'q.csv', '--out', ''], '--out', 'use a folder'],
  [['run', 'q.csv', '--out', 'q.csv'], 'q.csv is not a folder', 'choose another --out'],
  [['run', 'q.csv', '--job'], '--job is empty'],
  [['run', '--job', 'none.json'], 'none.json cannot be read as a job file'],
  [['run', 'q.csv', '--listen', 'nowhere'], '--listen: "nowhere"', 'HOST:PORT'],
  [['run', 'q.csv', '--listen', '127.0.0.1:70000'], '--listen: "127.0.0.1:70000"', 'HOST:PORT'],
  [['run', 'q.csv', '--public-url', 'me'], '--public-url: "me"', 'http:// or https://'],
  [['run', 'q.csv', '--simulate', '--fault', 'flood=1'], '--fault: "flood=1"', 'reset-after'],
  [['run', 'q.csv', '--simulate', '--fault', 'slow=2'], '--fault: "slow=2"', 'use slow=0.05 or slow=5%'],
  [['run', 'q.csv', '--simulate', '--base-url', 'http://127.0.0.1:9'], '--simulate and --base-url'],
  [['run', 'q.csv', '--dry-run=yes'], '--dry-run takes no value'],
  [['run', 'q.csv', '--no-out'], '"no-out"'],
  [['check'], 'an argument is missing'],
  [['status', 'nowhere'], 'there is no run in', 'nowhere', '`batch run FILE --out DIR`'],
  [['resume', 'nowhere'], 'there is no run in'],
  [['collect', 'nowhere'], 'there is no run in'],
  [['verify', 'nowhere'], 'there is no run in'],
  [['report', 'nowhere'], 'there is no run in'],
  [['retry'], '--failed, --rejected, --lost, or --only ID,ID'],
  [['retry', 'nowhere', '--failed'], 'there is no run in'],
  [['resolve', 'a'], '--task-id T, or --not-created'],
  [['resolve', 'a', '--task-id', 't', '--not-created'], '--task-id T, or --not-created'],
  [['resolve', 'a', '--task-id', ''], '--task-id is empty'],
  [['simulate', '--port', 'x'], '--port: "x"', 'from 0 to 65535'],
];

describe.concurrent('wrong use is told in one line, and nothing is sent or made', () => {
  it.for(wrongLines.map(([line, ...says]) => ({ words: `batch ${line.join(' ')}`, line, says })))(
    '$words',
    async ({ line, says }) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      await stage.write('empty.key', '\n');
      expectOneLine(await stage.batch(line), says);
      expect(await stage.list('.')).toEqual(['empty.key', 'q.csv']);
      expect(stage.service.events).toEqual([]);
    },
  );

  it.for([
    [{ BATCH_BASE_URL: undefined }, '--base-url URL or set BATCH_BASE_URL'],
    [{ BATCH_BASE_URL: 'video.example' }, 'BATCH_BASE_URL: "video.example"'],
    [{ BATCH_API_KEY: undefined }, 'set BATCH_API_KEY, or give --api-key-file FILE'],
    [{ BATCH_API_KEY: 'two words' }, 'BATCH_API_KEY is not an API key'],
    [{ BATCH_API_KEY: '"sk-word"' }, 'BATCH_API_KEY has quotes around the key'],
  ] as const)('%o in the environment', async ([env, says]) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    expectOneLine(await stage.batch(runLine('q.csv'), { env }), [says]);
    expect(await stage.list('.')).toEqual(['q.csv']);
    expect(stage.service.events).toEqual([]);
  });

  it('an invalid value is not kept for the next run', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    expectOneLine(await stage.batch(['resume', '--listen', 'nowhere']), ['--listen']);
    expectOneLine(await stage.batch(runLine('q.csv', '--listen', 'nowhere')), ['--listen']);
    expect((await stage.batch(['resume'])).code).toBe(0);
  });

  it('a retry without a key leaves the rows as they are', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const ending = await stage.batch(['retry', '--only', 'a'], { env: { BATCH_API_KEY: undefined } });
    expectOneLine(ending, ['set BATCH_API_KEY']);
    expect((await stage.batch(['verify'])).stdout).toContain('1 files, 1 whole');
    expect((await stage.batch(['status', '--json'])).stdout).toContain('"completed":1');
  });
});

describe.concurrent('a file that cannot be read as a whole', () => {
  it.for([
    {
      what: 'quoting is broken',
      content: 'id,question\na,"One" more\nb,Two\n"c",Th"ree\n',
      says: ['q.csv:2: ', 'q.csv:4: '],
    },
    {
      what: 'a quote is never closed',
      content: 'id,question\na,One\nb,"Two\nc,Three\n',
      says: ['q.csv:3: '],
    },
    {
      what: 'headers stand twice',
      content: 'question,note,question,note\nOne,,Two,\n',
      says: ['q.csv:1: the header "question" appears twice', 'q.csv:1: the header "note" appears twice'],
    },
    {
      what: 'ids stand twice',
      content: 'id,question\na,One\nb,Two\na,Three\nb,Four\n',
      says: [
        'q.csv:4: the id "a" is already used on line 2',
        'q.csv:5: the id "b" is already used on line 3',
      ],
    },
    {
      what: 'bytes are no text',
      content: Buffer.from('question\nOne \xff\xff\n', 'latin1'),
      says: ['q.csv', '--encoding'],
    },
    {
      what: 'no column is a question',
      content: 'id,date,room\na,Monday,12\n',
      says: ['q.csv:1: ', '--map question=COLUMN'],
    },
    {
      what: 'a column that --map names is none of its own',
      content: 'id,question\na,One\n',
      options: ['--map', 'question=Frage'],
      says: ['--map question=Frage', 'the columns are "id", "question"'],
    },
    { what: 'a row has too many cells', content: 'id,question\na,One, two\n', says: ['q.csv:2: '] },
    { what: 'it is empty', content: '', says: ['q.csv: the file is empty'] },
  ])('because $what is refused with every problem and its line', async ({ content, options = [], says }) => {
    await using stage = await openStage();
    await stage.write('q.csv', content);
    for (const line of [runLine('q.csv', ...options), ['check', 'q.csv', ...options]]) {
      const ending = await stage.batch(line);
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      for (const part of says) expect(ending.stderr).toContain(part);
      expect(ending.stderr).not.toMatch(/^ {4}at /m);
      expect(await stage.list('.')).toEqual(['q.csv']);
    }
    expect(stage.service.events).toEqual([]);
  });

  it('does not touch the run that is there', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    await writeFile(join(stage.folder, 'q.csv'), 'id,question\na,One\na,Two\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(2);
    expect((await stage.batch(['resume'])).code).toBe(0);
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['Question a', 'Question b']);
  });

  it('of JSON lines is refused with every problem and its line', async () => {
    await using stage = await openStage();
    await stage.write('q.jsonl', '{"question":"One"}\n{"question":\n["Two"]\n{"question":"Three"}\n');
    const ending = await stage.batch(runLine('q.jsonl'));
    expect(ending).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/q\.jsonl:2: .*\n.*q\.jsonl:3: /),
    });
    expect(await stage.list('.')).toEqual(['q.jsonl']);
  });
});
