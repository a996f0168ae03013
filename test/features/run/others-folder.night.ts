/** An output folder of another user, or one that nobody may look into: wrong use, told in one line. */

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../../cli/support/program.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

const plainUser = [fileURLToPath(new URL('../../ways-to-die/support/plain-user.ts', import.meta.url))];
const isRoot = process.getuid?.() === 0;
const cannotBePlain = isRoot && spawnSync('setpriv', ['--version']).status !== 0;

const lines = [
  ['status'],
  ['verify'],
  ['verify', '--fix'],
  ['report'],
  ['view', '--port', '0'],
  ['resume'],
  ['collect'],
  ['retry', '--failed'],
  ['resolve', './videos', 'a', '--not-created'],
  ['check', 'q.csv'],
  ['run', 'q.csv'],
];

/** What is taken away, below `videos`, and what the line names then; `chmod` of a path or its owner. */
const shut: readonly (readonly [path: string, mode: number, isOthers: boolean])[] = [
  ['', 0o000, false],
  ['', 0o311, false],
  ['batch.sqlite', 0o000, false],
  ['batch.lock', 0o000, false],
  ['', 0o555, true],
];

describe.skipIf(cannotBePlain)('a folder that this user may not use', { timeout: 180_000 }, () => {
  it.for(shut.filter(([, , isOthers]) => isRoot || !isOthers))(
    'is wrong use for every command, in one line: %s with mode %i',
    async ([path, mode, isOthers]) => {
      await using stage = await openStage();
      await stage.write('q.csv', questions('a'));
      await stage.batch(runLine('q.csv'));
      const target = join(stage.folder, 'videos', path);
      chmodSync(target, mode);
      if (isOthers) chownSync(target, 65_534, 65_534);
      const before = stage.service.events.length;
      for (const line of lines) {
        const ending = await stage.batch(line, { node: plainUser });
        expect(ending, line.join(' ')).toMatchObject({ code: 2, stdout: '' });
        expect(afterFirstWords(ending), line.join(' ')).toMatch(
          /^batch: .* is not (readable|writable) by this user; run batch as its owner, or choose another folder\n$/,
        );
        expect(ending.stderr).toContain(target);
      }
      expect(stage.service.events).toHaveLength(before);
      chmodSync(target, 0o755);
    },
  );
});

it.skipIf(!isRoot)(
  'a folder in which only its owner may look into another one is used (needs root, to be another user)',
  async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await mkdir(join(stage.folder, 'mount/lost+found'), { recursive: true, mode: 0o777 });
    await chmod(stage.folder, 0o777);
    await chmod(join(stage.folder, 'mount'), 0o777);
    await chmod(join(stage.folder, 'mount/lost+found'), 0o700);
    const folder = join(stage.folder, 'mount');
    const script = `import { openFolder } from ${JSON.stringify(new URL('../../../src/app/output-folder.ts', import.meta.url).href)};
      process.setgid(65534); process.setuid(65534); await (await openFolder(${JSON.stringify(folder)}))[Symbol.asyncDispose]();`;
    expect(() =>
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'pipe' }),
    ).not.toThrow();
  },
);
