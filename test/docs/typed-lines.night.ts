/**
 * Every line of the README, of docs/ and of the examples of the help that calls the program is typed here by a real shell, in a
 * folder that holds what they speak of. A line that cannot be typed stands in a table with its reason, and at least its options exist.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openFolder } from '../../src/app/output-folder.ts';
import { chapters } from '../../src/cli/command-list.ts';
import { cleanEnvironment, quickPauses, swiftly } from '../cli/support/program.ts';
import {
  apiKey,
  bare,
  errorEnvelope,
  failed,
  notFound,
  type Script,
  silence,
} from '../cli/support/scripted-service.ts';
import { openStage, type Stage, sample } from '../cli/support/stage.ts';
import { markOf } from '../support/store-contract/reviews.ts';
import { workbook } from '../support/workbook.ts';
import { blockStarting, linesToType, otherBlocks } from './page-lines.ts';

const commands = chapters.flatMap((chapter) => chapter.commands);

/** Lines that are not typed, and why. */
const notTyped: readonly (readonly [line: RegExp, reason: string, page?: string])[] = [
  [/^/, 'played block by block by test/ways-to-die/', 'docs/what-each-way-to-die-costs.md'],
  [/^batch [\w-]+ \(?\[?(?:DIR|FILE|ID)?.*[[(|]/, 'a form of options, not a line', 'docs/options.md'],
  [/^batch (?:check FILE|worker --store URL --run NAME)$/, 'a form', 'docs/options.md'],
  [/ --store |--run [\w%]|^batch (?:move|worker)\b/, 'needs PostgreSQL: played by test/fleet/ and test/cli/'],
  [/--only good$/, 'needs a mark given on the page: played by test/features/export/'],
  [/^# batch RUN$/, 'a line of SHA256SUMS'],
  [/^podman /, 'needs an image of the program'],
  [/^# On a stop, batch alone |^Description=|^batch: /, 'tells of the program, does not call it'],
];

/** Commands that say nothing alone: on a page they are names. */
const names = new Set(
  ['check', 'run', 'retry', 'resolve', 'export', 'prefer', 'links', 'audit', 'completion', 'tune'].concat([
    'resolve --not-created',
  ]),
);

/** Blocks without a line to type: a comparison further down, or why there is none. */
const blocks: readonly (readonly [start: string, reason: string])[] = [
  ['npm ci && npm test', 'the tests themselves'],
  ['videos/', 'compared below'],
  ['3,000 rows:', 'compared below'],
  ['2 rows to get a new attempt', 'compared below'],
  ['samples/chinese-gb18030.csv：', 'compared below'],
  ['2 行重新尝试', 'compared below'],
  ['Plan: 788', 'needs hundreds of videos: its words are tested by test/features/reuse/reuse.test.ts'],
  ['计划：提交 788', 'the same in Chinese'],
  ['估算：', 'the same in Chinese'],
  ['125 of 3,000 watched', 'its words are tested by test/features/run/totals.test.ts'],
  ['从 3,000 个中', 'the same in Chinese'],
  ['Estimate: ', 'needs videos of many prices: its words are tested by test/features/run/totals.test.ts'],
  ['rclone ', 'needs rclone: played by test/features/export/export-runs.night.ts'],
  ['jq -r ', 'calls jq alone'],
  ['cd ~/batch-main', 'installs the program'],
  ['npm install ', 'installs the package'],
  ['schtasks ', 'needs Windows'],
  ['$env:', 'PowerShell'],
  ['export ', 'the environment of the lines after it'],
  ['BATCH_BASE_URL=', 'a .env file'],
  ['db.example:5432:', 'a line of .pgpass'],
  ['[Unit]', 'a unit of systemd'],
  ['systemctl ', 'needs systemd'],
  ['#!/bin/sh', 'a script for cron'],
  ['{"version":1,', 'its schema is tested by test/features/hooks/events.night.ts'],
  ['batch_rows{', 'queries for Prometheus'],
];

/** Pages whose blocks are compared elsewhere. */
const playedPages = /^docs\/(?:what-each-way-to-die-costs|on-several-machines)\.md$/;

/** What stands in a line for something of the reader's. */
const replacements: readonly (readonly [what: RegExp, by: string | ((scene: Scene) => string)])[] = [
  [/^\/usr\/bin\/time -f %M /, ''],
  [/\/usr\/local\/bin\//g, ''],
  [/\/srv\/videos/g, '.'],
  [/\/var\/lib\/node_exporter/g, '.'],
  [/https:\/\/hc-ping\.com\/0d338dcc-\.\.\./, ({ stage }) => `${stage.service.url}/ping`],
  [/ --port 4010/, ''],
  [/^batch simulate(?!.*--help)/, 'batch simulate --port 0'],
  [/\bCOMMAND\b/, 'run'],
  [/\bFILE\b/, 'questions.csv'],
  [/\bDIR\b/, './videos'],
  [/\bURL\b/, ({ stage }) => stage.service.url],
  [/--unsent N\b/, '--unsent 1'],
  // What was sent a moment ago may still become a task, and nobody can be asked.
  [/ --not-created\b(?! --yes)/, ' --not-created --yes'],
  [/--from uncertain\.csv/, '--from uncertain.csv --yes'],
  [/\bID\b|编号/, ({ id }) => id],
  [/--task-id (?:T\b|6f1c\.\.\.)/, ({ stage }) => `--task-id ${stage.service.taskIds.get(doubted)}`],
];

/** Commands that go on until they are stopped, by what they say once they are there. */
const staying = /^batch (?:view|simulate)\b(?!.*--help)/;
const address = /http:\/\/127\.0\.0\.1:\d+/;

/** A folder in which lines are typed, again and again from the same beginning. */
interface Scene {
  readonly stage: Stage;
  /** A row that the commands of this scene are about. */
  readonly id: string;
  /** What the command that made the run said. */
  readonly said: string;
  readonly copy: string;
}

type SceneName = 'fresh' | 'ended' | 'reviewed' | 'workbook';

/** The scene of a line. */
function sceneOf(line: string): SceneName {
  if (/failed\.xlsx/.test(line)) return 'workbook';
  if (/resolve|--failure|--rejected|--unsent|batch-video status/.test(line)) return 'ended';
  if (/^batch (?:check|run --job|run|simulate)\b(?!.*failed\.csv)|batch-video/.test(line)) return 'fresh';
  return 'reviewed';
}

const doubted = 'Prove q-0017';

function table(rows: readonly (readonly [id: string, question: string])[]): string {
  return `id,chapter,question\n${rows.map(([id, question]) => `${id},1,${question}`).join('\n')}\n`;
}

/** Questions end as their first word says, so that the run ends as the one in the README. */
const endings: Script = {
  create: async ({ question }, accept) => {
    if (question.startsWith('Prove')) {
      accept();
      return silence;
    }
    return question.startsWith('Long') ? errorEnvelope('question too long') : undefined;
  },
  status: (task) => {
    if (task.question.startsWith('Refused')) return failed(task, '内容不符合规范');
    return task.question.startsWith('Slow') ? failed(task, 'render error: timeout') : undefined;
  },
};

const endedRows = table([
  ...['c1', 'c2', 'c3'].map((id) => [id, `Find ${id}`] as const),
  ...['a1', 'a2', 'a3', 'a4', 'a5'].map((id) => [id, `Refused ${id}`] as const),
  ...['r1', 'r2', 'r3', 'r4'].map((id) => [id, `Long ${id}`] as const),
  ...['b1', 'b2', 'b3'].map((id) => [id, `Slow ${id}`] as const),
  ['q-0017', doubted],
  ['-7', 'Prove -7'],
]);

const reviews: Script = {
  status: (task) => {
    if (task.question.startsWith('Lost')) return notFound;
    return task.question.startsWith('Slow') ? failed(task, 'render error: timeout') : undefined;
  },
  file: ({ question }) => (question.startsWith('Far') ? bare(404) : undefined),
};

const reviewedRows = table([
  ['q-0017', '1 + 1 = ?'],
  ['q-7', 'Find q-7'],
  ['q-9', 'Find q-9'],
  ['q-17', 'Far q-17'],
  ['q-18', 'Far q-18'],
  ['f1', 'Slow f1'],
]);

/** Marks as the page exports them: two bad rows, one of them corrected, and one good. */
const marks = [
  'row,id,mark,note,attempt,status,question,answer,prefer',
  '1,q-0017,bad,,1,completed,7 + 1 = ?,,1',
  '2,q-7,bad,,1,completed,,,',
  '3,q-9,good,,1,completed,,,latest',
  '',
].join('\n');

const otherRows = table([...Array(25).keys()].map((n) => [`n${n}`, `Find n${n}`] as const));

async function makeScene(name: SceneName): Promise<Scene> {
  const stage = await openStage(name === 'ended' ? endings : name === 'reviewed' ? reviews : {});
  const rows = { fresh: otherRows, ended: endedRows, reviewed: reviewedRows, workbook: otherRows }[name];
  const inFolder = (path: string): string => join(stage.folder, path);
  await Promise.all([
    stage.write('questions.csv', rows),
    stage.write('marks.csv', marks),
    stage.write('anna.csv', marks),
    stage.write('ben.csv', marks.replace('q-0017,bad', 'q-0017,good')),
    stage.write('upload.sh', '#!/bin/sh\ncat > /dev/null\n'),
    stage.write('bin/mail-summary', '#!/bin/sh\ncat > /dev/null\n'),
    stage.write('bin/npm', '#!/bin/sh\n'),
    // As the browser is called, so that a test sees which address.
    stage.write('bin/xdg-open', '#!/bin/sh\necho "$1" > opened\n'),
    ...['bash-completion', 'fish'].map((shell) =>
      mkdir(
        inFolder(shell === 'fish' ? '.config/fish/completions' : '.local/share/bash-completion/completions'),
        {
          recursive: true,
        },
      ),
    ),
    mkdir(inFolder('.zfunc')),
    cp('samples', inFolder('samples'), { recursive: true }),
    cp('jobs', inFolder('jobs'), { recursive: true }),
    ...['questions.xlsx', '题目.xlsx'].map((to) => cp(sample('questions-with-pictures.xlsx'), inFolder(to))),
  ]);
  const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
  const called = `#!/bin/sh\nexec '${process.execPath}' ${quickPauses.node.join(' ')} '${cli}' "$@"\n`;
  for (const program of ['batch', 'batch-video']) await stage.write(`bin/${program}`, called);
  for (const program of await readdir(inFolder('bin'))) await chmod(inFolder(`bin/${program}`), 0o755);
  await chmod(inFolder('upload.sh'), 0o755);

  let said = '';
  if (name === 'workbook') stage.service.follow({ status: (task) => failed(task, 'render error: timeout') });
  if (name !== 'fresh') {
    const input = name === 'workbook' ? 'questions.xlsx' : 'questions.csv';
    const line = ['run', input, '--yes', '--poll-interval', '100ms', '--request-timeout', '5s'];
    const ending = await stage.batch(line, quickPauses);
    said = `${ending.stderr}${ending.stdout}`;
    // A task is given up after ten minutes, which pass in two seconds.
    if (name === 'reviewed') {
      await stage.write('questions.csv', `${rows}l1,1,Lost l1\n`);
      await stage.batch(line, { node: [...swiftly, ...quickPauses.node] });
      // From now on an answer is there at once, so that no line takes ten minutes.
      stage.service.follow({
        ...reviews,
        status: (task) =>
          /^(?:Lost|Slow)/.test(task.question) ? failed(task, 'render error: timeout') : undefined,
      });
    }
  }
  const copy = `${stage.folder}-copy`;
  await cp(stage.folder, copy, { recursive: true });
  return { stage, id: name === 'reviewed' ? 'q-17' : 'q-0017', said, copy };
}

/** As it was at first: the folder of the run is the same one still, else the program would call it a copy. */
async function restore({ stage, copy }: Scene): Promise<void> {
  for (const name of await readdir(stage.folder))
    if (name !== 'videos') await rm(join(stage.folder, name), { recursive: true });
  const inVideos = await readdir(join(stage.folder, 'videos')).catch(() => []);
  for (const name of inVideos) await rm(join(stage.folder, 'videos', name), { recursive: true });
  await cp(copy, stage.folder, { recursive: true });
}

/** Shells that have not ended: a line that hangs is stopped before the next one. */
const going = new Set<() => void>();
afterEach(() => {
  for (const stop of going) stop();
});

/** Types a line into a shell. */
async function type({ stage }: Scene, line: string) {
  const shell = spawn('bash', ['-o', 'pipefail', '-c', line], {
    cwd: stage.folder,
    env: {
      ...cleanEnvironment(),
      PATH: `${join(stage.folder, 'bin')}:${process.env.PATH}`,
      HOME: stage.folder,
      BATCH_BASE_URL: stage.service.url,
      BATCH_API_KEY: apiKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, to be stopped as Ctrl-C does.
    detached: true,
  });
  const heard = { stdout: '', stderr: '' };
  let isStopped = false;
  for (const name of ['stdout', 'stderr'] as const) {
    shell[name].setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text;
      if (isStopped || !staying.test(line) || !address.test(heard.stdout + heard.stderr)) return;
      isStopped = true;
      process.kill(-(shell.pid ?? 0), 'SIGINT');
    });
  }
  const stop = (): void => void process.kill(-(shell.pid ?? 0), 'SIGKILL');
  going.add(stop);
  const [code] = await once(shell, 'close');
  going.delete(stop);
  return { code: isStopped && (code === 130 || code === null) ? 0 : code, ...heard };
}

async function saveMark(folder: string, mark: 'good' | 'bad'): Promise<void> {
  await using store = await openFolder(folder);
  const completed = await Array.fromAsync(store.checkpoint.items(['completed']));
  await store.reviews.saveMarks(
    completed.slice(0, 1).map(({ key, attempt }) => markOf(key, { attempt, mark })),
  );
}

/** What must be there before a line is typed, beyond its scene. */
const preparations: readonly (readonly [line: RegExp, prepare: (scene: Scene) => Promise<unknown>])[] = [
  // It finds the workbook if there is one.
  [/\*\.xlsx/, ({ stage }) => stage.remove('题目.xlsx')],
  [/question=Aufgabe/, ({ stage }) => stage.write('questions.csv', otherRows.replace('question', 'Aufgabe'))],
  [
    /--from uncertain\.csv/,
    async (scene) => {
      await type(scene, 'batch resolve --list --to uncertain.csv');
      const listed = await scene.stage.read('uncertain.csv');
      await scene.stage.write('uncertain.csv', listed.replace(/^(-7|q-0017),/gm, '$1,not-created'));
    },
  ],
  [/--from found\.csv/, (scene) => type(scene, 'batch resolve --list --to found.csv')],
  [
    /batch audit statement/,
    async ({ stage }) => {
      const [task = ''] = stage.service.taskIds.values();
      await stage.write('statement.csv', `task_id,Credits\n${task},10\n`);
      await stage.write(
        'statement.xlsx',
        workbook({
          sheets: [
            {
              rows: [
                ['task_id', 'Credits'],
                [task, 10],
              ],
            },
          ],
        }),
      );
    },
  ],
  [
    /audit statement\.xlsx algebra geometry/,
    async (scene) => {
      for (const name of ['algebra', 'geometry'])
        await type(scene, `batch run questions.csv --limit 1 --out ${name} --poll-interval 100ms`);
    },
  ],
  // As the page saves it.
  [/--marked/, ({ stage }) => saveMark(join(stage.folder, 'videos'), 'bad')],
  [/--good/, ({ stage }) => saveMark(join(stage.folder, 'videos'), 'good')],
  [/videos\/algebra/, (scene) => type(scene, 'batch run questions.csv --limit 1 --out videos/algebra')],
  [
    /failed\.csv --rerun-changed/,
    async ({ stage }) =>
      stage.write('videos/failed.csv', (await stage.read('videos/failed.csv')).replace('Slow', 'Quick')),
  ],
];

const scenes = new Map<SceneName, Promise<Scene>>();
function sceneNamed(name: SceneName): Promise<Scene> {
  const scene = scenes.get(name) ?? makeScene(name);
  scenes.set(name, scene);
  return scene;
}

afterAll(async () => {
  for (const scene of await Promise.all(scenes.values())) {
    await scene.stage[Symbol.asyncDispose]();
    await rm(scene.copy, { recursive: true, force: true });
  }
});

const all = linesToType();
const exceptionFor = (page: string, line: string): string | undefined =>
  notTyped.find(([what, , only]) => what.test(line) && (only === undefined || only === page))?.[1];
const nameIn = (line: string): string => line.replace(/^batch /, '');
const typed = all.filter(
  ({ page, line }) => exceptionFor(page, line) === undefined && !names.has(nameIn(line)),
);
const excepted = all.filter(({ page, line }) => exceptionFor(page, line) !== undefined);

describe('a line of the pages', () => {
  it.each(typed.map(({ page, line }) => [line, page] as const))(
    '%s (%s)',
    { timeout: 40_000 },
    async (line) => {
      const scene = await sceneNamed(sceneOf(line));
      await restore(scene);
      for (const [what, prepare] of preparations) if (what.test(line)) await prepare(scene);
      const toType = replacements.reduce(
        (text, [what, by]) => text.replace(what, () => (typeof by === 'string' ? by : by(scene))),
        line,
      );
      expect(toType).not.toMatch(/…|\.\.\.|(?<![\w-])[A-Z]{1,7}(?![\w:}=/])/);
      const { code, stdout, stderr } = await type(scene, toType);
      expect([0, 1, 4, 5], `${toType}\n${stdout}${stderr}`).toContain(code);
    },
  );

  it.each(excepted.map(({ page, line }) => [line, page] as const))(
    'that is not typed has options that there are: %s (%s)',
    (line) => {
      const [, call = ''] = /.*(?<![\w-])batch(?:-video)? (?=[a-z])(.*?)(?: {3,}.*)?$/.exec(line) ?? [];
      const command = commands.find(({ name }) => name === call.split(' ')[0]);
      // Words about the program may name an option of any command.
      const of = command === undefined ? commands : [command];
      const flags = of.flatMap(({ groups }) => groups.flatMap((group) => Object.keys(group.flags)));
      const named = [...call.matchAll(/(?<![\w-])--([a-z][\w-]*)/g)].map(([, flag = '']) => flag);
      expect(['help', ...flags]).toEqual(expect.arrayContaining(named));
    },
  );
});

/** Without what differs from run to run: numbers, links, and how far columns are apart. */
function masked(text: string): string {
  return text
    .replace(/\d[\d,]*/g, 'N')
    .replace(/ {2,}/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .trim();
}

describe('what the pages show', () => {
  it('is compared, played elsewhere, or known as something else, block by block', () => {
    const unknown = otherBlocks().filter(
      ({ page, language, text }) =>
        language === '' && !playedPages.test(page) && !blocks.some(([start]) => text.startsWith(start)),
    );
    expect(unknown.map(({ page, text }) => `${page}: ${text.split('\n')[0]}`)).toEqual([]);
  });

  it('the end of a run is what the program says', async () => {
    const { said, stage } = await sceneNamed('ended');
    const shown = masked(blockStarting('README.md', '3,000 rows:'));
    const own = said
      .slice(said.search(/^\d+ rows: /m))
      .replaceAll(stage.service.url, 'https://video.example');
    expect(masked(own)).toBe(shown);
  });

  it.each([
    ['en', 'docs/reviewing.md', '2 rows to get a new attempt'],
    ['zh', 'docs/reviewing.zh-CN.md', '2 行重新尝试'],
  ])(
    'the plan of a retry with a corrected text is what the program says: %s',
    async (language, page, start) => {
      const scene = await sceneNamed('reviewed');
      await restore(scene);
      const { stdout, stderr } = await type(
        scene,
        `batch retry --only @marks.csv --dry-run --lang ${language}`,
      );
      expect(stdout + stderr).toContain(blockStarting(page, start));
    },
  );

  it('the check of a Chinese file is what the program says', async () => {
    const scene = await sceneNamed('fresh');
    await restore(scene);
    const { stdout } = await type(scene, 'batch check samples/chinese-gb18030.csv --lang zh');
    expect(stdout).toBe(blockStarting('docs/first-steps.zh-CN.md', 'samples/chinese-gb18030.csv'));
  });

  it('the files of a run are all in the list of the README', async () => {
    const scene = await sceneNamed('fresh');
    await restore(scene);
    await type(scene, 'batch run questions.xlsx --simulate --fail-rate 40% --report xlsx');
    const listed = blockStarting('README.md', 'videos/');
    const files = await readdir(join(scene.stage.folder, 'videos'), { withFileTypes: true });
    for (const file of files) if (file.isFile()) expect(listed).toContain(`  ${file.name} `);
  });
});
