/**
 * What an ending proposes, typed to the letter: each line alone, and line after line until nothing is left. Each does what it says to
 * as many rows, its cap has room for them and no more, and nothing is paid twice.
 */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Status } from '../../src/money/item.ts';
import { createLedger, decideExitCode } from '../../src/money/summary.ts';
import { commandWords } from '../../src/text/command-words.ts';
import type { Ending } from './support/program.ts';
import { errorEnvelope, failed, type Script, success } from './support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from './support/stage.ts';

/** Each test starts many programs. */
const timeout = 240_000;

/** By the first letter of a row: how the service treats its first creation. All later ones become videos. */
const outcomes = 'f: fails, r: is refused, u: makes a task and is not answered, others: become videos';

interface Play extends AsyncDisposable {
  readonly stage: Stage;
  /** Tasks that became videos, or will, by question. */
  paid(): readonly (readonly [question: string, tasks: number])[];
}

async function openPlay(ids: readonly string[]): Promise<Play> {
  const tasks = new Map<string, string[]>();
  const script: Script = {
    create: ({ question, attempt }, accept) => {
      const outcome = attempt === 1 ? question.at('Question '.length) : 'v';
      if (outcome === 'r') return errorEnvelope('no');
      const made = accept();
      tasks.set(question, [...(tasks.get(question) ?? []), made]);
      return outcome === 'u' ? (response) => void response.destroy() : success({ task_id: made });
    },
    status: (task) =>
      task.question.startsWith('Question f') && tasks.get(task.question)?.[0] === task.taskId
        ? failed(task, 'no such formula')
        : undefined,
  };
  const stage = await openStage(script);
  await stage.write('q.csv', questions(...ids));
  return {
    stage,
    paid: () =>
      [...tasks].map(([question, { length }]) => [
        question,
        length - (question.startsWith('Question f') ? 1 : 0),
      ]),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  };
}

interface Line {
  readonly command: string;
  /** Rows that it pays for; null for a command that pays nothing. */
  readonly rows: number | null;
  /** Typed after it, once its table is filled in. */
  readonly settling: string | null;
}

function linesOf({ stdout }: Ending): readonly Line[] {
  return [...stdout.matchAll(/^(?:Next|Then): batch (.+?) {3,}(.*)$/gm)].map(([, command = '', why = '']) => {
    const [, all = '0'] = /^(\d+) rows? /.exec(why) ?? [];
    const [, before = '0'] = /, (\d+) of these rows by a line above/.exec(why) ?? [];
    const [, settling] = /then `batch (.*)`$/.exec(why) ?? [];
    const isPaid = /^(?:resume|retry) /.test(command);
    return { command, rows: isPaid ? Number(all) - Number(before) : null, settling: settling ?? null };
  });
}

/** Exit code of a run that stands so. */
async function standing(stage: Stage): Promise<number> {
  const { stdout } = await stage.batch(['status', '--json']);
  const statuses: Readonly<Record<Status, number>> = JSON.parse(stdout).statuses;
  return decideExitCode({ ...createLedger().counts, ...statuses }, 'done');
}

/** Types a line as a shell would, with what a user has found in the account. */
function type(stage: Stage, line: string): Promise<Ending> {
  const words = (commandWords(line) ?? []).map((word, at, all) =>
    word === 'T' ? taskOf(stage, all[at - 2] ?? '') : word,
  );
  const isSession = ['resume', 'retry', 'collect'].includes(words[0] ?? '');
  return stage.batch(isSession ? [...words, '--poll-interval', '100ms'] : words);
}

function taskOf(stage: Stage, id: string): string {
  return stage.service.taskIds.get(`Question ${id}`) ?? 'not-created';
}

/** Fills in the table that a line has written. */
async function fillIn(stage: Stage, file: string): Promise<void> {
  const listed = await stage.read(file);
  await stage.write(
    file,
    listed.replace(/^([a-z]\d),,/gm, (_, id) => `${id},${taskOf(stage, id)},`),
  );
}

/** Types a line twice, and what settles its table. */
async function typeTwice(stage: Stage, { command, rows, settling }: Line): Promise<void> {
  for (const isAgain of [false, true]) {
    const before = stage.service.creations.length;
    const typed = await type(stage, command);
    const made = stage.service.creations.length - before;
    const said = `${command}${isAgain ? ' again' : ''}\n${typed.stdout}${typed.stderr}`;
    expect(made, said).toBe(isAgain ? 0 : (rows ?? 0));
    expect(typed.code, said).toBe(/^(?:resolve|continue) /.test(command) ? 0 : await standing(stage));
  }
  if (settling === null) return;
  await fillIn(stage, commandWords(command)?.at(-1) ?? '');
  expect((await type(stage, settling)).code).toBe(0);
}

/** Types what each ending proposes first, until nothing is left; returns the commands. */
async function playOut({ stage, paid }: Play): Promise<readonly string[]> {
  const typed: string[] = [];
  while (true) {
    const [line] = linesOf(await stage.batch(['status']));
    if (line === undefined || line.command.startsWith('view ')) break;
    expect(typed, 'what is proposed helps').not.toContain(line.command);
    await typeTwice(stage, line);
    typed.push(line.command);
  }
  for (const [question, tasks] of paid()) expect(tasks, question).toBeLessThanOrEqual(1);
  return typed;
}

