import { chmod, mkdir, rmdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admit } from '../../../src/features/view/view-server/admission.ts';
import { picture } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { ask, askFor, startView } from './visitor.ts';

let stage: Stage;
let url: string;

beforeAll(async () => {
  stage = await openStage();
  await stage.write('q.csv', questions('a', '2024/高考 1'));
  await stage.batch(runLine('q.csv'));
  // What a user, or somebody else, puts into the folder is no part of the run.
  await stage.write('videos/notes.txt', 'mine');
  await stage.write('videos/a/notes.txt', 'mine');
  await stage.write('videos/a/video.part', 'half');
  await stage.write('videos/a/attempt-1/video.mp4', 'old');
  await stage.write('videos/stranger/video.mp4', 'not of this run');
  await stage.write('secret.png', picture);
  ({ url } = await startView(stage));
});

afterAll(() => stage?.[Symbol.asyncDispose]());

/** The port of the page and the word in its path. */
const parts = () => {
  const { port, pathname } = new URL(url);
  return { port, word: pathname.slice(1, -1) };
};

describe('the live page', () => {
  it('lies behind a word that nobody guesses, which is another one at each start', async () => {
    const { word } = parts();
    expect(word).toMatch(/^[\w-]{32}$/);
    const other = await startView(stage, '--port', '0');
    expect(new URL(other.url).pathname).not.toBe(`/${word}/`);
    expect(await askFor(other.url, '')).toMatchObject({ status: 200 });
  });

  it.each([['/'], ['/x/'], ['//'], ['/favicon.ico'], ['/%2e/'], ['/report.csv'], ['/batch.sqlite'], ['*']])(
    'says nothing at %s',
    async (path) => {
      const { word } = parts();
      for (const wrong of [path, `/${word.slice(0, -1)}/`, `/${word}x/`, `/${word.toUpperCase()}/`]) {
        const { status, body } = await ask(url, wrong);
        expect([wrong, status, body.length]).toEqual([wrong, 404, 0]);
      }
    },
  );

  it.each([
    ['evil.example'],
    ['127.0.0.1'],
    ['127.0.0.1:1'],
    ['localhost.evil.example:PORT'],
    ['0.0.0.0:PORT'],
    ['127.0.0.1:PORT.evil.example'],
  ])('is not shown to who asks for it under the name %j', async (name) => {
    const host = name.replace('PORT', parts().port);
    expect(await askFor(url, '', { headers: { host } })).toMatchObject({ status: 403 });
  });

  it.each([['127.0.0.1'], ['localhost'], ['LOCALHOST'], ['[::1]']])(
    'is shown to who asks for it under the name %s of this machine',
    async (name) => {
      const host = `${name}:${parts().port}`;
      expect(await askFor(url, '', { headers: { host } })).toMatchObject({ status: 200 });
    },
  );

  it.each([['127.0.0.1'], ['localhost'], ['[::1]'], ['localhost:80']])(
    'is shown at port 80, which no browser names, under the name %s',
    async (host) => {
      await using server = createServer((request, response) => {
        response.end(JSON.stringify(admit(request, 80, 'word')));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const seen = await ask(`http://127.0.0.1:${port}`, '/word/', { headers: { host } });
      expect(JSON.parse(seen.body.toString())).toMatchObject({ refusal: null, path: '' });
    },
  );

  it.each([['POST'], ['PUT'], ['DELETE'], ['PATCH'], ['OPTIONS'], ['PROPFIND']])(
    'refuses %s, whatever is asked for',
    async (method) => {
      for (const path of ['', 'events', 'a/video.webm', 'batch.sqlite'])
        expect(await askFor(url, path, { method })).toMatchObject({ status: 405 });
      expect(await ask(url, '/', { method })).toMatchObject({ status: 405 });
    },
  );

  it('may run its own scripts only, be framed by nobody, and is kept by nobody', async () => {
    const { headers, body } = await askFor(url, '');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; .*connect-src 'self'; .*frame-ancestors 'none'$/);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(body.toString()).toMatch(/"Question a"[\s\S]*"live":true/);
    expect(await askFor(url, '', { method: 'HEAD' })).toMatchObject({ status: 200, body: Buffer.of() });
  });

  it('is found where its slash was left out', async () => {
    const { word } = parts();
    expect(await ask(url, `/${word}`)).toMatchObject({
      status: 308,
      headers: { location: `/${word}/` },
    });
  });
});

describe('of the output folder', () => {
  it('the files of the run are shown', async () => {
    const list = (await stage.list('videos')).filter((name) => /^2024.*video/.test(name));
    for (const name of [...list, 'a/video.webm', 'a/task.json', 'report.csv', 'report.jsonl', 'failed.csv']) {
      const path = name.split('/').map(encodeURIComponent).join('/');
      expect([name, (await askFor(url, path)).status]).toEqual([name, 200]);
    }
    expect(list).toHaveLength(1);
  });

  it.each([
    ...['batch.sqlite', 'batch.sqlite-wal', 'batch.lock', 'batch.log', 'simulator.jsonl', 'report.html'],
    ...['notes.txt', 'a/notes.txt', 'a/video.part', 'a/attempt-1/video.mp4', 'stranger/video.mp4'],
    ...['a', 'a/', 'a/frames', 'a//video.webm', '/a/video.webm', './a/video.webm', 'a/./video.webm'],
    ...['../q.csv', '../secret.png', 'a/../batch.sqlite', 'a/../../q.csv', '..%2fq.csv', '%2e%2e/q.csv'],
    ...['%2e%2e%2fq.csv', '%252e%252e/q.csv', 'a/%2e%2e/batch.sqlite', 'a%2fvideo.webm', 'a%5cvideo.webm'],
    ...[
      '..\\q.csv',
      'a/video.webm%00',
      'a/video.webm%00.png',
      'a/%',
      'a/%ff',
      'A/video.webm',
      'a/VIDEO.webm',
    ],
    ...['/etc/passwd', 'file:///etc/passwd', 'a/video.webm/', 'a/video.webm/..', 'events/', 'images/1'],
    ...[
      'images/1/questionImages/0',
      'images/1/answer/0',
      'images/-1/questionImages/0',
      'images/99999/questionImages/0',
    ],
    ...['constructor/task.json', '__proto__/task.json'],
  ])('%s is not shown', async (path) => {
    const { status, body } = await askFor(url, path);
    expect([status, body.length]).toEqual([404, 0]);
  });

  it('links are not followed, wherever they stand', async () => {
    const videos = join(stage.folder, 'videos');
    await stage.write('outside/video.webm', 'outside');
    await stage.write('outside/task.json', 'outside');
    await using linked = await openStage();
    await linked.write('q.csv', questions('file', 'folder', 'frames'));
    await linked.batch(runLine('q.csv'));
    const of = (...names: string[]) => join(linked.folder, 'videos', ...names);
    await linked.remove('videos/file/video.webm');
    await symlink(join(stage.folder, 'outside/video.webm'), of('file/video.webm'));
    for (const name of await linked.list('videos/folder')) await linked.remove(`videos/folder/${name}`);
    await mkdir(of('moved'));
    await rmdir(of('folder'));
    await symlink(join(stage.folder, 'outside'), of('folder'));
    await linked.remove('videos/report.csv');
    await symlink(join(videos, 'batch.sqlite'), of('report.csv'));
    const seen = await startView(linked);
    for (const path of ['file/video.webm', 'folder/video.webm', 'folder/task.json', 'report.csv'])
      expect([path, (await askFor(seen.url, path)).status]).toEqual([path, 404]);
    expect(await askFor(seen.url, 'frames/video.webm')).toMatchObject({ status: 200 });
  });
});

describe('batch view', () => {
  it('has the same port for a folder each time, and another one where that is taken', async () => {
    await using own = await openStage();
    await own.write('q.csv', questions('a'));
    await own.batch(runLine('q.csv'));
    const first = await startView(own);
    const second = await startView(own);
    await second.program.said(/port \d+ is taken; marks made at that address do not appear here/);
    expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
    first.program.kill('SIGINT');
    expect((await first.program.ended).code).toBe(0);
    const third = await startView(own);
    expect(new URL(third.url).port).toBe(new URL(first.url).port);
  });

  it('says where it is as JSON, and how it ends', async () => {
    const program = stage.start(['view', '--json', '--port', '0']);
    const [, said = ''] = await program.said(/^(\{"url":.*\})$/m);
    expect(await askFor(JSON.parse(said).url, '')).toMatchObject({ status: 200 });
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({
      code: 0,
      stderr: 'Ctrl-C stops this server; the run continues\n',
    });
  });

  it('refuses a port that is taken or none, and a folder without a run', async () => {
    await using taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const endings = await Promise.all([
      stage.batch(['view', '--port', port]),
      stage.batch(['view', '--port', '70000']),
      stage.batch(['view', './nothing']),
    ]);
    expect(endings.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(endings.map(({ stderr }) => stderr)).toEqual([
      expect.stringMatching(/^batch: .*EADDRINUSE.*; choose another --port\n$/),
      'batch: --port: "70000" is not valid; use a number from 0 to 65535\n',
      expect.stringMatching(/^batch: there is no run in .*nothing; start one with .*\n$/),
    ]);
  });

  it.runIf(process.platform === 'linux')(
    'opens the browser with --open, or says that it cannot',
    async () => {
      const bin = join(stage.folder, 'bin');
      await stage.write('bin/xdg-open', `#!/bin/sh\necho "$1" > '${bin}/opened'\n`);
      await chmod(join(bin, 'xdg-open'), 0o755);
      const opening = stage.start(['view', '--open', '--port', '0'], { env: { PATH: bin } });
      const [, address = ''] = await opening.said(/^Showing .*: (http:\S+)$/m);
      await expect.poll(() => stage.read('bin/opened').catch(() => '')).toBe(`${address}\n`);
      const failing = stage.start(['view', '--open', '--port', '0'], { env: { PATH: '/nowhere' } });
      await failing.said(/no browser could be opened; open the address/);
      failing.kill('SIGINT');
      expect((await failing.ended).code).toBe(0);
    },
  );

  it('leaves the folder as it was', async () => {
    const before = await stage.list('videos');
    const own = await startView(stage, '--port', '0');
    await askFor(own.url, '');
    await askFor(own.url, 'a/video.webm');
    own.program.kill('SIGTERM');
    await own.program.ended;
    expect(await stage.list('videos')).toEqual(before);
  });
});
