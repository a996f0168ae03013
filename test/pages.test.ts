/** What the pages name is there: files of the code, other pages, and the headings that links lead to. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/cli/command-list.ts';
import { type Status, statuses } from '../src/money/item.ts';
import { decisionKinds } from '../src/money/review/decision-kinds.ts';
import { statusesWith } from '../src/money/statuses.ts';
import { decideExitCode, type EndingReason } from '../src/money/summary.ts';
import { planned } from '../src/schemas/planned.ts';
import { onEndInput } from '../src/schemas/run-state.ts';

const pages = globSync(['*.md', 'docs/*.md']).map((path) => path.replaceAll('\\', '/'));

/** Everything but blocks of code, where `#` starts a comment. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
}

/** What a link to a heading ends with, by the rules of GitHub. */
function anchorsOf(page: string): string[] {
  const headings = [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe.each(pages)('%s', (page) => {
  it('names only paths that exist', () => {
    const named = [...proseOf(page).matchAll(/`((?:src|test|docs|jobs|samples|bench)\/[\w./-]*)`/g)];
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  });

  it('has only links that lead somewhere', () => {
    const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const dead = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? page : posix.join(posix.dirname(page), path);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});

it.each(['README.md', 'README.zh-CN.md', 'docs/excel.md', 'docs/edited-files.md'])(
  '%s has the one way to send corrected rows',
  (page) => {
    const told = readFileSync(page, 'utf8').match(/batch run videos\/failed\.(csv|xlsx).*/g) ?? [];
    expect(told.length).toBeGreaterThan(0);
    for (const line of told) expect(line).toMatch(/^batch run \S+ --rerun-changed/);
  },
);

describe('docs/on-several-machines.md', () => {
  const page = readFileSync('docs/on-several-machines.md', 'utf8');
  const sections = page.split(/^(?=##+ )/m).filter((section) => /^### |<!-- played/.test(section));

  it.each(sections.map((section) => [section.slice(0, section.indexOf('\n')), section]))(
    'promises under "%s" what tests play',
    (_, section) => {
      const played = [...section.matchAll(/<!-- played by (\S+): (.+) -->/g)];
      expect(played).not.toEqual([]);
      for (const [, path = '', test = ''] of played) expect(readFileSync(path, 'utf8')).toContain(test);
    },
  );
});

it('every page says the versions of Node.js that the program and `npm ci` need', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  // npm leaves an optional package out where the Node.js is too old for it, and the build needs them all.
  const optional = Object.values<{ optional?: boolean; dev?: boolean; engines?: { node?: string } }>(packages)
    .filter(({ optional = false, dev = false }) => optional && !dev)
    .map((found) => Number(/^>= ?(\d+(?:\.\d+)?)/.exec(found.engines?.node ?? '')?.[1] ?? 0));
  const versions = [engines.node.replace('>=', ''), String(Math.max(...optional))];
  for (const page of pages.filter((path) => path !== 'CHANGELOG.md')) {
    const named = [...proseOf(page).matchAll(/(\d\d\.\d+) (?:or newer|或更新)/g)];
    for (const [, version] of named) expect(versions, page).toContain(version);
    expect(readFileSync(page, 'utf8'), page).not.toMatch(/any (?:version of )?Node|任意版本的 Node/);
  }
});

describe('the exit codes of docs/unattended.md', () => {
  const [, section = ''] = readFileSync('docs/unattended.md', 'utf8').split(/^## (?=Exit codes)|^## Events/m);
  const codes = [...section.matchAll(/^\| (\d[\d, ]*) \|/gm)].map(([, code = '']) => code);
  const nothing = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  const because: Readonly<
    Record<string, { counts?: Partial<Record<Status, number>>; reason?: EndingReason }>
  > = {
    '130, 143': { reason: 'interrupted' },
    '3': { reason: 'key-refused' },
    '2': { reason: 'wrong-service' },
    '5': { counts: { uncertain: 1 } },
    '4': { counts: { pending: 1 } },
    '1': { counts: { failed: 1 } },
    '0': { counts: { completed: 1 } },
  };

  it('are all there', () => {
    expect([...codes].sort()).toEqual(Object.keys(because).sort());
  });

  it.each(codes.map((code, at) => [code, codes.slice(at)] as const))(
    '%s counts where a lower one applies too',
    (code, lower) => {
      for (const other of lower) {
        const [one, two] = [because[code], because[other]];
        const reason = one?.reason ?? two?.reason ?? 'done';
        expect(code).toContain(
          String(decideExitCode({ ...nothing, ...two?.counts, ...one?.counts }, reason)),
        );
      }
    },
  );
});

it('samples/README.md lists each sample, and there is one of each kind of file that the README names', () => {
  const files = globSync('samples/*.*').filter((path) => !/README|clip\./.test(path));
  const listed = readFileSync('samples/README.md', 'utf8');
  for (const file of files) expect(listed).toContain(`| \`${posix.basename(file)}\` |`);
  expect(new Set(files.map((file) => posix.extname(file)))).toEqual(
    new Set(['.csv', '.jsonl', '.xlsx', '.parquet']),
  );
});

it('docs/on-several-machines.md names the commands that take the terms of a run', () => {
  const page = readFileSync('docs/on-several-machines.md', 'utf8');
  const [, sentence = ''] = /so a worker takes none of them: ([^.]*?) do,/.exec(page) ?? [];
  const named = [...sentence.matchAll(/`(\w+)/g)].map(([, name]) => name);
  const takes = (option: string): readonly string[] =>
    commands.flatMap(({ name, groups }) => (groups.some(({ flags }) => option in flags) ? [name] : []));
  for (const option of ['concurrency', 'max-points', 'halt'])
    expect([...named, ...(option === 'halt' ? [] : ['tune'])].sort(), option).toEqual(
      [...takes(option)].sort(),
    );
});

it('docs/steering.md says of each kind of decision what was decided', () => {
  const [, section = ''] = readFileSync('docs/steering.md', 'utf8').split('## Who decided about money');
  const rows = [...section.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, kinds = '']) => kinds);
  const named = rows.flatMap((kinds) => [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => kind));
  expect(named.sort()).toEqual([...decisionKinds].sort());
});

it('the pages call a run that machines share by one name', () => {
  const other =
    /(?<!keep the )\bruns? (?:on several machines|in a store|in (?:a )?PostgreSQL|in `--store`)|多台机器上的运行/i;
  const named = pages.filter((path) => path !== 'CHANGELOG.md' && other.test(readFileSync(path, 'utf8')));
  expect(named).toEqual([]);
});

it('`points.reserved` says of each status that may still cost points that it does', () => {
  const { points } = onEndInput.shape;
  for (const status of statusesWith('reserving'))
    expect(points.shape.reserved.description).toContain(`\`${status}\``);
});

it.each(['docs/what-it-will-cost.md', 'docs/what-it-will-cost.zh-CN.md'])(
  '%s has the fields of the estimate where they are',
  (page) => {
    const text = readFileSync(page, 'utf8');
    const [, said = ''] = /`plan\.estimate`([\s\S]*?)\n\n/.exec(text) ?? [];
    for (const name of Object.keys(planned.shape.estimate.shape)) expect(said).toContain(`\`${name}\``);
  },
);

describe('docs/how-far-it-goes.md', () => {
  const [prose = '', made = ''] = readFileSync('docs/how-far-it-goes.md', 'utf8').split('<!-- figures -->');
  const lines = made.matchAll(/^\| (.+?) \| (.+?) \| (.*?) \| (.+?) \|/gm);
  const figures = new Map([...lines].map(([, work = '', ...cells]) => [work, cells]));
  const number = (work: string, at: 0 | 1 | 2 = 0): number =>
    Number.parseFloat(figures.get(work)?.[at]?.replaceAll(',', '') ?? '');
  const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;
  const toHundred = (count: number): string => (Math.round(count / 100) * 100).toLocaleString('en');
  const million = (what: string): string => seconds(1e9 / number(what));
  const item = (at: 0 | 1): string => {
    const each = ['2,000', '20,000'].map((count) => 1000 / number(`${count} items from file to folder`, at));
    return each
      .sort((one, other) => one - other)
      .map((ms) => ms.toFixed(1))
      .join(' to ');
  };
  const rows = 'take up 1,000,000 rows of CSV';
  const first = 'first poll of `resume`, 1,000,000 rows, 1,000 open';
  const pictures = 'a workbook of 2,000 rows with a picture of 150 kB each (MB)';
  const poll = (tasks: string): number => number(`CPU of a poll, ${tasks} open tasks`);

  it.each([
    `${million(rows)} (${Math.round(number(rows) / 1000)},000 rows a second) in ${number('peak memory of that (MB)')} MB`,
    `| ${seconds(number('the same file again'))}, nothing written |`,
    `| ${seconds(number(`${first}, the rest waiting (ms more)`))} if the others are waiting, ${seconds(number(`${first}, half of them completed (ms more)`))} if half`,
    `${toHundred(number('take up a workbook of 100,000 rows'))} rows a second, ${number('take up a workbook of 100,000 rows', 2)} of the speed`,
    `\`check\` in ${number(`peak memory of \`check\` of ${pictures}`)} MB; \`run\` in ${number('peak memory of `run` of it (MB)')} MB`,
    `| ${(poll('100,000') / 10).toFixed(1)} s of CPU time |`,
    `${item(0)} ms of CPU time each (the fewer, the more); bare requests, files and syncs take ${item(1)} ms`,
    `| ${number('download 200 MB: length, sha256, fsync')} MB a second |`,
    `| ${million('all four reports of 1,000,000 rows that wait')} while the rows are waiting, ${million('all four reports of 1,000,000 rows that were made')} once`,
    `memory during the import: ${number('peak memory against a tenth of the rows', 2)} |`,
    `CPU time from row to finished folder: ${number('processor time of an item, 20,000 items against 2,000 items', 2).toFixed(2)} |`,
    `CPU time of a status request: ${(poll('100,000') / poll('10,000')).toFixed(2)} |`,
  ])('has from its table: %s', (said) => {
    expect(prose).toContain(said);
  });
});

it('ARCHITECTURE.md is short enough to be read', () => {
  expect(readFileSync('ARCHITECTURE.md', 'utf8').split('\n').length).toBeLessThanOrEqual(150);
});

describe('the three stories of ARCHITECTURE.md', () => {
  const [, section = ''] =
    /^## Three stories\n([\s\S]*?)^## /m.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? [];
  const stories = section
    .split(/^### /m)
    .slice(1)
    .map((story) => {
      const steps = [...story.matchAll(/^\d+\. (.*)$/gm)].map(([, step = '']) => step);
      const paths = steps.flatMap((step) =>
        [...step.matchAll(/`(src\/[^`]+)`/g)].map(([, path = '']) => path),
      );
      return [story.slice(0, story.indexOf('\n')), paths] as const;
    });

  const texts = new Map(globSync('src/**/*.ts').map((file) => [file, readFileSync(file, 'utf8')]));
  const textOf = (file: string): string => texts.get(file) ?? '';
  const importsOf = (file: string): { readonly names: readonly string[]; readonly path: string }[] =>
    [...textOf(file).matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)].map(
      ([, names = '', path = '']) => ({
        names: names.split(',').map((name) => name.replace(/\btype\b/, '').trim()),
        path: posix.join(posix.dirname(file), path),
      }),
    );
  const isImported = (one: string, other: string): boolean =>
    importsOf(one).some(({ path }) => path === other);

  /** What passes between files that do not import one another: the interfaces of the outside world, and what the runner hands on. */
  const isInterface = (path: string): boolean =>
    /^src\/(ports|errors|stores\/port\/.+|runner\/(entry|context)|app\/session)\.ts$/.test(path);
  const isEverywhere = /^(Clock|Log|RunContext|RunnerPorts|messageOf|codeOf|)$/;
  const ports = [...textOf('src/runner/context.ts').matchAll(/^ {2}readonly (\w+): (\w+)/gm)];
  /** A part of the loop has the outside world from its context. */
  const portsOf = (file: string): string[] =>
    importsOf(file).some(({ path }) => path === 'src/runner/context.ts')
      ? ports.flatMap(([, name = '', type = '']) =>
          new RegExp(`\\b${name}\\b`).test(textOf(file)) ? [type] : [],
        )
      : [];
  const wordsOf = (file: string): string[] => [
    ...importsOf(file).flatMap(({ names, path }) => (isInterface(path) ? names : [])),
    ...portsOf(file),
    ...events.filter((event) => textOf(file).includes(`'${event}'`)),
  ];
  const events = [...textOf('src/money/event.ts').matchAll(/readonly type: '([\w-]+)'/g)].map(
    ([, event = '']) => event,
  );
  const isLinked = (one: string, other: string): boolean =>
    isImported(one, other) ||
    isImported(other, one) ||
    wordsOf(one).some((word) => !isEverywhere.test(word) && wordsOf(other).includes(word));

  it('are told in at most 11, 16 and 17 files, each named once', () => {
    const counts = stories.map(([, files]) => files.length);
    const [late = 0, corrected = 0, taken = 0] = counts;
    expect([late <= 11, corrected <= 16, taken <= 17, counts.length]).toEqual([true, true, true, 3]);
    for (const [, files] of stories) expect(new Set(files).size).toBe(files.length);
  });

  it.each(stories)(
    '%s: each file is imported by an earlier one, imports it, or receives its event',
    (_, files) => {
      const alone = files.filter(
        (file, at) => at > 0 && !files.slice(0, at).some((earlier) => isLinked(earlier, file)),
      );
      expect(alone).toEqual([]);
    },
  );
});
