import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { openCallbacks } from '../../src/app/callbacks.ts';
import { parseOptions } from '../../src/app/options/job-file.ts';

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

it.each(['/batch', ''])(
  'a call is heard whether a proxy keeps the path of --public-url or takes it off: "%s"',
  async (kept) => {
    const port = await freePort();
    const raw = { listen: `127.0.0.1:${port}`, 'public-url': 'https://class.example/batch/' };
    const callbacks = await openCallbacks(
      parseOptions(raw, (name) => name),
      () => 'a'.repeat(32),
    );
    const heard: (number | string | null)[] = [];
    callbacks?.onHit((key, taskId) => void heard.push(key, taskId));
    const address = callbacks?.addressOf(7) ?? '';
    expect(address).toBe(`https://class.example/batch/callback/7-${'a'.repeat(32)}`);
    const path = new URL(address).pathname.replace('/batch', kept);
    const body = JSON.stringify({ task_id: 'task-1' });
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body });
    await callbacks?.close();
    expect([status, ...heard]).toEqual([204, 7, 'task-1']);
  },
);
