import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterFirstWords } from '../../cli/support/program.ts';
import { clip, content, inProgress, type Script } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

/** The video of row `a` is whole, those of the others are cut off, each elsewhere. */
const someCut: Script = {
  file: ({ question }) => {
    const place = 'abc'.indexOf(question.at(-1) ?? '');
    return content(place === 0 ? clip : clip.subarray(0, clip.length - 1_000 * place));
  },
};

/** Without a PATH there is no ffmpeg. */
const bare = { env: { PATH: '' } };

const suspectsIn = async (stage: Awaited<ReturnType<typeof openStage>>) =>
  (await stage.report()).map(({ suspect }) => suspect).sort();

describe.concurrent('batch verify --deep', () => {
  it('names the videos worth a look, writes the reports, and looks at each video once', async () => {
    await using stage = await openStage(someCut);
    await stage.write('q.csv', questions('a', 'b', 'c'));
    expect((await stage.batch(runLine('q.csv', '--concurrency', '1'))).code).toBe(0);
    expect(await suspectsIn(stage)).toEqual(['', '', '']);
    const first = await stage.batch(['verify', '--deep'], bare);
    expect(first).toMatchObject({ code: 0 });
    expect(afterFirstWords(first)).toBe('');
    expect(first.stdout).toContain(
      '3 videos seen, 3 of them now; 2 worth a look:\n  2  the file is cut off: ',
    );
    expect(first.stdout).toContain('ffmpeg is not on the PATH');
    expect(await suspectsIn(stage)).toEqual(['', 'the file is cut off', 'the file is cut off']);
    expect((await stage.report()).map((row) => row.seconds_video)).toEqual(['4', '4', '4']);
    expect(await stage.read('videos/report.html')).toContain('"cut-off"');
    const again = await stage.batch(['verify', '--deep', '--json'], bare);
    expect(JSON.parse(again.stdout)).toMatchObject({
      files: 3,
      flawed: 0,
      videos: 3,
      looked: 0,
      suspects: 2,
      lacking: ['ffmpeg'],
      reasons: [{ code: 'cut-off', count: 2 }],
    });
    // No status has changed, and nothing was paid or fetched.
    expect(Object.values(await stage.statuses())).toEqual(['completed', 'completed', 'completed']);
    expect(stage.service.events.filter((event) => event.startsWith('create'))).toHaveLength(3);
    expect(stage.service.fileRequests).toHaveLength(3);
  });

  it('leaves a damaged file to --fix, which is another step', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a'));
    await stage.batch(runLine('q.csv'));
    await writeFile(join(stage.folder, 'videos/a/video.webm'), 'damaged');
    const ended = await stage.batch(['verify', '--deep'], bare);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout).toContain('0 videos seen, 0 of them now; 0 worth a look');
    expect(await readFile(join(stage.folder, 'videos/a/video.webm'), 'utf8')).toBe('damaged');
    const both = await stage.batch(['verify', '--deep', '--fix'], bare);
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toContain('two steps');
  });

  it('works while another process works on the run, which continues', async () => {
    await using stage = await openStage({
      status: (task) => (task.question === 'Question b' ? inProgress(task) : undefined),
    });
    await stage.write('q.csv', questions('a', 'b'));
    const running = stage.start(runLine('q.csv', '-v'));
    await running.said(/completed/);
    const ended = await stage.batch(['verify', '--deep'], bare);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('1 video seen, 1 of them now');
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const after = await stage.batch(['verify', '--deep'], bare);
    expect(after.stdout).toContain('1 video seen, 0 of them now');
  });
});

describe.concurrent('--inspect', () => {
  it('does the same at the end of a run, and is saved with it', async () => {
    await using stage = await openStage(someCut);
    await stage.write('q.csv', questions('a', 'b'));
    const line = runLine('q.csv', '--inspect', '--json', '--concurrency', '1', '--limit', '1');
    const first = await stage.batch(line, bare);
    expect(JSON.parse(first.stdout)).toMatchObject({ inspected: { videos: 1, looked: 1, suspects: 0 } });
    const second = await stage.batch(['resume', '--limit', '5'], bare);
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toContain('2 videos seen, 1 of them now; 1 worth a look:');
    expect(await suspectsIn(stage)).toEqual(['', 'the file is cut off']);
  });
});
