/** Makes the requests: with the credentials of the SDK's own chain, again after a passing failure, errors in one line. */

import type { S3Client } from '@aws-sdk/client-s3';
import { codeOf, UsageError } from '../../errors.ts';
import { type Message, message } from '../../messages/message.ts';
import type { BucketAddress } from './address.ts';
import { isOfCredentials, isPassing, refusal } from './refusals.ts';

export type Sdk = typeof import('@aws-sdk/client-s3');

/** Pauses before the next tries (ms): a busy bucket gets two minutes, as long as files wait in scratch. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 60_000];

const connectMs = 10_000;
/** Nothing passes over a connection for this long: it is dead. */
const idleMs = 60_000;

export interface S3Options {
  readonly address: BucketAddress;
  /** Address of an S3-compatible service; null for AWS. */
  readonly endpoint: string | null;
  wait(ms: number): Promise<void>;
}

/** The requests of one bucket. */
export class Bucket {
  readonly sdk: Sdk;
  readonly address: BucketAddress;
  readonly #options: S3Options;
  #client: S3Client;

  private constructor(sdk: Sdk, options: S3Options, client: S3Client) {
    this.sdk = sdk;
    this.address = options.address;
    this.#options = options;
    this.#client = client;
  }

  /** Throws `UsageError` where the package is missing, or no region is set. */
  static async open(options: S3Options): Promise<Bucket> {
    const sdk = await loadSdk();
    return new Bucket(sdk, options, await createClient(sdk, options));
  }

  keyOf(path: string): string {
    return `${this.address.prefix}${path}`;
  }

  /** The address of a file as the user reads it. */
  nameOf(path: string): string {
    return `${this.address.name}/${path}`;
  }

  /**
   * Makes a request, again after passing failures, and once with credentials read anew. `what` says what could not be
   * done: `s3://bucket/key could not be written`. Errors for which `isAnswer` is true are thrown as they are.
   */
  async send<T>(
    what: Message,
    request: (client: S3Client) => Promise<T>,
    isAnswer: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    let isRenewed = false;
    for (let tries = 0; ; ) {
      const client = this.#client;
      try {
        return await request(client);
      } catch (error) {
        if (isAnswer(error)) throw error;
        if (isOfCredentials(error) && !isRenewed) {
          isRenewed = true;
          await this.#renew(client);
          continue;
        }
        const pauseMs = pausesMs[tries];
        if (pauseMs === undefined || !isPassing(error)) throw await this.#refusal(what, error);
        tries += 1;
        await this.#options.wait(pauseMs);
      }
    }
  }

  /** The client, for what needs no request. */
  get client(): S3Client {
    return this.#client;
  }

  close(): void {
    this.#client.destroy();
  }

  /** A client keeps the credentials it has read; only a new one reads them again. Requests on the old one continue. */
  async #renew(old: S3Client): Promise<void> {
    if (this.#client === old) this.#client = await createClient(this.sdk, this.#options);
  }

  async #refusal(what: Message, error: unknown): Promise<Error> {
    return refusal(what, this.address.bucket, await hostOf(this.#client), error);
  }
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@aws-sdk/client-s3');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(message('bucket.no-package'), error);
  }
}

async function createClient(sdk: Sdk, options: S3Options): Promise<S3Client> {
  const first = makeClient(sdk, options, {});
  const isCustom = first.config.isCustomEndpoint === true;
  const region = await first.config.region().catch(() => null);
  if (region !== null && !isCustom) return first;
  first.destroy();
  if (region === null && !isCustom) throw new UsageError(message('bucket.no-region'));
  // Few services besides AWS have a host name for each bucket, and their regions are often one only.
  return makeClient(sdk, options, { forcePathStyle: true, region: region ?? 'us-east-1' });
}

function makeClient(
  sdk: Sdk,
  { endpoint }: S3Options,
  more: { readonly forcePathStyle?: true; readonly region?: string },
): S3Client {
  const config = {
    ...(endpoint !== null && { endpoint: readEndpoint(endpoint) }),
    ...more,
    // A checksum in the trailer is refused by many services; Content-MD5 is understood by all.
    requestChecksumCalculation: 'WHEN_REQUIRED' as const,
    responseChecksumValidation: 'WHEN_REQUIRED' as const,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
    // Its warnings would appear in the middle of the terminal.
    logger: { trace() {}, debug() {}, info() {}, warn() {}, error() {} },
    // Reaches the readers of profiles, so that a new client sees renewed ones.
    ignoreCache: true,
  };
  return new sdk.S3Client(config);
}

function readEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(message('bucket.no-endpoint'));
  return endpoint;
}

async function hostOf({ config }: S3Client): Promise<string> {
  try {
    const endpoint = await config.endpoint?.();
    return endpoint === undefined ? 'the service' : endpoint.hostname;
  } catch {
    return 'the service';
  }
}
