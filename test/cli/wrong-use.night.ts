import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Ending } from './support/program.ts';
import { openStage, questions, runLine } from './support/stage.ts';
import { wrongLines } from './support/wrong-lines.ts';

/** Wrong use is one line, never a stack. */
function expectOneLine(ending: Ending, parts: readonly string[]): void {
  expect(ending).toMatchObject({ code: 2, stdout: '' });
  expect(ending.stderr.trimEnd().split('\n')).toHaveLength(1);
  for (const part of parts) expect(ending.stderr).toContain(part);
}

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
