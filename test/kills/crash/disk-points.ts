/** Crash points before and after each thing that the output tree does to the disk. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';
import { around, aroundAsync } from './reach.ts';

/** What lies at a path; null for what is no part of the output tree. */
function thingAt(path: string): string | null {
  const name = basename(path);
  const whole = /^\.(.+)\.[0-9a-f-]{36}\.tmp$/.exec(name)?.[1] ?? name;
  if (/^(report\.\w+|failed\.csv)$/.test(whole)) return whole;
  if (whole === 'task.json') return 'the task file';
  if (name === 'frames') return 'the folder of the frames';
  if (/^attempt-\d+$/.test(name)) return 'the folder of files set aside';
  const [, kind = '', memory] = /^(video|\d{3})\.(?:part(\.json)?|webm|png)$/.exec(name) ?? [];
  if (kind === '') return /^r\d+$/.test(name) ? 'the folder of the row' : null;
  const file = kind === 'video' ? 'the video' : 'the frame';
  return memory === undefined ? file : `the validator of ${file}`;
}

/** The open files that are watched, and by which name. */
const names = new WeakMap<object, string>();
/** What was made or renamed last in a folder: that is what a sync of the folder makes lasting. */
const latestIn = new Map<string, string>();

type Work = (...args: unknown[]) => Promise<unknown>;

export async function watchDisk(): Promise<void> {
  const { promises } = fs;
  const plain = { ...promises };

  const open: typeof promises.open = async (path, flags, mode) => {
    const file = String(path);
    const isMade = (Number(flags) & fs.constants.O_CREAT) !== 0;
    const thing = thingAt(file);
    const handle =
      isMade && thing !== null
        ? await aroundAsync(`the making of ${thing}`, () => plain.open(path, flags, mode))
        : await plain.open(path, flags, mode);
    const latest = latestIn.get(file);
    if (thing !== null && !(await handle.stat()).isDirectory()) names.set(handle, thing);
    else if (latest !== undefined) names.set(handle, `the folder that holds ${latest}`);
    return handle;
  };
  const rename: typeof promises.rename = (from, to) => {
    const thing = thingAt(String(to)) ?? String(to);
    const isAside = /\/attempt-\d+\//.test(String(to));
    latestIn.set(dirname(String(to)), thing);
    return aroundAsync(`the ${isAside ? 'setting aside' : 'renaming'} of ${thing}`, () =>
      plain.rename(from, to),
    );
  };
  const mkdir = (async (path: string, options?: object) => {
    const thing = thingAt(path);
    if (thing === null || fs.existsSync(path)) return plain.mkdir(path, options);
    latestIn.set(dirname(path), thing);
    return aroundAsync(`the making of ${thing}`, () => plain.mkdir(path, options));
  }) as typeof promises.mkdir;
  const unlink: typeof promises.unlink = (path) => {
    const thing = thingAt(String(path));
    if (thing === null || !fs.existsSync(path)) return plain.unlink(path);
    return aroundAsync(`the removal of ${thing}`, () => plain.unlink(path));
  };
  Object.assign(promises, { open, rename, mkdir, unlink });
  await watchHandles(plain.open);
  watchFolder();
  syncBuiltinESMExports();
}

/** What is done to an open file. */
const handleWork = {
  write: 'the writing of',
  appendFile: 'the writing of',
  writeFile: 'the writing of',
  truncate: 'the emptying of',
  sync: 'the syncing of',
} as const;

async function watchHandles(open: typeof fs.promises.open): Promise<void> {
  await using handle = await open(new URL(import.meta.url), 'r');
  const prototype = Object.getPrototypeOf(handle) as Record<string, Work>;
  for (const [method, words] of Object.entries(handleWork)) {
    const plain = prototype[method];
    if (plain === undefined) throw new Error(`an open file has no ${method}`);
    prototype[method] = function (this: object, ...args) {
      const thing = names.get(this);
      const work = () => plain.apply(this, args);
      return thing === undefined ? work() : aroundAsync(`${words} ${thing}`, work);
    };
  }
}

/** The output folder is made before anything else. */
function watchFolder(): void {
  const { mkdirSync } = fs;
  fs.mkdirSync = ((path: string, options: object) =>
    basename(path) === 'videos' && !fs.existsSync(path)
      ? around('the making of the output folder', () => mkdirSync(path, options))
      : mkdirSync(path, options)) as typeof mkdirSync;
}
