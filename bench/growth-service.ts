/** A service in a process of its own that gives every task up when it is first asked about. Tells its port to who forked it. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let taskCount = 0;

const server = createServer((request, response) => {
  const { url = '', method } = request;
  const taskId = url.slice('/api/get_status/'.length);
  const data = method === 'POST' ? { task_id: `task-${++taskCount}` } : failed(taskId);
  const body = JSON.stringify({ status: 'success', data });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());

function failed(taskId: string): object {
  return {
    task_id: taskId,
    status: 'FAILED',
    consumption: [{ type: 'score', value: 0, detail: 'failed' }],
    result: [{ type: 'text', content: 'the question could not be understood' }],
  };
}
