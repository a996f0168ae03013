/**
 * Thousands of damaged envelopes: reading them never throws, and what is made of them is never more than they say.
 * What they say is read a second time here, by the shortest way there is.
 */

import { describe, expect, it } from 'vitest';
import { judgeCreation } from '../../src/money/answers/creation-answer.ts';
import type { ServiceReply } from '../../src/money/answers/service-reply.ts';
import { judgeStatus } from '../../src/money/answers/status-answer.ts';
import { defaultPolicy } from '../../src/money/policy.ts';
import { transition } from '../../src/money/transition.ts';
import { createRedact } from '../../src/text/redact.ts';
import { at, itemIn } from '../money/lives.ts';
import { openService, startServer } from '../service/wire.ts';
import { Dice } from '../sim/dice.ts';
import { wordOf } from '../support/creation-word.ts';
import { isNightly, nightSeed } from '../support/nightly.ts';
import { head } from './lies.ts';
import { envelopes, mutate } from './mutations.ts';

const bodyCount = isNightly ? 300_000 : 10_000;
const socketCount = isNightly ? 5_000 : 500;

const context = { url: 'http://127.0.0.1/api/gen_video', now: at, redact: createRedact(['sk-secret-0123']) };
const openItem = itemIn('open', { taskId: 'task-4711' });
const never = new AbortController().signal;
const statuses = [200, 200, 200, 201, 302, 307, 400, 401, 404, 409, 429, 500, 502, 503] as const;

/** What is no UTF-8 is GBK, or as much of UTF-8 as can be read. */
function decode(bytes: Uint8Array): string {
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {}
  }
  return new TextDecoder().decode(bytes);
}

/** One thrown answer. */
function throwReply(seed: number): ServiceReply {
  const dice = new Dice(seed, 'answer');
  const body = decode(mutate(dice.pick(envelopes), dice));
  const defect = dice.chance(0.2) ? 'the body is incomplete: it was cut' : null;
  return { status: dice.pick(statuses), body, defect, location: null, retryAfter: null };
}

