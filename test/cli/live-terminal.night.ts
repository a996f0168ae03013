import { setTimeout as pause } from 'node:timers/promises';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import {
  apiKey,
  completed,
  failed,
  inProgress,
  type Script,
  silence,
  success,
} from './support/scripted-service.ts';
import { openStage, questions, runLine } from './support/stage.ts';
import { hasTerminals, startOnTerminal, type TerminalProgram } from './support/terminal.ts';

const ids = ['q-1', '题目-三角形的斜边与直角边之间的关系', 'q-3', 'q-4'];

/** The first row is made, the third one fails, the others are in the making until the test says so. */
const busy: Script = {
  status: (task) => {
    if (task.question === 'Question q-1') return completed(task);
    if (task.question === 'Question q-3') return failed(task, '视频生成失败：题目内容无法识别，请检查后重试');
    return inProgress(task, 2);
  },
};

/** The same, but the creation of the last row gets no answer. */
const stuck: Script = {
  ...busy,
  create: ({ question }, accept) => (question === 'Question q-4' ? silence : success({ task_id: accept() })),
};

interface Settings {
  readonly script?: Script;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly more?: readonly string[];
}

/** A run of four rows on a terminal of its own. */
async function begin({ script = busy, columns = 80, env = {}, more = [] }: Settings = {}) {
  const stage = await openStage(script);
  await stage.write('q.csv', questions(...ids));
  const program = startOnTerminal(runLine('q.csv', ...more), {
    cwd: stage.folder,
    columns,
    env: { BATCH_BASE_URL: stage.service.url, BATCH_API_KEY: apiKey, ...env },
  });
  return {
    stage,
    program,
    /** Everything is made from now on, and the run comes to its end. */
    async finish(): Promise<number> {
      stage.service.follow({});
      return program.ended;
    },
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await stage[Symbol.asyncDispose]();
    },
  };
}

/** The block is there with one row done, one failed and another open. */
const isBusy = /1 of 4 done[\s\S]*1 failed[\s\S]*slowest/;

/** Both open rows have their frames in one draw, which begins with a bar; in English or in Chinese. */
const hasFrames = /slowest[^█]*2 frames[^█]*q-4[^█]*2 frames|最慢[^█]*2 幅画面[^█]*q-4[^█]*2 幅画面/;

/** The block was drawn again when only its clock had moved. */
const goesOn = /running 1 s[\s\S]*running 2 s/;

