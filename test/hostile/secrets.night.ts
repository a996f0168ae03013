import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { type Ending, quickPauses } from '../cli/support/program.ts';
import {
  apiKey,
  bare,
  completed,
  errorEnvelope,
  type Reply,
  type Script,
} from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';
import { openFront } from './keyed-front.ts';
import { startRefusingProxy } from './refusing-proxy.ts';
import { findSecret, linkEchoes, places, spellings } from './secret-echoes.ts';

/** A row for each place and each way to say it: its question names both. */
function matrix(
  ways: Readonly<Record<string, (secret: string) => string>>,
  secretOf: (link: string) => string,
) {
  // Place by place within each way: refusals of one kind do not follow each other, or submitting would stop.
  const rows = Object.keys(ways).flatMap((way) =>
    Object.keys(places).map((place) => ({ question: `${place}, ${way}`, place, way })),
  );
  const scripts = new Map(
    rows.map(({ question, place, way }) => [
      question,
      places[place]?.(
        (link) => `no. ${rows.findIndex((row) => row.question === question)}: ${ways[way]?.(secretOf(link))}`,
      ),
    ]),
  );
  const script: Script = {
    create: (creation, accept) => scripts.get(creation.question)?.create?.(creation, accept),
    status: (task) => scripts.get(task.question)?.status?.(task),
    file: (request) => scripts.get(request.question)?.file?.(request),
  };
  const file = rows.map(({ question }) => JSON.stringify({ question })).join('\n');
  return { rows, script, file };
}

/** Where the secret stands in what a program said, or in a file of the output folder but for `except`. */
async function leaksOf(
  stage: Stage,
  endings: readonly Ending[],
  secret: string,
  except = /^$/,
): Promise<string[]> {
  const leaks = endings.flatMap(({ stdout, stderr }) =>
    [stdout, stderr].map((text): [string, string | null] => ['the terminal', findSecret(text, secret)]),
  );
  for (const name of await stage.list('videos')) {
    if (/\.(webm|png)$/.test(name) || except.test(name)) continue;
    const bytes = await readFile(join(stage.folder, 'videos', name));
    // Both: SQLite keeps text as UTF-8 among bytes that are none.
    for (const encoding of ['latin1', 'utf8'] as const)
      leaks.push([name, findSecret(bytes.toString(encoding), secret)]);
  }
  return leaks.filter(([, leak]) => leak !== null).map(([place, leak]) => `${place}: ${leak}`);
}

/** Everything the tool can say of a run that is over. */
const otherLines = [
  ['status'],
  ['status', '--json'],
  ['check', 'q.jsonl', '--json'],
  ['report'],
  ['verify'],
  ['collect', '--verbose'],
  ['resume', '--json', '--verbose'],
  ['retry', '--failed', '--verbose', '-y', '--poll-interval', '100ms'],
] as const;

