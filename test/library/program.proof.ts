import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const example = new URL('../../docs/library-example.mts', import.meta.url);
const entry = new URL('../../src/index.ts', import.meta.url);

/** Where a program says `batch`, it gets the source. */
const fromSource = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve: (name, context, next) => next(name === 'batch-video' ? '${entry}' : name, context) });
`)}`;

const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^BATCH_|^NODE_/.test(name)),
);

async function runProgram(
  cwd: string,
  ...args: readonly string[]
): Promise<{ stdout: string; stderr: string }> {
  const node = ['--import', fromSource, ...args];
  return promisify(execFile)(process.execPath, node, { cwd, env: environment });
}

describe.concurrent('the example', () => {
  it('runs as it stands', async () => {
    await using folder = await temporaryFolder();
    await cp('samples/questions.csv', join(folder.path, 'questions.csv'));
    await cp(example, join(folder.path, 'library-example.mts'));
    const { stdout, stderr } = await runProgram(folder.path, 'library-example.mts');
    const lines = stdout.trimEnd().split('\n');
    expect(stderr).toBe('');
    expect(lines[0]).toBe('12 of 12 rows to submit');
    expect(lines.slice(1, -1)).toHaveLength(12);
    for (const line of lines.slice(1, -1)) expect(line).toMatch(/^[\w-]+: \/.*\/videos\/[\w-]+\/video\.\w+$/);
    expect(lines.at(-1)).toMatch(/^12 of 12 rows have their video; \d+ points spent$/);
  });

  it('says what is wrong by a code', async () => {
    await using folder = await temporaryFolder();
    const failure = await runProgram(folder.path, example.pathname, 'nowhere.csv').catch((error) => error);
    expect(failure).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^USAGE: nowhere.csv does not exist; /),
    });
  });

  it('stands in the page about the library', async () => {
    const page = await readFile('docs/library.md', 'utf8');
    expect(page).toContain(`\`\`\`ts\n${await readFile(example, 'utf8')}\`\`\`\n`);
  });
});

it('a run takes nothing from an .env that nobody named', async () => {
  await using folder = await temporaryFolder();
  await writeFile(
    join(folder.path, '.env'),
    'BATCH_BASE_URL=http://127.0.0.1:9\nBATCH_API_KEY=sk-of-the-folder\n',
  );
  const program = `
    import { runBatch } from 'batch-video';
    await runBatch({ input: 'questions.csv' }).summary.catch(({ code, message }) => console.log(code, message));
  `;
  await writeFile(join(folder.path, 'program.mjs'), program);
  const { stdout } = await runProgram(folder.path, 'program.mjs');
  expect(stdout).toMatch(/^USAGE no service address/);
});

it('a run prints nothing, leaves no listener and no open file behind, and lets the process end by itself', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'questions.csv'), 'id,question\na,One\nb,Two\n');
  const program = `
    import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
    import { runBatch } from 'batch-video';
    const listeners = () => process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
    const before = listeners();
    const options = { input: 'questions.csv', out: 'videos', simulate: true, duration: '100ms', failRate: 1 };
    const { exitCode } = await runBatch(options).summary;
    const seen = { before, after: listeners(), exitCode, own: process.exitCode ?? null };
    const target = (file) => {
      try {
        return readlinkSync('/proc/self/fd/' + file);
      } catch {
        return '';
      }
    };
    process.on('exit', () => {
      const open = process.platform === 'linux' ? readdirSync('/proc/self/fd').map(target) : [];
      const left = open.filter((path) => path.startsWith(process.cwd()));
      writeFileSync('result.json', JSON.stringify({ ...seen, left }));
    });
  `;
  await writeFile(join(folder.path, 'program.mjs'), program);
  expect(await runProgram(folder.path, 'program.mjs')).toEqual({ stdout: '', stderr: '' });
  const { before, after, ...ending } = JSON.parse(await readFile(join(folder.path, 'result.json'), 'utf8'));
  expect(after).toEqual(before);
  expect(ending).toEqual({ exitCode: 1, own: null, left: [] });
});
