import { expect, it } from 'vitest';
import { parseOptions } from '../../../src/app/options/job-file.ts';
import {
  longName,
  type OptionName,
  type Options,
  optionNames,
  optionOf,
} from '../../../src/app/options/options.ts';
import { policyOf, simulationOf } from '../../../src/app/options/settings.ts';

/** What holds when this is given, but for what the folder and the service decide. */
function settingsWith(options: Options): object {
  return { ...policyOf(options, 0), ...simulationOf(options) };
}

/** The words of these say where the value comes from. */
const foundElsewhere: readonly OptionName[] = [
  'out',
  'baseUrl',
  'apiKeyFile',
  'format',
  'delimiter',
  'encoding',
  'sheet',
  'headerRow',
  'store',
  'lang',
  'ping',
];

it.each(
  optionNames.filter((name) => optionOf(name).otherwise !== undefined && !foundElsewhere.includes(name)),
)('the help names the value that holds without --%s', (name) => {
  const [said = ''] = optionOf(name).otherwise?.split(', ') ?? [];
  const given = parseOptions({ [longName(name)]: said }, (long) => long);
  // The service takes `m` where no quality is sent.
  const held = name === 'quality' ? { quality: 'm' } : {};
  expect(settingsWith(given)).toEqual({ ...settingsWith({}), ...held });
});

it('each option has a line of help, and one name on the command line', () => {
  expect(optionNames.map(longName)).toContain('max-image-bytes');
  expect(new Set(optionNames.map(longName)).size).toBe(optionNames.length);
  for (const name of optionNames) expect(optionOf(name).help, name).not.toMatch(/^[A-Z]|\.$(?<!\.\.\.)/);
});
