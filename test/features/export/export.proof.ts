import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, inProgress } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

describe.concurrent('batch export', () => {
  it('exports what is there while a run continues, and leaves the run alone', async () => {
    await using stage = await openStage({
      status: (task) => (task.question === 'Question a' ? completed(task) : inProgress(task)),
    });
    await stage.write('q.csv', questions('a', 'b'));
    const program = stage.start(runLine('q.csv', '-j', '1'));
    await stage.service.until(({ events }) => events.includes('status Question b'));
    const { events } = stage.service;
    const asked = events.filter((event) => event.startsWith('create')).length;

    const first = await stage.batch(['export', '--to', 'course', '--name', '{row} {id}']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toBe(
      '1 video in course (1 new; 1 by hard link)\nmanifest.csv, manifest.jsonl and SHA256SUMS say which is which\n',
    );
    expect(events.filter((event) => event.startsWith('create'))).toHaveLength(asked);

    stage.service.follow({});
    expect((await program.ended).code).toBe(0);
    const again = ['export', '--to', 'course', '--name', '{row} {id}', '--json'];
    const second = await stage.batch([...again, '--url-base', 'https://x.example/c/']);
    expect(JSON.parse(second.stdout)).toMatchObject({ videos: 2, added: 1, unchanged: 1, problems: 0 });
    expect(await stage.list('course')).toEqual([
      '1 a.webm',
      '2 b.webm',
      'SHA256SUMS',
      'manifest.csv',
      'manifest.jsonl',
    ]);
    expect(await stage.read('course/manifest.csv')).toContain(',https://x.example/c/2%20b.webm,');
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });

  it('says what is not as it was asked for, and ends with 1', async () => {
    await using stage = await openStage();
    await stage.write('q.csv', questions('a', 'b'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    const first = await stage.batch(['export', '--to', 'course', '--copy']);
    expect(first.code, first.stderr).toBe(0);
    await stage.write('course/a.webm', 'mine');
    const ending = await stage.batch(['export', '--to', 'course', '--copy']);
    expect(ending.code).toBe(1);
    expect(ending.stderr).toContain('a.webm: another file is there');
    expect(ending.stdout).toContain('1 problem, listed above');
    expect(await stage.read('course/a.webm')).toBe('mine');
    await stage.write('mine/a.webm', 'mine');
    const refused = await stage.batch(['export', '--to', 'mine']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('mine/a.webm is not of an export of this run');
    expect(await stage.list('mine')).toEqual(['a.webm']);
  });

  it('makes a page for pupils, leaves it alone when typed again, and adds what is new', async () => {
    await using stage = await openStage();
    const picture = await readFile('samples/clip.png');
    await writeFile(join(stage.folder, 'fig.png'), picture);
    const hostile = '"</script><script>alert(1)</script><!-- $x^2$"';
    const rows = ['id,question,answer,images,章节', `a,${hostile},2,fig.png,分数`, 'b,Two,</title>,,'];
    await stage.write('q.csv', [...rows, ''].join('\n'));
    const ran = await stage.batch(runLine('q.csv'));
    expect(ran.code, ran.stderr).toBe(0);
    const page = ['--page', '--chapters', '章节', '--url-base', 'https://x.example/c', '--page-qr'];
    const line = ['export', '--to', 'course', ...page, '--page-answers', '--title', '几何 </title>'];
    const first = await stage.batch(line);
    expect(first, first.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('course/index.html is the page for pupils\n');
    const names = await stage.list('course');
    expect(names.filter((name) => name.startsWith('pictures/'))).toHaveLength(1);
    const made = await stage.read('course/index.html');
    expect(made).toContain('\\u003c/script>\\u003cscript>alert(1)');
    expect(made).not.toMatch(/<script>alert|<\/title>.*<\/title>/);
    const again = await stage.batch([...line, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ videos: 2, unchanged: 2, page: 'index.html' });
    expect(await stage.read('course/index.html')).toBe(made);
    await stage.write('q.csv', [...rows, 'c,Three,4,fig.png,分数', ''].join('\n'));
    expect((await stage.batch(runLine('q.csv'))).code).toBe(0);
    expect((await stage.batch(line)).code).toBe(0);
    const island = /id="page">(.*)<\/script>/.exec(await stage.read('course/index.html'));
    expect(JSON.parse(island?.[1] ?? '')).toMatchObject({
      title: '几何 </title>',
      videos: 3,
      chapters: ['分数'],
    });
  });
});

it.concurrent.each([
  [[], 'say where the videos go, once: --to DIR'],
  [['--to', 'x', '--link', '--copy'], '--link and --copy exclude each other'],
  [['--to', 'x', '--name', ''], '--name is empty'],
  [['--to', 'x', '--url-base', 'x.example/a'], '--url-base x.example/a is not the address of a folder'],
  [['--to', 'x', '--chapters', 'c'], '--chapters says what a page shows; add --page'],
  [['--to', 'x', '--page-ids'], '--page-ids says what a page shows; add --page'],
  [['--to', 'x', '--page-answers'], '--page-answers says what a page shows; add --page'],
  [['--to', 'x', '--page-qr'], '--page-qr says what a page shows; add --page'],
  [
    ['--to', 'x', '--page', '--page-qr'],
    '--page-qr: a QR code holds the address of the page; add --url-base',
  ],
  [['--to', 'x', '--title', 'c'], '--title says what a page shows; add --page'],
  [['--to', 'x', '--page', '--title', 'a', '--title', 'b'], '--title takes what the page is called, once'],
  [['--to', 'x', '--page', '--chapters', ''], '--chapters takes the name of one column'],
])('batch export %j is refused', async (args, why) => {
  await using stage = await openStage();
  const ending = await stage.batch(['export', ...args]);
  expect(ending.code).toBe(2);
  expect(ending.stderr).toContain(why);
});
