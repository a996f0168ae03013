import { copyFile, cp, mkdir, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';
import { listing } from '../../support/listing.ts';
import { smallPng } from '../../support/small-png.ts';

interface Check {
  readonly id: string;
  readonly state: string;
  readonly text: string;
  readonly hint: string | null;
}

/** The checks by id. */
function checksOf(stdout: string): Readonly<Record<string, Check>> {
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly Check[] };
  return Object.fromEntries(checks.map((check) => [check.id, check]));
}

/** A service whose clock is elsewhere. */
async function serviceAt(date: Date): Promise<string> {
  const server = createServer((_, answer) => {
    answer.setHeader('date', date.toUTCString());
    answer.end(JSON.stringify({ status: 'error', message: 'task not found' }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.concurrent('batch doctor', () => {
  it('says what to do beside each cross, in either language, and ends with 1', async () => {
    await using stage = await openStage();
    const env = { BATCH_BASE_URL: '', BATCH_API_KEY: undefined };
    const english = await stage.batch(['doctor'], { env });
    expect(english.code).toBe(1);
    expect(english.stdout.match(/^✗ .*/gm)).toEqual([
      expect.stringMatching(/^✗ no service address; give --base-url URL/),
      expect.stringMatching(/^✗ no API key; set BATCH_API_KEY/),
    ]);
    const chinese = await stage.batch(['doctor', '--lang', 'zh'], { env });
    expect(chinese.stdout.match(/^✗ .*/gm)).toEqual([
      expect.stringMatching(/^✗ 没有服务地址；请给出 --base-url/),
      expect.stringMatching(/^✗ 没有 API 密钥；请设置 BATCH_API_KEY/),
    ]);
    const lines = chinese.stdout.trim().split('\n');
    expect(lines).toHaveLength(english.stdout.trim().split('\n').length);
    for (const line of lines) expect(line).toMatch(/^[✓!✗] .*\p{Script=Han}/u);
  });

  it('leaves a run as it is, to the last file', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv'));
    await mkdir(join(stage.folder, 'videos/more'));
    await stage.batch(runLine('q.csv', '--out', 'videos/rehearsal', '--simulate'));
    const before = await listing(stage.folder);
    const ending = await stage.batch(['doctor', 'videos', '--json']);
    expect(ending.code).toBe(0);
    expect(await listing(stage.folder)).toEqual(before);
    expect(checksOf(ending.stdout)).toMatchObject({
      folder: { state: 'ok', text: 'videos can be read and written', hint: null },
      lock: { state: 'ok' },
      checkpoint: { state: 'ok', text: expect.stringContaining('2 rows, 2 completed') },
      runs: { state: 'ok', text: 'other runs in folders below: rehearsal' },
      key: { state: 'ok' },
    });
    const rehearsal = await stage.batch(['doctor', 'videos/rehearsal', '--json'], {
      env: { BATCH_BASE_URL: undefined, BATCH_API_KEY: undefined },
    });
    expect(checksOf(rehearsal.stdout)).toMatchObject({
      address: { text: expect.stringContaining('rehearsal') },
    });
    expect(rehearsal.code).toBe(0);
  });

  it('says what of a run that was copied elsewhere is not where it was', async () => {
    await using stage = await openStage();
    await stage.write('old/q.csv', 'id,question,image\na,Question a,\nb,Question b,img/b.png\n');
    await stage.write('old/img/b.png', smallPng(9, 9, 9));
    await stage.write('other.csv', questions('x'));
    await stage.batch(runLine('other.csv', '--out', 'old/other'));
    await stage.batch(runLine('old/q.csv', '--out', 'old/videos', '--limit', '1', '--reuse', 'old/other'));
    const before = checksOf((await stage.batch(['doctor', 'old/videos', '--json'])).stdout);
    for (const id of ['place', 'input', 'pictures', 'reuse'])
      expect(before[id]).toMatchObject({ state: 'ok' });
    await cp(join(stage.folder, 'old/videos'), join(stage.folder, 'new videos'), { recursive: true });
    await rename(join(stage.folder, 'old'), join(stage.folder, 'away'));
    const ending = await stage.batch(['doctor', 'new videos', '--json']);
    expect(ending.code).toBe(1);
    const hint = (text: string) => expect.stringContaining(text);
    expect(checksOf(ending.stdout)).toMatchObject({
      checkpoint: { state: 'ok' },
      place: { state: 'warning', hint: hint('use --moved') },
      input: { state: 'warning', hint: hint("`batch run FILE --out 'new videos'`") },
      pictures: { state: 'failed', text: hint('1 waiting row'), hint: hint('put the folder back') },
      reuse: { state: 'warning', hint: hint("`batch resume 'new videos' --reuse DIR`") },
    });
  });

  it('names the process that works in the folder, and what ends it', async () => {
    await using stage = await openStage({ status: (task) => inProgress(task) });
    await stage.write('q.csv', questions('a'));
    const program = stage.start(runLine('q.csv'));
    await stage.service.until(({ events }) => events.includes('status Question a'));
    const ending = await stage.batch(['doctor', '--json']);
    expect(checksOf(ending.stdout)).toMatchObject({
      lock: { state: 'warning', hint: expect.stringContaining('`batch stop ./videos`') },
      checkpoint: { state: 'ok', text: expect.stringContaining('1 row, 0 completed') },
    });
    program.kill('SIGKILL');
    await program.ended;
  });

  it('calls a damaged checkpoint, a file in place of the folder and a refused key a failure', async () => {
    await using stage = await openStage();
    await stage.write(
      'broken/batch.sqlite',
      'not a database, but long enough to be read as the head of one'.repeat(9),
    );
    await stage.write('file', '');
    const broken = await stage.batch(['doctor', 'broken', '--json'], { env: { BATCH_API_KEY: 'wrong' } });
    expect(broken.code).toBe(1);
    const { checkpoint, address, key } = checksOf(broken.stdout);
    expect(checkpoint).toMatchObject({ state: 'failed', hint: expect.stringContaining('put a good copy') });
    expect(checkpoint?.text).toContain(join(stage.folder, 'broken', 'batch.sqlite'));
    expect(address).toMatchObject({ state: 'ok' });
    expect(key).toMatchObject({ state: 'failed', hint: expect.stringContaining('set a valid key') });
    for (const dir of ['file', 'file/below']) {
      const ending = await stage.batch(['doctor', dir, '--json']);
      expect(checksOf(ending.stdout)).toMatchObject({
        folder: { state: 'failed', text: expect.stringContaining('is not a folder') },
      });
    }
  });

  it('finds an old copy of the checkpoint, which a run would refuse', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.batch(runLine('q.csv', '--limit', '1'));
    const [path, copy] = ['videos/batch.sqlite', 'copy.sqlite'].map((name) => join(stage.folder, name));
    await copyFile(path as string, copy as string);
    await stage.batch(['resume']);
    await copyFile(copy as string, path as string);
    const before = await listing(stage.folder);
    const ending = await stage.batch(['doctor', '--json']);
    expect(checksOf(ending.stdout)).toMatchObject({
      checkpoint: {
        state: 'failed',
        text: expect.stringContaining(`${path} knows 1 of 2 creations`),
        hint: expect.stringContaining('Put the newest copy in its place'),
      },
    });
    expect(await listing(stage.folder)).toEqual(before);
  });

  it('sends no key to an address that a folder brought, and remembers nothing', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    const asked = stage.service.events.length;
    const env = { BATCH_BASE_URL: undefined, XDG_STATE_HOME: join(stage.folder, 'state') };
    const ending = await stage.batch(['doctor', '--json'], { env });
    expect(checksOf(ending.stdout)).toMatchObject({
      address: { state: 'failed', hint: expect.stringContaining(`--base-url ${stage.service.url}`) },
      key: { state: 'warning' },
    });
    expect(stage.service.events).toHaveLength(asked);
    expect(await stage.list('state')).toEqual([]);
  });

  it('names the proxy on the way, without its password, and one that is none', async () => {
    await using stage = await openStage();
    const proxied = (uri: string) =>
      stage.batch(['doctor', '--json', '--base-url', 'http://service.invalid', '--request-timeout', '5s'], {
        env: { http_proxy: uri, HTTP_PROXY: uri },
      });
    const through = await proxied('http://me:secret@127.0.0.1:9');
    expect(checksOf(through.stdout)).toMatchObject({
      address: { state: 'failed' },
      proxy: { state: 'ok', text: expect.stringContaining('127.0.0.1:9') },
    });
    expect(through.stdout).not.toContain('secret');
    const none = await proxied('ftp://127.0.0.1:9');
    expect(checksOf(none.stdout)).toMatchObject({
      address: { state: 'warning' },
      proxy: { state: 'failed', hint: 'correct or unset it' },
    });
  });

  it('compares the clock with that of the service', async () => {
    await using stage = await openStage();
    const url = await serviceAt(new Date(Date.now() + 3_600_000));
    const ending = await stage.batch(['doctor', '--json', '--base-url', url]);
    expect(checksOf(ending.stdout)).toMatchObject({
      clock: { state: 'warning', text: expect.stringContaining('60 minutes behind') },
    });
    expect(ending.code).toBe(0);
  });
});