describe.concurrent('an API key that the service echoes in every way and at every place is nowhere', () => {
  const keys: Readonly<Record<string, string>> = {
    'a plain one': 'sk-live-0123456789-abcdefghijkl',
    'one of signs': 'k.*(y)|[z]$^{2}\\d+?"q"<&>\'/=%41;~`',
    'a long one': `eyJhbGciOi.${'Ab0_-9xYz'.repeat(30)}.sig`,
  };

  it.for(Object.entries(keys))('%s', { timeout: 300_000 }, async ([, key]) => {
    const { rows, script, file } = matrix(spellings, () => key);
    await using stage = await openStage(script);
    await using front = await openFront(stage.service, key);
    const more = { env: { BATCH_BASE_URL: front.url, BATCH_API_KEY: key } };
    await stage.write('q.jsonl', file);
    const line = runLine('q.jsonl', '-j', '500', '-y', '--verbose');

    const killed = stage.start(line, more);
    const isHalfDone = stage.service.until(({ events }) => events.length > rows.length);
    await Promise.race([isHalfDone, killed.ended]);
    killed.kill('SIGKILL');
    const endings = [await killed.ended];
    expect(await stage.list('videos')).toContain('batch.sqlite-wal');
    expect(await leaksOf(stage, endings, key)).toEqual([]);

    endings.push(await stage.batch(line, more));
    expect(endings[1]?.code, endings[1]?.stderr).not.toBe(70);
    const others = key === keys['a plain one'] ? otherLines : otherLines.slice(-1);
    for (const other of others) endings.push(await stage.batch(other, more));
    expect(endings.map(({ code }) => code)).not.toContain(2);
    expect(await leaksOf(stage, endings, key)).toEqual([]);

    // It was there to be found: every row's text left a trace, with the mark in the place of the key.
    const said = endings.map(({ stderr }) => stderr).join('') + (await stage.read('videos/report.jsonl'));
    expect(said.match(/\[secret\]/g)?.length).toBeGreaterThan(rows.length);
  });

  it('one so short that it is a word, where it stands alone', async () => {
    const key = 'pa$s';
    await using stage = await openStage({
      create: ({ question }) => errorEnvelope(`${question}: key ${key}, "${key}"!`),
    });
    await using front = await openFront(stage.service, key);
    await stage.write('q.csv', questions('a', 'b'));
    const more = { env: { BATCH_BASE_URL: front.url, BATCH_API_KEY: key } };
    const endings = [await stage.batch(runLine('q.csv', '--verbose'), more)];
    expect(endings[0]?.stderr).toContain('key [secret]');
    expect(await leaksOf(stage, endings, key)).toEqual([]);
  });
});

test('the signature of a link that the service echoes in every way and at every place is nowhere', async () => {
  const { rows, script, file } = matrix(linkEchoes, (link) => link);
  await using stage = await openStage(script);
  await stage.write('q.jsonl', file);
  const endings = [await stage.batch(runLine('q.jsonl', '-j', '500', '-y', '--verbose'))];
  expect(endings[0]?.code, endings[0]?.stderr).toBe(1);
  for (const other of otherLines) endings.push(await stage.batch(other));
  expect(await leaksOf(stage, endings, 's3cret')).toEqual([]);
  for (const entry of (await stage.read('videos/batch.log')).trim().split('\n')) JSON.parse(entry);
  expect(stage.service.creations.length).toBeGreaterThanOrEqual(rows.length);
}, 300_000);

describe.concurrent('a key or a token in the path of a link is nowhere, however its file cannot be had', {
  timeout: 180_000,
}, () => {
  const hidden = `${apiKey}/s3cret-path`;
  /** Each of these links leads to what ails it; the host is the scripted one, or none. */
  const ailments: Readonly<Record<string, string>> = {
    'is refused': 'refused',
    'is answered with 503': 'busy',
    'is cut': 'cut',
    'leads to a page': 'page',
    'leads to nothing': 'empty',
    'leads away in circles': 'circle',
    'leads away to another path': 'moved',
    'leads away to what is no address': 'lost',
    'is at a host that is not there': 'gone',
  };
  const replies: Readonly<Record<string, Reply>> = {
    busy: bare(503),
    cut: (response) => {
      response.writeHead(200, { 'content-length': 5_000 });
      response.write('x', () => response.socket?.destroy());
    },
    page: bare(200, `<p>/${hidden}/`),
    empty: bare(200, ''),
    circle: bare(302, '', { location: `/${hidden}/circle` }),
    moved: bare(302, '', { location: `/${hidden}/refused?sig=s3cret` }),
    lost: bare(302, '', { location: `ftp://x.example/${hidden}/?sig=s3cret` }),
  };

  it.for(['as the video', 'as a frame'])('%s', async (place) => {
    await using stage = await openStage({
      status: (task) => {
        const name = ailments[task.question.replace('Question ', '').replaceAll('_', ' ')] ?? '';
        const origin = name === 'gone' ? 'http://127.0.0.1:9' : stage.service.url;
        const link = `${origin}/${hidden}/${name}?signature=s3cret`;
        return place === 'as the video'
          ? completed(task, { result: [{ type: 'video', content: link }] })
          : completed(task, { progress: [{ id: 'f', image: link }] });
      },
      other: (path) => replies[path.split('/').at(-1) ?? ''],
    });
    await stage.write('q.csv', questions(...Object.keys(ailments).map((each) => each.replaceAll(' ', '_'))));
    // The time of a frame is short enough as it is.
    const pauses = place === 'as the video' ? quickPauses : {};
    const endings = [await stage.batch(runLine('q.csv', '--verbose'), pauses)];
    const status = place === 'as the video' ? 'undelivered' : 'completed';
    expect(new Set(Object.values(await stage.statuses()))).toEqual(new Set([status]));
    for (const other of [['status'], ['report'], ['verify', '--verbose']])
      endings.push(await stage.batch(other));
    for (const secret of [apiKey, 's3cret']) expect(await leaksOf(stage, endings, secret)).toEqual([]);
    // The links were asked for, and are told of: by host and last segment.
    expect(await stage.read('videos/batch.log')).toContain('/…/refused: ');
  });
});

