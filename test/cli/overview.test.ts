import { expect, it } from 'vitest';
import { commands } from '../../src/cli/command-list.ts';
import { renderCommandHelp, renderOverview } from '../../src/cli/overview.ts';

const headingsOf = (help: string) => [...help.matchAll(/^([A-Z][\w ]+):$/gm)].map(([, title]) => title);

it('the help of `batch run` has ten options and the examples before everything else', async () => {
  const run = commands.find(({ name }) => name === 'run');
  if (run === undefined) return expect.fail('there is such a command');
  const help = await renderCommandHelp(run, 100);
  expect(headingsOf(help).slice(0, 4)).toEqual(['Arguments', 'Used most', 'Examples', 'Input and output']);
  expect(Object.keys(run.groups[0]?.flags ?? {})).toHaveLength(10);
  const flags = run.groups.flatMap((group) => Object.keys(group.flags));
  expect(new Set(flags).size).toBe(flags.length);
});

it('the help of the program has the everyday commands first', () => {
  expect(headingsOf(renderOverview(100))).toEqual(['Every day', 'More', 'Common commands', 'Exit codes']);
});

it.each([60, 80, 100])('no line of any help but an example leaves %d columns', async (width) => {
  for (const command of commands)
    for (const line of (await renderCommandHelp(command, width)).split('\n'))
      if (!line.startsWith('  batch ')) expect(line.length, line).toBeLessThanOrEqual(width);
});
