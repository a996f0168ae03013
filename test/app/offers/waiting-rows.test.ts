import { expect, it } from 'vitest';
import { countByQuality } from '../../../src/app/offers/waiting-rows.ts';
import { noRows } from '../../../src/money/forecast/estimate.ts';

it('rows are counted by the quality that they name', async () => {
  const rows = (['h', 'l', null, 'l'] as const).map((quality) => ({ quality }));
  expect(await countByQuality(rows)).toEqual({ h: 1, m: 0, l: 2, none: 1 });
  expect(await countByQuality([])).toEqual(noRows);
});
