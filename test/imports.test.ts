/** Who may import whom: the floors of the house, read from the imports of every file. */

import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { pureFiles } from './support/pure-files.ts';

/** Files (relative to `src/`), and what they may import: paths and folders there, packages, `node:` modules. */
interface Floor {
  readonly files: RegExp;
  readonly may: readonly string[];
  /** Why it may not import more, and what to do instead: a failure says so. */
  readonly why: string;
  /** Only types may be imported. */
  readonly typesOnly?: boolean;
  /** Of these only types may be imported. */
  readonly mayTypes?: readonly string[];
}

const isPure = (file: string): boolean => pureFiles.has(file);

/** Adapters of one feature or of the composition root, which lie beside what they serve. */
const touchingFiles =
  /^(app\/(page-assets|pino-log|system-clock|fleet\/pg-boss-placement|hooks\/hook-process)|features\/(hooks\/http-ping|inspect\/(ffmpeg|video-container)|view\/view-server))(\/.*)?\.ts$/;

/** Files of features that speak to a person: the commands, and what their output is made of. */
const speakingFiles =
  /^(cli\.ts|cli\/.*|features\/.*-command\.ts|features\/(hooks\/(event-log|followers)|inspect\/inspect-after-run|retry\/retry-lines|review\/review-commands|run\/(check-file|dry-run|print-next|print-totals|run-in-terminal|run-plan)|view\/browser)\.ts)$/;

/** PURE stands for every pure file, SELF for the adapter's own room, LIBRARY for one library, counted below. */
const promises = ['PURE', 'ports.ts', 'stores/port/', 'errors.ts'];
const carries = [...promises, 'input/', 'reports/'];
const touches = [...promises, 'node:', 'SELF', 'LIBRARY'];
const composes = [...carries, 'stores/', 'outputs/', 'service/', 'runner/', 'terminal/', 'app/', 'node:'];

const whyPure =
  'what is pure decides by its arguments alone, so that whole runs can be replayed; pass the fact in, or take `Pure.` out of the header';
const whyPromise = 'a promise knows nobody who keeps it; name the type here, or declare it in what is pure';
const whyTouches =
  'an adapter knows one part of the world, and neither the others nor who uses it; hand the part in through a port, from app/';

const whyWorks =
  'what works is used by commands and programs alike, and speaks to nobody; return the fact, and let the command say it';

