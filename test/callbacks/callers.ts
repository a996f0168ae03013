/** Those who call a row's address back: well, badly, and with bytes of their own. */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Running } from '../cli/support/program.ts';
import type { Script } from '../cli/support/scripted-service.ts';
import { openStage, type Stage } from '../cli/support/stage.ts';

/** The program, listening for callbacks. */
export interface Listening extends Stage {
  readonly program: Running;
  /** Where the service was told to call for this question. */
  addressOf(question: string): URL;
}

/** A run of these rows (`Question a` …) whose next tick is an hour away: what happens before comes from callbacks. */
export async function openListening(
  csv: string,
  script: Script,
  { tick = '1h', args = [] as readonly string[], node = [] as readonly string[] } = {},
): Promise<Listening> {
  const stage = await openStage(script);
  await stage.write('q.csv', csv);
  const line = ['run', 'q.csv', '--poll-interval', tick, '--listen', '127.0.0.1:0', '--verbose', ...args];
  const program = stage.start(line, { node });
  return Object.assign(stage, {
    program,
    addressOf(question: string): URL {
      const creation = stage.service.creations.findLast((each) => each.question === question);
      return new URL(String(creation?.body.notify_url));
    },
  });
}

/** Resolves once each of these questions has been asked about. */
export async function untilAsked(stage: Stage, ...questions: readonly string[]): Promise<void> {
  await stage.service.until(({ events }) =>
    questions.every((question) => events.includes(`status ${question}`)),
  );
}

/** How often the status of a question's task was asked. */
export function askedCount(stage: Stage, question: string): number {
  return stage.service.events.filter((event) => event === `status ${question}`).length;
}

/** Calls back with a body, and gives the status of the answer. */
export async function call(address: URL, body: string | Uint8Array = '', method = 'POST'): Promise<number> {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const response = await fetch(address, { method, ...(hasBody ? { body } : {}) });
  return response.status;
}

/** What comes back for these bytes until the other side closes, however it does that. */
export async function sendRaw(address: URL, ...parts: readonly (string | Uint8Array)[]): Promise<string> {
  const socket = connect(Number(address.port), address.hostname);
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  for (const part of parts) socket.write(part);
  await closed(socket);
  return answer;
}

/** Resolves once the connection is gone; a reset is one of the ways. */
export function closed(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  return new Promise((resolve) => void socket.resume().once('close', () => resolve()));
}

/** A connection that says this and stays. */
export async function openAndSay(address: URL, text: string): Promise<Socket> {
  const socket = connect(Number(address.port), address.hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}
