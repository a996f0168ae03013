import { execFileSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../cli/support/program.ts';
import { completed, inProgress } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';
import { readFile } from '../input/read-file.ts';
import { encodings } from './encodings.ts';
import { shapes, writeFile as writeShape } from './good-files.ts';

const isRoot = process.getuid?.() === 0;

describe.concurrent('an input that is no plain file', () => {
  it.for([
    ['a folder', (path: string) => mkdir(path), 'is a folder; use an Excel, CSV, JSONL or Parquet file'],
    ['not there', async () => {}, 'does not exist; use an Excel, CSV, JSONL or Parquet file'],
    ['an endless device', async () => {}, 'longer than 64 MB; is this a text file?', '/dev/zero'],
    ['an empty device', async () => {}, 'the file is empty', '/dev/null'],
  ] as const)('is refused in one line where it is %s', async ([, make, says, file = 'q.csv']) => {
    await using stage = await openStage();
    await make(join(stage.folder, file));
    const ending = await stage.batch(runLine(file));
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(afterFirstWords(ending)).toMatch(new RegExp(`^batch: ${file}(:1)?[: ].*\n$`));
    expect(ending.stderr).toContain(says);
    expect(stage.service.events).toEqual([]);
    expect(await stage.list('.')).toEqual([]);
  });

  it.skipIf(isRoot)('is refused where it may not be read (needs a user who is not root)', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'question\nOne\n');
    await chmod(join(stage.folder, 'q.csv'), 0);
    expect(await stage.batch(runLine('q.csv'))).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^(Reading q\.csv\n)?batch: q\.csv cannot be read \(EACCES\)\n$/),
    });
  });

  it('is read to its end where it is a pipe, and where it is standard input', async () => {
    await using stage = await openStage();
    const text = 'id,题目\na,求和的问题\nb,第二道题目\n';
    execFileSync('mkfifo', [join(stage.folder, 'pipe')]);
    const program = stage.start(runLine('pipe'));
    await writeFile(join(stage.folder, 'pipe'), text);
    expect((await program.ended).code).toBe(0);
    expect((await stage.batch(runLine('-'), { stdin: text })).stderr).toContain('Plan: 0 to submit; 2 done');
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['求和的问题', '第二道题目']);
  });

  it('is said to end in the middle of a line where it is a pipe that does: its sender may have been cut off', async () => {
    await using stage = await openStage();
    const check = async (stdin: string): Promise<string> =>
      (await stage.batch(['check', '-'], { stdin })).stdout;
    const note = 'it ends in the middle of a line; if its sender was cut off, the last row is incomplete';
    expect(await check('id,question\na,Half of a quest')).toContain(note);
    expect(await check('id,question\na,One\r\n')).not.toContain(note);
    await stage.write('q.csv', 'id,question\na,One');
    expect((await stage.batch(['check', 'q.csv'])).stdout).not.toContain(note);
  });

  it('is gone on with after kill -9, by the same line and by resume, where it was standard input', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    const stdin = questions('a', 'b', 'c', 'd');
    const statuses = (): number => stage.service.events.filter((event) => event.startsWith('status')).length;
    const first = stage.start(runLine('-', '-j', '2'), { stdin });
    await stage.service.until(() => statuses() >= 4);
    first.kill('SIGKILL');
    await first.ended;
    const second = stage.start(runLine('-', '-j', '3'), { stdin });
    await stage.service.until(({ events }) => events.includes('status Question c'));
    second.kill('SIGKILL');
    expect((await second.ended).stderr).toContain('2 waiting; 2 open');
    stage.service.follow({});
    expect((await stage.batch(['resume', '--poll-interval', '100ms'])).code).toBe(0);
    expect((await stage.batch(runLine('-'), { stdin })).code).toBe(0);
    expect(stage.service.creations.map(({ question }) => question)).toEqual(
      ['a', 'b', 'c', 'd'].map((id) => `Question ${id}`),
    );
  });

  it('is named as standard input where that is broken', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(runLine('-'), { stdin: 'id,question\na,One\na,Two\n' });
    expect(ending).toMatchObject({ code: 2, stdout: '' });
    expect(ending.stderr).toBe(
      'Reading standard input\nbatch: standard input:3: the id "a" is already used on line 2\n' +
        'batch: standard input: if "id" only numbers rows, --map id=none ignores it: rows are then known by their text\n',
    );
  });
});