/** The cap that is saved with the run; null for none. */
function capInForce({ folder }: Stage): number | null {
  const db = new Database(join(folder, 'videos', 'batch.sqlite'), { readonly: true });
  const saved = db.prepare<[], { value: string }>("SELECT value FROM settings WHERE name = 'options'").get();
  db.close();
  const { 'max-points': cap = 'none' } = JSON.parse(saved?.value ?? '{}');
  return cap === 'none' ? null : Number(cap);
}

/** Begins a run, and returns what it proposes. */
async function begin(play: Play, options: readonly string[]): Promise<readonly Line[]> {
  const ending = await play.stage.batch(runLine('q.csv', ...options));
  expect(ending.code).toBe(await standing(play.stage));
  return linesOf(ending);
}

describe.concurrent(`what is proposed (${outcomes})`, { timeout }, () => {
  it.for<[string, readonly string[], readonly string[], readonly (readonly [string, number | null])[]]>([
    [
      'after rows failed and were refused within a cap',
      ['v1', 'v2', 'f1', 'f2', 'r1'],
      ['--max-points', '40', '-j', '1'],
      [
        ['retry ./videos --failed --until 1', 40],
        ['retry ./videos --rejected --until 1', 40],
      ],
    ],
    [
      'within a cap that is reached',
      ['v1', 'f1', 'v2', 'v3', 'v4', 'v5'],
      ['--max-points', '20', '-j', '1'],
      [
        ['resume ./videos --max-points 50', 50],
        ['retry ./videos --failed --until 1 --max-points 30', 30],
      ],
    ],
    [
      'after a pilot without a cap',
      ['v1', 'f1', 'r1', 'v2', 'v3'],
      ['--limit', '3', '-j', '1'],
      [
        ['resume ./videos --max-points 30', 30],
        ['retry ./videos --failed --until 1', null],
        ['retry ./videos --rejected --until 1', null],
      ],
    ],
    [
      'after an answer was lost',
      ['v1', 'f1', 'u1', 'v2'],
      ['--max-points', '30', '-j', '1'],
      [
        ['resolve ./videos u1 --task-id T', 30],
        ['resume ./videos', 30],
        ['retry ./videos --failed --until 1', 30],
      ],
    ],
    [
      'after several answers were lost',
      ['v1', 'u1', 'u2', 'v2', 'v3'],
      ['-j', '3', '--limit', '3'],
      [
        ['resolve ./videos --list --to uncertain.csv', null],
        ['resume ./videos --max-points 50', 50],
      ],
    ],
    [
      'after rows ended badly, as many as --halt says',
      ['v1', 'f1', 'v2', 'v3'],
      ['--halt', '1', '-j', '1'],
      [
        ['resume ./videos', null],
        ['retry ./videos --failed --until 1', null],
      ],
    ],
  ])('%s: each line alone, and all of them in turn', async ([, ids, options, alone]) => {
    for (const [at, [command, cap]] of alone.entries()) {
      await using play = await openPlay(ids);
      const lines = await begin(play, options);
      expect(lines.map((line) => line.command)).toEqual(alone.map(([each]) => each));
      await typeTwice(play.stage, lines[at] as Line);
      expect(capInForce(play.stage), command).toBe(cap);
    }
    await using play = await openPlay(ids);
    await begin(play, options);
    const typed = await playOut(play);
    expect(await standing(play.stage), typed.join('\n')).toBe(0);
  });

  it('under npx is said as it works there, for programs too', async () => {
    await using play = await openPlay(['v1', 'f1', 'v2']);
    const { stage } = play;
    const env = { npm_lifecycle_event: 'npx', npm_lifecycle_script: "'batch' 'run'" };
    const line = runLine('q.csv', '--limit', '2', '-j', '1', '--events', 'events.jsonl');
    const ending = await stage.batch(line, { env });
    const next = 'npx batch resume ./videos --max-points 20';
    expect(ending.stdout).toContain(`Next: ${next} `);
    const failing = 'npx batch retry ./videos --failed --until 1';
    expect(ending.stdout).toContain(`Then: ${failing} `);
    const status = JSON.parse((await stage.batch(['status', '--json'], { env })).stdout);
    expect(status).toMatchObject({ next, failures: [{ command: failing }] });
    const [last = ''] = (await stage.read('events.jsonl')).trimEnd().split('\n').slice(-1);
    expect(JSON.parse(last).summary.next).toBe(next);
    const page = await stage.read('videos/report.html');
    expect(page.includes('"program":"npx batch"')).toBe(true);
  });

  it('while submitting is paused', async () => {
    await using play = await openPlay(['v1', 'f1', 'v2', 'v3']);
    const { stage } = play;
    await stage.batch(runLine('q.csv', '--limit', '2', '-j', '1'));
    await stage.batch(['pause']);
    expect(await playOut(play)).toEqual([
      'continue ./videos',
      'resume ./videos --max-points 30',
      'retry ./videos --failed --until 3 --max-points 40',
    ]);
    expect(await standing(stage)).toBe(0);
  });

  it('of a retry that was stopped, and then of the rest', async () => {
    await using play = await openPlay(['v1', 'f1', 'f2', 'r1', 'v2', 'v3']);
    const { stage } = play;
    await stage.batch(runLine('q.csv', '--limit', '4', '-j', '1'));
    // The cap lets one of the two rows through that it orders.
    const stopped = await stage.batch('retry --failed --max-points 20 --poll-interval 100ms'.split(' '));
    expect(stopped.code).toBe(4);
    expect(await playOut(play)).toEqual([
      'retry ./videos --unsent 2 --max-points 30',
      'resume ./videos --max-points 50',
      'retry ./videos --rejected --until 5 --max-points 60',
    ]);
    expect(await standing(stage)).toBe(0);
  });
});
