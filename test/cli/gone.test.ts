/** What earlier versions had and this one has not: it is told with the way that remains, and harms no run that was saved with it. */

import { describe, expect, it } from 'vitest';
import { goneError, goneNames } from '../../src/app/options/gone.ts';
import { obey } from '../../src/cli/parse-line.ts';
import { UsageError } from '../../src/errors.ts';

/** The way that remains, by what is gone. */
const remaining = {
  'batch marks': [['marks', 'merge', 'anna.csv', 'ben.csv'], 'batch retry --marked'],
  'batch hooks': [['hooks', 'list', './videos', '--json'], 'batch collect --on-row CMD'],
} as const satisfies Readonly<Record<string, readonly [line: readonly string[], way: string]>>;

describe('what is gone', () => {
  it.each(Object.entries(remaining))('%s is refused with the way that remains', async (name, [line, way]) => {
    const refused = await obey(line).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UsageError);
    expect(String(refused)).toContain(`${name} is gone; use `);
    expect(String(refused)).toContain(way);
  });

  it('is all in the table above', () => {
    expect(Object.keys(remaining)).toEqual(goneNames);
  });

  it('is not what another word means', () => {
    expect(goneError('toString')).toBeNull();
  });
});
