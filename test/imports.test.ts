/** Who may import whom: the floors of the house, read from the imports of every file. */

import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { pureFiles, speakingFiles, touchingFiles } from './support/rooms.ts';

/** Files (relative to `src/`), and what they may import: paths and folders there, packages, `node:` modules. */
interface Floor {
  readonly files: RegExp;
  readonly may: readonly string[];
  /** Only types may be imported. */
  readonly typesOnly?: boolean;
  /** Of these only types may be imported. */
  readonly mayTypes?: readonly string[];
}

const isPure = (file: string): boolean => pureFiles.some((glob) => posix.matchesGlob(file, glob));

/** PURE stands for every pure file, SELF for the adapter's own file and folder, LIBRARY for one library, counted below. */
const promises = ['PURE', 'ports.ts', 'store/', 'errors.ts'];
const carries = [...promises, 'input/', 'reports/'];
const touches = [...promises, 'node:', 'SELF', 'LIBRARY'];
const composes = [
  ...carries,
  'stores/',
  'outputs/',
  'service/',
  'simulator/',
  'runner/',
  'terminal/',
  'features/',
  'app/',
  'node:',
];

const floors: readonly Floor[] = [
  { files: /^(ports|errors)\.ts$/, may: ['PURE'], typesOnly: true },
  { files: /^store\//, may: ['PURE', 'ports.ts', 'store/', 'errors.ts'], typesOnly: true },
  {
    files: /^(input|reports)\//,
    may: [
      ...carries,
      'csv-parse',
      'csv-stringify',
      'node:crypto',
      'node:stream',
      'node:zlib',
      'saxes',
      'numfmt',
      'hyparquet',
      'htmlparser2',
    ],
  },
  // What both stores keep, and how.
  { files: /^stores\/(archive|tables|turns)\.ts$/, may: [...promises, 'stores/'] },
  // How a file becomes rows, in words that both databases understand: it touches neither.
  { files: /^stores\/import\//, may: [...promises, 'stores/import/'] },
  { files: /^stores\/(sqlite|postgres)\//, may: [...touches, 'stores/'] },
  { files: /^(stores|outputs|service)\//, may: touches },
  { files: touchingFiles, may: touches },
  { files: /^terminal\//, may: [...promises, 'node:', 'terminal/', 'input/columns/first-row.ts', 'LIBRARY'] },
  {
    files: /^simulator\//,
    may: ['simulator/', 'files/file-kind.ts', 'node:', '@napi-rs/canvas', 'mediabunny'],
  },
  // What is built, and what formulas are drawn with, stand apart from what runs in the browser.
  { files: /^page\/build\.ts$/, may: ['node:', 'esbuild'] },
  { files: /^page\/detail\/math\.ts$/, may: ['katex'] },
  { files: /^page\//, may: ['PURE', 'page/'], mayTypes: ['reports/page.ts'] },
  {
    files: /^runner\//,
    may: [...promises, 'runner/', 'input/', 'reports/task-file.ts', 'node:crypto', 'p-queue'],
  },
  {
    files: /^(index\.ts$|library\/)/,
    may: [
      ...promises,
      'app/',
      'features/',
      'library/',
      'reports/',
      'runner/',
      'terminal/next-steps.ts',
      'service/simulator/faults.ts',
      'node:path',
    ],
  },
  {
    files: speakingFiles,
    may: [
      ...composes,
      // What the library tells of a run, but not its entry: `--events` tells the same.
      'library/events.ts',
      'library/event-queue.ts',
      'library/events-of-change.ts',
      'library/plan-events.ts',
      'cli/',
      'yargs',
    ],
  },
  // Puts the parts together, for commands and programs alike; speaks to nobody.
  { files: /^(app|features)\//, may: [...composes, 'zod'] },
];

interface Import {
  /** Path relative to `src/`, name of a package, or `node:` module. */
  readonly target: string;
  readonly isType: boolean;
}

const isPackage = ({ target }: Import): boolean =>
  !target.startsWith('node:') && !target.endsWith('.ts') && !target.startsWith('..');

/** What a file imports, however it spells that: `import`, `export ... from`, `import()`, and files of workers. */
function readImports(file: string, text: string): Import[] {
  const statement =
    /^(?:import|export)\s+(?<type>type\s)?[^'"`;]*?\bfrom\s+['"](?<from>[^'"]+)['"]|^import\s+['"](?<bare>[^'"]+)['"]|\bimport\(\s*['"](?<late>[^'"]+)['"]|\bnew URL\(\s*['"](?<worker>\.[^'"]+\.ts)['"]/gm;
  return [...text.matchAll(statement)].map(({ groups = {} }) => {
    const spelled = groups.from ?? groups.bare ?? groups.late ?? groups.worker ?? '';
    return { target: targetOf(file, spelled), isType: groups.type !== undefined };
  });
}

function targetOf(file: string, spelled: string): string {
  if (spelled.startsWith('.')) return posix.join(posix.dirname(file), spelled);
  if (spelled.startsWith('node:')) return spelled;
  return spelled
    .split('/')
    .slice(0, spelled.startsWith('@') ? 2 : 1)
    .join('/');
}

/** `service/http-file-host.ts` and `service/http-file-host/transfer.ts` are one adapter. */
function adapterOf(file: string): string {
  const depth = file.startsWith('features/') ? 3 : 2;
  return file.split('/').slice(0, depth).join('/').replace(/\.ts$/, '');
}

/** What is wrong with the imports of this file, one line each. */
function findWrongImports(file: string, text: string): string[] {
  if (isPure(file)) return namesWrong(file, text, ({ target }) => !isPure(target));
  const floor = floors.find(({ files }) => files.test(file));
  if (floor === undefined) return [`${file} stands on no floor`];
  return namesWrong(file, text, (found) => !isAllowed(floor, file, found));
}

function namesWrong(file: string, text: string, isWrong: (found: Import) => boolean): string[] {
  return readImports(file, text)
    .filter(isWrong)
    .map(({ target }) => `${file} must not import ${target}`);
}

/** Who chooses the store; everybody else knows the port alone. */
const mayImportSqlite = /^(stores\/sqlite\/|app\/(stores|store-glance)\.ts$)/;
const mayImportPostgres = /^(stores\/postgres\/|app\/stores\.ts$)/;

const moves = /^money\/(transition|at-rest|answers\/late-answers)\.ts$/;
const decidesNothing = /^(stores\/(?!\w+\/import\/)|outputs\/|service\/)/;

function isAllowed(floor: Floor, file: string, found: Import): boolean {
  if (found.target.startsWith('stores/sqlite/') && !mayImportSqlite.test(file)) return false;
  if (found.target.startsWith('stores/postgres/') && !mayImportPostgres.test(file)) return false;
  // A store keeps what was decided; only the import of a file moves rows where they are.
  if (moves.test(found.target) && !found.isType && decidesNothing.test(file)) return false;
  // What works is loaded without what speaks.
  if (speakingFiles.test(found.target) && !speakingFiles.test(file) && !isPure(found.target)) return false;
  if (floor.typesOnly === true && !found.isType) return false;
  if (found.isType && floor.mayTypes?.includes(found.target) === true) return true;
  return floor.may.some((allowed) => {
    if (allowed === 'PURE') return isPure(found.target);
    if (allowed === 'LIBRARY') return isPackage(found);
    if (allowed === 'SELF') return adapterOf(found.target) === adapterOf(file);
    return allowed === found.target || (/[/:]$/.test(allowed) && found.target.startsWith(allowed));
  });
}

/** The text without comments and without what stands in quotes, but for what templates compute: words of code are left. */
function codeOf(text: string): string {
  const silent = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
  return text.replace(silent, (found) =>
    found.startsWith('`') ? (found.match(/\$\{[^`}]*\}/g) ?? []).join(' ') : ' ',
  );
}

const impure =
  /\b(async|await|Date|process|console|performance|globalThis|crypto|fetch|setTimeout|setInterval|setImmediate|queueMicrotask)\b|\bMath\.random\b/;

/** Words of the outside that a pure file uses in its code. */
function findImpurity(text: string): string | null {
  return impure.exec(codeOf(text))?.[0] ?? null;
}

/**
 * Who may ask the process: those who speak to the user; who reads its environment, its standard input and its user; the
 * logs, whose lines carry its number; and what ends the processes it started.
 */
const mayUseProcess =
  /^(app\/(options\/environment|files\/folder-access|bug-record|program|pino-log)|features\/(import\/input-bytes|hooks\/hook-process)|stores\/sqlite\/check-process|simulator\/clip-worker)\.ts$/;

function usesProcess(text: string): boolean {
  return /\bprocess\b/.test(codeOf(text)) || /['"](node:)?process['"]/.test(text);
}

/** Who may read the clock of the machine: its adapter, and what runs beside the program. */
const mayReadClock = /^(app\/system-clock\.ts$|page\/|simulator\/)/;

function readsClock(text: string): boolean {
  return /\bDate\.now\b|\bnew Date(?:\(\s*\)|\b(?!\())|(?<!new )\bDate\(/.test(codeOf(text));
}

const sources = globSync('**/*.ts', { cwd: 'src' }).map((name) => {
  const file = name.replaceAll('\\', '/');
  return { file, text: readFileSync(`src/${file}`, 'utf8') };
});

test('the listing of a folder can be read at a glance', () => {
  const folders = Map.groupBy(globSync('**/*.*', { cwd: 'src' }), (name) => posix.dirname(name));
  const long = [...folders].filter(([, files]) => files.length > 25);
  expect(long.map(([folder, files]) => `${folder}: ${files.length} files`)).toEqual([]);
});

test('every file imports only what its floor allows', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(({ file, text }) => findWrongImports(file, text))).toEqual([]);
});

test('what a run on several machines needs is loaded for one alone', () => {
  const early = sources.filter(
    ({ file, text }) =>
      !/^(stores|features\/fleet\/pg-boss-placement)/.test(file) &&
      /^import (?!type)[^;]*(stores\/postgres\/|['"]pg)/m.test(text),
  );
  expect(early.map(({ file }) => file)).toEqual([]);
});

const isAdapter = (file: string): boolean =>
  /^(stores|outputs|service)\//.test(file) || touchingFiles.test(file);

test('every adapter, and every file of the terminal, gets by with one library', () => {
  const libraries = new Map<string, Set<string>>();
  for (const { file, text } of sources.filter(
    ({ file }) => isAdapter(file) || file.startsWith('terminal/'),
  )) {
    const owner = file.startsWith('terminal/') ? file : adapterOf(file);
    // COPY is a part of the driver that comes by itself.
    const found = readImports(file, text).filter((one) => isPackage(one) && one.target !== 'pg-copy-streams');
    libraries.set(owner, new Set([...(libraries.get(owner) ?? []), ...found.map(({ target }) => target)]));
  }
  const greedy = [...libraries].filter(([, names]) => names.size > 1);
  expect(greedy).toEqual([]);
  expect([...libraries.keys()]).toContain('stores/sqlite');
});

test('what is pure has no clock, no chance, no waiting and no outside', () => {
  const pure = sources.filter(({ file }) => isPure(file));
  expect(pure.length).toBeGreaterThan(80);
  expect(
    pure.map(({ file, text }) => [file, findImpurity(text)]).filter(([, word]) => word !== null),
  ).toEqual([]);
});

test('only those who speak to the user touch the process', () => {
  const found = sources.filter(
    ({ file, text }) => !mayUseProcess.test(file) && !speakingFiles.test(file) && usesProcess(text),
  );
  expect(found.map(({ file }) => file)).toEqual([]);
});

test('the time is an argument: only the clock reads it', () => {
  const found = sources.filter(({ file, text }) => !mayReadClock.test(file) && readsClock(text));
  expect(found.map(({ file }) => file)).toEqual([]);
});

test('the program looks at the version of Node before it imports anything', () => {
  const cli = sources.find(({ file }) => file === 'cli.ts')?.text ?? '';
  expect(cli).toContain('process.versions.node');
  expect(cli).not.toMatch(/^(import|export)\s[^(]*from/m);
});

/**
 * Files that import one another, types and what is loaded late included, each circle once: those that can reach
 * themselves, with those they reach that reach them.
 */
function findCircles(files: readonly { readonly file: string; readonly text: string }[]): string[][] {
  const names = new Set(files.map(({ file }) => file));
  const edges = new Map(
    files.map(({ file, text }) => [
      file,
      readImports(file, text).flatMap(({ target }) => (names.has(target) ? [target] : [])),
    ]),
  );
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const ahead = [from];
    for (let file = ahead.pop(); file !== undefined; file = ahead.pop())
      for (const next of edges.get(file) ?? [])
        if (!seen.has(next)) {
          seen.add(next);
          ahead.push(next);
        }
    return seen;
  };
  const reached = new Map([...names].map((file) => [file, reach(file)]));
  const turning = [...names].filter((file) => reached.get(file)?.has(file) === true);
  const circles = turning.map((file) =>
    turning.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file)).sort(),
  );
  return [...new Map(circles.map((circle) => [circle.join(' '), circle])).values()];
}

test('no files import one another in a circle, not even for types', () => {
  expect(findCircles(sources)).toEqual([]);
});

describe('the watch over imports', () => {
  it('sees a circle, even one of types and of what is loaded late', () => {
    const circle = [
      { file: 'app/a.ts', text: "import type { B } from './b.ts';" },
      { file: 'app/b.ts', text: "export { c } from '../features/c.ts';" },
      { file: 'features/c.ts', text: "const late = () => import('../app/a.ts');" },
      { file: 'app/beside.ts', text: "import { a } from './a.ts';" },
    ];
    expect(findCircles(circle)).toEqual([['app/a.ts', 'app/b.ts', 'features/c.ts']]);
    expect(findCircles(circle.slice(1))).toEqual([]);
  });

  it.each([
    ['money/item.ts', "import { readFileSync } from 'node:fs';"],
    ['money/item.ts', "import type { Clock } from '../ports.ts';"],
    ['money/item.ts', "import { z } from 'zod';"],
    ['money/item.ts', "const fs = await import('node:fs');"],
    ['money/item.ts', "import 'node:fs';"],
    ['money/item.ts', "export * from '../errors.ts';"],
    ['money/item.ts', "import {\n  type A,\n  b,\n} from '../input/read-csv.ts';"],
    ['ports.ts', "import { statuses } from './money/item.ts';"],
    ['ports.ts', "import type { Readable } from 'node:stream';"],
    ['errors.ts', "import type { Clock } from './ports.ts';"],
    ['input/read-rows.ts', "import { request } from 'undici';"],
    ['input/read-rows.ts', "import { readFile } from 'node:fs/promises';"],
    ['input/read-rows.ts', "import { systemClock } from '../app/system-clock.ts';"],
    ['features/view/follow-run.ts', "import { openRunWatch } from '../../stores/sqlite/run-watch.ts';"],
    ['reports/page.ts', "import { Runner } from '../runner/runner.ts';"],
    ['app/pino-log.ts', "import { systemClock } from './system-clock.ts';"],
    ['service/transfer.ts', "import { exchange } from './exchange.ts';"],
    ['service/http-file-host.ts', "import { ageOf } from '../runner/entry.ts';"],
    ['features/run/totals.ts', "import { nextCommand } from '../view/status-command.ts';"],
    ['service/simulator/task.ts', "import { statuses } from '../../money/item.ts';"],
    ['service/simulator/task.ts', "import { UsageError } from '../../errors.ts';"],
    ['service/simulator/clips.ts', "new Worker(new URL('../../runner/runner.ts', import.meta.url));"],
    ['stores/import/plan.ts', "import type { Database } from '../sqlite/database.ts';"],
    ['stores/sqlite/sqlite-checkpoint.ts', "import { moveAtRest } from '../../money/at-rest.ts';"],
    ['runner/runner.ts', "import { createSqliteCheckpoint } from '../stores/sqlite/sqlite-checkpoint.ts';"],
    ['runner/runner.ts', "import { renderPage } from '../reports/page.ts';"],
    ['runner/runner.ts', "import { setTimeout } from 'node:timers';"],
    ['app/run-session.ts', "import { openDatabase } from '../stores/sqlite/database.ts';"],
    ['app/output-folder.ts', "import type { Database } from '../stores/sqlite/database.ts';"],
    ['features/run/run-command.ts', "import { request } from 'undici';"],
    ['features/run/run-command.ts', "import { runBatch } from '../../library/run-batch.ts';"],
    ['features/run/run-command.ts', "import { z } from 'zod';"],
    ['features/run/start-run.ts', "import { printNotice } from '../../cli/console.ts';"],
    ['app/options/options.ts', "import yargs from 'yargs';"],
    ['library/run-batch.ts', "import { printNotice } from '../cli/console.ts';"],
    ['library/run-batch.ts', "import { stdout } from 'node:process';"],
    ['page/list/rows.ts', "import { pagePolicy } from '../../reports/page.ts';"],
    ['page/list/rows.ts', "import type { ReportRow } from '../../stores/port/reading.ts';"],
    ['page/detail/formulas.ts', "import katex from 'katex';"],
    ['page/main.ts', "import { readFileSync } from 'node:fs';"],
    ['helpers/misc.ts', ''],
  ])('cries at %s: %s', (file, text) => {
    expect(findWrongImports(file, text)).toHaveLength(1);
  });

  it.each([
    ['money/tick.ts', "import { fixed, type Policy } from './policy.ts';"],
    ['ports.ts', "import type { Item } from './money/item.ts';"],
    ['features/view/follow-run.ts', "import { pageRow } from '../../reports/page-row.ts';"],
    ['input/read-csv-records.ts', "import { parse } from 'csv-parse/sync';"],
    ['service/http-file-host.ts', "import { transfer } from './transfer.ts';"],
    ['stores/sqlite/import/ingest.ts', "import type { Database } from '../database.ts';"],
    [
      'stores/sqlite/sqlite-checkpoint.ts',
      "import type { AttemptNow } from '../../money/answers/late-answers.ts';",
    ],
    ['stores/postgres/import/ingest-apply.ts', "import { moveAtRest } from '../../../money/at-rest.ts';"],
    ['app/stores.ts', "import { sqliteStoreIn } from '../stores/sqlite/sqlite-store.ts';"],
    ['service/simulator/clip-drawing.ts', "const canvas = await import('@napi-rs/canvas');"],
    ['runner/effects.ts', "import { renderTaskFile } from '../reports/task-file.ts';"],
    ['features/run/run-command.ts', "import yargs from 'yargs';"],
    ['library/run-batch.ts', "import { startRun } from '../features/run/start-run.ts';"],
    ['page/live.ts', "import type { PageHeading } from '../reports/page.ts';"],
    ['page/detail/math.ts', "import katex from 'katex';"],
  ])('is content with %s: %s', (file, text) => {
    expect(readImports(file, text)).toHaveLength(1);
    expect(findWrongImports(file, text)).toEqual([]);
  });

  it('looks for words of the outside in code, not in what is said', () => {
    expect(findImpurity("// an async process\nconst text = 'await the Date'; /* console */")).toBeNull();
    expect(findImpurity('const later = new Date();')).toBe('Date');
    expect(findImpurity('const chance = Math.random();')).toBe('Math.random');
    expect(findImpurity(`const url = 'https://x.example'; async () => {}`)).toBe('async');
    expect(findImpurity(`const text = \`an async \${name}\`;`)).toBeNull();
    expect(findImpurity(`const text = \`at \${Date.now()}\`;`)).toBe('Date');
    expect(usesProcess("import { pid } from 'node:process';")).toBe(true);
    expect(usesProcess('const { pid } = process;')).toBe(true);
    expect(usesProcess('/** Another process holds it. */')).toBe(false);
    expect(readsClock('const at = Date.now();')).toBe(true);
    expect(readsClock('const at = new Date().toISOString();')).toBe(true);
    expect(readsClock('const at = new Date;')).toBe(true);
    expect(readsClock('const at = Date();')).toBe(true);
    expect(readsClock('const now = Date.now;')).toBe(true);
    expect(readsClock('const text = new Date(at).toISOString(); // not Date.now()')).toBe(false);
    expect(readsClock('const at = Date.UTC(2026, 2); let last: Date;')).toBe(false);
  });
});
