/** Stands before an S3 service: passes requests on as they are, refuses some, holds some, cuts some. */

import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as passOn,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request; null passes it on. */
type Verdict =
  /** Answers with an error as S3 does. */
  | { readonly status: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> }
  /** Cuts the connection before the answer: `after` the service has it, or before it gets anything. */
  | { readonly cut: 'before' | 'after' }
  /** Passes it on once this resolves. */
  | { readonly until: Promise<void> }
  /** Passes on so many bytes of its body, says so, and cuts both connections once `gone` resolves. */
  | { readonly bytes: number; reached(): void; readonly gone: Promise<unknown> };

export interface Gate extends AsyncDisposable {
  readonly endpoint: string;
  /** Requests so far, as `PUT /bucket/key`. */
  readonly seen: string[];
  /** Decides about each request; passes all at first. */
  judge(verdict: (request: IncomingMessage) => Verdict | null): void;
}

export async function openGate(service: string): Promise<Gate> {
  const target = new URL(service);
  const seen: string[] = [];
  let judge: (request: IncomingMessage) => Verdict | null = () => null;
  const server = createServer((incoming, response) => answer(incoming, response));
  // Otherwise Node asks for the body before the verdict.
  server.on('checkContinue', (incoming, response) => answer(incoming, response));

  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    seen.push(`${incoming.method} ${incoming.url?.replace(/\?.*/, '')}`);
    const verdict = judge(incoming);
    incoming.on('error', () => {});
    if (verdict === null) pass(incoming, response, true);
    else if ('bytes' in verdict) passSome(incoming, response, verdict);
    else if ('until' in verdict) void verdict.until.then(() => pass(incoming, response, true));
    else if ('status' in verdict) refuse(incoming, response, verdict);
    else if (verdict.cut === 'before') incoming.socket.destroy();
    else pass(incoming, response, false);
  };

  const optionsOf = (incoming: IncomingMessage, response: ServerResponse): RequestOptions => {
    if (incoming.headers.expect !== undefined) response.writeContinue();
    const { expect: _, ...headers } = incoming.headers;
    return {
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers,
    };
  };

  const passSome = (
    incoming: IncomingMessage,
    response: ServerResponse,
    { bytes, reached, gone }: Extract<Verdict, { readonly bytes: number }>,
  ): void => {
    const outgoing = passOn(optionsOf(incoming, response));
    outgoing.on('error', () => {});
    let left = bytes;
    incoming.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, left), () => left <= 0 && reached());
      left -= chunk.length;
      // What is still on its way must not arrive after the sender has died.
      if (left <= 0) incoming.pause();
    });
    void gone.then(() => {
      outgoing.destroy();
      incoming.destroy();
    });
  };

  const pass = (incoming: IncomingMessage, response: ServerResponse, isAnswered: boolean): void => {
    const outgoing = passOn(optionsOf(incoming, response), (told) => {
      if (!isAnswered) {
        told.resume().on('end', () => incoming.socket.destroy());
        return;
      }
      response.writeHead(told.statusCode ?? 500, told.headers);
      // Swift sends a body with an answer to HEAD that has none, and Node takes it for nonsense.
      if (incoming.method === 'HEAD') response.end();
      else told.pipe(response);
    });
    outgoing.on('error', () => response.writableEnded || incoming.socket.destroy());
    // A client that dies in the middle takes its request along.
    response.once('close', () => {
      if (!response.writableEnded) outgoing.destroy();
    });
    incoming.pipe(outgoing);
  };

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    judge(verdict) {
      judge = verdict;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, code, headers = {} }: Extract<Verdict, { readonly status: number }>,
): void {
  incoming.resume();
  response.writeHead(status, { 'content-type': 'application/xml', ...headers });
  response.end(
    incoming.method === 'HEAD' || status === 200
      ? ''
      : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>the key SECRETKEY is not good</Message></Error>`,
  );
}