describe.concurrent('what ends a run gives no secret away', { timeout: 180_000 }, () => {
  const link = 'https://me:s3cret@files.example/x?signature=s3cret';
  const replies: Readonly<Record<string, Reply>> = {
    'a refused key': errorEnvelope(`Unauthorized: Invalid API key ${apiKey}, see ${link}`, 401),
    'a page of a refused key': bare(
      403,
      `<p>Bearer ${encodeURIComponent(apiKey)}</p><a href="${link}">x</a> ${link}`,
    ),
    'a redirect': bare(307, '', {
      location: `https://me:s3cret@x.example/${apiKey}?key=${apiKey}&sig=s3cret`,
    }),
    'a redirect after which nobody knows': bare(302, '', { location: `/${apiKey}/?sig=s3cret#${apiKey}` }),
    'a page instead of an answer': bare(500, `<h1>${apiKey}</h1> ${link}`),
    'an answer that is none': bare(200, `${apiKey} ${link}`),
    'an answer in a strange encoding': bare(200, '{}', { 'content-encoding': apiKey, 'x-echo': apiKey }),
    'a redirect to what is no page': bare(308, '', { location: `javascript:${apiKey}` }),
    'a busy service': bare(429, `${apiKey} ${link}`, { 'retry-after': `0; ${apiKey}` }),
  };

  it.for(Object.entries(replies))('%s', async ([, reply]) => {
    await using stage = await openStage({ create: () => reply });
    await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
    const endings: Ending[] = [];
    for (const how of ['--verbose', '--json', '--quiet'])
      endings.push(await stage.batch(runLine('q.csv', how, '--outage-timeout', '2s')));
    endings.push(await stage.batch(['report']));
    for (const secret of [apiKey, 's3cret']) expect(await leaksOf(stage, endings, secret)).toEqual([]);
  });

  it('a proxy that refuses, and echoes the password it was given', async () => {
    await using stage = await openStage();
    await using proxy = await startRefusingProxy();
    await stage.write('q.csv', questions('a'));
    const env = {
      BATCH_BASE_URL: 'http://video.example',
      HTTP_PROXY: `http://me:s3cret-pass@${proxy.host}`,
      HTTPS_PROXY: `http://me:s3cret-pass@${proxy.host}`,
    };
    const limits = ['--request-timeout', '2s', '--verbose'];
    const endings = [
      await stage.batch(runLine('q.csv', ...limits), { env }),
      await stage.batch(runLine('q.csv', ...limits), {
        env: { ...env, BATCH_BASE_URL: 'https://video.example' },
      }),
      await stage.batch(runLine('q.csv', ...limits), {
        env: { ...env, HTTP_PROXY: 'nonsense://me:s3cret-pass@x' },
      }),
    ];
    expect(proxy.seen.length).toBeGreaterThan(0);
    for (const secret of ['s3cret', apiKey, Buffer.from('me:s3cret-pass').toString('base64')])
      expect(await leaksOf(stage, endings, secret)).toEqual([]);
  }, 300_000);
});

