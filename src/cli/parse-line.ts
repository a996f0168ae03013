/** Parses a command line and runs its command, which validates the values of the flags. */

import yargs, { type Argv, type Options as YargsOptions } from 'yargs';
import { noteBeginning, noteBegun } from '../app/files/beginnings.ts';
import { goneError } from '../app/options/gone.ts';
import { homePath } from '../app/options/home-path.ts';
import { standardInput } from '../app/options/standard-input.ts';
import { UsageError } from '../errors.ts';
import { message, type Said } from '../messages/message.ts';
import { nearWord } from '../text/near-word.ts';
import { shellPath } from '../text/shell-word.ts';
import type { Argument, Command } from './command.ts';
import { commands } from './command-list.ts';
import { filesOf } from './file-pattern.ts';
import { type Flag, flagsOf } from './flags/flag.ts';

const flags: Readonly<Record<string, Flag>> = flagsOf(commands.flatMap(({ groups }) => groups));
/** What the parser is to say where there is no command. */
const noCommand = 'no command was given';
const flagNames = Object.keys(flags);

/** Runs one command line. Throws errors meant for the user. */
export async function obey(args: readonly string[]): Promise<void> {
  const words = plainWords(args);
  for (const word of words) refuseSwitchValue(word);
  const program = yargs(words)
    .scriptName('batch')
    .locale('en')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .demandCommand(1, noCommand)
    .strict()
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? goneIn(message, words) ?? new UsageError(usageMessage(message, words));
    });
  for (const command of commands) {
    program.command(
      [command.name, ...(command.argument === undefined ? [] : [parserWord(command.argument)])].join(' '),
      command.summary,
      (builder) => build(builder, command),
      (argv) => carryOut(command, unmarked(argv)),
    );
  }
  await program.parseAsync();
}

/** Loads the code of a command, which takes as long as everything before. */
async function carryOut(command: Command, argv: Readonly<Record<string, unknown>>): Promise<void> {
  const words = oneFile(command, withHome(command, argv));
  // An order to stop may come before the code is loaded. A job file that names another folder is read later.
  if (command.begins && !words['dry-run'] && words.run === undefined) {
    noteBeginning(String(words.dir ?? words.out ?? './videos'));
    process.on('exit', noteBegun);
  }
  const { handle } = await command.load();
  await handle(words);
}

/** Paths that the shell left as they were written: `'~/videos'`, `--out=~/videos`. */
function withHome(
  { argument, groups }: Command,
  argv: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const kinds: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(Object.entries(flagsOf(groups)).map(([name, { value }]) => [name, value])),
    ...(argument === undefined ? {} : { [argument.name]: argument.value }),
  };
  const expand = (word: unknown, shown: string): unknown =>
    typeof word === 'string' ? homePath(word, shown) : word;
  return Object.fromEntries(
    Object.entries(argv).map(([name, value]) => {
      if (kinds[name] !== 'FILE' && kinds[name] !== 'DIR') return [name, value];
      const shown = name === argument?.name ? String(argument.value) : `--${name}`;
      return [name, Array.isArray(value) ? value.map((each) => expand(each, shown)) : expand(value, shown)];
    }),
  );
}

/** With the one file that a pattern stands for. */
function oneFile(
  { name, argument }: Command,
  argv: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const word = argument === undefined ? undefined : argv[argument.name];
  if (argument === undefined || typeof word !== 'string') return argv;
  const [file, second] = filesOf(word);
  if (second !== undefined) throw new UsageError(secondFile(second, name));
  return { ...argv, [argument.name]: file };
}

/** Marks a word that looks like an option but is not; no argument of a process can contain it. */
const mark = '\0\0';

/**
 * Rewrites arguments that the parser mishandles. It drops a single `-`, and separates the words after `--` from the others,
 * so that a command would use another folder than the named one.
 */
function plainWords(args: readonly string[]): string[] {
  const at = args.includes('--') ? args.indexOf('--') : args.length;
  const after = args.slice(at + 1).map((word) => (/^-./s.test(word) ? mark + word : word));
  return [...args.slice(0, at), ...after].map((word) => (word === '-' ? standardInput : word));
}

/** Restores the words as the user wrote them; a single `-` means standard input only as the file argument. */
function unmarked(argv: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const plain = (value: unknown, name: string): unknown => {
    if (typeof value !== 'string') return value;
    if (value === standardInput && name !== 'file') return '-';
    return value.startsWith(mark) ? value.slice(mark.length) : value;
  };
  return Object.fromEntries(
    Object.entries(argv).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((each) => plain(each, name)) : plain(value, name),
    ]),
  );
}

