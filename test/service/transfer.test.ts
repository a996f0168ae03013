import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { Transfer } from '../../src/service/transfer.ts';

describe('a transfer', () => {
  it('leaves nothing on a signal that outlives it, however it ends', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-length': 10 });
      if (request.url === '/whole') response.end('0123456789');
      else response.write('01234', () => response.socket?.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const agent = new Agent();
    const { signal } = new AbortController();
    for (const path of ['/whole', '/cut', '/dropped']) {
      const transfer = Transfer.send(agent, { origin, path, method: 'GET' }, signal);
      expect(getEventListeners(signal, 'abort')).not.toHaveLength(0);
      await transfer.head();
      if (path === '/dropped') transfer.drop();
      else for await (const _ of transfer.body((reason) => reason)) if (path === '/cut') break;
      expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    }
    await agent.destroy();
    server.close();
    await once(server, 'close');
  });

  it('hands out what came before a cut, then reports the cut', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-length': 10 });
      response.write('01234', () => response.socket?.end());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new Agent();
    const cut = once(agent, 'disconnect');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transfer = Transfer.send(agent, { origin, path: '/', method: 'GET' }, new AbortController().signal);
    await transfer.head();
    await cut;
    const body = transfer.body((reason) => reason);
    expect(Buffer.from((await body.next()).value ?? []).toString()).toBe('01234');
    await expect(body.next()).rejects.toThrow();
    await agent.destroy();
    server.close();
    await once(server, 'close');
  });
});
