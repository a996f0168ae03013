/** The real file host for tests: with time enough for a slow machine. */

import type { FileHost } from '../../src/ports.ts';
import { createHttpFileHost, type FileHostOptions } from '../../src/service/http-file-host.ts';

/** Opens it; a service on loopback lets it reach the servers of tests. */
export function openHost(options: Partial<FileHostOptions> = {}): FileHost & AsyncDisposable {
  const host = createHttpFileHost({
    serviceUrl: 'http://127.0.0.1',
    connections: 8,
    requestTimeoutMs: 20_000,
    stallMs: 20_000,
    env: {},
    ...options,
  });
  return { ...host, [Symbol.asyncDispose]: () => host.close(true) };
}
