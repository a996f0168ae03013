/** Every command and every kind of error, in a Chinese locale: no English sentence of the program is among what it says. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { englishIn } from './support/english-in.ts';
import {
  bare,
  completed,
  content,
  errorEnvelope,
  failed,
  reset,
  type Script,
  success,
} from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';
import { wrongLines } from './support/wrong-lines.ts';

const env = { LANG: 'zh_CN.UTF-8' };

/** What waits for better days longer than this is interrupted, and says so in Chinese too. */
const patienceMs = 15_000;

/** The English that the program says for a command line. */
async function englishOf(
  stage: Stage,
  line: readonly string[],
  more: Parameters<Stage['batch']>[1] = {},
): Promise<readonly string[]> {
  const program = stage.start(line, { ...more, env: { ...env, ...more?.env } });
  const timer = setTimeout(() => program.kill('SIGINT'), patienceMs);
  const { code, stdout, stderr } = await program.ended;
  clearTimeout(timer);
  expect([stdout + stderr, code]).not.toEqual(['', null]);
  return englishIn(stdout + stderr);
}

describe.concurrent('wrong use', () => {
  it.for(wrongLines.map(([line]) => ({ words: `batch ${line.join(' ')}`, line })))(
    '$words',
    async ({ line }) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      await stage.write('empty.key', '\n');
      expect(await englishOf(stage, line)).toEqual([]);
    },
  );

  it.for([
    ['view', 'nowhere'],
    ['view', '--port', 'x'],
    ['prefer', 'nowhere', 'a', '--attempt', '1'],
    ['prefer', 'a'],
    ['export'],
    ['export', 'nowhere', '--to', 'out'],
    ['links'],
    ['links', 'nowhere', '--only', 'a'],
    ['audit'],
    ['audit', 'q.csv', 'nowhere'],
    ['audit', 'q.csv', '--map', 'id=x'],
    ['tune'],
    ['tune', 'nowhere', '-j', '4'],
    ['pause', 'nowhere'],
    ['pause', '--for', '1h', '--until', '22:00'],
    ['pause', '--until', 'noon'],
    ['continue', 'nowhere'],
    ['stop', 'nowhere'],
    ['move', 'nowhere', '--store', 'postgres://127.0.0.1:1/x', '--run', 'r'],
    ['move', '.', '--store', 'x', '--run', 'r'],
    ['worker'],
    ['worker', '--store', 'postgres://127.0.0.1:1/x', '--run', 'r'],
    ['run', 'q.csv', '--store', 'mysql://x', '--run', 'r'],
    ['run', 'q.csv', '--run', 'r'],
    ['run', 'q.csv', '--detach'],
    ['completion'],
    ['completion', 'tcsh'],
    ['verify', '--fix', '--deep'],
    ['resolve', '--list'],
    ['resolve', '--from', 'none.csv'],
    ['retry', '--only', '@none.csv'],
    ['retry', '--marked'],
    ['help', 'nothing'],
    ['merge', 'a.csv'],
    ['status', '--watch'],
    ['check', 'package.json'],
    ['check', 'q.csv', '--map', 'question=nowhere'],
    ['check', 'q.csv', '--sheet', 'x'],
    ['check', 'q.xlsx'],
    ['check', 'q.parquet'],
    ['check', 'q.jsonl'],
    ['check', 'empty.csv'],
    ['check', 'latin.csv'],
    ['check', 'twice.csv'],
    ['check', 'pictures.csv'],
  ])('batch %s', async (line) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('package.json', '{\n  "name": "x",\n  "private": true\n}\n');
    await stage.write('q.xlsx', 'no workbook');
    await stage.write('q.parquet', 'no parquet');
    await stage.write('q.jsonl', '{"question": 1}\n[1]\n{"question": "x", "id": {}}\nnot json\n');
    await stage.write('empty.csv', '');
    await stage.write('latin.csv', Buffer.from('id,question\na,caf\xe9 \xff\n', 'latin1'));
    await stage.write('twice.csv', 'id,question\na,x\na,y\n');
    await stage.write(
      'pictures.csv',
      'id,question,image,quality\na,x,none.png,h\nb,x,ftp://x,high\nc,,,\nd,x,data:image/png;base64,AA,m\n',
    );
    expect(await englishOf(stage, line)).toEqual([]);
  });

  it.for([
    [{ BATCH_BASE_URL: undefined }],
    [{ BATCH_BASE_URL: 'video.example' }],
    [{ BATCH_API_KEY: undefined }],
    [{ BATCH_API_KEY: 'two words' }],
    [{ BATCH_API_KEY: '"sk-word"' }],
    [{ HTTPS_PROXY: 'ftp://x', HTTP_PROXY: 'ftp://x' }],
    [{ BATCH_STORE: 'nonsense' }],
  ] as const)('%o in the environment', async ([more]) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    expect(await englishOf(stage, runLine('q.csv'), { env: more })).toEqual([]);
  });
});

