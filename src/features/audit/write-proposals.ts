/** The proposed tasks as the tables that `batch resolve --from` takes: one for each run. */

import { parse } from 'node:path';
import type { Invocation } from '../../app/options/invocation.ts';
import { writeListFile } from '../resolve/list-file.ts';
import { renderUncertain, uncertainHeader } from '../resolve/uncertain-table.ts';
import type { Audit } from './audit-runs.ts';

/** A table that was written. */
export interface ProposalFile {
  readonly path: string;
  readonly run: Invocation;
  readonly count: number;
}

/** Of several runs each gets a file of its own, `found-1.csv`. Throws `UsageError` where a file is not batch's own. */
export async function writeProposals(
  to: string,
  { proposals }: Pick<Audit, 'proposals'>,
): Promise<readonly ProposalFile[]> {
  const byRun = Map.groupBy(proposals, ({ row }) => row.run);
  const files: ProposalFile[] = [];
  for (const [run, rows] of byRun) {
    const { dir, name, ext } = parse(to);
    const path = byRun.size === 1 ? to : `${dir === '' ? '' : `${dir}/`}${name}-${files.length + 1}${ext}`;
    const lines = rows.map(({ row, task }) => renderUncertain(row.uncertain, task.taskId));
    await writeListFile(path, uncertainHeader() + lines.join(''), rows[0]?.row.uncertain.run ?? '');
    files.push({ path, run, count: rows.length });
  }
  return files;
}
