import { expect, it } from 'vitest';
import { clip, completed, picture } from '../../cli/support/scripted-service.ts';
import { openStage, questions, runLine } from '../../cli/support/stage.ts';

it('batch links names a file that is in its link by kind and size; --json has it whole', async () => {
  const video = `data:video/webm;base64,${clip.toString('base64')}`;
  const frame = `data:image/png;base64,${picture.toString('base64')}`;
  const odd = `data:text/html,${'x'.repeat(5_000)}`;
  await using stage = await openStage({
    status: (task) => {
      const content = task.question === 'Question a' ? video : odd;
      return completed(task, { progress: [{ id: 'f', image: frame }], result: [{ type: 'video', content }] });
    },
  });
  await stage.write('q.csv', questions('a', 'b'));
  const run = stage.start(runLine('q.csv', '--frames', 'none'));
  await stage.service.until(({ events }) =>
    ['status Question a', 'status Question b'].every((event) => events.includes(event)),
  );
  const [ending, chinese, json] = await Promise.all([
    stage.batch(['links', '--only', 'a,b']),
    stage.batch(['links', '--only', 'a', '--lang', 'zh']),
    stage.batch(['links', '--only', 'a,b', '--json']),
  ]);
  run.kill('SIGKILL');
  await run.ended;
  const sizeOf = ({ length }: Buffer): string => `${Math.ceil(length / 100) / 10} kB`;
  const size = sizeOf(clip);
  const shown = `data:image/png;base64,… (${sizeOf(picture)} in the link itself; --json prints it whole)`;
  expect(ending.stdout.split('\n')).toEqual([
    `a video 1 data:video/webm;base64,… (${size} in the link itself; --json prints it whole)`,
    `a frame 1 ${shown}`,
    `b frame 1 ${shown}`,
    '',
  ]);
  expect(ending.stderr).toBe(`row b has no link to a video: ${odd.slice(0, 100)}…\n`);
  expect(chinese.stdout).toContain(
    `a video 1 data:video/webm;base64,… （内容在链接中，${size}；--json 输出全文）\n`,
  );
  expect(JSON.parse(json.stdout)).toMatchObject({
    rows: [
      { id: 'a', failure: null, links: [{ link: video }, { link: frame }] },
      { id: 'b', failure: `${odd.slice(0, 100)}…` },
    ],
  });
});

it('batch links prints links that a browser opens, of which the service left out the scheme or escaped the slashes', async () => {
  await using stage = await openStage({
    status: (task) => {
      const isFirst = task.question === 'Question a';
      const content = isFirst ? 'cdn.invalid:8443/x.mp4?sig=%2b' : 'https:\\/\\/cdn.invalid\\/x.mp4';
      return completed(task, { result: [{ type: 'video', content }] });
    },
  });
  await stage.write('q.csv', questions('a', 'b'));
  const run = stage.start(runLine('q.csv', '--frames', 'none'));
  await stage.service.until(({ events }) =>
    ['status Question a', 'status Question b'].every((event) => events.includes(event)),
  );
  const ending = await stage.batch(['links', '--only', 'a,b']);
  run.kill('SIGKILL');
  await run.ended;
  expect(ending.stdout.split('\n').filter((line) => line.includes('video'))).toEqual([
    'a video 1 http://cdn.invalid:8443/x.mp4?sig=%2b',
    'b video 1 https://cdn.invalid/x.mp4',
  ]);
});
