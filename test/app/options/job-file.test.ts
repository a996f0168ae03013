import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jobFileSchema, parseOptions, readJobFile } from '../../../src/app/options/job-file.ts';

const flag = (name: string): string => `--${name}`;

describe('an option', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1.5', 1_500],
    [45, 45_000],
  ])('takes %s for a duration', (written, ms) => {
    expect(parseOptions({ 'poll-interval': written }, flag)['poll-interval']).toBe(ms);
  });

  it.each([
    ['concurrency', 'abc', '--concurrency: "abc" is not valid; use a whole number'],
    ['concurrency', '0', '--concurrency: "0" is not valid; use a whole number'],
    ['concurrency', '2.5', '--concurrency: "2.5" is not valid; use a whole number'],
    ['concurrency', '8-4', '--concurrency: "8-4" is not valid; use a whole number of at least 1'],
    ['concurrency', '0-4', 'a range such as 4-64, or auto'],
    ['concurrency', '4-', 'a range such as 4-64, or auto'],
    ['poll-interval', '0', '--poll-interval: "0" is not valid; use a time'],
    ['poll-interval', '5 years', '--poll-interval: "5 years" is not valid; use a time'],
    ['quality', 'x', '--quality: "x" is not valid; use h, m or l'],
    ['frames', 'some', '--frames: "some" is not valid; use all, last or none'],
    ['encoding', 'klingon', '--encoding: "klingon" is not valid; use an encoding such as utf-8, gb18030'],
    ['encoding', 'hz-gb-2312', 'use an encoding such as'],
    ['halt', '-1', '--halt: "-1" is not valid; use a number of rows'],
    ['halt', '0%', '--halt: "0%" is not valid; use a number of rows'],
    ['halt', '200%', '--halt: "200%" is not valid; use a number of rows'],
    ['base-url', 'ftp://host', '--base-url: "ftp://host" is not valid; use the address of the service'],
    ['base-url', 'https://user:word@host', 'without user, query or fragment'],
    ['base-url', 'https://ho\nst', 'without user, query or fragment'],
    ['base-url', 'https://host/v1/api/gen_video', 'is not valid; use https://host/v1, the part before /api'],
    ['base-url', 'https://host/api/get_status/t-1', 'is not valid; use https://host, the part before /api'],
    ['base-url', 'api.example.com', '"api.example.com" is not valid; use https://api.example.com'],
    ['base-url', 'api.example.com:8443/v1', 'is not valid; use https://api.example.com:8443/v1'],
    ['base-url', 'api.example.com/api/gen_video', 'is not valid; use https://api.example.com'],
    ['base-url', 'localhost:4010', '"localhost:4010" is not valid; use http://localhost:4010'],
    ['base-url', '127.0.0.1:4010', 'is not valid; use http://127.0.0.1:4010'],
    ['base-url', 'word', '"word" is not valid; use the address of the service'],
    ['base-url', 'api.example.com:99999', 'is not valid; use the address of the service'],
    ['base-url', 'user:word@host.example', 'without user, query or fragment'],
    ['out', '', '--out: is empty; use a folder'],
    ['only', ' , ', '--only: " , " is not valid; use ids'],
    ['map', 'stem=Question', 'the names are id, question'],
    ['fault', 'refuse=2', 'use refuse=0.05 or refuse=5%'],
    ['fault', 'capacity=x', "fault 'capacity=x' needs a number of tasks: use capacity=20"],
  ])('%s that is %j says what to write instead', (name, value, message) => {
    expect(() => parseOptions({ [name]: value }, flag)).toThrow(message);
  });

  it('that stands twice is refused, not silently the last one', () => {
    expect(() => parseOptions({ limit: ['1', '2'] }, flag)).toThrow(
      '--limit was given 2 times; give it once',
    );
  });

  it('may be a share or a number of rows for --halt', () => {
    expect(parseOptions({ halt: '10%' }, flag).halt).toEqual({ amount: 10, isPercent: true });
    expect(parseOptions({ halt: '100%' }, flag).halt).toEqual({ amount: 100, isPercent: true });
    expect(parseOptions({ halt: 200 }, flag).halt).toEqual({ amount: 200, isPercent: false });
    expect(parseOptions({ halt: 20 }, flag).halt).toEqual({ amount: 20, isPercent: false });
  });

  it.each([
    ['10', { from: null, most: 10 }],
    [10, { from: null, most: 10 }],
    ['4-12', { from: 4, most: 12 }],
    ['auto', { from: 4, most: 64 }],
  ])('may be %j for --concurrency', (written, concurrency) => {
    expect(parseOptions({ concurrency: written }, flag).concurrency).toEqual(concurrency);
  });

  it('that takes pairs is read from a flag, from a list and from an object alike', () => {
    const map = { question: 'Aufgabe = Text', answer: 'Lösung' };
    expect(parseOptions({ map: ['question=Aufgabe = Text', 'answer=Lösung'] }, flag).map).toEqual(map);
    expect(parseOptions({ map }, flag).map).toEqual(map);
    expect(parseOptions({ fault: { refuse: 0.03 } }, flag).fault).toEqual(new Map([['refuse', 0.03]]));
    expect(parseOptions({ fault: 'refuse=3%' }, flag).fault).toEqual(new Map([['refuse', 0.03]]));
  });
});

