import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookIntoRun } from '../../../src/app/open-run.ts';
import { readInvocation } from '../../../src/app/options/settings.ts';
import { systemClock } from '../../../src/app/system-clock.ts';
import { RunFollower } from '../../../src/features/view/follow-run.ts';
import { openViewServer, type ViewContent } from '../../../src/features/view/view-server.ts';
import type { Listener } from '../../../src/ports.ts';
import type { RunWatch } from '../../../src/stores/port/reading.ts';
import type { Running } from '../../cli/support/program.ts';
import { bare, completed, errorEnvelope, inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../../cli/support/stage.ts';
import { askFor, type LiveEvent, lastHeading, lastRows, listen, startView } from './visitor.ts';

/** The heading of a page. */
const headingOf = (page: string): unknown => JSON.parse(/id="heading">(.*)<\/script>/.exec(page)?.[1] ?? '');

/** A run in a process of its own, whose rows are open at a service that continues when it is asked to. */
async function openRun(...ids: readonly string[]): Promise<Stage & { readonly run: Running }> {
  const stage = await openStage({ status: (task) => inProgress(task) });
  await stage.write('q.csv', questions(...ids));
  const run = stage.start(runLine('q.csv', '--concurrency', '20'));
  await Promise.race([
    stage.service.until(({ events }) => ids.every((id) => events.includes(`status Question ${id}`))),
    run.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  return Object.assign(stage, { run });
}

const isNow = (id: string, status: string) => (received: readonly LiveEvent[]) =>
  lastRows(received).get(id)?.status === status;

const framesOf = (received: readonly LiveEvent[], id: string) => lastRows(received).get(id)?.frames ?? [];

describe('who follows a run', () => {
  it('sees frames as they are saved, the row completed, and the run at its end', async () => {
    await using stage = await openRun('a', 'b');
    const { url } = await startView(stage);
    const page = (await askFor(url, '')).body.toString();
    const [, version = ''] = /id="version">(\d+)</.exec(page) ?? [];
    expect(page).toContain('"running":true');
    using line = await listen(url, `?since=${version}`);
    await line.until((received) => lastHeading(received)?.counts.open === 2);

    stage.service.follow({ status: (task) => inProgress(task, 1) });
    await line.until((received) => framesOf(received, 'a').length === 1);
    stage.service.follow({ status: (task) => inProgress(task, 3) });
    await line.until((received) => framesOf(received, 'a').length === 3);
    expect(framesOf(line.received, 'a')).toEqual([
      'a/frames/001.png',
      'a/frames/002.png',
      'a/frames/003.png',
    ]);
    for (const frame of framesOf(line.received, 'a'))
      expect(await askFor(url, frame)).toMatchObject({ status: 200 });

    stage.service.follow({ status: (task) => completed(task, { frameCount: 3 }) });
    await line.until((received) => isNow('a', 'completed')(received) && isNow('b', 'completed')(received));
    expect(lastRows(line.received).get('a')).toMatchObject({ points: 10, video: 'a/video.webm' });
    await line.until((received) => lastHeading(received)?.running === false);
    expect(lastHeading(line.received)).toMatchObject({ counts: { completed: 2 }, points: 20, unpriced: 0 });
  });

  it('receives rows that were never seen at work', async () => {
    await using stage = await openStage({ create: () => errorEnvelope('No.') });
    await stage.write('q.csv', 'id,question,level\na,Question a,7\nb,Question b,8\nc,Question c,9\n');
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const { url } = await startView(stage);
    using line = await listen(url, '');
    await line.until((received) => lastHeading(received)?.counts.pending === 2);
    await stage.batch(runLine('q.csv'));
    await line.until((received) => isNow('b', 'rejected')(received) && isNow('c', 'rejected')(received));
    const cells = [...lastRows(line.received)].map(([id, { own }]) => [id, own]);
    expect(cells.sort()).toEqual([
      ['b', ['8']],
      ['c', ['9']],
    ]);
    expect(lastHeading(line.received)?.columns).toEqual(['level']);
    await stage.write('q.csv', questions('a', 'b', 'd'));
    await stage.batch(runLine('q.csv'));
    await line.until(isNow('d', 'rejected'));
    expect(lastHeading(line.received)?.counts).toEqual({ rejected: 3 });
  });

  it('is informed that the rows of an edited file are to be read anew, and nothing of a row that left it unseen', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c', 'd'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const { url } = await startView(stage);
    const before = (await askFor(url, '')).body.toString();
    expect(before).toContain('"Question d"');
    expect(headingOf(before)).toMatchObject({ counts: { pending: 3 }, inputVersion: 0 });
    using line = await listen(url, '?since=0');
    await stage.write('q.csv', 'id,question\nc,Question c\nb,Other words\na,Question a\n');
    await stage.batch(runLine('q.csv', '--limit', '0'));
    await line.until((received) => lastHeading(received)?.inputVersion === 1);
    await line.until((received) => lastHeading(received)?.counts.pending === 2);
    expect([...lastRows(line.received).keys()]).not.toContain('d');
    const after = (await askFor(url, '')).body.toString();
    expect(after).not.toMatch(/Question [bd]/);
    expect(after).toMatch(/\[\d+,1,"c"[\s\S]*\[\d+,2,"b","pending",[\s\S]*"Other words"[\s\S]*\[\d+,3,"a"/);
    expect(headingOf(after)).toMatchObject({ inputVersion: 1 });
  });

  it.each([
    ['was deleted', false],
    ['was made anew', true],
  ])('hears no more of a folder that %s', async (_, isMadeAnew) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const { url, program } = await startView(stage);
    using line = await listen(url, '');
    await line.until((received) => received.length > 0);
    await rename(join(stage.folder, 'videos'), join(stage.folder, 'elsewhere'));
    if (isMadeAnew) await stage.batch(runLine('q.csv'));
    const { code, stderr } = await program.ended;
    expect(code).toBe(2);
    expect(stderr.split('\n').slice(1)).toEqual([
      expect.stringMatching(/^batch: .*batch\.sqlite was removed, or another one is in its place; .*again/),
      '',
    ]);
    await line.closed;
  });

  it('receives after a break what changed meanwhile, and nothing twice', async () => {
    await using stage = await openRun('a', 'b');
    const { url } = await startView(stage);
    let version = '';
    {
      using line = await listen(url, '');
      await line.until((received) => received.length > 0);
      version = line.received.flatMap((event) => (event.name === 'heading' ? [event.id] : [])).at(-1) ?? '';
    }
    stage.service.follow({
      status: (task) => (task.question === 'Question a' ? completed(task) : inProgress(task)),
    });
    await stage.service.until(({ events }) => events.includes('file Question a video.mp4'));
    using again = await listen(url, '?since=99', { 'last-event-id': version });
    await again.until(isNow('a', 'completed'));
    expect([...lastRows(again.received).keys()]).toEqual(['a']);
  });

  it('does not keep the program from ending, nor the run from going on', async () => {
    await using stage = await openRun('a');
    const { url, program } = await startView(stage);
    using line = await listen(url, '');
    await line.until((received) => received.length > 0);
    program.kill('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, signal: null });
    await line.closed;
    stage.service.follow({});
    expect((await stage.run.ended).code).toBe(0);
  });

  it('continues following while the run is killed and resumed', async () => {
    await using stage = await openRun('a');
    const { url } = await startView(stage);
    using line = await listen(url, '');
    await line.until((received) => lastHeading(received)?.running === true);
    stage.run.kill('SIGKILL');
    await line.until((received) => lastHeading(received)?.running === false);
    stage.service.follow({});
    expect((await stage.batch(['resume', '--poll-interval', '100ms'])).code).toBe(0);
    await line.until(isNow('a', 'completed'));
  });
});

/** A watch that counts how often the checkpoint is asked. */
function counted(watch: RunWatch): { watch: RunWatch; asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const names = new Set(['version', 'sums', 'prices', 'reportRowsOf']);
  return {
    asked,
    watch: new Proxy(watch, {
      get(target, name) {
        const key = String(name);
        if (names.has(key)) asked.set(key, (asked.get(key) ?? 0) + 1);
        return Reflect.get(target, name);
      },
    }),
  };
}

/** Somebody who takes all at once. */
function eager(): { listener: Listener; received: string[]; hears(what: RegExp): Promise<void> } {
  const received: string[] = [];
  let look = (): void => {};
  return {
    received,
    listener: {
      isOpen: true,
      async send({ name, data }) {
        received.push(`${name} ${data}`);
        look();
      },
    },
    hears: (what) =>
      new Promise((resolve) => {
        look = () => {
          if (received.some((text) => what.test(text))) resolve();
        };
        look();
      }),
  };
}

describe('two who follow', () => {
  it('cost one look, and one reading of what changed', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const out = `${stage.folder}/videos`;
    await using run = await lookIntoRun(readInvocation({}, { out, dotEnv: false }));
    const { watch, asked } = counted(await run.store.openWatch());
    let beats = 0;
    const clock = {
      ...systemClock,
      wait: (ms: number) => {
        beats += 1;
        return systemClock.wait(ms);
      },
    };
    const assets = { script: '', style: '', mathScript: '', mathStyle: '' };
    const facts = async () => ({ out, folder: out, run: 'x', writtenAt: 0 });
    const failed = (error: unknown): void => expect.unreachable(String(error));
    const follower = new RunFollower({ watch, clock, facts, assets, failed });
    const [one, two] = [eager(), eager()];
    await Promise.all([follower.join(one.listener, null), follower.join(two.listener, null)]);
    await stage.batch(runLine('q.csv'));
    const last = /^heading (?=.*"running":false).*"completed":2/;
    await Promise.all([one.hears(last), two.hears(last)]);
    expect(one.received).toEqual(two.received);
    expect(asked.get('version')).toBeLessThanOrEqual(beats + 1);
    expect(asked.get('reportRowsOf')).toBe(one.received.filter((text) => text.startsWith('rows')).length);
    Object.assign(one.listener, { isOpen: false });
    Object.assign(two.listener, { isOpen: false });
  });
});

describe('one who does not listen', () => {
  it('is dropped, and delays nobody', async () => {
    const listeners: Listener[] = [];
    const content: ViewContent = {
      policy: '',
      async *page() {},
      openFile: async () => null,
      image: async () => null,
      marks: async () => [],
      desk: null,
      join: async (listener) => void listeners.push(listener),
      failed: (error) => expect.unreachable(String(error)),
    };
    const limits = { followers: 2, stallMs: 50 };
    await using server = await openViewServer({ port: 0, isWish: false }, content, limits);
    const { pathname, host } = new URL(server.url);
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    // A socket without a reader takes what the system buffers, and no more.
    socket.pause();
    socket.write(`GET ${pathname}events HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await expect.poll(() => listeners.length).toBe(1);
    using line = await listen(server.url, '');
    await expect.poll(() => listeners.length).toBe(2);
    expect(await askFor(server.url, 'events')).toMatchObject({ status: 503 });

    const [deaf, other] = listeners;
    const data = JSON.stringify('x'.repeat(1 << 20));
    while (deaf?.isOpen) await deaf.send({ name: 'rows', data, id: null });
    await other?.send({ name: 'rows', data: '[]', id: null });
    await line.until((received) => received.length === 1);
    socket.destroy();
    expect(other?.isOpen).toBe(true);
  });
});

describe('a slow asker', () => {
  it('of half a request is not waited for forever, and a flood of lines leaves the page within reach', async () => {
    await using stage = await openStage({ status: () => bare(500) });
    await stage.write('q.csv', 'id,question\na,\n');
    await stage.batch(runLine('q.csv'));
    const { url } = await startView(stage);
    const { port } = new URL(url);
    const sockets = Array.from({ length: 100 }, () => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write('GET / HTTP/1.1\r\n');
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(await askFor(url, '')).toMatchObject({ status: 200 });
    // The time limit of heads closes them all.
    await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')));
  });
});
