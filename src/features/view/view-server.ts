/**
 * Serves the live page on loopback, and only to those who know the secret in its path. It accepts marks and a sample where
 * they are asked for, and nothing else.
 */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../errors.ts';
import type { PictureField } from '../../money/question.ts';
import type { Listener, ShownFile } from '../../ports.ts';
import { admit, decodePath } from './view-server/admission.ts';
import { answerFile } from './view-server/answer-file.ts';
import { answerMarks, receiveBody, type SaveMark, type SaveSample } from './view-server/answer-marks.ts';
import { createEventStreams, type EventStreams } from './view-server/event-streams.ts';

/** Longest wait for a slow request, and how often slow requests are checked for. */
const requestMaxMs = 5_000;
const lookIntervalMs = 1_000;

/** An idle connection is closed after this; a paused video requests the rest again. */
const idleMaxMs = 5 * 60_000;

/** Connections at once, and how many may follow: a browser opens six at most, one of them for following. */
const mostConnections = 256;
const mostFollowers = 64;

/** How long a follower may stall. */
const stallMs = 10_000;

/** Ports tried after the first one, before any free port. */
const nextPorts = 9;

/** 192 bits: impossible to guess. */
const tokenBytes = 24;

/** The content of the server, which itself knows neither rows nor pages. */
export interface ViewContent {
  /** Content-Security-Policy of the page. */
  readonly policy: string;
  page(): AsyncIterable<string>;
  /** The file at this path of the output folder, if it may be shown. */
  openFile(path: string): Promise<ShownFile | null>;
  /** A picture of the input, if this field of the row has one. */
  image(
    key: number,
    field: PictureField,
    index: number,
  ): Promise<{ readonly bytes: Uint8Array; readonly type: string } | null>;
  /** The saved marks, for JSON. */
  marks(): Promise<unknown>;
  /** What reviewers save; null where the page only shows it. */
  readonly desk: ReviewDesk | null;
  /** A follower connects; `since` is the last version it received. */
  join(listener: Listener, since: number | null): Promise<void>;
  /** Receives what could not be shown, and why. */
  failed(error: unknown): void;
}

/** Saves what the page sends. */
interface ReviewDesk {
  readonly saveMark: SaveMark;
  readonly saveSample: SaveSample;
}

export interface ViewServer extends AsyncDisposable {
  /** Of the page, with the secret and a trailing slash. */
  readonly url: string;
  readonly port: number;
}

/** Where to listen. */
export interface ViewPort {
  readonly port: number;
  /** True where another port is acceptable when this one is taken. */
  readonly isWish: boolean;
}

/** Listens on 127.0.0.1. Rejects where the port is not available. */
export async function openViewServer(
  { port, isWish }: ViewPort,
  content: ViewContent,
  limits: { readonly followers: number; readonly stallMs: number } = { followers: mostFollowers, stallMs },
): Promise<ViewServer> {
  const token = randomBytes(tokenBytes).toString('base64url');
  const streams = createEventStreams({ most: limits.followers, stallMs: limits.stallMs });
  const server = createServer({
    requestTimeout: requestMaxMs,
    headersTimeout: requestMaxMs,
    connectionsCheckingInterval: lookIntervalMs,
  });
  const bound = await listen(server, isWish ? wishes(port) : [port]);
  server.maxConnections = mostConnections;
  server.setTimeout(idleMaxMs);
  server.on('clientError', (_, socket) => socket.destroy());
  // A connection that cannot be accepted is ignored; without this it would end the program.
  server.on('error', () => {});
  server.on('request', (request, response) => {
    response.on('error', () => {});
    answer(request, response, { port: bound, token, content, streams }).catch((error: unknown) => {
      // The browser closes what it no longer needs, especially videos.
      if (!/^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET|EPIPE)$/.test(codeOf(error))) content.failed(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });
  return {
    url: `http://127.0.0.1:${bound}/${token}/`,
    port: bound,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        streams[Symbol.dispose]();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The port, its neighbours, then any free one. */
function wishes(port: number): number[] {
  return [...Array.from({ length: nextPorts + 1 }, (_, i) => port + i), 0];
}

async function listen(server: Server, ports: readonly number[]): Promise<number> {
  const [port = 0, ...others] = ports;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    if (others.length === 0 || !/^(EADDRINUSE|EACCES)$/.test(codeOf(error))) throw error;
    return listen(server, others);
  }
  return (server.address() as AddressInfo).port;
}

interface Hall {
  readonly port: number;
  readonly token: string;
  readonly content: ViewContent;
  readonly streams: EventStreams;
}

async function answer(request: IncomingMessage, response: ServerResponse, hall: Hall): Promise<void> {
  const { content, streams } = hall;
  const admission = admit(request, hall.port, hall.token, content.desk !== null);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
  // A file opened by itself can run nothing: a picture may be an SVG.
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  if (admission.refusal === 308) response.setHeader('location', `/${hall.token}/`);
  if (admission.refusal !== null) return refuse(response, admission.refusal);
  const { path, query } = admission;

  if (path === '') return answerPage(request, response, content);
  if (path === 'events') {
    if (request.method === 'HEAD') return refuse(response, 405);
    const listener = streams.open(response);
    if (listener === null) return refuse(response, 503);
    return content.join(listener, versionOf(request.headers['last-event-id'], query));
  }
  if (path === 'marks') return answerMarks(request, response, await content.marks());
  if (content.desk !== null && request.method === 'PUT') {
    const status = await receive(request, path, content.desk);
    if (status !== 204) return refuse(response, status);
    response.writeHead(204).end();
    return;
  }
  const [, key = '', field, index = ''] =
    /^images\/(\d{1,15})\/(questionImages|answerImages)\/(\d{1,6})$/.exec(path) ?? [];
  if (field === 'questionImages' || field === 'answerImages') {
    const image = await content.image(Number(key), field, Number(index));
    if (image === null) return refuse(response, 404);
    response.writeHead(200, { 'content-type': image.type, 'content-length': image.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : image.bytes);
    return;
  }
  const name = decodePath(path);
  const file = name === null ? null : await content.openFile(name);
  if (name === null || file === null) return refuse(response, 404);
  await answerFile(request, response, name, file);
}

/** The status of the answer to a `PUT`. */
async function receive(
  request: IncomingMessage,
  path: string,
  { saveMark, saveSample }: ReviewDesk,
): Promise<number> {
  if (path === 'sample') return receiveBody(request, saveSample);
  const id = decoded(path.replace(/^marks\//, ''));
  return id === null ? 404 : receiveBody(request, (body) => saveMark(id, body));
}

/** An id may have any letters, slashes too. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** In pieces, as fast as they are read: a page may have a hundred thousand rows. */
async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  content: ViewContent,
): Promise<void> {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', `${content.policy}; frame-ancestors 'none'`);
  if (request.method === 'HEAD') response.end();
  else await pipeline(Readable.from(content.page()), response);
}

function versionOf(last: string | string[] | undefined, query: string): number | null {
  const text = typeof last === 'string' && last !== '' ? last : new URLSearchParams(query).get('since');
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** An empty answer, so that strangers learn nothing. */
function refuse(response: ServerResponse, status: number): void {
  if (status === 405) response.setHeader('allow', 'GET, HEAD');
  // The request body is not read.
  response.writeHead(status, { 'content-length': 0, connection: 'close' }).end();
}
