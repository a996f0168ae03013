/** A table of uncertain rows, settled at once in a run that several workers carry. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Fleet } from '../support/fleet.ts';
import { startPostgres } from '../support/postgres.ts';
import { wordProblems } from '../support/word-problems.ts';

const rows = 30;

describe('the uncertain rows of a shared run', () => {
  it('are listed and settled as one, unless an answer may still come; nothing is paid twice', {
    timeout: 200_000,
  }, async () => {
    const questions = wordProblems(rows);
    await using postgres = await startPostgres();
    await using fleet = await Fleet.open({
      postgres,
      questions,
      service: ['--duration', '300ms', '--fault', 'reset-after=10%', '--seed', '3'],
      options: ['-j', '6', '--poll-interval', '300ms', '--frames', 'none'],
    });
    await fleet.openSeats(2, '--drain');
    await fleet.drain();
    const table = await fleet.batch('resolve', '--list');
    expect(table.code, table.stderr).toBe(0);
    const ids = [...table.stdout.matchAll(/^(q\d+),,/gm)].map(([, id = '']) => id);
    expect(ids).toHaveLength((await fleet.counts()).uncertain ?? 0);

    const { tasks } = await fleet.ledger();
    const unknown = new Set(await fleet.unknownTasks());
    const found = ids.map((id) => {
      const question = questions[Number(id.slice(1)) - 1];
      const task = tasks.find((each) => unknown.has(each.task_id) && each.question === question);
      return `${id},${task?.task_id ?? 'not-created'}`;
    });
    const give = async (...lines: readonly string[]) => {
      await writeFile(join(fleet.folder, 'found.csv'), ['id,task_id', ...lines, ''].join('\n'));
      return fleet.batch('resolve', '--from', 'found.csv', '--yes');
    };
    // One row as if it were on its way at this moment.
    const [first = ''] = ids;
    const until = Date.now() + 3_600_000;
    await fleet.query(
      "UPDATE items SET status = 'submitting', answer_by = $2, version = version + 1 WHERE id = $1",
      [first, until],
    );
    expect(await give(...found)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /found\.csv:2: row q\d+ is submitting, and its answer may come for another 3[56]\d\d s, until 2/,
      ),
    });
    expect((await fleet.batch('resolve', '--list')).stdout).not.toContain(`\n${first},`);
    await fleet.query(
      "UPDATE items SET status = 'uncertain', answer_by = NULL, version = version + 1 WHERE id = $1",
      [first],
    );

    const settled = await give(...found);
    expect(settled.code, settled.stderr).toBe(0);
    await fleet.drain();
    expect(await fleet.moneyFlaws()).toEqual([]);
    const { completed = 0, uncertain = 0 } = await fleet.counts();
    expect(completed + uncertain).toBe(rows);
    const now = await fleet.rows();
    const ofTable = now.filter(({ id }) =>
      found.some((line) => line.startsWith(`${id},`) && !line.endsWith('not-created')),
    );
    expect(ofTable.every(({ status }) => status === 'completed')).toBe(true);
  });
});
