import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiKey, picture, startService } from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';

/** A job with its input in a folder of its own. */
async function openJobStage(options: object) {
  const stage = await openStage();
  await stage.write('job/q.csv', questions('a', 'b', 'c'));
  await stage.write('job/job.json', JSON.stringify(options));
  return stage;
}

const qualities = (creations: readonly { readonly body: Readonly<Record<string, unknown>> }[]) =>
  creations.map(({ body }) => body.quality);

describe.concurrent('a job file', () => {
  const job = {
    $schema: './job.schema.json',
    input: 'q.csv',
    out: '../made',
    quality: 'l',
    'poll-interval': '100ms',
  };

  it('holds options by their long names, and its paths start from its own folder', async () => {
    await using stage = await openJobStage(job);
    const ending = await stage.batch(['run', '--job', 'job/job.json']);
    expect(ending.code).toBe(0);
    expect(qualities(stage.service.creations)).toEqual(['l', 'l', 'l']);
    expect(await stage.list('made')).toContain('report.csv');
  });

  it('loses to the command line', async () => {
    await using stage = await openJobStage({ ...job, limit: 1 });
    await stage.write('other.csv', questions('x', 'y'));
    const ending = await stage.batch([
      'run',
      'other.csv',
      '--job',
      'job/job.json',
      '--quality',
      'h',
      '--limit',
      '2',
      '-o',
      'elsewhere',
    ]);
    expect(ending.code).toBe(0);
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['Question x', 'Question y']);
    expect(qualities(stage.service.creations)).toEqual(['h', 'h']);
    expect(await stage.list('made')).toEqual([]);
  });

  it('loses to the environment', async () => {
    await using stage = await openJobStage({ ...job, 'base-url': 'http://127.0.0.1:9' });
    expect((await stage.batch(['run', '--job', 'job/job.json'])).code).toBe(0);
    expect(stage.service.creations).toHaveLength(3);
  });

  it.for([
    ['{"limit": 3, "limits": 4}', 'job.json: "limits" is not an option; did you mean limit?'],
    ['{"velocity": 3}', 'job.json: "velocity" is not an option; `batch run --help all` lists them'],
    ['{"limit": "many"}', 'job.json: "limit"'],
    ['[1]', 'job.json must be one JSON object of options'],
    ['{"limit": ', 'job.json cannot be read as a job file'],
  ])('that says %s is refused in one line', async ([text, message]) => {
    await using stage = await openStage();
    await stage.write('job.json', text ?? '');
    const ending = await stage.batch(['run', '--job', 'job.json']);
    expect(ending).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message ?? '') });
    expect(ending.stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe.concurrent('where the service and the key come from', () => {
  const nothing = { BATCH_BASE_URL: undefined, BATCH_API_KEY: undefined };

  it('the command line wins over the environment', async () => {
    await using stage = await openStage();
    await using other = await startService();
    await stage.write('q.csv', questions('a'));
    await stage.write('key.txt', `${apiKey}\n`);
    const env = { BATCH_API_KEY: 'not-this-one' };
    const ending = await stage.batch(
      runLine('q.csv', '--base-url', `${other.url}/`, '--api-key-file', 'key.txt'),
      { env },
    );
    expect(ending.code).toBe(0);
    expect(stage.service.events).toEqual([]);
    expect(other.creations).toHaveLength(1);
  });

  it('the environment wins over .env in the working folder', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('.env', 'BATCH_BASE_URL=http://127.0.0.1:9\nBATCH_API_KEY=not-this-one\n');
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(stage.service.creations).toHaveLength(1);
  });

  it('.env beside the job file is read', async () => {
    await using stage = await openJobStage({ input: 'q.csv', out: '../videos', 'poll-interval': '100ms' });
    await stage.write('job/.env', `BATCH_BASE_URL=${stage.service.url}\nBATCH_API_KEY="${apiKey}"\n`);
    const ending = await stage.batch(['run', '--job', 'job/job.json'], { env: nothing });
    expect(ending.code).toBe(0);
    expect(stage.service.creations).toHaveLength(3);
  });

  it('a folder named .env is something else', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.write('.env/bin/activate', '');
    expect(await stage.batch(runLine('q.csv'))).toMatchObject({ code: 0, stderr: expect.any(String) });
  });

  it('a key from a pipe is read once, and no later command looks for the pipe', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    await stage.write('key.txt', `${apiKey}\n`);
    const env = { BATCH_API_KEY: undefined };
    execFileSync('mkfifo', [join(stage.folder, 'pipe')]);
    const line = runLine('q.csv', '--limit', '1', '--api-key-file');
    const writer = spawn('sh', ['-c', 'cat key.txt > pipe'], { cwd: stage.folder });
    expect(await stage.batch([...line, 'pipe'], { env })).toMatchObject({ code: 4 });
    writer.kill();
    expect(await stage.batch(['resume'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no API key'),
    });
    expect(stage.service.creations).toHaveLength(1);
  });

  it('an empty key is refused before anything is sent or made', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const ending = await stage.batch(runLine('q.csv'), { env: { BATCH_API_KEY: '' } });
    expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining('BATCH_API_KEY is empty') });
    expect(await stage.list('.')).toEqual(['q.csv']);
  });
});

