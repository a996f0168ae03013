import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/cli/command.ts';
import { chapters, commands } from '../../../src/cli/command-list.ts';
import { flagsOf } from '../../../src/cli/flags/flag.ts';
import { commandTexts } from '../../../src/cli/help/commands-zh.ts';
import { optionTexts } from '../../../src/cli/help/options-zh.ts';
import { renderCommandHelp, renderOverview, renderWholeHelp } from '../../../src/cli/help/overview.ts';
import { textWidth } from '../../../src/terminal/text-width.ts';
import { languages } from '../../../src/text/languages.ts';

const headingsOf = (help: string) => [...help.matchAll(/^([A-Z][\w ]+):$/gm)].map(([, title]) => title);
const linesOf = (help: string): string[] => help.trimEnd().split('\n');
const run = commands.find(({ name }) => name === 'run') ?? expect.fail('there is such a command');
const spoken = languages.flatMap((language) =>
  commands.map((command) => ({ command, language, name: command.name })),
);

describe('on a terminal of 80 columns and 40 lines, one of them the prompt,', () => {
  it.each(spoken)('the help of batch $name is shown as a whole, in $language', async (one) => {
    const lines = linesOf(await renderCommandHelp(one.command, 80, one.language));
    expect(lines.length).toBeLessThanOrEqual(39);
    expect(lines.filter((line) => textWidth(line) > 80)).toEqual([]);
  });

  it.each(spoken)('the help of batch $name either says all, or how to see it, in $language', async (one) => {
    const { command, language } = one;
    const [help, whole] = await Promise.all([
      renderCommandHelp(command, 80, language),
      renderWholeHelp(command, 80, language),
    ]);
    expect(help === whole).toBe(!help.includes(`\`batch ${command.name} --help all\``));
  });

  it('the help of batch run has ten options, three examples, a line for each other group, and every exit code', async () => {
    const help = await renderCommandHelp(run, 80, 'en');
    expect(headingsOf(help)).toEqual(['Used most', 'Examples']);
    expect(help.match(/^ {2}(?:-\w, | {4})--/gm)).toHaveLength(10);
    expect(help.match(/^ {2}batch run /gm)).toHaveLength(3);
    for (const { title } of run.groups.slice(1)) expect(help).toMatch(new RegExp(`^  ${title} +\\w`, 'm'));
    const [, codes = ''] = /^Exit codes: ([\s\S]*)/m.exec(help) ?? [];
    for (const [code] of run.exitCodes) expect(codes.replaceAll('\n', ' ')).toContain(`${code} `);
  });
});

it('every command that may find a store away, or the disk full, tells the exit code of that', () => {
  // To the doctor it is one of the things that are missing.
  const reading = commands.filter(({ name, groups }) => name !== 'doctor' && 'store' in flagsOf(groups));
  const silent = reading.filter(({ exitCodes }) => exitCodes.every(([code]) => code !== '4'));
  expect(silent.map(({ name }) => name)).toEqual([]);
  expect(reading.length).toBeGreaterThan(15);
});

it('the whole help of batch run has the options used most and the examples before everything else', async () => {
  const help = await renderWholeHelp(run, 100, 'en');
  expect(headingsOf(help).slice(0, 4)).toEqual(['Arguments', 'Used most', 'Examples', 'What to submit']);
  const flags = run.groups.flatMap((group) => Object.keys(group.flags));
  expect(new Set(flags).size).toBe(flags.length);
});

it('the help of a command speaks of what to submit only where it submits', async () => {
  const speaking = await Promise.all(
    commands.map(async (command) =>
      /what to submit/i.test(await renderWholeHelp(command, 100, 'en')) ? [command.name] : [],
    ),
  );
  expect(speaking.flat()).toEqual(['run', 'resume', 'retry']);
});

it.each(commands)(
  'the whole help of batch $name has every option with its meaning and default',
  async (command) => {
    const help = (await renderWholeHelp(command, 100, 'en')).replace(/\s+/g, ' ');
    for (const [name, { describe, otherwise }] of Object.entries(flagsOf(command.groups))) {
      expect(help).toMatch(new RegExp(`--${name}( \\S+)? `));
      expect(help).toContain(describe);
      if (otherwise !== undefined) expect(help).toContain(`(default: ${otherwise})`);
    }
  },
);

it.each(languages)('the help of the program has a line for each command, in %s', async (language) => {
  const help = await renderOverview(100, language);
  for (const { name } of commands) expect(help).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
});

it('the help of the program has the everyday commands first', async () => {
  expect(headingsOf(await renderOverview(100, 'en'))).toEqual(['Every day', 'More', 'Common commands']);
});

it.each([60, 80, 100])('no line of any help but an example leaves %d columns', async (width) => {
  for (const { command, language } of spoken)
    for (const render of [renderCommandHelp, renderWholeHelp])
      for (const line of linesOf(await render(command, width, language)))
        if (!line.startsWith('  batch ')) expect(textWidth(line), line).toBeLessThanOrEqual(width);
});

describe('in Chinese', () => {
  /** Every text of a command that tells a meaning. */
  const textsOf = async ({ argument, appendix, groups, examples, exitCodes, summary }: Command) => {
    const more = await appendix?.();
    return [
      summary,
      ...(argument === undefined ? [] : [argument.describe]),
      ...groups.map(({ title }) => title),
      ...groups
        .flatMap(({ flags }) => Object.values(flags))
        .flatMap(({ describe, otherwise = '' }) => [
          describe,
          ...(otherwise.includes(' ') ? [otherwise] : []),
        ]),
      ...[...examples, ...exitCodes, ...(more?.rows ?? [])].map(([, meaning]) => meaning),
      ...(more === undefined ? [] : [more.title]),
    ];
  };

  it('every text of the help is there, and none that no help has', async () => {
    const told = new Set([
      ...chapters.map(({ title }) => title),
      ...(await Promise.all(commands.map(textsOf))).flat(),
    ]);
    const known = { ...commandTexts, ...optionTexts };
    expect(
      [...told].filter((text) => !/\p{Script=Han}/u.test(known[text] ?? '') && text !== 'for fish'),
    ).toEqual([]);
    const helps = await Promise.all(commands.map((command) => renderWholeHelp(command, 10_000, 'en')));
    const all = [...helps, ...told].join('\n');
    expect(Object.keys(known).filter((text) => !all.includes(text))).toEqual([]);
  });
});
