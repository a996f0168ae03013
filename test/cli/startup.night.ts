import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { commands } from '../../src/cli/command-list.ts';
import { flagsOf } from '../../src/cli/flags.ts';
import { renderCommandHelp, renderOverview } from '../../src/cli/overview.ts';
import { openStage, questions, runLine } from './support/stage.ts';
import { hasTerminals, startOnTerminal } from './support/terminal.ts';

/** Arguments of Node that make the program say on standard error which files it loads, when it loads them. */
const tellLoads = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { process.stderr.write('loads ' + url + '\\n'); return next(url, context); } });",
  )}`,
];

/** Files of packages, and of the work. */
const heavy = /^loads .*\/(node_modules|src\/(stores|outputs|service|runner|input|reports))\//m;
/** Files of the work: those of a command, and what only its work needs. */
const work =
  /^loads .*\/(node_modules\/(undici|better-sqlite3|csv-parse|pino)|src\/(runner|input|features\/\w+\/(run|resume|check|retry|verify|report)-command\.ts))/m;

describe.concurrent('help is there before the parser and the work are loaded', () => {
  it.for([
    ['--help'],
    ['-h'],
    ['help'],
    ['--version'],
    ['run', '--help'],
    ['help', 'retry'],
    ['run', 'q.csv', '-h'],
    ['simulate', '--help'],
  ])('batch %s', async (line) => {
    await using stage = await openStage();
    const { code, stdout, stderr } = await stage.batch(line, { node: tellLoads });
    expect({ code, isSaid: stdout !== '' }).toEqual({ code: 0, isSaid: true });
    expect(stderr).toMatch(/^loads .*\/main\.ts$/m);
    expect(stderr).not.toMatch(heavy);
  });

  it('of a command that there is not is wrong use', async () => {
    await using stage = await openStage();
    const ending = await stage.batch(['rum', '--help']);
    expect(ending).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'batch: "rum" is not a command; did you mean run?\n',
    });
  });
});

test.skipIf(!hasTerminals)('who types nothing but `batch` at a terminal is shown the commands', async () => {
  await using stage = await openStage();
  await using program = startOnTerminal([], { cwd: stage.folder, columns: 60, env: {} });
  expect(await program.ended).toBe(2);
  const shown = await program.shown();
  expect(shown).toContain('Every day:');
  expect(shown.join('')).toMatch(/batch: no command was given; `batch --help` lists the commands$/);
});

describe('the help', () => {
  it.each([40, 60, 80, 100])(
    'keeps to %d columns, but for lines to copy and words that are longer',
    async (width) => {
      const texts = [renderOverview(width)];
      for (const command of commands) texts.push(await renderCommandHelp(command, width));
      const lines = texts.flatMap((text) => text.split('\n'));
      const isBreakable = (line: string): boolean =>
        /\S {1,2}\S/.test(line) && !/^ *(batch|-|\S+ )/.test(line);
      expect(lines.filter((line) => line.length > width && isBreakable(line))).toEqual([]);
    },
  );

  it('shows every flag of a command, what stands for its value, and what holds without it', async () => {
    for (const command of commands) {
      const text = await renderCommandHelp(command, 100);
      const flat = text.replace(/\s+/g, ' ');
      for (const [name, { describe, otherwise }] of Object.entries(flagsOf(command.groups))) {
        expect(flat, command.name).toMatch(new RegExp(`--${name}( \\S+)? `));
        expect(flat).toContain(describe);
        if (otherwise !== undefined) expect(flat).toContain(`(default: ${otherwise})`);
      }
    }
  });
});

/** Lines, one after another in one folder, and what each says first. */
const wordsOfLines: readonly { readonly line: readonly string[]; readonly says: RegExp }[] = [
  { line: runLine('q.csv'), says: /^Reading q\.csv$/ },
  { line: ['run', 'q.csv', '--simulate', '-o', 'new', '-j5', '--duration=50ms'], says: /^Reading q\.csv$/ },
  { line: ['run', '--job', 'job.json'], says: /^Reading \/.*\/q\.csv$/ },
  { line: ['check', 'q.csv', '--json'], says: /^Reading q\.csv$/ },
  { line: ['run', '-', '--dry-run'], says: /^Reading standard input$/ },
  { line: ['resume'], says: /^Opening \.\/videos$/ },
  { line: ['collect', 'videos'], says: /^Opening videos$/ },
  { line: ['retry', '--failed'], says: /^Opening \.\/videos$/ },
  { line: ['verify'], says: /^Opening \.\/videos$/ },
  { line: ['report'], says: /^Opening \.\/videos$/ },
];

describe.concurrent('the first line', () => {
  it('is said before the work is loaded', async () => {
    await using stage = await openStage();
    const job = { input: 'q.csv', concurrency: 5, 'poll-interval': '100ms' };
    await stage.write('q.csv', questions('a'));
    await stage.write('job.json', JSON.stringify(job));
    for (const { line, says } of wordsOfLines) {
      const { code, stderr } = await stage.batch(line, { node: tellLoads, stdin: questions('a') });
      expect(code, stderr).toBe(0);
      const before = stderr.slice(0, stderr.search(work));
      const said = before.split('\n').filter((text) => text !== '' && !text.startsWith('loads '));
      expect(said, line.join(' ')).toEqual([expect.stringMatching(says)]);
    }
  });

  it('is kept back where nobody wants or needs them', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const rehearsal = ['run', 'q.csv', '--simulate', '--duration', '50ms', '--quiet'];
    for (const line of [rehearsal, ['status']])
      expect(await stage.batch(line)).toMatchObject({ code: 0, stderr: '' });
  });

  it('is kept back where the folder holds something else, so that wrong use is told in one line', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('videos/batch.sqlite', 'no checkpoint');
    for (const line of [runLine('q.csv'), ['resume'], ['report']]) {
      const ending = await stage.batch(line);
      expect(ending.code).toBe(2);
      expect(ending.stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });
});

describe.concurrent('what Node makes of the sources', () => {
  const unset = { NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: undefined };

  it('is kept in the user’s own folder of caches', async () => {
    await using stage = await openStage();
    const home = join(stage.folder, 'home');
    await mkdir(home);
    await stage.write('q.csv', questions('a'));
    expect((await stage.batch(['check', 'q.csv'], { env: { ...unset, HOME: home } })).code).toBe(0);
    expect(await readdir(join(home, '.cache/batch'))).toHaveLength(1);
  });

  it('is not kept where that cannot be written, and nothing is said of it', async () => {
    await using stage = await openStage();
    await writeFile(join(stage.folder, 'home'), '');
    const env = { ...unset, HOME: join(stage.folder, 'home') };
    await stage.write('q.csv', questions('a'));
    expect(await stage.batch(['check', 'q.csv'], { env })).toMatchObject({
      code: 0,
      stderr: 'Reading q.csv\n',
    });
  });
});
