/** From the words of a command line to the work of a command. The values of the flags are looked at by the work. */

import yargs, { type Argv, type Options as YargsOptions } from 'yargs';
import { standardInput } from '../app/standard-input.ts';
import { didYouMean } from '../core/text/near-word.ts';
import { UsageError } from '../errors.ts';
import type { Argument, Command } from './command.ts';
import { commands } from './command-list.ts';
import { printNotice } from './console.ts';
import { type Flag, flagsOf } from './flags.ts';

const flags: Readonly<Record<string, Flag>> = flagsOf(commands.flatMap(({ groups }) => groups));
const flagNames = Object.keys(flags);

/** Carries one command line out. Throws what the user must hear. */
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
    .demandCommand(1, 'no command was given')
    .strict()
    .help(false)
    .version(false)
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new UsageError(usageMessage(message));
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

/** Says at once what a slow command begins with; loading its work takes as long as all before it. */
async function carryOut(command: Command, argv: Readonly<Record<string, unknown>>): Promise<void> {
  const { firstLine } = await import('./first-line.ts');
  const line = firstLine(command, argv);
  if (line !== null) printNotice(line);
  const { handle } = await command.load();
  await handle(argv);
}

/** Stands before a word that looks like an option and is none; no argument of a process can hold it. */
const mark = '\0\0';

/**
 * The arguments as the parser can be trusted with them. It loses a lone `-`, and the words after `--` it keeps apart from the
 * others: a command would take another folder than the one that was named.
 */
function plainWords(args: readonly string[]): string[] {
  const at = args.includes('--') ? args.indexOf('--') : args.length;
  const after = args.slice(at + 1).map((word) => (/^-./s.test(word) ? mark + word : word));
  return [...args.slice(0, at), ...after].map((word) => (word === '-' ? standardInput : word));
}

/** The words as the user wrote them; only where a file is read is a lone `-` more than a name. */
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
    builder.positional(name, { type: 'string', array: isList, default: otherwise });
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

/** The parser takes every value but `true` for a no: `--dry-run=yes` would be a paid run. */
function refuseSwitchValue(arg: string): void {
  // The parser has an option of its own that would answer in the place of any command.
  if (arg.startsWith('--get-yargs-')) throw new UsageError(usageMessage(`Unknown argument: ${arg.slice(2)}`));
  const [, name = '', value = ''] = /^--([\w-]+)=(.*)$/s.exec(arg) ?? [];
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag !== undefined && flag.value === undefined && value !== 'true' && value !== 'false')
    throw new UsageError(`--${name} takes no value; use --${name} alone, or leave it out`);
}

/** The parser's own words, made one line that says what to do. */
function usageMessage(message: string): string {
  const names = /^Unknown (?:argument|command)s?: (.*)$/m.exec(message)?.[1]?.split(', ') ?? [];
  const [name] = names;
  if (name !== undefined) {
    if (flagNames.includes(name))
      return `--${name} is not an option of this command; \`batch COMMAND --help\` lists its options`;
    const words = commands.map((command) => command.name);
    const near = didYouMean(name, words) || didYouMean(name, flagNames, '--');
    return `"${name}" is not known here${near || '; `batch --help` lists the commands, `batch COMMAND --help` their options'}`;
  }
  if (message.startsWith('Not enough non-option arguments'))
    return 'an argument is missing; `batch COMMAND --help` shows which';
  const line = message.replace(/\s*\n\s*/g, '; ').trim();
  return `${line.charAt(0).toLowerCase()}${line.slice(1)}; \`batch --help\` lists the commands`;
}
