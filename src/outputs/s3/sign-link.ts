/** Signs a link by which anyone can read one object for some time. Nothing is sent. */

import { message } from '../../messages/message.ts';
import type { Bucket } from './client.ts';

/** Services refuse longer ones. */
const longestSeconds = 7 * 24 * 3_600;

/** What is needed of the SDK's request and signer, which it exports only as a further package. */
interface Request {
  readonly headers: Record<string, string>;
}
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
}
interface Presigner {
  presign(request: Request, options: { readonly expiresIn: number }): Promise<SignedRequest>;
}

/** The link; rejects where there are no credentials to sign it. */
export function signLink(bucket: Bucket, path: string, seconds: number): Promise<string> {
  const { sdk, address } = bucket;
  return bucket.send(message('bucket.not-signed', { name: bucket.nameOf(path) }), async (client) => {
    const command = new sdk.GetObjectCommand({ Bucket: address.bucket, Key: bucket.keyOf(path) });
    const region = await client.config.region();
    let link = '';
    command.middlewareStack.add(
      () => async (args) => {
        const request = args.request as Request;
        // The signature covers no body, and names a header only if the reader's browser sends it.
        request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
        delete request.headers['x-amz-user-agent'];
        const signer = (await client.config.signer({
          schemeId: 'aws.auth#sigv4',
          name: 'sigv4',
          signingName: 's3',
          signingRegion: region,
          properties: {},
        } as unknown as Parameters<typeof client.config.signer>[0])) as unknown as Presigner;
        link = render(await signer.presign(request, { expiresIn: Math.min(seconds, longestSeconds) }));
        return { response: {}, output: { $metadata: {} } };
      },
      { step: 'build', priority: 'low', name: 'sign-link' },
    );
    await client.send(command);
    return link;
  });
}

function render({ protocol, hostname, port, path, query = {} }: SignedRequest): string {
  const parts = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(String(value))}`);
  return `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}?${parts.join('&')}`;
}

/** As the signature has it: what `encodeURIComponent` leaves alone, it encodes. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