function parserWord({ name, isNeeded, isList }: Argument): string {
  const word = isList ? `${name}..` : name;
  return isNeeded ? `<${word}>` : `[${word}]`;
}

function build(builder: Argv, { argument, groups }: Command): Argv {
  if (argument !== undefined) {
    const { name, isList = false, otherwise } = argument;
    const fallback = otherwise === undefined ? {} : { default: otherwise };
    builder.positional(name, { type: 'string', array: isList, ...fallback });
  }
  return builder.options(
    Object.fromEntries(Object.entries(flagsOf(groups)).map(([name, flag]) => [name, parserOption(flag)])),
  );
}

function parserOption({ value, letter }: Flag): YargsOptions {
  return {
    type: value === undefined ? 'boolean' : 'string',
    ...(letter === undefined ? {} : { alias: letter }),
  };
}

/** The parser treats any value of a switch except `true` as false: `--dry-run=yes` would start a paid run. */
function refuseSwitchValue(arg: string): void {
  // The parser's own option would replace any command.
  if (arg.startsWith('--get-yargs-')) throw new UsageError(usageMessage(`Unknown argument: ${arg.slice(2)}`));
  const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(arg) ?? [];
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag !== undefined && flag.value === undefined && value !== 'true' && value !== 'false')
    throw new UsageError(message('refused.value', { option: name }));
}

/** The words that the parser does not know. */
function unknownWords(fault: string): readonly string[] {
  return /^Unknown (?:argument|command)s?: (.*)$/m.exec(fault)?.[1]?.split(', ') ?? [];
}

/** The error about a command or option of an earlier version; null where there is none. */
function goneIn(fault: string, [first = '', ...rest]: readonly string[]): UsageError | null {
  for (const name of unknownWords(fault)) {
    const isOption = rest.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    const gone = isOption ? goneError(`--${name}`) : name === first ? goneError(`batch ${name}`) : null;
    if (gone !== null) return gone;
  }
  return null;
}

/** Turns the parser's message into one line that says what to do. */
function usageMessage(fault: string, args: readonly string[] = []): Said {
  const names = unknownWords(fault);
  const [name] = names;
  if (name !== undefined) {
    // What comes after it is the key, which no message may show.
    if (args.some((arg) => /^--api-key(=|$)/.test(arg))) return message('refused.key-option');
    const file = questionFile(name, args);
    if (file !== null) return file;
    if (flagNames.includes(name)) return message('usage.other-option', { option: name });
    const word = typedWord(name, args);
    const near = nearTo(word);
    return near === null ? message('usage.unknown', { word }) : message('usage.near', { word, near });
  }
  if (fault.startsWith('Not enough non-option arguments')) return message('usage.argument-missing');
  if (fault === noCommand) return message('usage.no-command');
  const line = fault.replace(/\s*\n\s*/g, '; ').trim();
  return message('usage.parser', { fault: `${line.charAt(0).toLowerCase()}${line.slice(1)}` });
}

/** The unknown word as the user typed it, without a value; several letters after one dash are one word to him. */
function typedWord(name: string, args: readonly string[]): string {
  const options = args.filter((arg) => arg.startsWith('-')).map((arg) => arg.replace(/=.*$/s, ''));
  return (
    options.find((arg) => arg.replace(/^-+/, '') === name) ??
    options.find((arg) => name.length === 1 && /^-[^-]/.test(arg) && arg.includes(name)) ??
    name
  );
}

/** The option or the command that was meant; null where none is near. */
function nearTo(word: string): string | null {
  const bare = word.replace(/^-+/, '');
  const option = nearWord(bare, flagNames, '--');
  if (bare !== word) return option;
  const names = commands.map((command) => command.name);
  return nearWord(bare, names) ?? option;
}

/** What to do with a file of questions in a place where none is expected; null for another word. */
function questionFile(word: string, args: readonly string[]): Said | null {
  if (!/\.(csv|tsv|jsonl|ndjson|xlsx|xlsm|parquet)$/i.test(word)) return null;
  const [first = ''] = args;
  const shown = shellPath(word);
  if (first === word) return message('usage.file', { word, command: `batch run ${shown}` });
  if (first !== 'run' && first !== 'check') return null;
  return secondFile(word, first);
}

function secondFile(word: string, command: string): Said {
  return message('refused.second-file', { file: word, command, word: shellPath(word) });
}
