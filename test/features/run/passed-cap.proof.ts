/** How far a cap on points is passed where the service becomes dearer in the middle of a run: by as much as the plan says. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { SimulatorLedger } from '../../../src/service/simulator/task-book.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

const cap = 60;
const atOnce = 4;
const [cheap, dear] = [1, 20];

/** The embedded service at this address, whose first three tasks cost little, and all others much. */
async function startDearer(
  address: string,
): Promise<AsyncDisposable & { url: string; price(id: string): number }> {
  const made: string[] = [];
  const price = (id: string): number => (made.indexOf(id) < 3 ? cheap : dear);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = 'GET', url = '/' } = request;
    const headers = {
      authorization: String(request.headers.authorization),
      'content-type': 'application/json',
    };
    const body = method === 'POST' ? { body: Buffer.concat(chunks) } : {};
    const answer = await fetch(`${address}${url}`, { method, headers, ...body });
    const said = (await answer.json()) as {
      readonly data: { readonly task_id?: string; readonly status?: string; consumption?: readonly object[] };
    };
    const { task_id: id = '', status } = said.data;
    if (method === 'POST' && id !== '') made.push(id);
    if (status === 'COMPLETED')
      said.data.consumption = [{ type: 'score', value: price(id), detail: 'a video' }];
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    price,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it('a price that rises passes the cap by no more than the plan says, and the report has what was charged', async () => {
  await using stage = await openStage();
  const simulate = ['simulate', '--port', '0', '--duration', '600ms', '--fail-rate', '0', '--seed', '4'];
  const [, address = ''] = await stage.start(simulate).said(/listens at (http:\S+),/);
  await using dearer = await startDearer(address);
  await stage.write('q.csv', questions(...Array.from({ length: 40 }, (_, at) => `q${at}`)));
  const env = { BATCH_BASE_URL: dearer.url, BATCH_API_KEY: 'simulated-key' };
  const charged = async (): Promise<number> => {
    const ledger = (await (await fetch(`${address}/ledger`)).json()) as SimulatorLedger & {
      readonly tasks: readonly { readonly task_id: string }[];
    };
    return ledger.tasks.reduce((sum, { task_id }) => sum + dearer.price(task_id), 0);
  };
  const line = runLine('q.csv', '--max-points', String(cap), '-j', String(atOnce), '--json');

  const first = await stage.batch(line, { env });
  expect(first.code, first.stderr).toBe(4);
  expect(first.stderr).toContain(
    'it can be passed only by what that first row, or a later price above all before',
  );
  const spent = await charged();
  expect(JSON.parse(first.stdout)).toMatchObject({ points: { spent, reserved: 0 } });
  expect(spent).toBeGreaterThan(cap - dear);
  expect(spent).toBeLessThanOrEqual(cap + atOnce * (dear - cheap));

  const again = await stage.batch(line, { env });
  expect(again.code).toBe(4);
  expect(await charged()).toBe(spent);

  const raised = await stage.batch(line.with(line.indexOf(String(cap)), String(spent + 2 * dear)), { env });
  expect(raised.stderr).toContain(`open at a time then cost above ${dear} points, the most so far`);
  expect(await charged()).toBe(spent + 2 * dear);
});
