/** Another program has a file of the run open and lets nobody replace it, as Excel and players do on Windows. */

import { describe, expect, it } from 'vitest';
import { expectHealed, expectPlain, expectWholeFiles, openTwo, runOn } from './support/two-rows.ts';

describe('a file that another program has open', () => {
  it.each(['report.csv', 'report.jsonl', 'report.html', 'failed.csv'])(
    'ends no run: the new %s lies beside it, and the next one replaces it again',
    async (name) => {
      await using stage = await openTwo();
      const ending = await runOn(stage, `rename ${name}#1`, 'EBUSY');
      expectPlain(ending, [0]);
      const beside = name.replace('.', ' (2).');
      expect(ending.stderr).toContain(
        `${name} is open in another program; the new one lies beside it as ${beside}`,
      );
      const reports = (await stage.list('videos')).filter((path) => /^(report|failed)/.test(path)).sort();
      const others = ['failed.csv', 'report.csv', 'report.html', 'report.jsonl'].filter(
        (each) => each !== name,
      );
      expect(reports).toEqual([...others, beside].sort());
      const written = await stage.read(`videos/${beside}`);
      await expectHealed(stage);
      const lines = (text: string): number => text.split('\n').length;
      expect(lines(await stage.read(`videos/${name}`))).toBe(lines(written));
    },
  );

  it.each(['rename video', 'rename frame', 'rename task.json'])(
    'for a moment only is waited for: %s',
    async (site) => {
      await using stage = await openTwo();
      const running = runOn(stage, `${site}#1`, 'EBUSY');
      await expect.poll(() => stage.read('sites').catch(() => '')).toContain('refused');
      await stage.remove('sign');
      const ending = await running;
      expectPlain(ending, [0]);
      expect(ending.stderr).not.toMatch(/warning/);
      await expectWholeFiles(stage);
    },
  );

  it('for good costs no video and stops no run where it is task.json: a line says so', async () => {
    await using stage = await openTwo();
    const ending = await runOn(stage, 'rename task.json#1', 'EBUSY');
    expectPlain(ending, [0]);
    expect(ending.stderr).toMatch(/task\.json/);
    expect(await stage.statuses()).toEqual({ a: 'completed', b: 'completed' });
  });
});
