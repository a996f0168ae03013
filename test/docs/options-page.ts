/** `docs/options.md`, made from the list of commands. */

import type { Command } from '../../src/cli/command.ts';
import { chapters } from '../../src/cli/command-list.ts';
import type { Flag, FlagGroup } from '../../src/cli/flags.ts';

type Row = readonly string[];

const head = `# Commands and options

\`batch COMMAND --help\` says the same. (This page is generated; \`npx vitest run test/docs.test.ts -u\` updates it.)

In the tables, \`N\` is a number, \`D\` a time (\`250ms\`, \`30s\`, \`5m\`, \`2h\`, or a plain number of seconds), \`RATE\` a share (\`0.02\` or
\`2%\`), \`C\` one character, \`E\` an encoding. The command line wins over the environment (\`BATCH_BASE_URL\`, \`BATCH_API_KEY\`), which wins
over \`.env\` (beside the job file, or in the working folder), the job file, the options saved with the run, and the defaults, in this order.

Node's compiled code is cached in \`~/.cache/batch\` (or \`XDG_CACHE_HOME\`) to make the next start faster;
\`NODE_DISABLE_COMPILE_CACHE=1\` turns this off.`;

/** The page, with a line break at its end. */
export async function renderOptionsPage(): Promise<string> {
  const blocks = [head];
  for (const { title, commands } of chapters) {
    blocks.push(`## ${title}`);
    for (const command of commands) blocks.push(...(await renderCommand(command)));
  }
  return `${blocks.join('\n\n')}\n`;
}

async function renderCommand(command: Command): Promise<string[]> {
  const { name, synopsis, summary, argument, groups, examples, exitCodes } = command;
  const appendix = await command.appendix?.();
  const lines = examples.map(([line, purpose]) => [code(`batch ${line}`), purpose]);
  return [
    `### batch ${name}`,
    `\`\`\`\nbatch ${name} ${synopsis}\n\`\`\``,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(argument === undefined
      ? []
      : [
          table(
            ['argument', 'default', 'meaning'],
            [
              [
                code(typeof argument.value === 'string' ? argument.value : argument.value.join('|')),
                argument.otherwise ?? '',
                argument.describe,
              ],
            ],
          ),
        ]),
    ...groups.map(renderGroup),
    ...(appendix === undefined
      ? []
      : [
          `${appendix.title}:`,
          table(
            ['name', 'meaning'],
            appendix.rows.map(([word, meaning]) => [code(word), meaning]),
          ),
        ]),
    table(['example', 'purpose'], lines),
    table(['exit code', 'meaning'], exitCodes),
  ];
}

function renderGroup({ title, flags }: FlagGroup): string {
  const rows = Object.entries(flags).map(([name, flag]) => [
    spelling(name, flag),
    flag.otherwise ?? '',
    `${flag.describe}${flag.repeats === true ? '; may be repeated' : ''}`,
  ]);
  return table([title.toLowerCase(), 'default', 'meaning'], rows);
}

function spelling(name: string, { value, letter }: Flag): string {
  const words = value === undefined ? '' : ` ${typeof value === 'string' ? value : value.join('|')}`;
  return [code(`--${name}${words}`), ...(letter === undefined ? [] : [code(`-${letter}`)])].join(', ');
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A table of GitHub's Markdown; a bar within a cell would part it, even within code. */
function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}