describe.concurrent('a secret that was typed in the wrong place is not said again', () => {
  const lines: Readonly<Record<string, readonly string[]>> = {
    'in the address of the service': ['--base-url', 'https://me:s3cret@x.example'],
    'in an address without a scheme': ['--base-url', 'me:s3cret@x.example'],
    'in the query of an address': ['--base-url', 'https://x.example/?token=s3cret'],
    'in the fragment of an address': ['--base-url', 'https://x.example/#s3cret'],
    'in the public address': ['--listen', '127.0.0.1:0', '--public-url', 'https://me:s3cret@x.example'],
    'in a job file': ['--job', 'job.json'],
    'as a word': [apiKey],
    'as an option': ['--api-key', apiKey],
    'as another option': [`--key=${apiKey}`],
  };

  it.for(Object.entries(lines))('%s', async ([, line]) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('job.json', JSON.stringify({ 'base-url': 'https://me:s3cret@x.example' }));
    const ending = await stage.batch(['run', 'q.csv', ...line]);
    expect(ending.code, ending.stderr).toBe(2);
    for (const secret of ['s3cret', apiKey]) expect(await leaksOf(stage, [ending], secret)).toEqual([]);
    expect(await stage.list('videos')).toEqual([]);
  });

  it('in the environment', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const env = { BATCH_BASE_URL: 'https://me:s3cret@x.example' };
    const ending = await stage.batch(runLine('q.csv'), { env });
    expect(ending.code).toBe(2);
    expect(await leaksOf(stage, [ending], 's3cret')).toEqual([]);
  });
});

test('signed addresses of the input stand in the checkpoint and in failed.csv, which need them, and nowhere else', {
  timeout: 180_000,
}, async () => {
  await using stage = await openStage({
    create: ({ body }) => errorEnvelope(`cannot read ${JSON.stringify(body)} nor ${body.questionImages}`),
  });
  const image = 'https://images.example/a.png?X-Amz-Signature=s3cret';
  const input = ['a', 'b'].map((id) => ({ id, question: 'x', questionImages: [image, `${image}2`] }));
  const bad = {
    id: 'c',
    questionImages: ['https://?sig=s3cret', 'file://host/x?sig=s3cret'],
  };
  await stage.write('q.jsonl', [...input, bad].map((row) => JSON.stringify(row)).join('\n'));
  const endings = [await stage.batch(runLine('q.jsonl', '--verbose'))];
  for (const other of otherLines) endings.push(await stage.batch(other));
  expect(await leaksOf(stage, endings, 's3cret', /^(batch\.sqlite.*|failed\.csv)$/)).toEqual([]);
  expect(await stage.read('videos/failed.csv')).toContain('s3cret');
});

test('the unguessable address of a callback, which the service echoes, stands in no report and no log', async () => {
  const seen: string[] = [];
  await using stage = await openStage({
    create: ({ body }) => {
      const address = String(body.notify_url);
      seen.push(/[0-9a-f]{32}$/.exec(address)?.[0] ?? '');
      return errorEnvelope(
        `cannot call ${address}, ${encodeURIComponent(address)}, ${JSON.stringify({ address }).replaceAll('/', '\\/')}`,
      );
    },
  });
  await stage.write('q.csv', questions('a', 'b'));
  const endings = [await stage.batch(runLine('q.csv', '--verbose', '--listen', '127.0.0.1:0'))];
  endings.push(await stage.batch(['status']), await stage.batch(['report']));
  expect(seen).toHaveLength(2);
  for (const token of seen) {
    expect(token).toHaveLength(32);
    expect(await leaksOf(stage, endings, token)).toEqual([]);
  }
});
