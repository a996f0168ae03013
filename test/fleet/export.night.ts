/** The videos of a shared run are exported from the bucket, and copied on by rclone as docs/export.md says. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { bucketOutputs, folderOutputs } from '../support/fleet-outputs.ts';
import { startPostgres } from '../support/postgres.ts';
import { missingSwift, startSwift } from '../support/swift.ts';
import { wordProblems } from '../support/word-problems.ts';

const missing = missingSwift();
const rows = 12;
const more = {
  questions: wordProblems(rows),
  service: ['--duration', '200ms', '--fail-rate', '0'],
  options: ['-j', '12', '--poll-interval', '300ms', '--frames', 'none'],
};

function rclone(args: readonly string[], env: NodeJS.ProcessEnv = {}): { code: number | null; said: string } {
  const { PATH } = process.env;
  const done = spawnSync('rclone', args, {
    env: { PATH, RCLONE_CONFIG: '/dev/null', ...env },
    encoding: 'utf8',
  });
  return { code: done.status, said: `${done.stdout}${done.stderr}` };
}

/** `rclone serve webdav` of a folder, with a password. */
async function serveWebdav(folder: string): Promise<{ url: string } & AsyncDisposable> {
  const args = ['serve', 'webdav', folder, '--addr', '127.0.0.1:0', '--user', 'me', '--pass', 'secret', '-v'];
  const server: ChildProcess = spawn('rclone', args, {
    env: { PATH: process.env.PATH, RCLONE_CONFIG: '/dev/null' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise<string>((found, fail) => {
    let said = '';
    server.once('exit', () => fail(new Error(said)));
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, address] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said) ?? [];
      if (address !== undefined) found(address);
    });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.removeAllListeners('exit');
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
  };
}

describe.skipIf(missing !== '')(
  `an export of a shared run${missing && ` (apt-get install ${missing})`}`,
  () => {
    it('has the videos of the bucket, and rclone takes them to S3, WebDAV and another folder', async () => {
      await using swift = await startSwift();
      await swift.createBucket('fleet');
      await using fleet = await Fleet.open({ ...more, outputs: bucketOutputs(swift, 'fleet') });
      await fleet.openSeats(1, '--drain');
      await Promise.all(fleet.seats.map(({ running }) => running.ended));

      const refused = await fleet.batch('export', '--to', 'course', '--link');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain('the videos are in a bucket');
      const line = ['export', '--to', 'course', '--name', '{quality}/{row} {id}', '--json'];
      const first = await fleet.batch(...line);
      expect(first.code, first.stderr).toBe(0);
      expect(JSON.parse(first.stdout)).toMatchObject({ videos: rows, added: rows, copied: rows, linked: 0 });
      expect(JSON.parse((await fleet.batch(...line)).stdout)).toMatchObject({ unchanged: rows, copied: 0 });
      const course = join(fleet.folder, 'course');
      const sums = folderOutputs(course).sums();
      const inBucket = [...swift.sumsByRclone('fleet/fleet')].filter(([path]) => /\/video\./.test(path));
      const exported = [...sums].filter(([path]) => /^m\/\d+ q\d+\.webm$/.test(path));
      expect(exported.map(([, sum]) => sum).sort()).toEqual(inBucket.map(([, sum]) => sum).sort());
      expect(spawnSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd: course }).status).toBe(0);

      const s3 = `:s3,provider=Other,env_auth,endpoint="${swift.endpoint}":courses/algebra`;
      await swift.createBucket('courses');
      const keys = bucketOutputs(swift, 'courses').env;
      expect(rclone(['copy', course, s3], keys)).toMatchObject({ code: 0 });
      expect(swift.sumsByRclone('courses/algebra')).toEqual(sums);
      await mkdir(join(fleet.folder, 'dav'));
      await using dav = await serveWebdav(join(fleet.folder, 'dav'));
      const pass = { RCLONE_WEBDAV_PASS: rclone(['obscure', 'secret']).said.trim() };
      const webdav = ['--webdav-url', dav.url, '--webdav-user', 'me'];
      expect(rclone(['copy', course, ':webdav:algebra', ...webdav], pass)).toMatchObject({ code: 0 });
      expect(folderOutputs(join(fleet.folder, 'dav/algebra')).sums()).toEqual(sums);
      expect(rclone(['copy', course, join(fleet.folder, 'usb/algebra')])).toMatchObject({ code: 0 });
      expect(folderOutputs(join(fleet.folder, 'usb/algebra')).sums()).toEqual(sums);
    });
  },
);

it('an export of a run in PostgreSQL links to the shared folder, also while a worker works on it', async () => {
  await using postgres = await startPostgres();
  await using fleet = await Fleet.open({ ...more, postgres });
  await fleet.openSeats(1);
  await fleet.until(async () => (await fleet.counts()).completed === rows);
  const ending = await fleet.batch('export', '--to', 'course', '--link', '--json');
  expect(ending.code, ending.stderr).toBe(0);
  expect(JSON.parse(ending.stdout)).toMatchObject({ videos: rows, linked: rows });
  const { nlink } = await stat(join(fleet.folder, 'course/q1.webm'));
  expect(nlink).toBe(2);
  const unmarked = await fleet.batch('export', '--to', 'course', '--only', 'good');
  expect(unmarked.code, unmarked.stdout).toBe(2);
  expect(unmarked.stderr).toContain('no mark saved with this run calls a row of the file good');
});
