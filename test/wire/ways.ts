/** The ways a request can take to a server: straight or through a proxy, in the clear or over TLS. */

import { once } from 'node:events';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { trusted } from '../service/certificates.ts';
import { type Behaviour, startServer, type WireServer } from '../service/wire.ts';

/** A server and how a service is opened there. */
export interface Place {
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string>>;
  /** Creations of which the server saw at least the request line. */
  seen(): number;
}

export type Way = (behave: Behaviour, open: AsyncDisposableStack) => Promise<Place>;

/** A name that only a proxy can find. */
const hostBehindProxy = 'service.invalid';

function placeOf(server: WireServer, baseUrl: string, env: Place['env'] = {}): Place {
  return { baseUrl, env, seen: () => server.count('POST') };
}

export function through(proxyPort: number): Place['env'] {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  return { http_proxy: proxy, https_proxy: proxy };
}

/** Joins two sockets; a reset of the second is passed on as a reset of `raw`, the connection under the first. */
function join(first: net.Socket, second: net.Socket, raw = first): void {
  first.pipe(second).pipe(first);
  first.on('error', () => second.destroy()).on('close', () => second.destroy());
  second.on('error', () => raw.resetAndDestroy()).on('close', () => first.destroySoon());
}

/** A proxy that tunnels every CONNECT to one port, and passes on there what is asked for by a whole address. */
function proxyTo(port: number): Behaviour {
  return (socket) =>
    socket.once('data', (first: Buffer) => {
      // What comes next waits until there is somebody to pass it to.
      socket.pause();
      const onward = net.connect(port, '127.0.0.1', () => {
        const request = first.toString('latin1');
        if (request.startsWith('CONNECT ')) socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        else onward.write(request.replace(/^([A-Z]+) http:\/\/[^/ ]+/, '$1 '), 'latin1');
        join(socket, onward);
      });
      onward.on('error', () => socket.destroy());
    });
}

/** Puts TLS in front of a server. A socket of TLS cannot be reset; the one below it can, and here it is at hand. */
async function startTlsFront(
  port: number,
  secure: tls.TlsOptions,
): Promise<{ port: number } & AsyncDisposable> {
  const open = new Set<net.Socket>();
  const front = net.createServer((raw) => {
    open.add(raw.on('error', () => undefined));
    const socket = new tls.TLSSocket(raw, { isServer: true, ...secure });
    socket.on('error', () => raw.destroy());
    socket.once('secure', () => join(socket, net.connect(port, '127.0.0.1'), raw));
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      const closed = once(front, 'close');
      front.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

type Scheme = 'http' | 'https';

/** Straight to a server. Without `secure` it speaks no TLS, whatever the address says. */
export function straight(scheme: Scheme, secure?: tls.TlsOptions): Way {
  return async (behave, open) => {
    const server = open.use(await startServer(behave));
    const { port } = secure === undefined ? server : open.use(await startTlsFront(server.port, secure));
    return placeOf(server, `${scheme}://127.0.0.1:${port}`);
  };
}

/** Through an honest proxy. */
export function proxied(scheme: Scheme, secure?: tls.TlsOptions): Way {
  return async (behave, open) => {
    const server = open.use(await startServer(behave));
    const { port } = secure === undefined ? server : open.use(await startTlsFront(server.port, secure));
    const proxy = open.use(await startServer(proxyTo(port)));
    return placeOf(server, `${scheme}://${hostBehindProxy}`, through(proxy.port));
  };
}

/** To a proxy, which need not do what it is asked for. */
export function toProxy(scheme: Scheme): Way {
  return async (behave, open) => {
    const proxy = open.use(await startServer(behave));
    return placeOf(proxy, `${scheme}://${hostBehindProxy}`, through(proxy.port));
  };
}

/** To an address where nobody answers; `env` may name a proxy of that kind. */
export function nowhere(
  find: (open: AsyncDisposableStack) => Promise<{ readonly baseUrl: string; readonly env?: Place['env'] }>,
): Way {
  return async (_, open) => ({ env: {}, seen: () => 0, ...(await find(open)) });
}

/** Every way on which a creation arrives. */
export const ways: readonly (readonly [name: string, way: Way])[] = [
  ['in the clear', straight('http')],
  ['over TLS', straight('https', trusted)],
  ['through a proxy', proxied('http')],
  ['over TLS through a proxy', proxied('https', trusted)],
];
