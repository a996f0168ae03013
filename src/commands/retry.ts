/** `batch retry`: a new, paid attempt for rows that ended badly, then goes on as `resume`. */

import type { Item, Status } from '../core/item.ts';
import { defaultPolicy } from '../core/policy.ts';
import { isLegal, transition } from '../core/transition.ts';
import { UsageError } from '../errors.ts';
import type { RawOptions } from '../job-file.ts';
import type { Checkpoint } from '../ports.ts';
import { renderRows } from '../terminal/numbers.ts';
import { carryOut } from './carry-out.ts';
import type { Command } from './command.ts';
import { isConfirmed, pendingRows } from './confirm.ts';
import { printNotice } from './console.ts';
import { givenOptions, runFlags, serviceFlags, simulatorFlags, speechFlags } from './flags.ts';
import { openExistingFolder, optionsOfRun } from './folder.ts';
import { readGiven } from './settings.ts';

/** Rows that are ordered in one transaction. */
const pageRows = 500;

/** Orders the attempts and goes on. Returns the exit code. */
export async function retry(dir: string, statuses: readonly Status[], flags: RawOptions): Promise<number> {
  const given = readGiven(flags, { out: dir });
  const ids = given.options.only ?? null;
  if (statuses.length === 0 && ids === null) {
    throw new UsageError('say which rows: --failed, --rejected, --lost, or --only ID,ID');
  }
  using folder = openExistingFolder(given.out);
  const { checkpoint } = folder;
  // `--only` says which rows get an attempt; what waits already is submitted as by `resume`.
  const { only: _, ...options } = optionsOfRun(given, folder);
  const chosen = ids === null ? null : await chooseByIds(checkpoint, ids, statuses);
  const again = (): AsyncIterable<Item> | readonly Item[] => chosen ?? checkpoint.items(statuses, 'inFile');
  const count = await countItems(again());
  if (!options.quiet) printNotice(`${renderRows(count)} to get a new attempt`);
  if (!(await isConfirmed(pendingRows(await checkpoint.ledger()) + count, options))) return 2;
  await orderAttempts(checkpoint, again());
  return await carryOut({ submits: true, given, options, checkpoint });
}

/** The rows with these ids; all of them, or none when one cannot get a new attempt. */
async function chooseByIds(
  checkpoint: Checkpoint,
  ids: readonly string[],
  statuses: readonly Status[],
): Promise<Item[]> {
  const items = await checkpoint.itemsWithIds(ids, 'inFile');
  const unknown = ids.filter((id) => !items.some((item) => item.id === id));
  if (unknown.length > 0) throw new UsageError(`--only: no row of the file has the id ${unknown.join(', ')}`);
  const chosen = statuses.length === 0 ? items : items.filter((item) => statuses.includes(item.status));
  const stuck = chosen.find((item) => !isLegal(item.status, 'retry-ordered'));
  if (stuck === undefined) return chosen;
  const remedy =
    stuck.status === 'uncertain'
      ? 'settle it with `batch resolve` first'
      : 'a row gets a new attempt once it has ended';
  throw new UsageError(`row ${stuck.id} is ${stuck.status}: ${remedy}`);
}

async function countItems(items: AsyncIterable<Item> | Iterable<Item>): Promise<number> {
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

async function orderAttempts(
  checkpoint: Checkpoint,
  items: AsyncIterable<Item> | Iterable<Item>,
): Promise<void> {
  let page: Item[] = [];
  const order = async (): Promise<void> => {
    const at = Date.now();
    await checkpoint.commit(
      page.map((before) => ({
        before,
        after: transition(before, { type: 'retry-ordered', at }, defaultPolicy).item,
      })),
    );
    page = [];
  };
  for await (const item of items) {
    page.push(item);
    if (page.length >= pageRows) await order();
  }
  await order();
}

const groups = [serviceFlags, runFlags, simulatorFlags, speechFlags] as const;

export const command: Command = {
  build: (yargs) =>
    yargs
      .positional('dir', { type: 'string', default: './videos', describe: 'output folder of the run' })
      .options(Object.assign({}, ...groups))
      .options({
        failed: { type: 'boolean', describe: 'rows that the service says FAILED of' },
        rejected: { type: 'boolean', describe: 'rows whose creation was refused' },
        lost: { type: 'boolean', describe: 'rows whose task is lost; pays again' },
        only: { type: 'string', describe: 'these rows, completed ones too: ID,ID' },
      }),
  handle: async (argv) => {
    const statuses = (['failed', 'rejected', 'lost'] as const).filter((status) => argv[status] === true);
    process.exitCode = await retry(String(argv.dir), statuses, givenOptions(argv, ...groups));
  },
};
