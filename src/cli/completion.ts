/** `batch completion SHELL`: prints a self-contained script that completes commands and options without starting the program. */

import { UsageError } from '../errors.ts';
import { message } from '../messages/message.ts';
import type { Command, Handle } from './command.ts';
import { type Flag, flagsOf } from './flags/flag.ts';

const help: Flag = { describe: 'show the help of the command', letter: 'h' };

const helpFlags = { help };

const scripts: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The code of the command; the list of commands has it as one of them, so it is given here. */
export function completionOf(commands: readonly Command[]): { readonly handle: Handle } {
  return {
    handle: async (argv) => {
      const shell = String(argv.shell);
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (script === undefined) throw new UsageError(message('refused.shell', { shell }));
      process.stdout.write(script(commands));
      process.exitCode = 0;
    },
  };
}

function flagsOfCommand({ groups }: Command): [name: string, flag: Flag][] {
  return Object.entries({ ...flagsOf(groups), ...helpFlags });
}

/** The forms to type: `--out`, `-o`. */
function spellings(name: string, { letter }: Flag): string[] {
  return [`--${name}`, ...(letter === undefined ? [] : [`-${letter}`])];
}

/** Quotes a text as one word for any of these shells. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The bash completion of a value: files, folders, words, or nothing. */
function bashOffer(value: Flag['value'], starts: readonly string[] = []): string {
  if (starts.length > 0)
    return `compopt -o nospace 2>/dev/null; COMPREPLY=($(compgen -W ${quote(starts.join(' '))} -- "$cur"))`;
  if (value === 'FILE') return '_batch_paths -f "$cur"';
  if (value === 'DIR') return '_batch_paths -d "$cur"';
  return typeof value === 'object' ? `COMPREPLY=($(compgen -W ${quote(value.join(' '))} -- "$cur"))` : ':';
}

function bashScript(commands: readonly Command[]): string {
  // A flag has the same kind of value in every command.
  const offers = new Map<string, string[]>();
  for (const [name, flag] of commands.flatMap(flagsOfCommand)) {
    if (flag.value === undefined) continue;
    const offer = bashOffer(flag.value, flag.starts);
    offers.set(offer, [...new Set([...(offers.get(offer) ?? []), ...spellings(name, flag)])]);
  }
  const values = [...offers].map(([offer, names]) => `    ${names.join('|')}) ${offer}; return ;;`);
  const flags = commands.map((command) => {
    const names = flagsOfCommand(command).flatMap(([name, flag]) => spellings(name, flag));
    return `    ${command.name}) flags=${quote(names.join(' '))} ;;`;
  });
  const words = commands
    .filter(({ argument }) => argument !== undefined)
    .map(({ name, argument }) => `    ${name}) ${bashOffer(argument?.value)} ;;`);
  const names = [...commands.map(({ name }) => name), 'help', '--help', '--version'].join(' ');
  return `# Completion of batch for bash, printed by \`batch completion bash\`.

_batch_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$2")
}

_batch() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= flags= i
  COMPREPLY=()
  # Bash makes three words of --out=DIR.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} != -* ]]; then command=\${COMP_WORDS[i]}; break; fi
  done
  if [[ -z $command || $command == help ]]; then
    COMPREPLY=($(compgen -W ${quote(names)} -- "$cur"))
    return
  fi
  case $prev in
${values.join('\n')}
  esac
  case $command in
${flags.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
    return
  fi
  case $command in
${words.join('\n')}
  esac
}

complete -F _batch batch
`;
}

/** The zsh completion of a value. */
function zshOffer(value: Flag['value'], starts: readonly string[] = []): string {
  if (starts.length > 0) return `{compadd -S "" -- ${starts.join(' ')}}`;
  if (value === 'FILE') return '_files';
  if (value === 'DIR') return '_files -/';
  return typeof value === 'object' ? `(${value.join(' ')})` : ' ';
}

/** Escapes the separators of `_arguments`. */
function zshText(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&');
}

function zshScript(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const { name, argument } = command;
    const flags = flagsOfCommand(command).map(([long, flag]) => {
      const names = spellings(long, flag);
      const value = flag.value === undefined ? '' : `:${long}:${zshOffer(flag.value, flag.starts)}`;
      const shown = quote(`[${zshText(flag.describe)}]${value}`);
      const once = flag.repeats === true ? quote('*') : quote(`(${names.join(' ')})`);
      return names.length === 1 ? `${once}${names[0]}${shown}` : `${once}{${names.join(',')}}${shown}`;
    });
    const place = argument?.isList === true ? '*' : '1';
    const words =
      argument === undefined ? [] : [quote(`${place}:${argument.name}:${zshOffer(argument.value)}`)];
    return `    ${name})\n      _arguments -s ${[...flags, ...words].join(' \\\n        ')}\n      ;;`;
  });
  const names = commands.map(({ name, summary }) => `      ${quote(`${name}:${zshText(summary)}`)}`);
  return `#compdef batch
# Completion of batch for zsh, printed by \`batch completion zsh\`.

_batch() {
  local curcontext="$curcontext" state line
  _arguments -C '1:command:->command' '*::argument:->argument'
  if [[ $state == command ]]; then
    local -a commands=(
${names.join('\n')}
    )
    _describe command commands
    return
  fi
  case $line[1] in
${cases.join('\n')}
  esac
}

if [[ $funcstack[1] == _batch ]]; then _batch "$@"; else compdef _batch batch; fi
`;
}

/** The fish completion of a value. */
function fishOffer(value: NonNullable<Flag['value']>, starts: readonly string[] = []): string {
  if (starts.length > 0) return `-x -a ${quote(starts.join(' '))}`;
  if (value === 'FILE') return '-r -F';
  if (value === 'DIR') return `-x -a '(__fish_complete_directories)'`;
  return typeof value === 'object' ? `-x -a ${quote(value.join(' '))}` : '-x';
}

/** In single quotes, fish treats a backslash as an escape. */
function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function fishScript(commands: readonly Command[]): string {
  const names = commands.map(
    ({ name, summary }) => `complete -c batch -n __fish_use_subcommand -a ${name} -d ${fishQuote(summary)}`,
  );
  const lines = commands.flatMap((command) => {
    const { name, argument } = command;
    const start = `complete -c batch -n '__fish_seen_subcommand_from ${name}'`;
    const flags = flagsOfCommand(command).map(([long, { letter, value, describe, starts }]) =>
      [
        `${start} -l ${long}`,
        ...(letter === undefined ? [] : [`-s ${letter}`]),
        ...(value === undefined ? [] : [fishOffer(value, starts)]),
        `-d ${fishQuote(describe)}`,
      ].join(' '),
    );
    return argument === undefined
      ? flags
      : [`${start} ${fishOffer(argument.value).replace(/^-[rx] /, '')}`, ...flags];
  });
  return [
    '# Completion of batch for fish, printed by `batch completion fish`.',
    'complete -c batch -f',
    ...names,
    ...lines,
    '',
  ].join('\n');
}
