/** The proxy fails as its header says; every test of an outage rests on that. */

import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Postgres, startPostgres } from './postgres.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let server: Postgres;
let address: string;

beforeAll(async () => {
  server = await startPostgres();
  address = await server.createDatabase();
  await server.query(address, 'CREATE TABLE word (text text)');
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function connect(proxy: TcpProxy, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: proxy.through(address), ...options });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const write = (client: pg.Client, text: string): Promise<unknown> =>
  client.query('INSERT INTO word VALUES ($1)', [text]);

const words = async (text: string): Promise<number> =>
  (await server.query(address, `SELECT FROM word WHERE text = '${text}'`)).length;

/** Sessions of clients with this name that the server knows. */
const sessions = async (name: string): Promise<number> =>
  (await server.query(address, `SELECT FROM pg_stat_activity WHERE application_name = '${name}'`)).length;

it('passes everything, also a lot', async () => {
  await using proxy = await openTcpProxy(server.port);
  const client = await connect(proxy);
  const { rows } = await client.query<{ text: string }>("SELECT repeat('x', 3000000) AS text");
  expect(rows[0]?.text).toHaveLength(3_000_000);
  await client.end();
});

it('cuts connections and refuses new ones until it passes again', async () => {
  await using proxy = await openTcpProxy(server.port);
  const client = await connect(proxy);
  const asleep = client.query('SELECT pg_sleep(100)');
  proxy.cut();
  await expect(asleep).rejects.toThrow();
  await expect(connect(proxy)).rejects.toThrow();
  proxy.pass();
  const next = await connect(proxy);
  proxy.reset();
  await expect(write(next, 'cut')).rejects.toThrow();
  await (await connect(proxy)).end();
  expect(await words('cut')).toBe(0);
});

it('swallows what either side sends, and neither notices', async () => {
  await using proxy = await openTcpProxy(server.port);
  const client = await connect(proxy, { query_timeout: 200, application_name: 'half-open' });
  proxy.silence();
  await expect(write(client, 'swallowed')).rejects.toThrow('Query read timeout');
  await expect(connect(proxy, { connectionTimeoutMillis: 200 })).rejects.toThrow();
  proxy.pass();
  // What was half open stays so; a new connection passes.
  await expect(write(client, 'swallowed')).rejects.toThrow('Query read timeout');
  await (await connect(proxy)).end();
  await client.end();
  expect(await sessions('half-open')).toBe(1);
  expect(await words('swallowed')).toBe(0);
});

it('delays, and keeps the order', async () => {
  await using proxy = await openTcpProxy(server.port);
  const client = await connect(proxy);
  proxy.delay(300);
  const slow = [write(client, 'slow'), client.query('SELECT FROM word')];
  expect(await Promise.race([slow[0], words('slow')])).toBe(0);
  await Promise.all(slow);
  expect(await words('slow')).toBe(1);
  await client.end();
});

it('loses the answer to the second commit: it holds, and the client does not hear of it', async () => {
  await using proxy = await openTcpProxy(server.port);
  const lost = proxy.lose('COMMIT', { nth: 2 });
  const client = await connect(proxy);
  for (const text of ['first', 'second']) {
    await client.query('BEGIN');
    await write(client, text);
    const committed = client.query('COMMIT');
    if (text === 'first') await committed;
    else await expect(committed).rejects.toThrow();
  }
  await lost;
  expect(await words('first')).toBe(1);
  expect(await words('second')).toBe(1);
  // Once is once.
  const next = await connect(proxy);
  await next.query('BEGIN; COMMIT');
  await next.end();
});

it('loses the answer to a call with parameters, and goes silent', async () => {
  await using proxy = await openTcpProxy(server.port);
  const lost = proxy.lose('INSERT INTO word', { leaves: 'silence' });
  const client = await connect(proxy, { query_timeout: 200 });
  await expect(write(client, 'unheard')).rejects.toThrow('Query read timeout');
  await lost;
  expect(await words('unheard')).toBe(1);
  await client.end();
});

it('loses a statement on its way', async () => {
  await using proxy = await openTcpProxy(server.port);
  const lost = proxy.lose('never sent', { what: 'statement' });
  const client = await connect(proxy);
  await expect(write(client, 'never sent')).rejects.toThrow();
  await lost;
  expect(await words('never sent')).toBe(0);
});

it('finds a text that is spread over two chunks', async () => {
  const echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  await using proxy = await openTcpProxy((echo.address() as AddressInfo).port);
  const lost = proxy.lose('in two', { what: 'statement' });
  const client = createConnection({ port: proxy.port, host: '127.0.0.1' });
  client.write('in t');
  expect(String((await once(client, 'data'))[0])).toBe('in t');
  client.write('wo');
  await expect(once(client, 'data')).rejects.toThrow('ECONNRESET');
  await lost;
  echo.close();
});
