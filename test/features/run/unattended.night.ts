/** The recipes of `docs/unattended.md`, as far as they can be carried out without a machine of their own. */

import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { apiKey } from '../../cli/support/scripted-service.ts';
import { openStage, questions } from '../../cli/support/stage.ts';

const run = promisify(execFile);
const page = readFileSync('docs/unattended.md', 'utf8');
const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

/** The blocks of this language. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

const hasSystemd = ['/usr/bin', '/bin'].some((folder) => {
  try {
    accessSync(join(folder, 'systemd-analyze'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

describe('the recipe for', () => {
  it('cron works in the empty environment that cron gives, with what is in .env', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('.env', `BATCH_BASE_URL=${stage.service.url}\nBATCH_API_KEY=${apiKey}\n`);
    await stage.write('batch-video', `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
    chmodSync(join(stage.folder, 'batch-video'), 0o755);
    const [line = ''] = blocks('cron');
    const command = line
      .replace(/^\S+ \S+ \S+ \S+ \S+ /, '')
      .replace('/srv/videos', stage.folder)
      .replace('/usr/local/bin/batch-video', join(stage.folder, 'batch-video'))
      .replace('questions.csv', 'q.csv --poll-interval 100ms');
    const env = { HOME: stage.folder, PATH: '/usr/bin:/bin', SHELL: '/bin/sh' };
    await run('/bin/sh', ['-c', command], { cwd: '/', env });
    expect(await stage.statuses()).toEqual({ a: 'completed' });
    expect(await stage.read('cron.log')).toContain('1 row: 1 completed');
    // The next evening.
    await run('/bin/sh', ['-c', command], { cwd: '/', env });
    expect(stage.service.creations).toHaveLength(1);
  });

  it.skipIf(!hasSystemd)('systemd is valid', async () => {
    await using stage = await openStage();
    const [service = '', timer = ''] = blocks('ini');
    // A program that is there, and root for the user.
    const here = service
      .replaceAll('/usr/local/bin/batch-video', '/bin/true')
      .replace('User=videos', 'User=root');
    await stage.write('batch.service', here.replace('/srv/videos\n', `${stage.folder}\n`));
    await stage.write('batch.timer', timer);
    const files = ['batch.service', 'batch.timer'].map((name) => join(stage.folder, name));
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...files]);
    const said = (stdout + stderr).split('\n').filter((line) => line.includes('batch.'));
    expect(said).toEqual([]);
  });
});
