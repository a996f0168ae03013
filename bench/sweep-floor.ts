/** What polls cost at least: the same requests on as many connections, and the answers parsed. `BASE_URL COUNT SWEEPS`. */

import { Pool } from 'undici';
import { fixed } from '../src/money/policy.ts';
import { apiKey, taskIdOf } from './open-tasks.ts';
import { report } from './reporting.ts';

const [baseUrl = '', ...numbers] = process.argv.slice(2);
const [count = 0, sweeps = 0] = numbers.map(Number);
const taskIds = Array.from({ length: count }, (_, at) => taskIdOf(at + 1));
const pool = new Pool(baseUrl, { connections: fixed.pollConnections });
const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json', 'user-agent': 'batch' };
let known = 0;

async function sweep(): Promise<void> {
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < taskIds.length) {
      const path = `/api/get_status/${taskIds[next++]}`;
      const { body } = await pool.request({ path, method: 'GET', headers });
      const answer = JSON.parse(await body.text());
      if (answer.data.status === 'IN_PROGRESS') known += 1;
    }
  };
  await Promise.all(Array.from({ length: fixed.pollConnections }, ask));
}

// The first one opens the connections and warms the code up.
await sweep();
const before = process.cpuUsage();
for (let at = 0; at < sweeps; at += 1) await sweep();
const { user, system } = process.cpuUsage(before);
report('polls', count * sweeps);
report('cpuMs', (user + system) / 1_000);
if (known !== count * (sweeps + 1)) throw new Error('not every answer was understood');
await pool.close();
