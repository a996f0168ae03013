import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completed, inProgress } from '../cli/support/scripted-service.ts';
import { questions } from '../cli/support/stage.ts';
import { call, closed, type Listening, openAndSay, openListening, sendRaw, untilAsked } from './callers.ts';

/** A run whose row is made until `finish` is called. */
async function openMaking(): Promise<Listening & { finish(): void }> {
  let isMade = false;
  const stage = await openListening(questions('a'), {
    status: (task) => (isMade ? completed(task) : inProgress(task)),
  });
  await untilAsked(stage, 'Question a');
  return Object.assign(stage, {
    finish: () => {
      isMade = true;
    },
  });
}

/** The run must still hear an honest callback and end well. */
async function expectGoodEnd(stage: Listening & { finish(): void }): Promise<void> {
  stage.finish();
  await call(stage.addressOf('Question a'));
  const { code, stderr } = await stage.program.ended;
  expect(stderr).not.toMatch(/^ {4}at |bug in batch/m);
  expect(code).toBe(0);
}

const head = (address: URL, ...lines: readonly string[]): string =>
  [`POST ${address.pathname} HTTP/1.1`, 'host: x', ...lines, '', ''].join('\r\n');

const deep = '['.repeat(30_000);

/** Bodies that say nothing that could be used. */
const idleBodies: readonly (readonly [what: string, body: string | Uint8Array])[] = [
  ['nothing', ''],
  ['no JSON', 'task_id=1'],
  ['broken JSON', '{"task_id":"task-1"'],
  ['a bare word', '"task-1"'],
  ['null', 'null'],
  ['a number', '12'],
  ['a list', '[{"task_id":"task-1"}]'],
  ['lists in lists without an end', deep],
  ['lists in lists', deep + ']'.repeat(30_000)],
  ['a prototype', '{"__proto__":{"task_id":"task-1"},"constructor":{"prototype":{"task_id":"task-1"}}}'],
  ['an id that is a number', '{"task_id":1}'],
  ['an id that is a list', '{"task_id":["task-1"]}'],
  ['an id that is an object', '{"task_id":{"toString":"x"}}'],
  ['an empty id', '{"task_id":"","data":{"task_id":null}}'],
  ['half a pair of letters', '{"task_id":"\\ud800"}'],
  ['control characters', '{"task_id":"\\u0000\\r\\nx: y"}'],
  ['an id of 60,000 letters', `{"task_id":"${'9'.repeat(60_000)}"}`],
  ['bytes that are no text', Uint8Array.from({ length: 1_000 }, (_, i) => i % 256)],
  ['UTF-16', Buffer.from('\ufeff{"task_id":"task-1"}', 'utf16le')],
  ['a byte order mark', '\ufeff{"task_id":"task-1"}'],
];

describe.concurrent('the body of a callback', () => {
  it('may be anything: the answer is the same, and the run goes on to its end', async () => {
    await using stage = await openMaking();
    const address = stage.addressOf('Question a');
    for (const [what, body] of idleBodies) expect(await call(address, body), what).toBe(204);
    const raw: readonly (readonly [what: string, parts: readonly string[], answer: RegExp])[] = [
      [
        'an announced body',
        [head(address, 'expect: 100-continue', 'content-length: 2'), '{}'],
        /^HTTP\/1\.1 100 [\s\S]* 204 /,
      ],
      ['chunks', [head(address, 'transfer-encoding: chunked'), '2\r\n{}\r\n0\r\n\r\n'], / 204 /],
      ['a bad chunk', [head(address, 'transfer-encoding: chunked'), 'zz\r\n{}\r\n'], /^$/],
      [
        'a chunk of endless size',
        [head(address, 'transfer-encoding: chunked'), `${'f'.repeat(17)}\r\n{}`],
        /^$/,
      ],
      ['an unknown coding', [head(address, 'transfer-encoding: gold'), '{}'], /^$/],
      [
        'a wish for another protocol',
        [head(address, 'connection: upgrade', 'upgrade: websocket', 'content-length: 0')],
        / 204 /,
      ],
    ];
    for (const [what, parts, answer] of raw) expect(await sendRaw(address, ...parts), what).toMatch(answer);
    await expectGoodEnd(stage);
  });
});

/** Most memory that a process has taken so far (bytes). */
function peakMemory(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

const mebibyte = 1024 * 1024;

describe.concurrent('a caller who wants to be a burden', () => {
  it.skipIf(!existsSync('/proc/self/status'))(
    'cannot fill the memory, with bodies of 10 MB nor with endless ones (needs /proc)',
    async () => {
      await using stage = await openMaking();
      const address = stage.addressOf('Question a');
      const pid = Number(JSON.parse((await stage.read('videos/batch.log')).split('\n', 1)[0] ?? '').pid);
      const before = peakMemory(pid);
      const large = Buffer.alloc(10 * mebibyte, '{');
      const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
      for (let round = 0; round < 5; round++) {
        await Promise.all([
          ...Array.from({ length: 8 }, () =>
            sendRaw(address, head(address, `content-length: ${large.length}`), large),
          ),
          ...Array.from({ length: 8 }, () =>
            sendRaw(address, head(address, 'transfer-encoding: chunked'), chunk.repeat(40)),
          ),
        ]);
      }
      expect(peakMemory(pid) - before).toBeLessThan(100 * mebibyte);
      await expectGoodEnd(stage);
    },
  );

  it('is not waited for when he drips, neither in the head nor in the body', async () => {
    await using stage = await openMaking();
    const address = stage.addressOf('Question a');
    const texts = [
      head(address).slice(0, 20),
      head(address, 'content-length: 1000'),
      head(address, 'transfer-encoding: chunked'),
    ];
    const sockets = await Promise.all(texts.map((text) => openAndSay(address, text)));
    const drips = sockets.map((socket, at) =>
      setInterval(() => void (socket.writable && socket.write(at === 2 ? '1\r\n{\r\n' : 'x')), 200),
    );
    await Promise.all(sockets.map((socket) => closed(socket)));
    for (const drip of drips) clearInterval(drip);
    await expectGoodEnd(stage);
  });

  it('does not take every connection: most are closed at once, and the rest when they stay silent', async () => {
    await using stage = await openMaking();
    const address = stage.addressOf('Question a');
    const sockets = await Promise.all(Array.from({ length: 500 }, () => openAndSay(address, '')));
    const closings = sockets.map((socket) => closed(socket));
    const isClosed = (): number => sockets.filter((socket) => socket.closed).length;
    while (isClosed() < 400) await Promise.race(closings.filter((_, at) => sockets[at]?.closed === false));
    // These were turned away; the first ones were let in, and are closed when their time is over.
    expect(sockets[0]?.closed).toBe(false);
    await Promise.all(closings);
    await expectGoodEnd(stage);
  });

  it('does not keep the run from ending, with connections that say nothing, half of it, or all and stay', async () => {
    await using stage = await openMaking();
    const address = stage.addressOf('Question a');
    const texts = [
      '',
      'POST /callb',
      head(address, 'content-length: 100'),
      head(address, 'connection: keep-alive', 'content-length: 0'),
    ];
    const sockets = await Promise.all(texts.map((text) => openAndSay(address, text)));
    await expectGoodEnd(stage);
    for (const socket of sockets) socket.destroy();
  });
});
