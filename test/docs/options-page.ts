/** `docs/options.md`, made from the list of commands: every option once, and then the commands. */

import type { Argument, Command } from '../../src/cli/command.ts';
import { chapters, commands } from '../../src/cli/command-list.ts';
import { type Flag, flagsOf } from '../../src/cli/flags/flag.ts';
import { runGroups } from '../../src/cli/flags/run-flags.ts';
import { table } from './table.ts';

type Row = readonly string[];

const head = `# Commands and options

\`batch COMMAND --help all\` says the same of one command. (This page is generated; \`npx vitest run test/docs.test.ts -u\` updates it.)

In the tables, \`N\` is a number, \`D\` a time (\`250ms\`, \`30s\`, \`5m\`, \`2h\`, or a plain number of seconds), \`RATE\` a share (\`0.02\` or
\`2%\`), \`C\` one character, \`E\` an encoding. The command line wins over the environment (\`BATCH_BASE_URL\`, \`BATCH_API_KEY\`), which wins
over \`.env\` (beside the job file, or in the working folder), the job file, the options saved with the run, and the defaults, in this order. Where several exit codes of a
run apply: [exit codes](unattended.md#exit-codes).

Node's compiled code is cached in \`~/.cache/batch\` (or \`XDG_CACHE_HOME\`) to make the next start faster;
\`NODE_DISABLE_COMPILE_CACHE=1\` turns this off.`;

/** The page, with a line break at its end. */
export async function renderOptionsPage(): Promise<string> {
  const sections = await Promise.all(
    chapters.map(async ({ title, commands }) => [
      `## ${title}`,
      ...(await Promise.all(commands.map(renderCommand))),
    ]),
  );
  return `${[head, '## Options', ...renderOptions(), ...sections.flat()].join('\n\n')}\n`;
}

const rest = 'Of few commands';

/** A table for each group of `batch run`, and one of the options that it has not. */
function renderOptions(): string[] {
  const names = [...new Set(commands.flatMap(({ groups }) => Object.keys(flagsOf(groups))))];
  const titles = [...runGroups.map(({ title }) => title), rest];
  return titles.flatMap((title) => {
    const rows = names.filter((name) => titleOf(name, titles) === title).flatMap(rowsOf);
    return [`### ${title}`, table(['option', 'default', 'meaning', 'commands'], rows)];
  });
}

/** The group that an option has in `batch run`, else in another command. */
function titleOf(name: string, titles: readonly string[]): string {
  const groups = [...runGroups, ...commands.flatMap((command) => command.groups)];
  return groups.find(({ title, flags }) => titles.includes(title) && name in flags)?.title ?? rest;
}

/** A row for each meaning or default that an option has in some commands. */
function rowsOf(name: string): Row[] {
  const meanings = new Map<string, { readonly row: Row; readonly having: string[] }>();
  for (const command of commands) {
    const flag = flagsOf(command.groups)[name];
    if (flag === undefined) continue;
    const row = [spelling(name, flag), flag.otherwise ?? '', meaningOf(flag)];
    const { having } = meanings.get(row.join()) ?? { having: [] };
    meanings.set(row.join(), { row, having: [...having, command.name] });
  }
  return [...meanings.values()].map(({ row, having }) => [...row, namesOf(having)]);
}

/** The commands in as few names as can be. */
function namesOf(having: readonly string[]): string {
  const others = commands.map(({ name }) => name).filter((name) => !having.includes(name));
  if (having.length <= others.length) return having.join(', ');
  return others.length === 0 ? 'all' : `all but ${others.join(', ')}`;
}

async function renderCommand(command: Command): Promise<string> {
  const { name, synopsis, summary, argument } = command;
  const appendix = await command.appendix?.();
  return [
    `### batch ${name}`,
    `${code(`batch ${name} ${synopsis}`)}: ${summary}.${argument === undefined ? '' : renderArgument(argument)}`,
    ...(appendix === undefined
      ? []
      : [
          table(
            [appendix.title.toLowerCase(), 'meaning'],
            appendix.rows.map(([word, meaning]) => [code(word), meaning]),
          ),
        ]),
    `Exit codes: ${exitCodesOf(command)}.`,
  ].join('\n\n');
}

/** The codes with their meanings, or the earlier command that has the same. */
function exitCodesOf({ name, exitCodes }: Command): string {
  const first = commands.find((command) => command.exitCodes === exitCodes);
  if (first !== undefined && first.name !== name)
    return `those of [\`batch ${first.name}\`](#batch-${first.name})`;
  return exitCodes.map(([number, meaning]) => `**${number}** ${meaning}`).join('; ');
}

function spelling(name: string, { value, letter }: Flag): string {
  const words = value === undefined ? '' : ` ${typeof value === 'string' ? value : value.join('|')}`;
  return [code(`--${name}${words}`), ...(letter === undefined ? [] : [code(`-${letter}`)])].join(', ');
}

function meaningOf({ describe, repeats }: Flag): string {
  return `${describe}${repeats === true ? '; may be repeated' : ''}`;
}

function renderArgument({ describe, otherwise }: Argument): string {
  return ` Argument: ${describe}${otherwise === undefined ? '' : ` (default: ${otherwise})`}.`;
}

function code(text: string): string {
  return `\`${text}\``;
}