describe.concurrent('a service that cannot be used', () => {
  const scripts: Readonly<Record<string, Script>> = {
    'resets connections': { create: () => reset, free: () => reset, status: () => reset },
    'shows a page': { create: () => bare(200), free: () => bare(200) },
    'knows no such path': { create: () => bare(404), free: () => bare(404) },
    'is out of order': { create: () => bare(503), free: () => bare(503) },
    'refuses the key': {
      create: () => errorEnvelope('Unauthorized: Invalid API key', 401),
      free: () => errorEnvelope('Unauthorized: Invalid API key', 401),
    },
    'refuses every creation': { create: () => errorEnvelope('余额不足') },
    'answers what nobody can read': { create: () => success({}), free: () => success({}) },
    'moves elsewhere': {
      free: () => bare(302, '', { location: 'http://other.example/' }),
      create: () => bare(302, '', { location: 'http://other.example/' }),
    },
  };

  it.for(Object.keys(scripts))('that %s', async (name) => {
    await using stage = await openStage(scripts[name]);
    await stage.write('q.csv', questions('a', 'b'));
    expect(await englishOf(stage, ['check', 'q.csv', '--online'])).toEqual([]);
    expect(await englishOf(stage, runLine('q.csv', '--outage-timeout', '1s'))).toEqual([]);
    expect(await englishOf(stage, ['status'])).toEqual([]);
    expect(await englishOf(stage, ['resolve', '--list'])).toEqual([]);
  });

  it.for(['http://127.0.0.1:1', 'http://nowhere.invalid', 'https://127.0.0.1:1', 'https'])(
    'at %s',
    async (address) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      const url = address === 'https' ? stage.service.url.replace('http:', 'https:') : address;
      const more = { env: { BATCH_BASE_URL: url } };
      expect(await englishOf(stage, ['check', 'q.csv', '--online'], more)).toEqual([]);
      expect(await englishOf(stage, runLine('q.csv', '--outage-timeout', '1s'), more)).toEqual([]);
    },
  );
});

/** How the row of each question ends: failed, refused, uncertain, undelivered, with a page for a video, without a link. */
const endings: Readonly<Record<string, Script>> = {
  'Question r1': { status: (task) => failed(task, '题目无法识别') },
  'Question r2': { create: () => errorEnvelope('题目不合规') },
  'Question r3': {
    create: (_, accept) => {
      accept();
      return reset;
    },
  },
  'Question r4': { file: () => bare(403) },
  'Question r5': { file: () => content(Buffer.from('<html>')) },
  'Question r6': { status: (task) => completed(task, { result: [] }) },
};

it('a run whose rows end in every way, and every command for it', async () => {
  await using stage = await openStage({
    create: (creation, accept) => endings[creation.question]?.create?.(creation, accept),
    status: (task) => endings[task.question]?.status?.(task),
    file: (request) => endings[request.question]?.file?.(request),
  });
  const names = Object.keys(endings).map((question) => question.replace('Question ', ''));
  await stage.write('q.csv', `${questions(...names, 'r7')}empty,\n`);
  await stage.write('other.csv', questions('x', 'y'));
  await stage.write('statement.csv', '关联任务编号;积分;金额(元)\nx;-10;1\n;-1;1\n');
  const english: Record<string, readonly string[]> = {};
  for (const line of [
    runLine('q.csv', '--task-timeout', '5s'),
    ['status'],
    ['collect', '--task-timeout', '5s'],
    ['retry', '--failed', '--dry-run'],
    ['retry', '--rejected', '--dry-run'],
    ['retry', '--lost', '--dry-run'],
    ['retry', '--only', 'r1,nobody', '--dry-run'],
    ['resolve', '--list'],
    ['resolve', 'r3', '--task-id', 'nothing'],
    ['resolve', 'r3', '--not-created'],
    ['resolve', 'nobody', '--not-created'],
    ['prefer', 'r7', '--attempt', '1'],
    ['prefer', 'r7', '--attempt', '7'],
    ['prefer', 'nobody', '--latest'],
    ['links', '--only', 'r7,r4'],
    ['links', '--only', 'nobody'],
    ['audit', 'statement.csv'],
    ['audit', 'q.csv'],
    ['audit', 'statement.csv', '--by', 'x'],
    ['verify'],
    ['verify', '--deep'],
    ['verify', '--fix'],
    ['export', '--to', 'out'],
    ['export', '--to', '.'],
    ['tune', '-j', '3', '--max-points', '7'],
    ['pause', '--for', '1h'],
    ['status'],
    ['continue'],
    ['continue'],
    ['stop'],
    ['stop', '--worker', 'x'],
    ['report'],
    ['resume', '--dry-run'],
    ['check', 'q.csv'],
    ['check', 'other.csv'],
    ['run', 'other.csv'],
  ]) {
    const found = await englishOf(stage, line);
    if (found.length > 0) english[line.join(' ')] = found;
  }
  expect(english).toEqual({});
});

it('the embedded service, and a port that is taken', async () => {
  await using stage = await openStage();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await stage.write('q.csv', questions('a'));
  expect(await englishOf(stage, ['run', 'q.csv', '--simulate', '--duration', '100ms'])).toEqual([]);
  for (const command of [['simulate'], ['view']])
    expect(await englishOf(stage, [...command, '--port', String(port)])).toEqual([]);
  server.close();
  for (const command of [['simulate'], ['view']]) {
    const program = stage.start([...command, '--port', '0'], { env });
    const [said] = await program.said(/http.*\n/);
    expect(englishIn(said)).toEqual([]);
    program.kill('SIGINT');
    const { stdout, stderr } = await program.ended;
    expect(englishIn(stdout + stderr)).toEqual([]);
  }
});
