import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, errorEnvelope, failed } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../cli/support/stage.ts';

describe.concurrent('an address to listen at', () => {
  it.for(['0.0.0.0:0', '[::]:0', '::0:0', '0:8080', '0:0:0:0:0:0:0:0:8080'])(
    '%s is refused without --public-url: nobody can call it, and nothing is left of the try',
    async (address) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      const ending = await stage.batch(runLine('q.csv', '--listen', address));
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      expect(ending.stderr).toMatch(
        /^batch: --listen .*: the service cannot call that address; give --public-url URL\n$/,
      );
      expect(stage.service.events).toEqual([]);
      expect(await stage.list('.')).toEqual(['q.csv']);
    },
  );

  it('that is everywhere is called by its public name', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const line = runLine('q.csv', '--listen', '0.0.0.0:0', '--public-url', 'https://class.example/batch/');
    expect((await stage.batch(line)).code).toBe(0);
    const url = String(stage.service.creations[0]?.body.notify_url);
    expect(url).toMatch(/^https:\/\/class\.example\/batch\/callback\/\d+-[0-9a-f]{32}$/);
  });

  it.for([
    ['in use', 'EADDRINUSE'],
    ['of another machine', 'EADDRNOTAVAIL'],
  ] as const)(
    'that is %s ends the run before anything is sent, and the next run does the work',
    async ([what, code]) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const taken = `127.0.0.1:${(other.address() as AddressInfo).port}`;
      const ending = await stage.batch(
        runLine('q.csv', '--listen', what === 'in use' ? taken : '192.0.2.7:8080'),
      );
      other.close();
      expect(ending).toMatchObject({ code: 2, stdout: '' });
      const [last = ''] = ending.stderr.trimEnd().split('\n').slice(-1);
      expect(last).toMatch(/^batch: --listen .*; choose another address$/);
      expect(last).toContain(code);
      expect(stage.service.events).toEqual([]);
      expect((await stage.batch(['resume', '--listen', '127.0.0.1:0'])).code).toBe(0);
      expect(stage.service.creations).toHaveLength(1);
    },
  );
});

describe.concurrent('the unguessable part of an address', () => {
  it('is in no output and in no file, though the service repeats it wherever it can', async () => {
    const urls = new Map<string, string>();
    await using stage = await openStage({
      create: ({ question, body }) => {
        urls.set(question, String(body.notify_url));
        return question === 'Question a' ? errorEnvelope(`cannot call ${body.notify_url}`) : undefined;
      },
      status: (task) => {
        const url = urls.get(task.question) ?? '';
        if (task.question === 'Question b') return failed(task, `nobody at ${encodeURIComponent(url)}`);
        const detail = JSON.stringify({ called: url });
        return completed(task, { title: `For ${url}`, consumption: [{ type: 'score', value: 1, detail }] });
      },
    });
    await stage.write('q.csv', questions('a', 'b', 'c'));
    const { code, stdout, stderr } = await stage.batch(
      runLine('q.csv', '--listen', '127.0.0.1:0', '--verbose'),
    );
    expect(code).toBe(1);
    const tokens = [...urls.values()].map((url) => url.slice(-32));
    expect(tokens).toHaveLength(3);
    const files = await stage.list('videos');
    expect(files).toEqual(
      expect.arrayContaining(['batch.log', 'batch.sqlite', 'c/task.json', 'report.html', 'failed.csv']),
    );
    const contents = await Promise.all(
      files.map((file) => readFile(join(stage.folder, 'videos', file), 'latin1')),
    );
    for (const text of [stdout, stderr, ...contents])
      for (const token of tokens) expect(text).not.toContain(token);
    expect(await stage.read('videos/report.csv')).toContain('/callback/');
  });
});
