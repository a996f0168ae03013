/** This program: its version, the number of its process, what was typed to start it, and the system and user it runs for. */

import { readFileSync } from 'node:fs';
import { hostname, platform, release, userInfo } from 'node:os';
import { codeOf } from '../errors.ts';
import type { Message } from '../messages/message.ts';
import { writeForSystem } from '../text/shell-word.ts';

export function programVersion(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}

/** What the program runs on, for people. */
export function surroundings(): { readonly node: string; readonly system: string } {
  return { node: process.versions.node, system: `${platform()} ${release()} ${process.arch}` };
}

export function processId(): number {
  return process.pid;
}

/** As the machine names its user; '' where it does not say. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

export function machineName(): string {
  return hostname();
}

let typed: readonly string[] | null = null;

/** These words after the name of the program are the command line of this process. */
export function noteTyped(words: readonly string[]): void {
  typed = words;
}

/** Null where no command line started this work: another program did. */
export function typedWords(): readonly string[] | null {
  return typed;
}

let aside: (said: Message) => void = () => {};

/** From now on this receives what is to be said while a command waits and nobody else listens. */
export function hearAsides(listener: (said: Message) => void): void {
  aside = listener;
}

export function sayAside(said: Message): void {
  aside(said);
}

/** True for the number of a process of this machine. */
export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** From now on commands are written for the shells of this machine. */
export function writeForThisSystem(): void {
  writeForSystem(platform());
}
