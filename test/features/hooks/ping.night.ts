import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { apiKey } from '../../cli/support/scripted-service.ts';
import { openStage, questions } from '../../cli/support/stage.ts';

const check = '0d338dcc-a054-11ec-b909-0242ac120002';

/** A dead man's switch that answers like this. */
async function openSwitch(status: number) {
  const received: { path: string | undefined; body: string; headers: object }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    received.push({ path: request.url, body, headers: request.headers });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${check}`,
    [Symbol.dispose]: () => void server.close(),
  };
}

describe.concurrent('--ping', () => {
  it('tells how the run ends, without any secret', async () => {
    await using stage = await openStage();
    using there = await openSwitch(200);
    await stage.write('q.csv', questions('a'));
    await stage.batch(['run', 'q.csv', '--poll-interval', '100ms', '--ping', there.url]);
    expect(there.received.map(({ path }) => path)).toEqual([`/${check}/start`, `/${check}/0`]);
    expect(JSON.parse(there.received[1]?.body ?? '')).toMatchObject({
      reason: 'done',
      exitCode: 0,
      statuses: { completed: 1 },
      points: 10,
    });
    expect(JSON.stringify(there.received)).not.toContain(apiKey);
    expect(await stage.read('videos/batch.log')).not.toContain(check);
  });

  it('may come from the environment, and is not saved with the run', async () => {
    await using stage = await openStage();
    using there = await openSwitch(200);
    await stage.write('q.csv', questions('a', 'b'));
    const env = { BATCH_PING: there.url };
    await stage.batch(['run', 'q.csv', '--limit', '1', '--poll-interval', '100ms'], { env });
    expect(there.received.map(({ path }) => path)).toEqual([`/${check}/start`, `/${check}/4`]);
    expect(await stage.batch(['resume'])).toMatchObject({ code: 0 });
    expect(there.received).toHaveLength(2);
  });

  it('that is refused is one warning, which does not name the check', async () => {
    await using stage = await openStage();
    using there = await openSwitch(404);
    await stage.write('q.csv', questions('a'));
    const { code, stderr } = await stage.batch([
      ...['run', 'q.csv', '--poll-interval', '100ms', '--ping', there.url],
    ]);
    expect(code).toBe(0);
    expect(stderr.match(/warning: --ping: .* did not take it \(HTTP 404\)/g)).toHaveLength(1);
    expect(stderr).not.toContain(check);
  });

  it('tells of a run that cannot begin', async () => {
    await using stage = await openStage();
    using there = await openSwitch(200);
    await stage.write('q.csv', questions('a'));
    const args = ['run', 'q.csv', '--ping', there.url, '--listen', new URL(there.url).host];
    expect(await stage.batch(args)).toMatchObject({ code: 2 });
    expect(there.received.map(({ path }) => path)).toEqual([`/${check}/start`, `/${check}/2`]);
  });

  it('must be an address, which no message shows', async () => {
    await using stage = await openStage();
    const env = { BATCH_PING: check };
    const ending = await stage.batch(['resume'], { env });
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining('BATCH_PING: use http://') });
    expect(ending.stderr).not.toContain(check);
  });
});
