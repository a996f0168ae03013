import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLineFile } from '../../src/outputs/line-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a file of lines', () => {
  it('is made, and appended to by the next run', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'lines.jsonl');
    for (const lines of ['{"n":1}\n{"n":2}\n', '{"n":3}\n']) {
      const file = await openLineFile(path);
      await file.write(lines);
      await file.close();
    }
    expect(await readFile(path, 'utf8')).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  });

  it.each([
    ['{"n":1}\n{"n":2', '{"n":1}\n{"n":3}\n'],
    ['{"n":', '{"n":3}\n'],
    ['{"', '{"n":3}\n'],
  ])('loses a last line that was cut: %j', async (before, after) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'lines.jsonl');
    await writeFile(path, before);
    const file = await openLineFile(path);
    await file.write('{"n":3}\n');
    await file.close();
    expect(await readFile(path, 'utf8')).toBe(after);
  });

  it('is no folder, and no device', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'lines');
    await mkdir(path);
    await expect(openLineFile(path)).rejects.toThrow();
    await expect(openLineFile('/dev/null')).rejects.toThrow('it is not a regular file');
  });
});
