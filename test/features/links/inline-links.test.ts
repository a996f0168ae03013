import { expect, it } from 'vitest';
import {
  bare,
  clip,
  completed,
  errorEnvelope,
  inProgress,
  picture,
  type Reply,
  success,
} from '../../cli/support/scripted-service.ts';
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

/** What the service answers about a task, and the links that are printed. */
const oddAnswers: readonly (readonly [(taskId: string) => Reply, readonly string[]])[] = [
  [made('cdn.invalid:8443/x.mp4?sig=%2b'), ['video 1 http://cdn.invalid:8443/x.mp4?sig=%2b']],
  [made('https:\\/\\/cdn.invalid\\/x.mp4'), ['video 1 https://cdn.invalid/x.mp4']],
  [
    made('https://cdn.invalid/a\nb?sig=1'),
    ['video 1 https://cdn.invalid/ab?sig=1', 'unknown 1 https://cdn.invalid/a'],
  ],
  [made('http:\\\\cdn.invalid\\x.mp4'), ['video 1 http://cdn.invalid/x.mp4']],
  [made('https://me:word@cdn.invalid/x.mp4'), ['video 1 https://me:word@cdn.invalid/x.mp4']],
  [made('https://cdn.invalid/x.mp4', { status: 'FAILED' }), ['video 1 https://cdn.invalid/x.mp4']],
  [made('https://cdn.invalid/x.mp4', { status: 'IN_PROGRESS' }), ['video 1 https://cdn.invalid/x.mp4']],
  [
    made('https://cdn.invalid/x.mp4', { preview: 'https://cdn.invalid/p' }),
    ['video 1 https://cdn.invalid/x.mp4', 'unknown 1 https://cdn.invalid/p'],
  ],
  [of({ status: 'COMPLETED', video_url: 'https://cdn.invalid/x' }), ['unknown 1 https://cdn.invalid/x']],
  [
    of({ status: 'IN_PROGRESS', result: [{ type: 'mp4', content: 'https://cdn.invalid/x' }] }),
    ['unknown 1 https://cdn.invalid/x'],
  ],
  [
    of({ status: 'FAILED', result: [{ type: 'text', content: 'see https://cdn.invalid/x' }] }),
    ['unknown 1 https://cdn.invalid/x'],
  ],
  [
    of({ status: 'COMPLETED', task_id: 'another', url: 'https://cdn.invalid/x' }),
    ['unknown 1 https://cdn.invalid/x'],
  ],
  [
    () => errorEnvelope('Task not found, its video is https://cdn.invalid/x'),
    ['unknown 1 https://cdn.invalid/x'],
  ],
  ...[200, 302, 404, 500, 401].map(
    (code) =>
      [() => bare(code, '<a href="https://cdn.invalid/x">'), ['unknown 1 https://cdn.invalid/x']] as const,
  ),
];

function of(data: object): (taskId: string) => Reply {
  return (taskId) => success({ task_id: taskId, ...data });
}

function made(content: string, more: object = {}): (taskId: string) => Reply {
  return of({ status: 'COMPLETED', result: [{ type: 'video', content }], ...more });
}

it('batch links prints every link of an answer, whatever the answer is, as a browser opens it', async () => {
  const ids = oddAnswers.map((_, at) => `q${at}`);
  await using stage = await openStage({ status: (task) => inProgress(task) });
  await stage.write('q.csv', questions(...ids));
  const run = stage.start(runLine('q.csv', '--frames', 'none', '-j', `${ids.length}`));
  await stage.service.until(({ events }) => ids.every((id) => events.includes(`status Question ${id}`)));
  run.kill('SIGKILL');
  await run.ended;
  stage.service.follow({
    status: ({ question, taskId }) => oddAnswers[Number(question.replace(/\D+/, ''))]?.[0](taskId),
  });
  // Once the key is refused, nothing more is asked.
  const printed = await Promise.all(
    [ids.slice(0, -1), ids.slice(-1)].map((some) => stage.batch(['links', '--only', some.join()])),
  );
  expect(printed.flatMap(({ stdout }) => stdout.trimEnd().split('\n'))).toEqual(
    oddAnswers.flatMap(([, links], at) => links.map((link) => `q${at} ${link}`)),
  );
  expect(stage.service.creations).toHaveLength(ids.length);
});