const floors: readonly Floor[] = [
  { files: /^ports\.ts$/, may: ['PURE', 'ports/'], typesOnly: true, why: whyPromise },
  { files: /^ports\//, may: ['PURE'], typesOnly: true, why: whyPromise },
  { files: /^errors\.ts$/, may: ['PURE'], why: whyPromise },
  { files: /^stores\/port\//, may: promises, typesOnly: true, why: whyPromise },
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
      'qr',
    ],
    why: 'readers and renderers turn bytes into rows and rows into bytes; who opens the file hands the bytes over',
  },
  {
    files:
      /^stores\/(archive|decisions|dialect|hook-calls|item-rows|pages|re(port-rows|views)|run-(totals|watch)|tables|turns)\.ts$/,
    may: [...promises, 'stores/'],
    why: 'what both stores keep, and how, is told without either; take what differs as an argument',
  },
  { files: /^stores\/(sqlite|postgres)\//, may: [...touches, 'stores/'], why: whyTouches },
  {
    files: /^schemas\//,
    may: ['PURE', 'schemas/', 'zod'],
    why: 'a schema says what an output has, and knows nobody who writes it',
  },
  {
    files: /^service\/simulator\//,
    may: [
      'SELF',
      'files/file-kind.ts',
      'text/formulas.ts',
      'node:',
      '@napi-rs/canvas',
      '@mathjax/src',
      '@mathjax/mathjax-tex-font',
      'mediabunny',
    ],
    why: 'the embedded service shares no rule with the program: it would repeat its mistakes; write down here what the service does',
  },
  { files: /^(stores|outputs|service)\//, may: touches, why: whyTouches },
  { files: touchingFiles, may: touches, why: whyTouches },
  {
    files: /^terminal\//,
    may: [...promises, 'node:', 'terminal/', 'LIBRARY'],
    why: 'texts are made from facts; find the facts in the feature, and pass them in',
  },
  {
    files: /^(page\/)?build\.ts$/,
    may: ['node:', 'esbuild', 'release/'],
    why: 'the build stands apart from what runs in the browser',
  },
  {
    files: /^release\//,
    may: ['PURE', 'errors.ts', 'release/', 'terminal/phrases/', 'node:', 'esbuild', 'tar-stream', 'yazl'],
    why: 'what makes the packages looks at the program from outside; pack what is built, and start it as its users do',
  },
  {
    files: /^page\/shared\/math\.ts$/,
    may: ['katex'],
    why: 'what formulas are drawn with is a script of its own, loaded where there is one',
  },
  {
    files: /^page\//,
    may: ['PURE', 'page/'],
    mayTypes: ['reports/page.ts'],
    why: 'the page runs in a browser; put the fact into its data (reports/page.ts), or share what is pure',
  },
  {
    files: /^runner\//,
    may: [...promises, 'runner/', 'input/', 'reports/task-file.ts', 'node:crypto', 'p-queue'],
    why: 'the loop reaches the world through ports, so that it runs in virtual time; add an effect, or a method of a port',
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
    why: 'the entry for programs speaks to nobody; give the fact as an event',
  },
  {
    files: speakingFiles,
    may: [...composes, 'features/', 'cli/', 'yargs'],
    why: 'a command asks what is below it; a library belongs to one adapter, or to input/ and reports/',
  },
  {
    files: /^features\//,
    may: [...composes, 'features/'],
    why: whyWorks,
  },
  {
    files: /^app\//,
    may: [...composes, 'zod'],
    why: whyWorks,
  },
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

/** The room of an adapter; beside others, an adapter is a file with the folder of the same name. */
function adapterOf(file: string): string {
  const [room] =
    /^(outputs\/s3|service\/simulator|stores\/(sqlite|postgres)|outputs|service)(?=\/)/.exec(file) ?? [];
  const depth = /^(app\/\w+|features)\//.test(file) ? 3 : 2;
  return room ?? file.split('/').slice(0, depth).join('/').replace(/\.ts$/, '');
}

/** What is wrong with the imports of this file: one line each, with the reason and what to do. */
function findWrongImports(file: string, text: string): string[] {
  if (!isPure(file) && floors.every(({ files }) => !files.test(file)))
    return [`${file} stands on no floor: move it into a room, or add a floor to this test`];
  return readImports(file, text).flatMap((found) => {
    const why = whyNot(file, found);
    return why === null ? [] : [`${file} must not import ${found.target}: ${why}`];
  });
}

/** Who chooses the store; everybody else knows the port alone. */
const mayImportSqlite = /^(stores\/sqlite\/|app\/stores\.ts$)/;
const mayImportPostgres = /^(stores\/postgres\/|app\/stores\.ts$)/;

const whyOneStore =
  'only app/stores.ts knows which store it is; use the port (stores/port/), and add to it what is missing';

/** What decides about a saved row. */
const moves = /^money\/(transition|at-rest|answers\/late-answers)\.ts$/;
const decidesNothing = /^(stores\/(?!\w+\/import\/)|outputs\/|service\/)/;

/** The rooms that parts are put together in, from below to above; every other room stands below them. */
const heights = [/^app\//, /^features\//, /^(cli\.ts$|index\.ts$|cli\/|library\/)/];

const heightOf = (file: string): number => heights.findIndex((room) => room.test(file));

const whyDown =
  'a room imports nothing from above, whatever it is: move what both need below both, or hand it in';

const whyTypesAlone =
  'schemas are for tests, pages and other programs, and would make every start slower: import their types';

/** Why a file may not import this, and what to do; null where it may. */
function whyNot(file: string, found: Import): string | null {
  const { target, isType } = found;
  // Commands are written in the words of the command line.
  if (heightOf(target) > heightOf(file) && !(speakingFiles.test(file) && target.startsWith('cli/')))
    return whyDown;
  if (isPure(file)) return isPure(target) ? null : whyPure;
  if (target.startsWith('schemas/') && !file.startsWith('schemas/')) return isType ? null : whyTypesAlone;
  const floor = floors.find(({ files }) => files.test(file));
  if (floor === undefined) return null;
  if (target.startsWith('stores/sqlite/') && !mayImportSqlite.test(file)) return whyOneStore;
  if (target.startsWith('stores/postgres/') && !mayImportPostgres.test(file)) return whyOneStore;
  if (moves.test(target) && !isType && decidesNothing.test(file))
    return 'a store keeps what was decided, only the import of a file moves rows where they are; decide in runner/, and commit the change';
  if (speakingFiles.test(target) && !speakingFiles.test(file) && !isPure(target))
    return 'what works is loaded without what speaks; hand in a callback, or move the shared part out of the command';
  if (floor.typesOnly === true && !isType) return floor.why;
  if (isType && floor.mayTypes?.includes(target) === true) return null;
  const isAllowed = floor.may.some((allowed) => {
    if (allowed === 'PURE') return isPure(target);
    if (allowed === 'LIBRARY') return isPackage(found);
    if (allowed === 'SELF') return adapterOf(target) === adapterOf(file);
    return allowed === target || (/[/:]$/.test(allowed) && target.startsWith(allowed));
  });
  return isAllowed ? null : floor.why;
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
  /^(app\/(options\/environment|files\/folder-access|hooks\/hook-process|bug-record|program|source-lines|pino-log)|features\/import\/input-bytes|stores\/sqlite\/check-process|service\/simulator\/clip-worker|release\/(main|dropped|npm|release))\.ts$/;

function usesProcess(text: string): boolean {
  return /\bprocess\b/.test(codeOf(text)) || /['"](node:)?process['"]/.test(text);
}

/** Who may read the clock of the machine: its adapter, and what runs beside the program. */
const mayReadClock = /^(app\/system-clock\.ts$|page\/|service\/simulator\/)/;

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
  expect(
    long.map(([folder, files]) => `${folder}: ${files.length} files`),
    'more than 25 files are searched, not read: part the folder by question, or move files to the feature they serve',
  ).toEqual([]);
});

test('every file imports only what its floor allows', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(({ file, text }) => findWrongImports(file, text))).toEqual([]);
});

test('what a run on several machines needs is loaded for one alone', () => {
  const early = sources.filter(
    ({ file, text }) =>
      !/^(stores|app\/fleet\/pg-boss-placement)/.test(file) &&
      /^import (?!type)[^;]*(stores\/postgres\/|['"]pg)/m.test(text),
  );
  expect(
    early.map(({ file }) => file),
    'a run in a folder starts without the driver of PostgreSQL, which may not be installed: import it where it is used',
  ).toEqual([]);
});

const isAdapter = (file: string): boolean =>
  /^(stores|outputs|service)\/(?!simulator\/)/.test(file) || touchingFiles.test(file);

/** Parts of another library: COPY of the driver, and sockets for undici. */
const parts: ReadonlySet<string> = new Set(['pg-copy-streams', 'socks']);

test('every adapter, and every file of the terminal, gets by with one library', () => {
  const libraries = new Map<string, Set<string>>();
  for (const { file, text } of sources.filter(
    ({ file }) => isAdapter(file) || file.startsWith('terminal/'),
  )) {
    const owner = file.startsWith('terminal/') ? file : adapterOf(file);
    const found = readImports(file, text).filter((one) => isPackage(one) && !parts.has(one.target));
    libraries.set(owner, new Set([...(libraries.get(owner) ?? []), ...found.map(({ target }) => target)]));
  }
  const greedy = [...libraries].filter(([, names]) => names.size > 1);
  expect(
    greedy,
    'an adapter is what has to be written anew when its library goes: give the second library its own',
  ).toEqual([]);
  expect([...libraries.keys()]).toContain('stores/sqlite');
});

test('what is pure has no clock, no chance, no waiting and no outside', () => {
  const pure = sources.filter(({ file }) => isPure(file));
  expect(pure.length).toBeGreaterThan(80);
  expect(
    pure.map(({ file, text }) => [file, findImpurity(text)]).filter(([, word]) => word !== null),
    whyPure,
  ).toEqual([]);
});

test('only those who speak to the user touch the process', () => {
  const found = sources.filter(
    ({ file, text }) => !mayUseProcess.test(file) && !speakingFiles.test(file) && usesProcess(text),
  );
  expect(
    found.map(({ file }) => file),
    'programs that use the library have their own process: take what it says as an argument, from cli/',
  ).toEqual([]);
});

test('the time is an argument: only the clock reads it', () => {
  const found = sources.filter(({ file, text }) => !mayReadClock.test(file) && readsClock(text));
  expect(
    found.map(({ file }) => file),
    'whole runs are played in virtual time: take the time as an argument, or ask the port `Clock`',
  ).toEqual([]);
});

test('the program looks at the version of Node before it imports anything', () => {
  const cli = sources.find(({ file }) => file === 'cli.ts')?.text ?? '';
  expect(cli).toContain('process.versions.node');
  expect(cli).not.toMatch(/^(import|export)\s[^(]*from/m);
});

/**
 * Files, or the parts that they belong to, that import one another, types and what is loaded late included, each circle once: those that can reach
 * themselves, with those they reach that reach them.
 */
function findCircles(
  files: readonly { readonly file: string; readonly text: string }[],
  partOf = (file: string): string => file,
): string[][] {
  const edges = new Map<string, string[]>();
  for (const { file, text } of files) {
    const part = partOf(file);
    const others = readImports(file, text).map(({ target }) => partOf(target));
    edges.set(part, [...(edges.get(part) ?? []), ...others.filter((other) => other !== part)]);
  }
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
  const reached = new Map([...edges.keys()].map((part) => [part, reach(part)]));
  const turning = [...edges.keys()].filter((part) => reached.get(part)?.has(part) === true);
  const circles = turning.map((file) =>
    turning.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file)).sort(),
  );
  return [...new Map(circles.map((circle) => [circle.join(' '), circle])).values()];
}

test('no files import one another in a circle, not even for types', () => {
  expect(
    findCircles(sources),
    'files in a circle are understood only together: move what both need into a file of its own',
  ).toEqual([]);
});

test('no features import one another in a circle', () => {
  const features = sources.filter(({ file }) => file.startsWith('features/'));
  expect(
    findCircles(features, (file) => file.split('/').slice(0, 2).join('/')),
    'features in a circle are taken out only together: move what both need below both, or into a feature of its own',
  ).toEqual([]);
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
    ['service/transfer.ts', "import { Upload } from '../outputs/s3/upload.ts';"],
    ['outputs/folder-destination.ts', "import { S3Destination } from './s3/s3-destination.ts';"],
    ['stores/tables.ts', "import { request } from 'undici';"],
    ['service/http-file-host.ts', "import { moveItem } from '../runner/entry.ts';"],
    ['features/run/totals.ts', "import { nextCommand } from '../view/status-command.ts';"],
    ['service/simulator/task.ts', "import { statuses } from '../../money/item.ts';"],
    ['service/simulator/task.ts', "import { UsageError } from '../../errors.ts';"],
    ['service/simulator/clips.ts', "new Worker(new URL('../../runner/runner.ts', import.meta.url));"],
    ['stores/run-totals.ts', "import type { Database } from './sqlite/database.ts';"],
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
    ['page/list/rows.ts', "import type { ExportName } from '../../features/export/export-name.ts';"],
    ['reports/columns.ts', "import { reportEntry } from '../schemas/report.ts';"],
    ['schemas/report.ts', "import type { ReportRow } from '../stores/port/reading.ts';"],
    ['reports/columns.ts', "import { spread } from '../features/inspect/spread.ts';"],
    ['app/run-session.ts', "import type { ImportPlan } from '../features/import/import-file.ts';"],
    ['app/open-run.ts', "import('../features/view/live-page.ts');"],
    ['runner/context.ts', "import type { Options } from '../app/options/options.ts';"],
    ['features/run/run-command.ts', "import type { RunOptions } from '../../library/options.ts';"],
    ['page/list/rows.ts', "import { pagePolicy } from '../../reports/page.ts';"],
    ['page/list/rows.ts', "import type { ReportRow } from '../../stores/port/reading.ts';"],
    ['page/shared/formulas.ts', "import katex from 'katex';"],
    ['page/main.ts', "import { readFileSync } from 'node:fs';"],
    ['helpers/misc.ts', ''],
  ])('cries at %s: %s', (file, text) => {
    expect(findWrongImports(file, text)).toHaveLength(1);
  });

  it.each([
    ['money/tick.ts', "import { fixed, type Policy } from './policy.ts';"],
    ['ports.ts', "import type { Item } from './money/item.ts';"],
    ['features/view/follow-run.ts', "import { pageRow } from '../../reports/page-row.ts';"],
    ['reports/columns.ts', "import type { ReportLine } from '../schemas/report.ts';"],
    ['schemas/report.ts', "import * as z from 'zod';"],
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
    ['page/shared/math.ts', "import katex from 'katex';"],
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
