/** A small S3 service on a free port: it checks signatures, but not the digests of bytes. */

import S3rver from '@20minutes/s3rver';
import { temporaryFolder } from './temporary-folder.ts';

export interface S3 extends AsyncDisposable {
  readonly endpoint: string;
  readonly bucket: string;
}

export const s3Keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;

export async function startS3(): Promise<S3> {
  const folder = await temporaryFolder();
  const bucket = 'outputs';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder.path,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  let lists = 0;
  // It computes another signature for the path `/bucket/` than the SDK, which is right: lists are not checked.
  Object.defineProperty(server, 'allowMismatchedSignatures', { get: () => lists > 0 });
  server.httpServer.prependListener('request', (request, response) => {
    if (!/[?&]list-type=2/.test(request.url ?? '')) return;
    lists += 1;
    response.once('close', () => {
      lists -= 1;
    });
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    async [Symbol.asyncDispose]() {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
