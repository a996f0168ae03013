import { expect, it } from 'vitest';
import { checkJson, renderCheck } from '../../../src/features/doctor/check.ts';
import { terminalCheck } from '../../../src/features/doctor/machine-checks.ts';
import { clockCheck } from '../../../src/features/doctor/service-checks.ts';
import { phrasesOf } from '../../../src/terminal/phrases/phrases.ts';
import { openStage } from '../../cli/support/stage.ts';
import { listing } from '../../support/listing.ts';

it('finds nothing amiss before the first run, asks one free question, and makes no folder', async () => {
  await using stage = await openStage();
  const before = await listing(stage.folder);
  const ending = await stage.batch(['doctor']);
  expect(ending).toMatchObject({ code: 0, stderr: '' });
  expect(ending.stdout).toMatch(/^✓ batch .*\n✓ \.\/videos does not exist yet, and can be made\n/);
  expect(ending.stdout).toContain(`✓ ${stage.service.url} answers as the service does\n`);
  expect(ending.stdout).toContain('✓ the service takes the API key\n');
  expect(ending.stdout).toContain('✓ the clock agrees');
  expect(ending.stdout).not.toContain('✗');
  expect(stage.service.creations).toHaveLength(0);
  expect(await listing(stage.folder)).toEqual(before);
});

it.each([
  [120_000, 'ok', 'agrees'],
  [-120_000, 'ok', 'agrees'],
  [121_000, 'warning', '2 minutes ahead of that'],
  [-600_000, 'warning', '10 minutes behind that'],
])('a clock that is off by %d ms is %s', (off, state, says) => {
  expect(checkJson(clockCheck(off))).toMatchObject({ state, text: expect.stringContaining(says) });
});

it.each([
  [null, {}, 'linux', '✓ the output goes to a file'],
  [80, { LANG: 'zh_CN.UTF-8' }, 'linux', '✓ the terminal takes UTF-8 and has 80 columns'],
  [
    80,
    { LANG: 'C.UTF-8', LC_ALL: 'zh_CN.GBK' },
    'linux',
    '! the terminal may not take UTF-8 (LC_ALL=zh_CN.GBK)',
  ],
  [80, {}, 'linux', '! the terminal may not take UTF-8 (LANG=C)'],
  [80, {}, 'win32', '✓ the terminal'],
  [40, {}, 'darwin', '! the terminal has only 40 columns'],
] as const)('a terminal of %s columns with %o on %s', (width, env, system, says) => {
  expect(renderCheck(terminalCheck(width, env, system), phrasesOf('en'))).toContain(says);
});