const blockGlyphs = /[█▓▒░]|slowest|latest/;
const pieces = /\u001b\[\?2026h[\s\S]*?\u001b\[\?2026l/g;

/** What was written besides the block, and without what hides and shows the cursor. */
function withoutBlock(output: string): string {
  return output.replace(pieces, '').replace(/\u001b\[\?25[lh]/g, '');
}

/** The last word about the cursor is that it is to be seen. */
function expectCursor({ output }: TerminalProgram): void {
  expect(output).toContain('\u001b[?25l');
  expect(output.lastIndexOf('\u001b[?25h')).toBeGreaterThan(output.lastIndexOf('\u001b[?25l'));
}

describe.runIf(hasTerminals).concurrent('on a terminal', () => {
  it.each([40, 200])(
    'of %d columns there is one block, none of its lines too long, and nothing of it stays',
    async (columns) => {
      await using live = await begin({ columns });
      await live.program.said(isBusy);
      await live.program.said(hasFrames);
      await live.program.said(goesOn);
      const lines = await live.program.shown();
      const block = lines.slice(lines.findIndex((line) => line.includes('█')));
      expect(lines.filter((line) => line.endsWith(' %'))).toHaveLength(1);
      expect(lines.filter((line) => line.includes('1 of 4 done'))).toHaveLength(1);
      expect(block.join('\n')).toMatch(/2\/10 open/);
      expect(block.join('\n')).toMatch(/latest {3}q-3 failed: 视频/);
      expect(block.join('\n')).toMatch(/slowest {2}题目-.* 2 frames\n {9}q-4 .* 2 frames/);
      for (const line of block) expect(stringWidth(line)).toBeLessThan(columns);
      const { output } = live.program;
      const wrapping = output.replaceAll('\u001b[?7l', '');
      expect(await live.program.shown(wrapping)).toEqual(await live.program.shown(output));

      expect(await live.finish()).toBe(1);
      const after = (await live.program.shown()).join('\n');
      expect(after).not.toMatch(blockGlyphs);
      expect(after).toMatch(/Next: /);
      expectCursor(live.program);
    },
  );

  it('in Chinese it is as narrow, and so is what stays', async () => {
    await using live = await begin({ columns: 40, env: { LANG: 'zh_CN.UTF-8' } });
    await live.program.said(/已完成 1 \/ 4[\s\S]*失败 1[\s\S]*最慢/);
    await live.program.said(hasFrames);
    await live.program.said(/已运行 1 秒[\s\S]*已运行 2 秒/);
    const lines = await live.program.shown();
    const block = lines.slice(lines.findIndex((line) => line.includes('█')));
    expect(block.join('\n')).toMatch(/最近 {2}q-3 失败：视频/);
    expect(block.join('\n')).toMatch(/最慢 {2}题目-.* \d 幅画面\n {6}q-4 .* \d 幅画面/);
    expect(block.join('\n')).not.toMatch(/done|open|spent|latest|slowest|running/);
    for (const line of block) expect(stringWidth(line)).toBeLessThan(40);
    expect(await live.finish()).toBe(1);
    expect((await live.program.shown()).join('\n')).toMatch(/下一步：batch retry/);
  });

  it('every draw leaves in one piece', async () => {
    await using live = await begin();
    await live.program.said(goesOn);
    await live.finish();
    const { output } = live.program;
    expect(output.match(pieces)?.length).toBeGreaterThan(2);
    expect(withoutBlock(output)).not.toMatch(/\u001b/);
    expect(withoutBlock(output)).not.toMatch(blockGlyphs);
  });

  it('the words about Ctrl-C come at once, above the block; the run ends and gives the cursor back', async () => {
    await using live = await begin();
    await live.program.said(isBusy);
    live.program.type('\u0003');
    expect(await live.program.ended).toBe(130);
    const shown = (await live.program.shown()).join('\n');
    expect(shown).toMatch(/Stopping: nothing more is submitted[\s\S]*4 rows: [\s\S]*Interrupted/);
    expect(shown).not.toMatch(blockGlyphs);
    expectCursor(live.program);
  });

  it('while creations are waited for the block says so; a second Ctrl-C takes it away', async () => {
    await using live = await begin({ script: stuck });
    await live.program.said(isBusy);
    live.program.type('\u0003');
    await live.program.said(/Stopping: [\s\S]*stopping \(interrupted\)/);
    // One that comes at once is the same wish; it is said again until it counts.
    let hasEnded = false;
    const ended = live.program.ended.finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) {
      live.program.type('\u0003');
      await Promise.race([ended, pause(200)]);
    }
    expect(await ended).toBe(130);
    const shown = (await live.program.shown()).join('\n');
    expect(shown).toMatch(/Stopping: [\s\S]*Left at once/);
    expect(shown).not.toMatch(blockGlyphs);
    expectCursor(live.program);
  });

  it('Ctrl-Z where no shell could continue the run leaves it going, with its block', async () => {
    await using live = await begin();
    await live.program.said(isBusy);
    const before = live.program.output.length;
    live.program.type('\u001a');
    await live.program.said(new RegExp(`^[\\s\\S]{${before}}[\\s\\S]*\\u001b\\[\\?25h[\\s\\S]*1 of 4 done`));
    expect((await live.program.shown()).filter((line) => line.endsWith(' %'))).toHaveLength(1);
    expect(await live.finish()).toBe(1);
  });

  it.each([
    ['NO_COLOR', { env: { NO_COLOR: '1' } }],
    ['NO_COLOR beside FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }],
    ['--no-color', { more: ['--no-color'] }],
  ] as const)('%s leaves the block, but no colour', async (_, settings) => {
    await using live = await begin(settings);
    await live.program.said(isBusy);
    await live.finish();
    expect(live.program.output).not.toMatch(/\u001b\[[\d;]*m|Warning/);
  });

  it('with --json there is a block too, and the result is the only other thing', async () => {
    await using live = await begin({ more: ['--json'] });
    await live.program.said(isBusy);
    await live.finish();
    expect(withoutBlock(live.program.output)).toMatch(/^\{.*"exitCode":1[,}].*\}\r?$/m);
  });

  it.each([
    ['--quiet', { more: ['--quiet'] }],
    ['--verbose', { more: ['--verbose'] }],
    ['TERM=dumb', { env: { TERM: 'dumb' } }],
    ['TERM=', { env: { TERM: '' } }],
    ['CI=true', { env: { CI: 'true' } }],
  ] as const)('%s keeps to plain lines', async (_, settings) => {
    await using live = await begin(settings);
    const isLong = (events: readonly string[]) =>
      events.filter((event) => event === 'status Question q-4').length > 10;
    await live.stage.service.until(({ events }) => isLong(events));
    expect(await live.finish()).toBe(1);
    expect(live.program.output).not.toMatch(/\u001b\[\?|[█▓▒░]/);
  });
});

describe('without a terminal', () => {
  it('there is no escape code, and one line for each notable event', async () => {
    await using stage = await openStage(busy);
    await stage.write('q.csv', questions(...ids));
    const program = stage.start(runLine('q.csv'));
    await program.said(/row q-3 is failed: 视频生成失败/);
    stage.service.follow({});
    const { stdout, stderr } = await program.ended;
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stderr.match(/q-3/g)).toHaveLength(1);
  });
});
