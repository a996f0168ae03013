import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/command-list.ts';
import { flagsOf } from '../../src/cli/flags/flag.ts';
import { openStage } from './support/stage.ts';

describe.concurrent('the script for', () => {
  it.for(['bash', 'zsh', 'fish'])('%s names every command and every flag', async (shell) => {
    await using stage = await openStage();
    const script = (await stage.batch(['completion', shell])).stdout;
    for (const { name, groups } of commands) {
      expect(script).toContain(name);
      for (const flag of Object.keys(flagsOf(groups)))
        expect(script).toMatch(new RegExp(`(--|-l )${flag}\\b`));
    }
  });

  it.for(['bash', 'zsh', 'fish'])('%s completes the names of faults', async (shell) => {
    await using stage = await openStage();
    const script = (await stage.batch(['completion', shell])).stdout;
    expect(script).toMatch(/fault.*refuse= .*reset-after=/);
  });

  it('a shell that is not known is wrong use', async () => {
    await using stage = await openStage();
    expect(await stage.batch(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'batch: "tcsh" is not a known shell; use bash, zsh or fish\n',
    });
  });
});