describe('a job file', () => {
  it.each(readdirSync('jobs').filter((name) => name.endsWith('.json') && name !== 'job.schema.json'))(
    '%s of this repository is valid, and its input is there',
    (name) => {
      const { options } = readJobFile(join('jobs', name));
      expect(readFileSync(options.input ?? '').length).toBeGreaterThan(0);
    },
  );

  it('has a schema for editors that says what the program says', async () => {
    await expect(`${JSON.stringify(jobFileSchema(), null, 2)}\n`).toMatchFileSnapshot(
      '../../../jobs/job.schema.json',
    );
  });

  it.each([
    ['{', 'cannot be read as a job file: line 1, column 2 is not valid JSON'],
    ['{"input": "q.csv",\n "out": x}', 'line 2, column 9 is not valid JSON'],
    ['[]', 'must be one JSON object'],
    ['{"concurency": 3}', '"concurency" is not an option; did you mean concurrency?'],
    [
      '{"max-points": 100, "limit": 1, "max-points": 5000}',
      '"max-points" is given twice; remove one of them',
    ],
    ['{"map": {"id": "a"}, "\\u006dap": {"id": "b"}}', '"map" is given twice'],
    ['{"out": "~nobody-here/videos"}', '"~nobody-here/videos" names the home folder of another user'],
    ['{"concurrency": "many"}', '"concurrency": "many" is not valid; use a whole number'],
  ])('%s is refused with its name and the remedy', async (content, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'job-'));
    try {
      const path = join(folder, 'job.json');
      await writeFile(path, content);
      expect(() => readJobFile(path)).toThrow(path);
      expect(() => readJobFile(path)).toThrow(message);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('takes ~ for the home folder, in every path', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'job-'));
    try {
      const paths = { input: '~/q.csv', out: '~', 'api-key-file': '~/key', events: '~old.jsonl' };
      await writeFile(join(folder, 'job.json'), JSON.stringify(paths));
      await writeFile(join(folder, '~old.jsonl'), '');
      expect(readJobFile(join(folder, 'job.json')).options).toEqual({
        input: join(homedir(), 'q.csv'),
        out: join(homedir()),
        'api-key-file': join(homedir(), 'key'),
        events: join(folder, '~old.jsonl'),
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('takes its paths from its own folder, but leaves standard input alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'job-'));
    try {
      await writeFile(join(folder, 'job.json'), '{"input": "q.csv", "out": "../films"}');
      const { options } = readJobFile(join(folder, 'job.json'));
      expect(options).toEqual({ input: join(folder, 'q.csv'), out: join(folder, '../films') });
      await writeFile(join(folder, 'job.json'), '{"input": "-"}');
      expect(readJobFile(join(folder, 'job.json')).options.input).toBe('-');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
