/** Somebody who gives the table of failed rows, under another name, as the file of a simulated world. */

import { parse } from 'csv-parse/sync';
import { readCorrectedRows } from '../../src/features/import/corrected-rows.ts';
import { isFailedHeader } from '../../src/features/import/failed-tables.ts';
import { failureColumn, keyColumn } from '../../src/input/columns/own-columns.ts';
import { createFailedTable } from '../../src/reports/failed-table.ts';
import type { ReportRow } from '../../src/stores/port/reading.ts';
import type { Reviews } from '../../src/stores/port/reviews.ts';
import { SqliteIngest } from '../../src/stores/sqlite/import/ingest.ts';
import { parseRowKey } from '../../src/text/ids/row-key.ts';
import { incomingRows, source, type WrittenRow } from '../support/incoming-rows.ts';
import type { Dice } from './dice.ts';
import { promise } from './oracle.ts';
import type { SimProcess, World } from './sim-process.ts';

/** Nothing in it is new: it names rows that the run knows, none leaves, and each is what it was. */
export async function feedFailures(
  { db, note }: World,
  { checkpoint }: Pick<SimProcess, 'checkpoint'>,
  { reviews, at, dice }: { readonly reviews: Reviews | null; readonly at: number; readonly dice: Dice },
): Promise<void> {
  const rows = await Array.fromAsync(checkpoint.reportRows());
  const table = createFailedTable(
    { failure: failureColumn([source]), key: keyColumn([source]), run: '0123456789abcdef' },
    [],
    source.folder,
  );
  const whole: WrittenRow[] = parse(table.render(rows) + table.end(), { bom: true, columns: true });
  // Now and then the user has deleted some.
  const written = dice.chance(0.5) ? whole : whole.filter(() => dice.chance(0.7));
  promise(
    written.length === 0 || isFailedHeader(Object.keys(written[0] ?? {}), [source]),
    'a copy of failed.csv passes for a file of questions',
  );
  if (written.length === 0) return;
  db.exec('DROP TABLE IF EXISTS temp.incoming');
  await using ingest = new SqliteIngest(db, checkpoint);
  // The keys in the table say which rows they are.
  const incoming = incomingRows(...written).map((row) => {
    const { batch = '', ...input } = row.input;
    return { ...row, input, keyed: parseRowKey(String(batch))?.item ?? null };
  });
  const corrected = reviews === null ? null : await readCorrectedRows({ checkpoint, reviews });
  await ingest.add((await corrected?.recognize(incoming, source)) ?? incoming);
  const coming = { add: true, isMended: true };
  const problems = await ingest.match(coming);
  promise(problems.length === 0, `failed.csv has problems: ${JSON.stringify(problems)}`);
  const before = shown(rows);
  await ingest.apply({ source, at, ...coming, rerunChanged: false });
  const after = shown(await Array.fromAsync(checkpoint.reportRows()));
  note(`a copy of failed.csv with ${written.length} rows is taken up`);
  promise(after === before, `failed.csv, fed back as it was, makes\n${after}\nof\n${before}`);
}

function shown(rows: readonly ReportRow[]): string {
  return rows
    .map(({ item, gone, input, edit }) =>
      [item.key, item.status, gone, input.question, edit?.input.question].join(' '),
    )
    .join('\n');
}
