/**
 * A service in a process of its own that gives every task up when it is first asked about. Tells its port to who forked it;
 * `/counts` says how many creations and polls there were.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const counts = { creations: 0, polls: 0 };

const server = createServer((request, response) => {
  const { url = '', method } = request;
  const body = JSON.stringify(url === '/counts' ? counts : { status: 'success', data: answer(method, url) });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());

function answer(method: string | undefined, url: string): object {
  if (method === 'POST') return { task_id: `task-${++counts.creations}` };
  counts.polls += 1;
  return {
    task_id: url.slice('/api/get_status/'.length),
    status: 'FAILED',
    consumption: [{ type: 'score', value: 0, detail: 'failed' }],
    result: [{ type: 'text', content: 'the question could not be understood' }],
  };
}
