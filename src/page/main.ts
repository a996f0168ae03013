/** The script of `report.html`. */

import type { PageRow } from '../report/page-row.ts';

const rows = [...document.querySelectorAll('script.rows')].flatMap(
  (island) => JSON.parse(island.textContent ?? '[]') as PageRow[],
);
document.getElementById('app')?.append(`${rows.length} rows`);
