import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { openStage, questions, runLine } from './support/stage.ts';
import { hasTerminals, startOnTerminal } from './support/terminal.ts';

/** Arguments of Node that make the program say on standard error which files it loads, when it loads them. */
const tellLoads = [
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "import { registerHooks } from 'node:module'; registerHooks({ load(url, context, next) { process.stderr.write('loads ' + url + '\\n'); return next(url, context); } });",
  )}`,
];

/** Files of packages, and of the work; but for the words of an option. */
const heavy =
  /^loads .*\/(node_modules|src\/(stores|outputs|service(?!\/simulator)|runner|input(?!\/doubts\/odd-modes)|reports))\//m;

describe.concurrent('help is there before the parser and the work are loaded', () => {
  it.for([
    ['--help'],
    ['-h'],
    ['help'],
    ['--version'],
    ['run', '--help'],
    ['run', '--help', 'all'],
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

test.skipIf(!hasTerminals)(
  'who types nothing but `batch` at a terminal is shown the first commands',
  async () => {
    await using stage = await openStage();
    await using program = startOnTerminal([], { cwd: stage.folder, columns: 60, env: {} });
    expect(await program.ended).toBe(2);
    const shown = await program.shown();
    expect(shown).toContain('Common commands:');
    expect(shown.join('')).toMatch(/batch: no command was given; `batch --help` lists the commands$/);
  },
);

describe.concurrent('that the reading of the questions begins', () => {
  it.for([
    [runLine('q.csv'), 'q.csv'],
    [['run', '--job', 'job.json'], '/.*/q\\.csv'],
    [['check', 'q.csv', '--json'], 'q.csv'],
    [['run', '-', '--dry-run'], 'standard input'],
  ] as const)('is said first by batch %j', async ([line, name]) => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('job.json', JSON.stringify({ input: 'q.csv', simulate: true, duration: '50ms' }));
    const { code, stderr } = await stage.batch(line, { stdin: questions('a') });
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(new RegExp(`^Reading ${name}\\n`));
  });

  it('is not said with --quiet, nor before wrong use, which is told in one line', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const rehearsal = ['run', 'q.csv', '--simulate', '--duration', '50ms', '--quiet'];
    for (const line of [rehearsal, ['status']])
      expect(await stage.batch(line)).toMatchObject({ code: 0, stderr: '' });
    await stage.write('videos/batch.sqlite', 'no checkpoint');
    for (const line of [runLine('q.csv'), runLine('missing.csv'), ['check', 'missing.csv'], ['resume']]) {
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
