import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createHttpPing } from '../../../src/features/hooks/http-ping.ts';
import { openAgent } from '../../../src/service/proxy-agent.ts';

/** A server, and what it was asked. */
async function openServer(answer: RequestListener) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const pingTo = (url: string, timeoutMs = 5_000) =>
  createHttpPing({ url, timeoutMs, open: () => openAgent(url, {}, { timeout: timeoutMs }) });

describe('a ping', () => {
  it('adds its signal to the path, and leaves the query', async () => {
    await using server = await openServer((_, response) => response.end('OK'));
    await pingTo(`${server.url}/0d338dcc`).send('start', '{}');
    await pingTo(`${server.url}/key/slug/?create=1`).send('0', '{}');
    expect(server.received).toEqual(['POST /0d338dcc/start', 'POST /key/slug/0?create=1']);
  });

  it.each([404, 302, 500])('that is answered with %i was not taken', async (status) => {
    await using server = await openServer((_, response) =>
      response.writeHead(status, { location: `${server.url}/elsewhere` }).end(),
    );
    const place = new URL(server.url).host;
    await expect(pingTo(`${server.url}/0d338dcc`).send('start', '{}')).rejects.toThrow(
      `${place} did not take it (HTTP ${status})`,
    );
    expect(server.received).toEqual(['POST /0d338dcc/start']);
  });

  it('that is not answered is given up', async () => {
    await using server = await openServer(() => {});
    await expect(pingTo(`${server.url}/0d338dcc`, 50).send('start', '{}')).rejects.toThrow('did not take it');
    expect(server.received).toHaveLength(1);
  });

  it('to nobody names the host and not the address', async () => {
    const { url } = await closedServer();
    const sent = pingTo(`${url}/0d338dcc`).send('0', '{}');
    await expect(sent).rejects.toThrow(/^[^/]+ did not take it \(ECONNREFUSED\)$/);
  });
});

async function closedServer() {
  const server = await openServer(() => {});
  await server[Symbol.asyncDispose]();
  return server;
}
