/** Crash points before and after each thing that the output tree does to the disk. */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';
import { around, reach } from './reach.ts';

/** What lies at a path; null for what is no part of the output tree. */
function thingAt(path: string): string | null {
  const name = basename(path);
  const whole = /^\.(.+?)(?:\.[0-9a-f-]{36})?\.tmp$/.exec(name)?.[1] ?? name;
  if (/^(report\.\w+|failed\.csv)$/.test(whole)) return whole;
  if (whole === 'task.json') return 'the task file';
  if (name === 'videos') return 'the output folder';
  if (name === 'frames') return 'the folder of the frames';
  if (/^attempt-\d+$/.test(name)) return 'the folder of files set aside';
  const [, kind = '', memory] = /^(video|\d{3})\.(?:part(\.json)?|webm|png)$/.exec(name) ?? [];
  if (kind === '') return /^r\d+$/.test(name) ? 'the folder of the row' : null;
  const file = kind === 'video' ? 'the video' : 'the frame';
  return memory === undefined ? file : `the validator of ${file}`;
}

/** The open files that are watched, and by which names. A number is given again once its file is closed. */
const names = new Map<number, readonly string[]>();
/** What was made or renamed in a folder since it was opened last: all that a sync of the folder makes lasting. */
const newIn = new Map<string, Set<string>>();

function noteNew(path: string, thing: string): void {
  const folder = dirname(path);
  newIn.set(folder, (newIn.get(folder) ?? new Set()).add(thing));
}

export function watchDisk(): void {
  const { openSync, rename, renameSync, mkdirSync, linkSync, unlinkSync } = fs;

  fs.openSync = (path, flags, mode) => {
    const file = String(path);
    const isMade = (Number(flags) & fs.constants.O_CREAT) !== 0;
    const thing = thingAt(file);
    const open = () => openSync(path, flags, mode);
    const number = isMade && thing !== null ? around(`the making of ${thing}`, open) : open();
    names.delete(number);
    if (thing !== null && !fs.fstatSync(number).isDirectory()) names.set(number, [thing]);
    else
      names.set(
        number,
        [...(newIn.get(file) ?? [])].map((made) => `the folder that holds ${made}`),
      );
    newIn.delete(file);
    return number;
  };
  fs.renameSync = (from, to) => {
    const thing = thingAt(String(to)) ?? String(to);
    noteNew(String(to), thing);
    around(`the renaming of ${thing}`, () => renameSync(from, to));
  };
  fs.linkSync = (from, to) => {
    const thing = thingAt(String(to)) ?? String(to);
    noteNew(String(to), thing);
    around(`the setting aside of ${thing}`, () => linkSync(from, to));
  };
  fs.rename = ((from, to, told) => {
    const thing = thingAt(String(to)) ?? String(to);
    noteNew(String(to), thing);
    reach(`before the renaming of ${thing}`);
    rename(from, to, (error) => {
      reach(`after the renaming of ${thing}`);
      told(error);
    });
  }) as typeof rename;
  fs.mkdirSync = ((path: string, options?: object) => {
    const thing = thingAt(path);
    if (thing === null || fs.existsSync(path)) return mkdirSync(path, options);
    noteNew(path, thing);
    return around(`the making of ${thing}`, () => mkdirSync(path, options));
  }) as typeof mkdirSync;
  fs.unlinkSync = (path) => {
    const thing = thingAt(String(path));
    if (thing === null || !fs.existsSync(path)) return unlinkSync(path);
    return around(`the removal of ${thing}`, () => unlinkSync(path));
  };
  watchOpenFiles();
  syncBuiltinESMExports();
}

type Told = (error: Error | null, ...rest: unknown[]) => void;
type Work = (file: number, ...rest: unknown[]) => unknown;

/** What is done to an open file. */
function watchOpenFiles(): void {
  const files = fs as unknown as Record<'write' | 'writeSync' | 'writev' | 'fsync' | 'ftruncateSync', Work>;
  for (const [step, words] of [
    ['write', 'the writing of'],
    ['writev', 'the writing of'],
    ['fsync', 'the syncing of'],
  ] as const) {
    const plain = files[step];
    files[step] = (file, ...rest) => {
      const things = names.get(file) ?? [];
      const told = rest.pop() as Told;
      for (const thing of things) reach(`before ${words} ${thing}`);
      return plain(file, ...rest, (error: Error | null, ...more: unknown[]) => {
        for (const thing of things) reach(`after ${words} ${thing}`);
        told(error, ...more);
      });
    };
  }
  const { writeSync, ftruncateSync } = files;
  files.writeSync = (file, ...rest) => {
    const [thing] = names.get(file) ?? [];
    const write = () => writeSync(file, ...rest);
    return thing === undefined ? write() : around(`the writing of ${thing}`, write);
  };
  files.ftruncateSync = (file, ...rest) =>
    around(`the emptying of ${names.get(file)?.[0]}`, () => ftruncateSync(file, ...rest));
}
