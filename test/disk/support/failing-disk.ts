/**
 * Preload: a disk that refuses. Every place where the program writes below its output folder is a site, named by what is
 * done and to which kind of file; `DISK_SITES` names a file that lists them as they are met. `DISK_FAULT` is
 * `SITE#CALL#CODE`: from its call of that number on, that site fails with that code while the file `DISK_FAULT_SIGN` names is there.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';

type Work = (...args: unknown[]) => unknown;
type Owner = Record<string, unknown>;

const root = join(process.cwd(), 'videos');
const { DISK_SITES: record = '', DISK_FAULT = '', DISK_FAULT_SIGN: sign = '' } = process.env;
const [faultSite = '', faultCall = '0', faultCode = ''] = DISK_FAULT.split('#');
// The real ones, before any is made to fail.
const { appendFileSync, existsSync } = fs;

const calls = new Map<string, number>();
const pathsOfNumbers = new Map<number, string>();

/** Counts the call and throws where the disk is to refuse it. */
function visit(site: string, syscall: string, path: string, refusal = systemError): void {
  const call = (calls.get(site) ?? 0) + 1;
  calls.set(site, call);
  if (record !== '') appendFileSync(record, `${site}#${call}\n`);
  if (site !== faultSite || call < Number(faultCall) || !existsSync(sign)) return;
  if (record !== '') appendFileSync(record, 'refused\n');
  throw refusal(faultCode, syscall, path);
}

function systemError(named: string, syscall: string, path: string): Error {
  // Node.js has no name for this one.
  const code = named === 'EDQUOT' ? 'Unknown system error -122' : named;
  const error = new Error(`${code}: the test's disk refuses this, ${syscall} '${path}'`);
  return Object.assign(error, { code, syscall, path, errno: -1 });
}

/** The kind of file a path is of; null outside the output folder. */
function kindOf(path: unknown): string | null {
  const name = relative(root, String(path)).replaceAll('\\', '/');
  if (name.startsWith('..') || name.startsWith('/')) return null;
  if (name === '') return 'output folder';
  if (/^batch\.(sqlite|lock)/.test(name)) return null;
  if (name === 'batch.log') return 'log';
  if (name === 'batch.ids') return 'ids';
  const report = /^\.?(report\.\w+|failed\.csv)/.exec(name)?.[1];
  if (report !== undefined) return report;
  const file = name.split('/').slice(1).join('/');
  if (file === '') return 'item folder';
  if (file === 'frames') return 'frames folder';
  const part = file.startsWith('frames/') ? 'frame' : 'video';
  if (/task\.json/.test(file)) return 'task.json';
  return /\.part\.json$/.test(file) ? `${part} validator` : part;
}

function patch(
  owner: Owner,
  name: string,
  around: (real: Work, self: unknown, args: unknown[]) => unknown,
): void {
  const real = owner[name];
  if (typeof real !== 'function') throw new Error(`there is no ${name}`);
  owner[name] = function (this: unknown, ...args: unknown[]) {
    return around((...given) => Reflect.apply(real, this, given), this, args);
  };
}

const isWriting = (flags: unknown): boolean => flags !== undefined && flags !== fs.constants.O_RDONLY;

const { promises } = fs;

/** Patches one act in all the forms in which a program may call it. `siteOf` gives null where the act is of no concern. */
function patchAct(
  call: string,
  siteOf: (args: readonly unknown[]) => readonly [kind: string, path: string] | null,
) {
  const meet = (args: readonly unknown[]): void => {
    const [kind, path] = siteOf(args) ?? [];
    if (kind !== undefined && path !== undefined) visit(`${acts[call]} ${kind}`, call, path);
  };
  patch(fs as unknown as Owner, `${call}Sync`, (real, _self, args) => {
    meet(args);
    return real(...args);
  });
  patch(fs as unknown as Owner, call, (real, _self, args) => {
    try {
      meet(args);
    } catch (error) {
      return setImmediate(args.at(-1) as Work, error);
    }
    return real(...args);
  });
  if (call in promises)
    patch(promises as unknown as Owner, call, async (real, _self, args) => {
      meet(args);
      return real(...args);
    });
}

/** What a call does, in a word: the sites are the same however the program calls the system. */
const acts: Readonly<Record<string, string>> = {
  mkdir: 'make',
  rename: 'rename',
  unlink: 'remove',
  open: 'open',
  write: 'write',
  writev: 'write',
  ftruncate: 'cut',
  fsync: 'sync',
};

const pathAt = (index: number) => (args: readonly unknown[]) => {
  const path = String(args[index]);
  const kind = kindOf(path);
  return kind === null ? null : ([kind, path] as const);
};
const openedAt = ([file]: readonly unknown[]) => {
  const path = pathsOfNumbers.get(Number(file));
  const kind = kindOf(path);
  return path === undefined || kind === null ? null : ([kind, path] as const);
};

patchAct('mkdir', pathAt(0));
patchAct('unlink', pathAt(0));
patchAct('rename', pathAt(1));
patchAct('open', (args) => {
  const [kind, path] = pathAt(0)(args) ?? [];
  if (kind === undefined || path === undefined) return null;
  return isWriting(args[1]) || kind.endsWith('folder') ? [kind, path] : null;
});
for (const call of ['write', 'writev', 'ftruncate', 'fsync']) patchAct(call, openedAt);

/** Which path a number stands for; it is given again once its file is closed. */
function noteOpened(path: string, number: number): void {
  if (kindOf(path) === null) pathsOfNumbers.delete(number);
  else pathsOfNumbers.set(number, path);
}
patch(fs as unknown as Owner, 'openSync', (real, _self, args) => {
  const number = real(...args) as number;
  noteOpened(String(args[0]), number);
  return number;
});
patch(fs as unknown as Owner, 'open', (real, _self, args) => {
  const told = args.at(-1) as Work;
  return real(...args.slice(0, -1), (error: unknown, number: number) => {
    if (error === null) noteOpened(String(args[0]), number);
    told(error, number);
  });
});
syncBuiltinESMExports();

/** What a statement that writes writes; null for all others. */
function writingOf(sql: string, params: unknown): string | null {
  if (/^\s*UPDATE items SET status = @status/.test(sql) && typeof params === 'object' && params !== null)
    return 'status' in params ? `commit ${params.status}` : null;
  if (/^\s*INSERT INTO items/.test(sql)) return 'import rows';
  return /^\s*INSERT INTO settings/.test(sql) ? 'save setting' : null;
}

const databaseError = (code: string): Error => new Database.SqliteError('the test refuses this', code);
const database = new Database(':memory:');
const statements: Owner = Object.getPrototypeOf(database.prepare('SELECT 1'));
database.close();
patch(statements, 'run', (real, self, args) => {
  const { source, database } = self as Database.Statement;
  const site = writingOf(source, args[0]);
  if (site !== null && database.name.endsWith('batch.sqlite'))
    visit(site, 'commit', 'batch.sqlite', databaseError);
  return real(...args);
});
