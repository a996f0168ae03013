import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { completed, inProgress } from '../cli/support/scripted-service.ts';
import { questions } from '../cli/support/stage.ts';
import { askedCount, call, type Listening, openListening, sendRaw, untilAsked } from './callers.ts';

const twoRows = 'id,question,notify_url\na,Question a,\nb,Question b,http://own.example/hook\n';

/** A run of two open rows, the second with a callback address of its own. */
async function openTwo(): Promise<Listening> {
  const stage = await openListening(twoRows, {
    status: (task) => (task.queries === 1 ? inProgress(task) : completed(task)),
  });
  await untilAsked(stage, 'Question a', 'Question b');
  return stage;
}

/** The same address with another path. */
function at(address: URL, path: string): URL {
  return new URL(path, address);
}

/** Paths that are near to this one and are not it. */
function* wrongPaths({ pathname }: URL): Generator<string> {
  const [, key = '', token = ''] = /(\d+)-(\w+)$/.exec(pathname) ?? [];
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === '0' ? '1' : '0';
    yield `/callback/${key}-${token.slice(0, i)}${other}${token.slice(i + 1)}`;
    yield `/callback/${key}-${token.slice(0, i)}`;
  }
  for (let other = 0; other < 200; other++) if (String(other) !== key) yield `/callback/${other}-${token}`;
  for (const odd of ['-1', '1e0', '0x1', '9'.repeat(15), '9'.repeat(16), '9'.repeat(400)])
    yield `/callback/${odd}-${token}`;
  yield `/callback/${key}-${token.toUpperCase().replace(/^(.*)$/, (all) => (all === token ? `${all}A` : all))}`;
  yield* [`/callback/${key}-${token}0`, `/callback/${key}-${token}/`, `/callback/${key}-${token}%20`];
  yield* [`/callback//${key}-${token}`, `/callback/x/${key}-${token}`, `/x/callback/${key}-${token}`];
  yield* ['/', '/callback', '/callback/', `/callback/${key}`, `/callback/-${token}`, '/api/gen_video'];
  yield* ['/__proto__', '/callback/__proto__-constructor', '/batch.sqlite', '/report.html'];
}

/** Request lines as no client library sends them, with what has to come back: a status, or nothing at all. */
const rawLines: readonly (readonly [what: string, line: (path: string) => string, answer: RegExp])[] = [
  ['a way up and down again', (path) => `GET /x/../${path.slice(1)} HTTP/1.1`, / 404 /],
  ['an encoded way up', (path) => `GET /callback/%2e%2e${path} HTTP/1.1`, / 404 /],
  ['files of the machine', () => 'GET /../../../../etc/passwd HTTP/1.1', / 404 /],
  ['a whole address', (path) => `GET http://other.example${path} HTTP/1.1`, / 404 /],
  ['a path of 30,000 letters', () => `GET /callback/${'1'.repeat(30_000)} HTTP/1.1`, /^$/],
  ['30,000 letters of a header', (path) => `GET ${path} HTTP/1.1\r\nx: ${'y'.repeat(30_000)}`, /^$/],
  ['no HTTP', () => 'HELO batch', /^$/],
  ['HTTP of another time', (path) => `GET ${path} HTTP/9.9`, /^$/],
  ['a tunnel', () => 'CONNECT 127.0.0.1:22 HTTP/1.1', /^$/],
  ['two lengths', (path) => `POST ${path} HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2`, /^$/],
  ['a length that is none', (path) => `POST ${path} HTTP/1.1\r\ncontent-length: -5`, /^$/],
  [
    'a length and chunks',
    (path) => `POST ${path} HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked`,
    /^$/,
  ],
  ['an expectation nobody meets', (path) => `POST ${path} HTTP/1.1\r\nexpect: gold`, / 417 /],
  ['NUL in the path', (path) => `GET ${path}\0 HTTP/1.1`, /^$/],
];

describe.concurrent('somebody who guesses', () => {
  it('hears nothing but no, and the service is asked nothing', async () => {
    await using stage = await openTwo();
    const address = stage.addressOf('Question a');
    const paths = [...wrongPaths(address)];
    expect(paths.length).toBeGreaterThan(250);
    for (const path of paths) expect(await call(at(address, path)), path).toBe(404);
    for (const [what, line, answer] of rawLines) {
      const bytes = `${line(address.pathname)}\r\nhost: x\r\nconnection: close\r\n\r\n`;
      expect(await sendRaw(address, bytes), what).toMatch(answer);
    }
    expect(askedCount(stage, 'Question a') + askedCount(stage, 'Question b')).toBe(2);
    stage.program.kill('SIGINT');
    const { code, stderr } = await stage.program.ended;
    expect(code).toBe(130);
    expect(stderr).not.toMatch(/callback|passwd|HELO/);
  });
});

describe.concurrent('a row that is called back', () => {
  it('is asked about, whatever the method and whatever stands behind the path', async () => {
    const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
    await using stage = await openListening(questions(...methods), {
      status: (task) => (task.queries === 1 ? inProgress(task) : completed(task)),
    });
    await untilAsked(stage, ...methods.map((method) => `Question ${method}`));
    for (const method of methods) {
      const address = stage.addressOf(`Question ${method}`);
      expect(await call(at(address, `${address.pathname}?status=FAILED&x=%00`), '', method), method).toBe(
        204,
      );
    }
    expect((await stage.program.ended).code).toBe(0);
    for (const method of methods) expect(askedCount(stage, `Question ${method}`), method).toBe(2);
  });

  it('is asked about once, called by many requests in one breath', async () => {
    await using stage = await openTwo();
    const address = stage.addressOf('Question a');
    const one = `POST ${address.pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}`;
    expect(await sendRaw(address, one.repeat(200))).toMatch(/^HTTP\/1\.1 204 /);
    await stage.program.said(/"id":"a",.*"to":"completed"/);
    expect(askedCount(stage, 'Question a')).toBe(2);
  });

  it('is asked about though the service was given an address of the row itself', async () => {
    await using stage = await openTwo();
    expect(stage.addressOf('Question b').href).toBe('http://own.example/hook');
    const db = new Database(join(stage.folder, 'videos/batch.sqlite'), { readonly: true });
    const { value } =
      db.prepare<[], { value: string }>(`SELECT value FROM settings WHERE name = 'callback-secret'`).get() ??
      {};
    const { key } = db.prepare<[], { key: number }>(`SELECT key FROM items WHERE id = 'b'`).get() ?? {};
    db.close();
    const token = createHmac('sha256', value ?? '')
      .update(String(key))
      .digest('hex')
      .slice(0, 32);
    expect(await call(at(stage.addressOf('Question a'), `/callback/${key}-${token}`))).toBe(204);
    await stage.program.said(/"id":"b",.*"to":"completed"/);
  });
});