describe.concurrent('a path that begins with ~', () => {
  it('starts in the home folder also where the shell leaves it as it is', async () => {
    await using stage = await openStage();
    await stage.write('home/q.csv', questions('a'));
    const env = { HOME: join(stage.folder, 'home'), USERPROFILE: join(stage.folder, 'home') };
    expect(await stage.batch(runLine('~/q.csv', '--out=~/made'), { env })).toMatchObject({ code: 0 });
    expect(await stage.list('home/made')).toContain('report.csv');
    expect(await stage.batch(['status', '~/made'], { env })).toMatchObject({ code: 0 });
    await stage.write('home/marks.csv', 'id,mark\na,bad\n');
    const named = ['retry', '~/made', '--only', '@~/marks.csv', '--dry-run'];
    expect(await stage.batch(named, { env })).toMatchObject({ code: 0 });
  });

  it('is refused where a folder is written so: a run in it would be paid for again', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv', '--out', './~/videos'));
    const ending = await stage.batch(runLine('q.csv', '--out=~/videos'));
    expect(ending).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/"~\/videos" may mean \.\/~\/videos, which is there, or \//),
    });
    expect(stage.service.creations).toHaveLength(1);
  });

  it('is refused where it is the home folder of somebody else', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    expect(await stage.batch(runLine('q.csv', '--out=~nobody-here/videos'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--out: "~nobody-here/videos" names the home folder of another user; use the whole path',
      ),
    });
    expect(await stage.list('.')).toEqual(['q.csv']);
  });
});

describe.concurrent('the options of the first run', () => {
  it('are those of a resume, and a flag of the resume wins over them', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b', 'c'));
    await stage.batch(runLine('q.csv', '--quality', 'l', '--limit', '1'));
    const env = { BATCH_BASE_URL: 'http://127.0.0.1:9' };
    const saved = await stage.batch(['resume', '--limit', '1', '--base-url', stage.service.url], { env });
    expect(saved.code).toBe(4);
    expect((await stage.batch(['resume', '--quality', 'h'])).code).toBe(0);
    expect(qualities(stage.service.creations)).toEqual(['l', 'l', 'h']);
  });

  it('resume needs no input file', async () => {
    await using stage = await openStage();
    await stage.write('images/i.png', picture);
    await stage.write(
      'q.jsonl',
      '{"question":"One","questionImages":["images/i.png"]}\n{"question":"Two"}\n',
    );
    await stage.batch(runLine('q.jsonl', '--limit', '0'));
    await stage.write('q.jsonl', 'gone');
    expect((await stage.batch(['resume', './videos'])).code).toBe(0);
    expect(stage.service.creations.map(({ question }) => question)).toEqual(['One', 'Two']);
  });

  it('a mended key lets the same line go on', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const refused = await stage.batch(runLine('q.csv'), { env: { BATCH_API_KEY: 'old-key-0123' } });
    expect(refused).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('set a valid key in BATCH_API_KEY'),
    });
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect(stage.service.creations).toHaveLength(1);
  });
});

describe('a service below a path', () => {
  it('is asked below that path alone, whoever answers there', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const ending = await stage.batch(runLine('q.csv', '--base-url', `${stage.service.url}/v9/`));
    // Here a page answers there.
    expect(ending).toMatchObject({ code: 2, stdout: expect.stringContaining('--base-url') });
    expect(stage.service.events).toEqual([
      expect.stringMatching(/^GET \/v9\/api\/get_status\/no-such-task-[-0-9a-f]+$/),
      expect.stringMatching(/^GET \/v9\/api\/api\/get_status\/no-such-task-[-0-9a-f]+$/),
    ]);
  });
});

describe.concurrent('a store that only the environment names', () => {
  const env = { BATCH_STORE: 'postgres://me@127.0.0.1:1/batch' };
  const unsaid = 'add --run NAME, or --store none for a run in a folder';

  it('makes no run in a folder, and pays for no row again, until the line says which run is meant', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    for (const line of [runLine('q.csv'), ['resume'], ['retry', '--failed']]) {
      const ending = await stage.batch(line, { env });
      expect(ending).toMatchObject({ code: 2, stderr: expect.stringContaining(unsaid) });
    }
    expect(await stage.list('.')).not.toContain('videos');
    expect(stage.service.creations).toEqual([]);
    const ending = await stage.batch(runLine('q.csv', '--store', 'none'), { env });
    expect(ending).toMatchObject({ code: 0, stdout: expect.stringContaining('./videos --store none') });
    expect(stage.service.creations).toHaveLength(2);
  });

  it('is named where a folder has no run to look at, and is no matter for a rehearsal', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    const said = expect.stringContaining('BATCH_STORE is set: --run NAME');
    expect(await stage.batch(['status'], { env })).toMatchObject({ code: 2, stderr: said });
    expect(await stage.batch(['run', 'q.csv', '--simulate'], { env })).toMatchObject({ code: 0 });
  });
});
