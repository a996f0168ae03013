/** How a service may echo a secret: the ways it is spelled, the places it is said in, and a look for it in all of them. */

import {
  bare,
  completed,
  errorEnvelope,
  failed,
  type Script,
  success,
  type Task,
} from '../cli/support/scripted-service.ts';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Puts `between` into a text after every `length` letters. */
const wrapped = (text: string, length: number, between: string): string =>
  (text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []).join(between);

/** Ways to spell any secret. */
export const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': (secret) => secret,
  'in a header': (secret) => `authorization: Bearer ${secret}, accept: */*`,
  'three times': (secret) => `${secret}${secret}, ${secret}`,
  'in JSON': (secret) => JSON.stringify({ secret }),
  'in JSON that stands in JSON': (secret) => JSON.stringify({ body: JSON.stringify({ secret }) }),
  'in JSON with escaped slashes': (secret) => JSON.stringify({ secret }).replaceAll('/', '\\/'),
  'in JSON of ASCII only': (secret) =>
    [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  'in an address': (secret) => `https://x.example/?a=1&key=${encodeURIComponent(secret)}`,
  'in a path': (secret) => `https://x.example/${encodeURIComponent(secret)}/x`,
  'percent-encoded': encodeURIComponent,
  'percent-encoded to the last letter': percent,
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a page': (secret) => secret.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter),
  'in entities': (secret) => [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  'in entities of hex': (secret) =>
    [...secret].map((letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join(''),
  'over lines': (secret) => wrapped(secret, 7, '\n'),
  'over lines, indented': (secret) => wrapped(secret, 7, '\r\n    '),
  'with letters nobody sees': (secret) => wrapped(secret, 5, '\u200b'),
  'with letters that turn': (secret) => wrapped(secret, 5, '\u202e'),
  'with control characters': (secret) => wrapped(secret, 5, '\u0007'),
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64 of a header': (secret) => Buffer.from(`Bearer ${secret}`).toString('base64url'),
  'in base64 of a pair': (secret) => Buffer.from(`me:${secret}`).toString('base64'),
};

/** Ways to say a signed link of a task. */
export const linkEchoes: Readonly<Record<string, (link: string) => string>> = {
  'as it is': (link) => `cannot fetch ${link}`,
  'in quotes': (link) => `cannot fetch "${link}", '${link}', (${link}) or <${link}>.`,
  'in JSON': (link) => JSON.stringify({ link }),
  'in JSON with escaped slashes': (link) =>
    JSON.stringify({ link: `${link}&e=1` })
      .replaceAll('/', '\\/')
      .replaceAll('&', '\\u0026'),
  'in JSON that stands in JSON': (link) =>
    JSON.stringify({ body: JSON.stringify({ link }).replaceAll('/', '\\/') }),
  'in a page': (link) => `<a href="${link}&amp;e=1">here</a>`,
  'percent-encoded': (link) =>
    `https://x.example/login?next=${encodeURIComponent(link)} or ${encodeURIComponent(link)}`,
  'in capitals': (link) => link.replace('http', 'HTTP'),
  'by its path': (link) => `GET ${new URL(link).pathname}${new URL(link).search} HTTP/1.1`,
  'by its path in JSON': (link) =>
    JSON.stringify({ path: `${new URL(link).pathname}${new URL(link).search}` }),
  'by its query': (link) => `bad query: ${new URL(link).search}`,
  'by its signature': (link) => `bad ${new URL(link).search.slice(1)}&expires=1`,
  'by another signature': (link) =>
    `X-Amz-Signature=${link.replace(/.*=/, '')}; sig=${link.replace(/.*=/, '')}`,
  'with a password': (link) => link.replace('://', '://me:s3cret@').replace(/\?.*/, ''),
  'with a password that holds an @': (link) => link.replace('://', '://me:a@s3cret@').replace(/\?.*/, ''),
};

/** Places of the service's answers for a text that goes with one task; none of them ends a run. */
export const places: Readonly<Record<string, (say: (link: string) => string) => Script>> = {
  'a refusal': (say) => ({ create: () => errorEnvelope(say(anyLink)) }),
  'a refusal beside the envelope': (say) => ({ create: () => bare(400, say(anyLink)) }),
  'the reason of a failure': (say) => ({ status: (task) => failed(task, say(linkOf(task))) }),
  'a title': (say) => ({ status: (task) => completed(task, { title: say(linkOf(task)) }) }),
  'a title that is a list': (say) => ({
    status: (task) => completed(task, { title: [{ text: say(linkOf(task)) }] }),
  }),
  'the detail of points': (say) => ({
    status: (task) =>
      completed(task, { consumption: [{ type: 'score', value: 3, detail: say(linkOf(task)) }] }),
  }),
  'a time': (say) => ({ status: (task) => completed(task, { finish_at: say(linkOf(task)) }) }),
  'a state': (say) => ({
    status: (task) => completed(task, task.queries < 2 ? { status: say(linkOf(task)) } : {}),
  }),
  'a page instead of a status': (say) => ({
    status: (task) => (task.queries < 2 ? bare(502, say(linkOf(task))) : completed(task)),
  }),
  'the id of another task': (say) => ({
    status: (task) => (task.queries < 2 ? success({ task_id: say(linkOf(task)) }) : completed(task)),
  }),
  'the id of a frame': (say) => ({
    status: (task) =>
      completed(task, { progress: [{ id: say(linkOf(task)), image: task.link('frame.png') }] }),
  }),
  'a page instead of a file': (say) => ({
    file: (request) => (request.count < 2 ? bare(410, say(anyLink)) : undefined),
  }),
  'where a file moved to': (say) => ({
    file: (request) =>
      request.count < 2
        ? bare(302, '', { location: `/files/x?${encodeURIComponent(say(anyLink))}` })
        : undefined,
  }),
  'a link that is none': (say) => ({
    status: (task) =>
      completed(
        task,
        task.queries < 3 ? { result: [{ type: 'video', content: `ftp://${say(linkOf(task))}` }] } : {},
      ),
  }),
};

const anyLink = 'https://files.example/a/video.mp4?signature=s3cret';
const linkOf = (task: Task): string => task.link('video.mp4');

/** The text as those read it who undo what a spelling did. */
function readings(text: string): string[] {
  const unquoted = text.replace(/\\{1,4}u([0-9a-f]{4})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const unescaped = unquoted.replace(/\\+(["/\\])/g, '$1');
  const unhidden = text.replace(/\\[nrt]|[\p{Cc}\p{Cf}]/gu, '').replace(/ +/g, '');
  const decoded = text.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const rendered = text
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(
      /&(?:amp|lt|gt|quot);/g,
      (name) => Object.keys(entities).find((key) => entities[key] === name) ?? name,
    );
  return [text, unquoted, unescaped, unhidden, decoded, rendered];
}

/** Where a text gives a secret away: the reading that does, and what stands around it. Short secrets count where they stand alone. */
export function findSecret(text: string, secret: string): string | null {
  const pieces = [0, 1, 2].map((shift) =>
    Buffer.from(' '.repeat(shift) + secret)
      .toString('base64')
      .slice(4, -4),
  );
  const wanted =
    secret.length < 16
      ? [secret]
      : [secret, ...pieces, ...pieces.map((piece) => piece.replaceAll('+', '-').replaceAll('/', '_'))];
  for (const reading of readings(text)) {
    for (const one of wanted) {
      const at = reading.indexOf(one);
      if (at >= 0) return reading.slice(Math.max(0, at - 80), at + one.length + 20);
    }
  }
  return null;
}
