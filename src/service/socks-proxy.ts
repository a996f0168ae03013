/** Connections through a SOCKS proxy, which also resolves the names. */

import { once } from 'node:events';
import { connect as connectSocket, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { bareHostname } from '../files/file-link.ts';
import { attemptsWithin } from './mended-connections.ts';

/** Connects as undici's own connector does, on a tunnel of this proxy. `signal` cuts it in any phase. */
export function socksConnector(
  proxy: URL,
  limits: { readonly timeout: number; readonly signal?: AbortSignal },
): buildConnector.connector {
  const secure = buildConnector({ ...limits, allowH2: false } as buildConnector.BuildOptions);
  return (options, callback) => {
    openTunnel(proxy, options, limits).then(
      (socket) =>
        options.protocol === 'https:'
          ? secure({ ...options, httpSocket: socket }, callback)
          : callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function openTunnel(
  proxy: URL,
  { protocol, hostname, port }: buildConnector.Options,
  { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal },
): Promise<Socket> {
  const { SocksClient } = await import('socks');
  const place = { host: bareHostname(proxy.hostname), port: Number(proxy.port || 1080) };
  const socket = connectSocket({ ...place, ...attemptsWithin(timeout), ...(signal && { signal }) });
  try {
    await once(socket, 'connect');
    await SocksClient.createConnection({
      proxy: {
        ...place,
        type: proxy.protocol.startsWith('socks4') ? 4 : 5,
        ...(proxy.username !== '' && {
          userId: decodeURIComponent(proxy.username),
          password: decodeURIComponent(proxy.password),
        }),
      },
      command: 'connect',
      destination: { host: bareHostname(hostname), port: Number(port || (protocol === 'https:' ? 443 : 80)) },
      timeout,
      existing_socket: socket,
    });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
