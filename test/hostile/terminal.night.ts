import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { createPlainLines } from '../../src/terminal/plain-lines.ts';
import { folderWords } from '../../src/text/run-words.ts';
import { type Ending, quickPauses, swiftly } from '../cli/support/program.ts';
import {
  bare,
  completed,
  errorEnvelope,
  failed,
  type Reply,
  type Script,
  success,
} from '../cli/support/scripted-service.ts';
import { openStage, runLine, type Stage } from '../cli/support/stage.ts';
import { terminalOrders } from './terminal-orders.ts';

/** Everything that is no order: line feed is the only control character, no bidi control, no tag, no annotation. */
const orders =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** Fails when a program gave an order to the terminal, or did not show the text that holds one. */
function expectNoOrders({ stdout, stderr }: Ending, line: string, shows = /mark/): void {
  for (const said of `${stdout}\n${stderr}`.split('\n')) expect(said, line).not.toMatch(orders);
  expect(stdout + stderr, line).toMatch(shows);
}

/** Row by row another place of the service's answers holds the text. */
const places: readonly ((order: string) => Script)[] = [
  (order) => ({ create: () => errorEnvelope(order) }),
  (order) => ({ create: () => bare(400, `no: <p>${order}</p>`) }),
  (order) => ({ status: (task) => failed(task, order) }),
  (order) => ({ status: (task) => completed(task, { title: order, created_at: order, finish_at: order }) }),
  (order) => ({
    status: (task) => completed(task, { consumption: [{ type: 'score', value: 1, detail: order }] }),
  }),
  (order) => ({
    status: (task) => completed(task, { status: task.queries < 2 ? order : 'COMPLETED' }),
  }),
  (order) => ({ status: (task) => (task.queries < 2 ? bare(502, order) : completed(task)) }),
  (order) => ({ status: (task) => (task.queries < 2 ? success({ task_id: order }) : completed(task)) }),
  (order) => ({ status: (task) => completed(task, { result: [{ type: 'video', content: order }] }) }),
  (order) => ({
    status: (task) => completed(task, { result: [{ type: 'video', content: task.link(order) }] }),
    file: () => bare(410, order),
  }),
  (order) => ({ create: () => success({ task_id: order }) }),
];

const rows = terminalOrders.map((order, at) => ({
  id: `${order}-${at}`,
  question: `${order} ${at}`,
  title: order,
  place: places[at % places.length]?.(order) ?? {},
}));

const placeOf = (question: string): Script => rows.find((row) => row.question === question)?.place ?? {};

const script: Script = {
  create: (creation, accept) => placeOf(creation.question).create?.(creation, accept),
  status: (task) => placeOf(task.question).status?.(task),
  file: (request) => placeOf(request.question).file?.(request),
};

const sendable = rows.map(({ id, question, title }) => ({ id, question, [`column ${title}`]: title }));
const unsendable = terminalOrders.flatMap((order, at) => [
  { id: `image ${at}`, questionImages: [`${order}.png`, `https://${order}`] },
  { id: `quality ${at}`, question: 'x', quality: order },
  { id: `address ${at}`, question: 'x', notify_url: order },
]);

const asLines = (records: readonly object[]): string => records.map((row) => JSON.stringify(row)).join('\n');

/** A name that a terminal would obey, as far as a file system takes it. */
const name = `mark\u001b[2J\u009b1A\u202e\u0007\n\r`;

async function openHostile(follow: Script): Promise<Stage> {
  const stage = await openStage(follow);
  await stage.write(`${name}.jsonl`, asLines([...sendable, ...unsendable]));
  return stage;
}

test('no command gives an order to the terminal, whatever file, folder and service say', async () => {
  await using stage = await openHostile(script);
  const file = `${name}.jsonl`;
  const out = `${name} out`;
  const first = rows[0]?.id ?? '';
  const run = [...runLine(file, '--out', out), '-j', '200', '-y'];
  const lines: readonly (readonly string[])[] = [
    ['check', file, '--out', out],
    ['check', file, '--out', out, '--json'],
    [...run, '--verbose'],
    ['status', out],
    ['status', out, '--json'],
    ['report', out],
    ['check', file, '--out', out],
    [...run, '--json'],
    ['resume', out, '--json', '--verbose'],
    ['collect', out, '--verbose'],
    ['retry', out, '--only', first, '--verbose', '-y'],
    ['retry', out, '--rejected', '--failed', '--json', '-y'],
    ['retry', out, '--only', 'unknown mark\u009b2J'],
    ['resolve', out, first, '--task-id', 'mark\u009b2J'],
    ['resolve', out, 'unknown mark\u009b2J', '--not-created'],
  ];
  // Some rows are asked about for ten minutes.
  const node = [...swiftly, ...quickPauses.node];
  for (const line of lines) expectNoOrders(await stage.batch(line, { node }), line.join(' '));
  expect(stage.service.creations.length).toBeGreaterThan(rows.length);

  const [damaged = ''] = (await stage.list(out)).filter((path) => path.endsWith('video.webm'));
  await rm(join(stage.folder, out, damaged));
  for (const line of [
    ['verify', out],
    ['verify', out, '--fix', '--verbose'],
  ])
    expectNoOrders(await stage.batch(line, { node }), line.join(' '));
}, 300_000);

