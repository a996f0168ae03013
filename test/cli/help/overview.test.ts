import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/cli/command-list.ts';
import { flagsOf } from '../../../src/cli/flags.ts';
import { renderCommandHelp, renderOverview, renderWholeHelp } from '../../../src/cli/help/overview.ts';

const headingsOf = (help: string) => [...help.matchAll(/^([A-Z][\w ]+):$/gm)].map(([, title]) => title);
const linesOf = (help: string): string[] => help.trimEnd().split('\n');
const run = commands.find(({ name }) => name === 'run') ?? expect.fail('there is such a command');

describe('on a terminal of 80 columns and 40 lines, one of them the prompt,', () => {
  it.each(commands)('the help of batch $name is shown as a whole', async (command) => {
    const lines = linesOf(await renderCommandHelp(command, 80));
    expect(lines.length).toBeLessThanOrEqual(39);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(commands)('the help of batch $name either says all, or how to see it', async (command) => {
    const [help, whole] = await Promise.all([renderCommandHelp(command, 80), renderWholeHelp(command, 80)]);
    expect(help === whole).toBe(!help.includes(`\`batch ${command.name} --help all\``));
  });

  it('the help of batch run has ten options, three examples, a line for each other group, and every exit code', async () => {
    const help = await renderCommandHelp(run, 80);
    expect(headingsOf(help)).toEqual(['Used most', 'Examples']);
    expect(help.match(/^ {2}(?:-\w, | {4})--/gm)).toHaveLength(10);
    expect(help.match(/^ {2}batch run /gm)).toHaveLength(3);
    for (const { title } of run.groups.slice(1)) expect(help).toMatch(new RegExp(`^  ${title} +\\w`, 'm'));
    const [, codes = ''] = /^Exit codes: ([\s\S]*)/m.exec(help) ?? [];
    for (const [code] of run.exitCodes) expect(codes.replaceAll('\n', ' ')).toContain(`${code} `);
  });
});

it('the whole help of batch run has the options used most and the examples before everything else', async () => {
  const help = await renderWholeHelp(run, 100);
  expect(headingsOf(help).slice(0, 4)).toEqual(['Arguments', 'Used most', 'Examples', 'What to submit']);
  const flags = run.groups.flatMap((group) => Object.keys(group.flags));
  expect(new Set(flags).size).toBe(flags.length);
});

it.each(commands)(
  'the whole help of batch $name has every option with its meaning and default',
  async (command) => {
    const help = (await renderWholeHelp(command, 100)).replace(/\s+/g, ' ');
    for (const [name, { describe, otherwise }] of Object.entries(flagsOf(command.groups))) {
      expect(help).toMatch(new RegExp(`--${name}( \\S+)? `));
      expect(help).toContain(describe);
      if (otherwise !== undefined) expect(help).toContain(`(default: ${otherwise})`);
    }
  },
);

it('the help of the program has a line for each command, the everyday ones first', () => {
  for (const { name } of commands) expect(renderOverview(100)).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  expect(headingsOf(renderOverview(100))).toEqual(['Every day', 'More', 'Common commands']);
});

it.each([60, 80, 100])('no line of any help but an example leaves %d columns', async (width) => {
  for (const command of commands)
    for (const render of [renderCommandHelp, renderWholeHelp])
      for (const line of linesOf(await render(command, width)))
        if (!line.startsWith('  batch ')) expect(line.length, line).toBeLessThanOrEqual(width);
});