describe.concurrent('a file that is large in one way', () => {
  it('is sent whole: a cell of 5 MB with quotes and line breaks', async () => {
    await using stage = await openStage({ status: (task) => completed(task, { title: 'A long one' }) });
    const question = '设 "x" 为\r\n'.repeat(350_000);
    await stage.write('q.csv', `id,question\na,"${question.replaceAll('"', '""')}"\n`);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(stage.service.creations[0]?.body.question === question).toBe(true);
  });

  it('is read whole and told shortly: ten thousand columns', async () => {
    await using stage = await openStage();
    const names = Array.from({ length: 10_000 }, (_, at) => `column ${at}`);
    await stage.write('q.csv', `${[...names, 'question'].join(';')}\n${[...names, 'One'].join(';')}\n`);
    const { code, stderr } = await stage.batch(runLine('q.csv'));
    expect(code).toBe(0);
    expect(stderr.length).toBeLessThan(2_000);
    const { input } = JSON.parse(await stage.read('videos/report.jsonl'));
    expect(Object.keys(input)).toHaveLength(10_000);
  });

  it('is done at once: a header and no rows', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question\n');
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending).toMatchObject({ code: 0, stderr: expect.stringContaining('no rows below the header') });
    expect(stage.service.events).toEqual([]);
  });

  it('submits nothing of what waits from before: a header and no rows', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', 'id,question\na,One\nb,Two\n');
    expect((await stage.batch(runLine('q.csv', '--limit', '1'))).code).toBe(4);
    await stage.write('q.csv', 'id,question\n');
    const ending = await stage.batch(runLine('q.csv'));
    expect(ending.stderr).toContain('Plan: 0 to submit');
    expect(ending.stdout).toContain('Next: batch resume');
    expect(ending.code).toBe(4);
    expect(stage.service.creations).toHaveLength(1);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'pending' });
    expect((await stage.batch(['resume'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(2);
  });
});

/** A field of a wrong type, and why its row cannot be sent. */
const wrongFields: readonly (readonly [field: string, reason: string])[] = [
  ['"question":["Two"]', 'question is a list, not text'],
  ['"question":{"text":"Two"}', 'question is an object, not text'],
  ['"question":null', 'neither a question nor a question image'],
  ['"question":" "', 'neither a question nor a question image'],
  ['"question":"half \\ud83d"', 'question contains a character that cannot be sent'],
  ['"question":"nul \\u0000"', 'question contains a character that cannot be sent'],
  ['"question":"Two","quality":5', 'quality is "5"; use h, m, l or leave it empty'],
  ['"question":"Two","images":[5]', 'questionImages contains a number, not an image'],
  ['"question":"Two","images":{"url":"x"}', 'questionImages contains an object, not an image'],
  ['"question":"Two","images":["none.png"]', 'questionImages: "none.png" is missing or not a file'],
  ['"question":"Two","notify_url":"example"', 'notify_url is not a complete http(s) address'],
];

describe.concurrent('rows with fields of wrong types', () => {
  it('are left out, each with its reason, and the others run', async () => {
    await using stage = await openStage();
    const good = ['"question":true', '"question":"Two","answer":null', '"question":"Two","note":[1]'];
    const fields = [...wrongFields.map(([field]) => field), ...good];
    await stage.write('q.jsonl', fields.map((field, at) => `{"id":${at},${field}}\n`).join(''));
    const ending = await stage.batch(runLine('q.jsonl'));
    expect(ending.code).toBe(1);
    const report = await stage.report();
    expect(report.filter(({ status }) => status === 'invalid').map(({ failure }) => failure)).toEqual(
      wrongFields.map(([, reason]) => expect.stringContaining(reason)),
    );
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['true', 'Two', 'Two']);
  });

  it('come back in the reports by the names they had, the dangerous ones too', async () => {
    await using stage = await openStage();
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'status'];
    await stage.write('q.csv', `question,${names.join(',')}\nOne,${names.join(',')}\n`);
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    const { input, status } = JSON.parse(await stage.read('videos/report.jsonl'));
    expect(status).toBe('completed');
    expect(Object.entries(input)).toEqual(names.map((name) => [name, name]));
  });
});

describe('whatever bytes there are', () => {
  /** Good files with some bytes changed, taken out or put in. */
  const damaged = fc
    .record({
      shape: fc.constantFrom(...shapes),
      encoding: fc.constantFrom(...encodings),
      delimiter: fc.constantFrom(',', ';', '\t'),
      places: fc.array(fc.nat(400), { minLength: 1, maxLength: 6 }),
      pieces: fc.array(fc.uint8Array({ maxLength: 3 }), { minLength: 6, maxLength: 6 }),
      removed: fc.nat(3),
      file: fc.constantFrom('q.csv', 'q.jsonl', '-'),
      chunkBytes: fc.constantFrom(1, 5, 65_536),
    })
    .map(({ shape, encoding, delimiter, places, pieces, removed, ...how }) => {
      const whole = encoding.encode(writeShape(shape, { delimiter, lineEnds: ['\n'] }).text);
      const bytes = [...whole];
      for (const [at, place] of places.entries())
        bytes.splice(place % bytes.length, removed, ...(pieces[at] ?? []));
      return { content: Uint8Array.from(bytes), ...how };
    });

  it('the reading ends, with rows or with problems that name a line of the file', async () => {
    let brokenCount = 0;
    await fc.assert(
      fc.asyncProperty(damaged, async ({ content, ...how }) => {
        const { rows, problems } = await readFile(content, how);
        brokenCount += problems.length > 0 ? 1 : 0;
        for (const { line, message } of problems) {
          expect(message).not.toBe('');
          if (line !== null) expect(line).toBeGreaterThan(0);
          expect(line ?? 0).toBeLessThanOrEqual(content.length + 1);
        }
        const lines = rows.map((row) => row.line);
        expect(lines).toEqual(lines.toSorted((one, other) => one - other));
        expect(() => JSON.stringify(rows)).not.toThrow();
      }),
      { numRuns: 1_500 },
    );
    expect(brokenCount).toBeGreaterThan(300);
  });
});
