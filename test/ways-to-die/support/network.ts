/** The line between the program and the service, which a test can cut and mend. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Network extends AsyncDisposable {
  /** The service, as it is reached over this line. */
  readonly url: string;
  /** What is on its way is lost, and nobody is reached any more. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function openNetwork(serviceUrl: string): Promise<Network> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(serviceUrl).port), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, cut, mend: () => listen(port), [Symbol.asyncDispose]: cut };
}