describe.concurrent('what ends a run is told without an order to the terminal', { timeout: 180_000 }, () => {
  const order = 'mark\u001b[2J\u009b1A\u202e\u{e0041}\u0007';
  /** Bytes of a header line are what they are; the server does not let all of them through. */
  const header = 'mark\u009b1A\u0085';
  const ends: Readonly<Record<string, Reply>> = {
    'a refused key': errorEnvelope(order, 401),
    'a redirect': bare(307, '', { location: `https://x.example/${header}` }),
    'a redirect to nowhere': bare(302, order, { location: `javascript:${header}` }),
    'a page of an error': bare(500, `<h1>${order}</h1>`),
    'an answer in a strange encoding': bare(200, '{}', { 'content-encoding': header }),
  };

  it.for(Object.entries(ends))('%s', async ([, reply]) => {
    await using stage = await openStage({ create: () => reply });
    await stage.write(
      'mark.csv',
      ['id,question', ...['a', 'b', 'c', 'd'].map((id) => `mark-${id},${id}`)].join('\n'),
    );
    for (const more of ['--verbose', '--json'])
      expectNoOrders(await stage.batch(runLine('mark.csv', '--out', `mark${more}`, more)), more);
  });

  it('an uncertain row, and how it is settled', async () => {
    await using stage = await openStage({ create: () => bare(500, order) });
    await stage.write('q.jsonl', JSON.stringify({ id: order, question: 'a' }));
    const run = await stage.batch(runLine('q.jsonl'));
    expect(run.code, run.stderr).toBe(5);
    for (const line of [
      ['status'],
      ['resolve', './videos', order, '--task-id', order],
      ['resolve', './videos', order, '--not-created'],
      ['resolve', './videos', order, '--not-created', '--yes'],
    ]) {
      expectNoOrders(run, 'run');
      expectNoOrders(await stage.batch(line), line.join(' '));
    }
  });
});

describe.concurrent('wrong use is told without an order to the terminal', () => {
  const order = 'mark\u001b[2J\u009b1A\u202e\u0007\nmark';
  const lines: Readonly<Record<string, readonly string[]>> = {
    'an unknown command': [order],
    'an unknown option': ['run', 'q.csv', `--${order}`],
    'one word too many': ['run', 'q.csv', order],
    'a bad value': ['run', 'q.csv', '--concurrency', order],
    'a bad address': ['run', 'q.csv', '--base-url', order],
    'a bad field': ['run', 'q.csv', '--map', `${order}=x`],
    'an unknown column': ['run', 'q.csv', '--map', `question=${order}`],
    'an unknown row': ['run', 'q.csv', '--only', order],
    'a file that is not there': ['run', order],
    'a file that is a folder': ['run', 'folder mark\u001b[2J\u009b'],
    'a key file that is not there': ['run', 'q.csv', '--api-key-file', order],
    'a job file that is not there': ['run', '--job', order],
    'a job file that is none': ['run', '--job', 'bad.json'],
    'a job file with an unknown option': ['run', '--job', 'unknown.json'],
    'a job file with a bad value': ['run', '--job', 'value.json'],
    'a folder without a run': ['status', order],
    'a folder that is a file': ['run', 'q.csv', '--out', 'q.csv/mark\u001b[2J'],
    'a header that stands twice': ['check', 'twice.csv'],
    'an id that stands twice': ['check', 'ids.csv'],
    'a file without questions': ['check', 'none.csv'],
    'broken quotes': ['check', 'quotes.csv'],
    'broken lines': ['check', 'broken.jsonl'],
    'an address to listen at': ['run', 'q.csv', '--listen', `${order}:1`],
  };

  it.for(Object.entries(lines))('%s', async ([, line]) => {
    await using stage = await openStage();
    await mkdir(join(stage.folder, 'folder mark\u001b[2J\u009b'));
    await stage.write('q.csv', 'id,question\nmark,b\n');
    await stage.write('bad.json', `{"mark\u001b[2J\u009b": `);
    await stage.write('unknown.json', JSON.stringify({ [order]: 1 }));
    await stage.write('value.json', JSON.stringify({ input: 'q.csv', 'base-url': order }));
    await stage.write('twice.csv', `question,"${order}","${order}"\na,b,c\n`);
    await stage.write('ids.csv', `id,question\n"${order}",b\n"${order}",c\n`);
    await stage.write('none.csv', `id,"${order}"\na,b\n`);
    await stage.write('quotes.csv', `id,question\na,"${order}"mark"\nc,"d\n`);
    await stage.write('broken.jsonl', `{"question": "${order}\n${order}\n`);
    const ending = await stage.batch(line);
    expect(ending.code, ending.stderr).toBe(2);
    expectNoOrders(ending, line.join(' '), /mark|folder|column|quote|JSON/);
  });
});

test.each(terminalOrders)('with colours on, the colours of the tool are the only orders: %j', (order) => {
  const written: string[] = [];
  const lines = createPlainLines({
    write: (line) => void written.push(line),
    isColor: true,
    words: folderWords('./videos'),
    say: english,
    now: Date.now,
  });
  lines.note(order);
  lines.warn(order);
  expect(written.join('\n').replaceAll('\u001b[33m', '').replaceAll('\u001b[39m', '')).not.toMatch(orders);
  expect(written).toHaveLength(2);
});

test('the list is long, and each text of it holds an order', () => {
  expect(terminalOrders.length).toBeGreaterThanOrEqual(25);
  expect(terminalOrders.filter((text) => !orders.test(text) && !text.includes('\n'))).toEqual([]);
});
