import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { quickPauses, swiftly } from '../cli/support/program.ts';
import { completed, errorEnvelope, type Script, success } from '../cli/support/scripted-service.ts';
import { openStage, runLine } from '../cli/support/stage.ts';
import { formulas } from './formulas.ts';

/** What no spreadsheet shows before a cell, and what makes it run the rest. */
const unseen = '[\\s\\p{Z}\\p{C}]*';
const sign = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';

/** True for a cell, or a line of one, that a spreadsheet would run. */
const runs = (text: string): boolean => new RegExp(`^${unseen}${sign}`, 'u').test(text);

/**
 * True for a piece that a spreadsheet with another separator would run to some effect: a lone number has none. It takes one
 * or two quotes for those around a cell; of three, one is part of the text.
 */
const acts = (piece: string): boolean =>
  new RegExp(`^"{0,2}(?!")${unseen}(?:[=@\\uff1d\\uff20]|${sign}.*[(|!#])`, 'u').test(piece);

/** Every cell as a spreadsheet reads the file by its separator. */
function cellsOf(csv: string): string[] {
  const records: string[][] = parse(csv, { bom: true });
  return records.flat();
}

const linesOf = (cell: string): string[] => cell.split(/\r\n|\r|\n/);

/** What comes out for one that splits at semicolons or tabs: our quotes stand inside its cells, so they hold nothing together. */
function piecesOf(csv: string): string[] {
  return csv.replace(/^\ufeff/, '').split(/[\r\n]+|[;\t]/);
}

/** Control characters but for line feed and tab do not get into the checkpoint from the service. */
const cleaned = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '').trim();

/** Row `done-N`: a video; `refused-N`: no task; `lost-N`: a task with such an id, which the service then does not know. */
const script: Script = {
  create: ({ body }) => {
    const [, kind, at] = /(done|refused|lost)-(\d+)$/.exec(String(body.answer)) ?? [];
    const formula = formulas[Number(at)] ?? '';
    if (kind === 'refused') return errorEnvelope(`${formula}\n${formula}`);
    return kind === 'lost' ? success({ task_id: `${formula}${at}` }) : undefined;
  },
  status: (task) => {
    const [, formula = ''] = /^(.*)#done$/s.exec(task.question) ?? [];
    return completed(task, { title: formula, created_at: formula, finish_at: `${formula}!` });
  },
};

test('no cell of a report, and no line in one, is run by a spreadsheet, whatever its separator; exact values are in report.jsonl', {
  timeout: 600_000,
}, async () => {
  await using stage = await openStage(script);
  const rows = formulas.flatMap((formula, at) =>
    ['done', 'refused', 'lost'].map((kind) => ({
      id: `${formula} ${kind}-${at}`,
      question: kind === 'done' ? `${formula}#done` : formula,
      answer: `${kind}-${at}`,
      note: formula,
      [`${formula} ${at}`]: formula,
    })),
  );
  await stage.write('q.jsonl', rows.map((row) => JSON.stringify(row)).join('\n'));
  // A task is lost after ten minutes.
  const ending = await stage.batch(runLine('q.jsonl', '-j', '400', '-y', '--odd', 'send'), {
    node: [...swiftly, ...quickPauses.node],
  });
  expect(ending.code, ending.stderr).toBe(1);

  for (const name of ['report.csv', 'failed.csv']) {
    const csv = await stage.read(`videos/${name}`);
    expect(cellsOf(csv).length, name).toBeGreaterThan(formulas.length * 10);
    expect(
      cellsOf(csv).filter((cell) => /^[\t\r]/.test(cell) || linesOf(cell).some(runs)),
      name,
    ).toEqual([]);
    expect(piecesOf(csv).filter(acts), name).toEqual([]);
  }

  const lines = (await stage.read('videos/report.jsonl')).trim().split('\n');
  const report: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
  expect(report).toHaveLength(rows.length);
  for (const [at, line] of report.entries()) {
    const formula = formulas[Math.floor(at / 3)] ?? '';
    const { id, question, answer: _, ...others } = rows[at] ?? { id: '', question: '', answer: '' };
    expect(line).toMatchObject({ id: id.trim(), question, input: others });
    if (at % 3 === 0) expect(line).toMatchObject({ status: 'completed', title: cleaned(formula) || null });
    if (at % 3 === 1)
      expect(line).toMatchObject({ status: 'rejected', failure: cleaned(`${formula}\n${formula}`) });
    if (at % 3 === 2)
      expect(line).toMatchObject({ status: 'lost', task_id: `${formula}${Math.floor(at / 3)}`.trim() });
  }
});

test('failed.csv says what the input said when it is read back', async () => {
  let refusals = 0;
  await using stage = await openStage({
    // Each in words of its own: five alike would stop submitting.
    create: () =>
      refusals < formulas.length
        ? errorEnvelope(`refusal ${String.fromCharCode(97 + (refusals++ % 26))}`)
        : undefined,
  });
  const sent = formulas.map((formula, at) => ({ id: `row-${at}`, question: `${formula} `, answer: formula }));
  await stage.write('q.jsonl', sent.map((row) => JSON.stringify(row)).join('\n'));
  const refused = await stage.batch(runLine('q.jsonl', '-j', '400', '-y', '--odd', 'send'));
  expect(refused.code, refused.stderr).toBe(1);
  // Without its keys its rows are new questions.
  const table: string[][] = parse(await stage.read('videos/failed.csv'), { bom: true });
  await stage.write('failed.csv', stringify(table.map((cells) => cells.slice(0, -1))));
  const again = await stage.batch(
    runLine('failed.csv', '--out', 'again', '-j', '400', '-y', '--odd', 'send'),
  );
  expect(again.code, again.stderr).toBe(0);
  const bodies = stage.service.creations.slice(formulas.length).map(({ body }) => body);
  expect(bodies).toEqual(sent.map(({ question, answer }) => ({ question, answer })));
});

test('the list is long, and but for those that only look so, its cells would be run', () => {
  expect(formulas.length).toBeGreaterThanOrEqual(40);
  const tame = formulas.filter((cell) => !linesOf(cell).some(runs) && !piecesOf(cell).some(acts));
  expect(tame).toEqual(['|cmd', '%0A=1', '\tplain', '",=1+1', 'a,=1+1', "'=1+1", "''=1+1", "x\n'=1+1"]);
});
