/** Who may import whom: the floors of the house, read from the imports of every file. */

import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it, test } from 'vitest';

/** Files (relative to `src/`), and what they may import: paths and folders there, packages, `node:` modules. */
interface Floor {
  readonly files: RegExp;
  readonly may: readonly string[];
  /** Only types may be imported. */
  readonly typesOnly?: boolean;
  /** Of these only types may be imported. */
  readonly mayTypes?: readonly string[];
}

const promises = ['core/', 'ports.ts', 'store.ts', 'errors.ts'];
const carries: Floor = {
  files: /^(input|report)\//,
  may: [
    ...promises,
    'input/',
    'report/',
    'csv-parse',
    'csv-stringify',
    'node:crypto',
    'node:stream',
    'node:zlib',
    'numfmt',
    'hyparquet',
    'htmlparser2',
  ],
};

const floors: readonly Floor[] = [
  { files: /^core\//, may: ['core/'] },
  { files: /^(ports|errors)\.ts$/, may: ['core/'], typesOnly: true },
  { files: /^store\.ts$/, may: ['core/', 'ports.ts', 'errors.ts'], typesOnly: true },
  carries,
  { files: /^view\//, may: [...carries.may, 'view/'] },
  // What both stores keep, and how.
  { files: /^stores\//, may: [...promises, 'stores/'] },
  { files: /^adapters\/(sqlite|postgres)\//, may: [...promises, 'stores/', 'node:', 'SELF', 'LIBRARY'] },
  // The one library of each is counted below; SELF stands for the adapter's own file and folder.
  { files: /^adapters\//, may: [...promises, 'node:', 'SELF', 'LIBRARY'] },
  { files: /^terminal\//, may: [...promises, 'node:', 'terminal/', 'LIBRARY'] },
  {
    files: /^simulator\//,
    may: ['simulator/', 'core/file-kind.ts', 'node:', '@napi-rs/canvas', 'mediabunny'],
  },
  // What is built, and what formulas are drawn with, stand apart from what runs in the browser.
  { files: /^page\/build\.ts$/, may: ['node:', 'esbuild'] },
  { files: /^page\/math\.ts$/, may: ['katex'] },
  {
    files: /^page\//,
    may: ['core/', 'page/'],
    mayTypes: ['report/page.ts'],
  },
  {
    files: /^runner\//,
    may: [...promises, 'runner/', 'input/', 'report/task-file.ts', 'node:crypto', 'p-queue'],
  },
  // Puts the parts together, for commands and programs alike; speaks to nobody.
  {
    files: /^app\//,
    may: [
      ...promises,
      'input/',
      'report/',
      'adapters/',
      'terminal/',
      'simulator/',
      'runner/',
      'view/',
      'app/',
      'node:',
      'zod',
    ],
  },
  {
    files: /^(index\.ts$|library\/)/,
    may: [
      ...promises,
      'app/',
      'library/',
      'report/',
      'runner/',
      'terminal/next-steps.ts',
      'simulator/faults.ts',
      'node:path',
    ],
  },
  {
    files: /^(cli\.ts$|commands\/)/,
    may: [
      ...promises,
      'input/',
      'report/',
      'adapters/',
      'terminal/',
      'simulator/',
      'runner/',
      'view/',
      'app/',
      // What the library tells of a run, but not its entry: `--events` tells the same.
      'library/events.ts',
      'library/event-queue.ts',
      'library/events-of-change.ts',
      'library/plan-events.ts',
      'commands/',
      'node:',
      'yargs',
    ],
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

/** `adapters/http-file-host.ts` and `adapters/http-file-host/transfer.ts` are one adapter. */
function adapterOf(file: string): string {
  return file.split('/').slice(0, 2).join('/').replace(/\.ts$/, '');
}

/** What is wrong with the imports of this file, one line each. */
function findWrongImports(file: string, text: string): string[] {
  const floor = floors.find(({ files }) => files.test(file));
  if (floor === undefined) return [`${file} stands on no floor`];
  const wrong = (found: Import): boolean => !isAllowed(floor, file, found);
  return readImports(file, text)
    .filter(wrong)
    .map(({ target }) => `${file} must not import ${target}`);
}

/** Who chooses the store; everybody else knows the port alone. */
const mayImportSqlite = /^(adapters\/sqlite\/|app\/(stores|store-glance)\.ts$)/;
const mayImportPostgres = /^(adapters\/postgres\/|app\/stores\.ts$)/;

function isAllowed(floor: Floor, file: string, found: Import): boolean {
  if (found.target.startsWith('adapters/sqlite/') && !mayImportSqlite.test(file)) return false;
  if (found.target.startsWith('adapters/postgres/') && !mayImportPostgres.test(file)) return false;
  if (floor.typesOnly === true && !found.isType) return false;
  if (found.isType && floor.mayTypes?.includes(found.target) === true) return true;
  return floor.may.some((allowed) => {
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
  /^(cli\.ts|commands\/.*|app\/(environment|input-bytes|folder-access|bug-record|program)\.ts|adapters\/pino-log\.ts|adapters\/hook-process\.ts|adapters\/sqlite\/check-process\.ts|simulator\/clip-worker\.ts)$/;

function usesProcess(text: string): boolean {
  return /\bprocess\b/.test(codeOf(text)) || /['"](node:)?process['"]/.test(text);
}

/** Who may read the clock of the machine: its adapter, and what runs beside the program. */
const mayReadClock = /^(adapters\/system-clock\.ts$|page\/|simulator\/)/;

function readsClock(text: string): boolean {
  return /\bDate\.now\b|\bnew Date(?:\(\s*\)|\b(?!\())|(?<!new )\bDate\(/.test(codeOf(text));
}

const sources = globSync('**/*.ts', { cwd: 'src' }).map((name) => {
  const file = name.replaceAll('\\', '/');
  return { file, text: readFileSync(`src/${file}`, 'utf8') };
});

test('every file imports only what its floor allows', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(({ file, text }) => findWrongImports(file, text))).toEqual([]);
});

test('what a run on several machines needs is loaded for one alone', () => {
  const early = sources.filter(
    ({ file, text }) =>
      !file.startsWith('adapters/') && /^import (?!type)[^;]*(adapters\/postgres\/|['"]pg)/m.test(text),
  );
  expect(early.map(({ file }) => file)).toEqual([]);
});

test('every adapter, and every file of the terminal, gets by with one library', () => {
  const libraries = new Map<string, Set<string>>();
  for (const { file, text } of sources.filter(({ file }) => /^(adapters|terminal)\//.test(file))) {
    const owner = file.startsWith('terminal/') ? file : adapterOf(file);
    // COPY is a part of the driver that comes by itself.
    const found = readImports(file, text).filter((one) => isPackage(one) && one.target !== 'pg-copy-streams');
    libraries.set(owner, new Set([...(libraries.get(owner) ?? []), ...found.map(({ target }) => target)]));
  }
  const greedy = [...libraries].filter(([, names]) => names.size > 1);
  expect(greedy).toEqual([]);
  expect([...libraries.keys()]).toContain('adapters/sqlite');
});

test('the core has no clock, no chance, no waiting and no outside', () => {
  const core = sources.filter(({ file }) => file.startsWith('core/'));
  expect(
    core.map(({ file, text }) => [file, findImpurity(text)]).filter(([, word]) => word !== null),
  ).toEqual([]);
});

test('only those who speak to the user touch the process', () => {
  const found = sources.filter(({ file, text }) => !mayUseProcess.test(file) && usesProcess(text));
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

describe('the watch over imports', () => {
  it.each([
    ['core/item.ts', "import { readFileSync } from 'node:fs';"],
    ['core/item.ts', "import type { Clock } from '../ports.ts';"],
    ['core/item.ts', "import { z } from 'zod';"],
    ['core/item.ts', "const fs = await import('node:fs');"],
    ['core/item.ts', "import 'node:fs';"],
    ['core/item.ts', "export * from '../errors.ts';"],
    ['core/item.ts', "import {\n  type A,\n  b,\n} from '../input/read-csv.ts';"],
    ['ports.ts', "import { statuses } from './core/item.ts';"],
    ['ports.ts', "import type { Readable } from 'node:stream';"],
    ['errors.ts', "import type { Clock } from './ports.ts';"],
    ['input/read-rows.ts', "import { request } from 'undici';"],
    ['input/read-rows.ts', "import { readFile } from 'node:fs/promises';"],
    ['input/read-rows.ts', "import { systemClock } from '../adapters/system-clock.ts';"],
    ['view/follow-run.ts', "import { openRunWatch } from '../adapters/sqlite/run-watch.ts';"],
    ['report/page.ts', "import { Runner } from '../runner/runner.ts';"],
    ['adapters/pino-log.ts', "import { systemClock } from './system-clock.ts';"],
    ['adapters/http-file-host/transfer.ts', "import { exchange } from '../http-task-service/exchange.ts';"],
    ['adapters/http-file-host.ts', "import { ageOf } from '../runner/entry.ts';"],
    ['terminal/totals.ts', "import { nextCommand } from '../commands/status.ts';"],
    ['simulator/task.ts', "import { statuses } from '../core/item.ts';"],
    ['simulator/task.ts', "import { UsageError } from '../errors.ts';"],
    ['simulator/clips.ts', "new Worker(new URL('../runner/runner.ts', import.meta.url));"],
    ['runner/runner.ts', "import { createSqliteCheckpoint } from '../adapters/sqlite/sqlite-checkpoint.ts';"],
    ['runner/runner.ts', "import { renderPage } from '../report/page.ts';"],
    ['runner/runner.ts', "import { setTimeout } from 'node:timers';"],
    ['app/run-session.ts', "import { openDatabase } from '../adapters/sqlite/database.ts';"],
    ['app/output-folder.ts', "import type { Database } from '../adapters/sqlite/database.ts';"],
    ['commands/run.ts', "import { request } from 'undici';"],
    ['commands/run.ts', "import { runBatch } from '../library/run-batch.ts';"],
    ['commands/run.ts', "import { z } from 'zod';"],
    ['app/start-run.ts', "import { printNotice } from '../commands/console.ts';"],
    ['app/options.ts', "import yargs from 'yargs';"],
    ['library/run-batch.ts', "import { printNotice } from '../commands/console.ts';"],
    ['library/run-batch.ts', "import { stdout } from 'node:process';"],
    ['page/rows.ts', "import { pagePolicy } from '../report/page.ts';"],
    ['page/rows.ts', "import type { ReportRow } from '../store.ts';"],
    ['page/formulas.ts', "import katex from 'katex';"],
    ['page/main.ts', "import { readFileSync } from 'node:fs';"],
    ['helpers/misc.ts', ''],
  ])('cries at %s: %s', (file, text) => {
    expect(findWrongImports(file, text)).toHaveLength(1);
  });

  it.each([
    ['core/tick.ts', "import { fixed, type Policy } from './policy.ts';"],
    ['ports.ts', "import type { Item } from './core/item.ts';"],
    ['view/follow-run.ts', "import { pageRow } from '../report/page-row.ts';"],
    ['input/read-csv-records.ts', "import { parse } from 'csv-parse/sync';"],
    ['adapters/http-file-host.ts', "import { transfer } from './http-file-host/transfer.ts';"],
    ['adapters/sqlite/ingest.ts', "import type { Database } from './database.ts';"],
    ['app/stores.ts', "import { sqliteStoreIn } from '../adapters/sqlite/sqlite-store.ts';"],
    ['simulator/clip-drawing.ts', "const canvas = await import('@napi-rs/canvas');"],
    ['runner/effects.ts', "import { renderTaskFile } from '../report/task-file.ts';"],
    ['commands/run.ts', "import yargs from 'yargs';"],
    ['library/run-batch.ts', "import { startRun } from '../app/start-run.ts';"],
    ['page/live.ts', "import type { PageHeading } from '../report/page.ts';"],
    ['page/math.ts', "import katex from 'katex';"],
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