function parseStrictly(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** If need be without what is around it, raw control characters and commas too many. */
function parse(body: string): unknown {
  const strict = parseStrictly(body);
  if (strict !== undefined) return strict;
  const plain = body.replace(/[\u0000-\u001f]/g, ' ').replace(/,(?=\s*[}\]])/g, '');
  const start = plain.indexOf('{');
  let end = plain.length;
  for (let tries = 0; tries < 8 && end > start; tries++) {
    end = plain.lastIndexOf('}', end - 1);
    const value = parseStrictly(plain.slice(start, end + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A field of a value, if it is a plain object and has one. */
function fieldOf(value: unknown, name: string): unknown {
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isPlain && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

const isWord = (value: unknown, word: string) =>
  typeof value === 'string' && value.trim().toLowerCase() === word;

/** True where the body shows this id as that of its task: in the place it belongs, or at least under that name. */
function showsTaskId({ body }: ServiceReply, taskId: string): boolean {
  const plain = (id: string): string =>
    id
      .replace(/[\u0000-\u001f]/g, ' ')
      .trim()
      .toWellFormed();
  const isThis = (value: unknown) => plain(String(value)) === plain(taskId);
  const shows = (whole: unknown) =>
    isThis(fieldOf(fieldOf(whole, 'data'), 'task_id')) || /\d{16}/.test(taskId);
  const whole = parseStrictly(body);
  if (whole !== undefined) return shows(whole);
  if (shows(parse(body))) return true;
  return [...body.matchAll(/(?="task_id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+))/g)].some(
    ([, value = '']) => isThis(parse(value)) || value === taskId,
  );
}

/** True where the data name this end or have a video; or, where they name no documented state, have what comes with it. */
function showsEnd(data: unknown, end: 'completed' | 'failed'): boolean {
  const state = fieldOf(data, 'status');
  const types = [fieldOf(data, 'result')].flat().map((entry) => fieldOf(entry, 'type'));
  const has = (word: string): boolean => types.some((type) => isWord(type, word));
  if (end === 'completed' && has('video')) return true;
  if (['in_progress', 'completed', 'failed'].some((word) => isWord(state, word))) return isWord(state, end);
  return has('text') && !has('video') && /score/i.test(JSON.stringify(fieldOf(data, 'consumption')) ?? '');
}

const isNamed = (data: unknown): boolean => String(fieldOf(data, 'task_id')).trim() === 'task-4711';

/** True where the whole body shows a video of this task. */
function showsVideo(body: string): boolean {
  const data = fieldOf(parseStrictly(body), 'data');
  const entries = [fieldOf(data, 'result')].flat().filter((entry) => isWord(fieldOf(entry, 'type'), 'video'));
  const links = entries.map((entry) => fieldOf(entry, 'content'));
  return isNamed(data) && links.some((link) => typeof link === 'string' && link.trim() !== '');
}

/** The outcomes that this answer to a creation allows, as far as they do not leave a task in doubt. */
function mayBe(reply: ServiceReply): Readonly<Record<string, boolean>> {
  const isAlone = /^\s*\{[\s\S]*\}\s*$/.test(reply.body);
  const saysError = isAlone && isWord(fieldOf(parse(reply.body), 'status'), 'error');
  const saysErrorStrictly = isWord(fieldOf(parseStrictly(reply.body), 'status'), 'error');
  return {
    uncertain: true,
    barred: [401, ...(saysErrorStrictly ? [] : [400, 404])].includes(reply.status),
    misconfigured: reply.status === 307 || (reply.status === 302 && saysError),
    refused: saysError || reply.status === 429,
  };
}

it.each(['"task-4711"', '"任务-\\u4e00"', '4711', '12345678901234567890'])(
  'an acceptance of task %s that is cut at any byte is accepted with the whole id, or uncertain',
  (id) => {
    const whole = Buffer.from(`{"status":"success","data":{"task_id":${id},"note":"n"}}`);
    const taskId = id.startsWith('"') ? String(JSON.parse(id)) : id;
    for (let length = 0; length <= whole.length; length++) {
      const body = new TextDecoder().decode(whole.subarray(0, length));
      const reply = { status: 200, body, defect: 'the body is incomplete', location: null, retryAfter: null };
      const verdict = judgeCreation(reply, context);
      if (verdict.type === 'creation-accepted') expect(verdict.taskId, body).toBe(taskId);
      else expect(wordOf(verdict), body).toBe('uncertain');
    }
  },
);

describe(`${bodyCount} damaged bodies`, { timeout: 900_000 }, () => {
  it('as answers to creations: accepted with an id that they show, refused or barred where they refuse and show none, else uncertain', () => {
    const seen = new Map<string, number>();
    for (let seed = nightSeed; seed < nightSeed + bodyCount; seed++) {
      const reply = throwReply(seed);
      const verdict = judgeCreation(reply, context);
      const word = wordOf(verdict);
      seen.set(word, (seen.get(word) ?? 0) + 1);
      const isRight =
        verdict.type === 'creation-accepted'
          ? verdict.taskId.trim() !== '' && showsTaskId(reply, verdict.taskId)
          : mayBe(reply)[word] && (word === 'uncertain' || !/"task_id":"task-4711"/.test(reply.body));
      expect(isRight, `seed ${seed}: ${JSON.stringify(verdict)} out of ${JSON.stringify(reply)}`).toBe(true);
    }
    expect([...seen.keys()].sort()).toEqual(['accepted', 'barred', 'misconfigured', 'refused', 'uncertain']);
  });

  it('as answers to polls: an end only where they show it, each video of the task, and always a legal event or none', () => {
    const seen = new Map<string, number>();
    for (let seed = nightSeed; seed < nightSeed + bodyCount; seed++) {
      const reply = throwReply(seed);
      const verdict = judgeStatus(reply, 'task-4711', context);
      seen.set(verdict.type, (seen.get(verdict.type) ?? 0) + 1);
      const about = `seed ${seed}: ${JSON.stringify(verdict)} out of ${JSON.stringify(reply)}`;
      if (verdict.type === 'task-completed' || verdict.type === 'task-failed') {
        const whole = parse(reply.body);
        const end = verdict.type === 'task-completed' ? 'completed' : 'failed';
        expect(showsEnd(fieldOf(whole, 'data'), end), about).toBe(true);
        const word = fieldOf(whole, 'status');
        const isMade = verdict.type === 'task-completed' && verdict.videoUrl !== null;
        const isThis = isMade && isNamed(fieldOf(whole, 'data'));
        expect(isThis || isWord(word, 'success') || (isMade && !isWord(word, 'error')), about).toBe(true);
        expect(isThis || reply.status < 300, about).toBe(true);
        expect(verdict.ending.points ?? 0, about).toSatisfy(Number.isFinite);
      }
      if (showsVideo(reply.body)) expect(verdict, about).toMatchObject({ videoUrl: expect.any(String) });
      if (verdict.type !== 'poll-unanswered' && verdict.type !== 'poll-refused')
        transition(openItem, verdict, defaultPolicy);
    }
    expect([...seen.keys()].sort()).toEqual([
      'poll-refused',
      'poll-unanswered',
      'task-completed',
      'task-failed',
      'task-not-found',
      'task-progressed',
    ]);
  });

  it(`and ${socketCount} of them on sockets are read as in memory, at one request each`, async () => {
    await using server = await startServer(async (socket, request) => {
      const said = await request;
      const dice = new Dice(Number(/\/seed-(\d+)\//.exec(said)?.[1]), 'answer');
      const bytes = mutate(dice.pick(envelopes), dice);
      socket.write(head(200, `content-length: ${bytes.length}`));
      socket.end(bytes);
    });
    for (let seed = nightSeed; seed < nightSeed + socketCount; seed++) {
      const baseUrl = `http://127.0.0.1:${server.port}/seed-${seed}/`;
      await using service = openService(baseUrl);
      const whole = { ...throwReply(seed), status: 200, defect: null };
      // A damaged link may be relative to the address of the service.
      const asked = { ...context, url: `${baseUrl}api/gen_video` };
      const creation = await service.create('{}', never);
      expect(creation, `seed ${seed}`).toEqual({ ...judgeCreation(whole, asked), at: creation.at });
      const status = await service.status('task-4711', never);
      const now = 'at' in status ? status.at : at;
      const judged = judgeStatus(whole, 'task-4711', { ...asked, now });
      const read = judged.type === 'poll-unanswered' ? { ...judged, isWhole: true } : judged;
      expect(status, `seed ${seed}`).toEqual(read);
    }
    expect(server.received).toHaveLength(2 * socketCount);
    expect(server.count('POST')).toBe(socketCount);
  });
});
