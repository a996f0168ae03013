import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterFirstWords } from '../cli/support/program.ts';
import { completed, inProgress, type Script } from '../cli/support/scripted-service.ts';
import { openStage, questions, runLine, type Stage } from '../cli/support/stage.ts';
import { Dice } from '../sim/dice.ts';
import { nightSeed } from '../support/nightly.ts';
import { damageSomewhere } from './support/damage.ts';

/** `a` has its video, `b` and `c` are being made, `d` is on its way and accepted, `e` waits. */
const halfDone: Script = {
  create: (creation, accept) => {
    if (creation.question !== 'Question d') return undefined;
    accept();
    return () => {};
  },
  status: (task) => (task.question === 'Question a' ? completed(task) : inProgress(task)),
};

const line = runLine('q.csv', '-j', '3');
const commands = [['status'], ['verify'], line, ['resume']];

let stage: Stage;
const videos = (): string => join(stage.folder, 'videos');
const file = (name: string): string => join(videos(), name);

beforeAll(async () => {
  stage = await openStage(halfDone);
  await stage.write('q.csv', questions('a', 'b', 'c', 'd', 'e'));
  const program = stage.start(line);
  await stage.service.until(({ events }) =>
    ['create Question d', 'status Question b', 'status Question c'].every((event) => events.includes(event)),
  );
  program.kill('SIGKILL');
  await program.ended;
  cpSync(videos(), join(stage.folder, 'left'), { recursive: true });
  stage.service.follow({});
});
afterAll(() => stage[Symbol.asyncDispose]());

/** The folder as it was left, damaged anew. */
function damageAnew(damage: () => void): void {
  rmSync(videos(), { recursive: true, force: true });
  cpSync(join(stage.folder, 'left'), videos(), { recursive: true });
  damage();
}

function contentOf(name: string): string | null {
  if (!existsSync(file(name))) return null;
  return readdirSync(videos(), { withFileTypes: true }).some((one) => one.name === name && one.isFile())
    ? readFileSync(file(name), 'latin1')
    : 'a folder';
}

const tablesGone = (sql: string) => (): void => {
  const db = new Database(file('batch.sqlite'));
  db.exec(sql);
  db.close();
};

/** In the place of the checkpoint stands another file; its log is gone with it. */
const replacedBy = (write: (path: string) => void) => (): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(file(`batch.sqlite${end}`), { force: true });
  write(file('batch.sqlite'));
};

const flip = (name: string, at: number) => (): void => {
  const bytes = readFileSync(file(name));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file(name), bytes);
};

const damages: Readonly<Record<string, () => void>> = {
  'no bytes': replacedBy((path) => writeFileSync(path, '')),
  'a text': replacedBy((path) => writeFileSync(path, 'id,question\n1,not a database\n'.repeat(300))),
  'a folder': replacedBy((path) => mkdirSync(path)),
  'the database of another program': replacedBy((path) => {
    const db = new Database(path);
    db.exec('CREATE TABLE bookmarks (url TEXT); PRAGMA user_version = 1');
    db.close();
  }),
  'a database without a version': tablesGone('PRAGMA user_version = 0'),
  'a database of a newer version': tablesGone('PRAGMA user_version = 99'),
  'a database without its attempts': tablesGone('DROP TABLE attempts'),
  'a database without an index': tablesGone('DROP INDEX items_by_identity'),
  'a database with a row of no question': tablesGone('DELETE FROM questions WHERE item = 2'),
  'a database with an unknown status': tablesGone(`UPDATE items SET status = 'opfn' WHERE id = 'b'`),
  'a database whose attempts name other tasks': tablesGone(
    `UPDATE attempts SET task_id = 'task-9' WHERE item = 2`,
  ),
  'a database without its log': () => rmSync(file('batch.sqlite-wal')),
  'a log of no bytes': () => truncateSync(file('batch.sqlite-wal'), 0),
  'a log with another first byte': flip('batch.sqlite-wal', 0),
  'a log that is damaged in its first frame': flip('batch.sqlite-wal', 100),
  'a log that is damaged at its first row': () => truncateSync(file('batch.sqlite-wal'), 32 + 4120 * 3),
};

/** Commands that only look may show an older state; what they show costs nothing. */
const looksOnly = (words: readonly string[]): boolean =>
  ['status', 'verify', 'report'].includes(words[0] ?? '');

describe('a checkpoint in whose place stands', () => {
  it.for(Object.entries(damages))(
    '%s is refused by every command that may pay, and left as it is',
    async ([, damage]) => {
      damageAnew(damage);
      const names = ['batch.sqlite', 'batch.sqlite-wal'];
      const before = names.map(contentOf);
      const events = stage.service.events.length;
      for (const words of commands) {
        const ending = await stage.batch(words);
        const { code, stdout, stderr } = ending;
        const said = `${words.join(' ')}: ${code} ${stdout}${stderr}`;
        if (looksOnly(words)) expect([0, 1, 2], said).toContain(code);
        else expect(code, said).toBe(2);
        if (code === 2) expect(afterFirstWords(ending).trimEnd().split('\n'), said).toHaveLength(1);
        expect(said).not.toMatch(/\n\s+at |a bug in batch/);
        expect(
          names.map(contentOf).map((text) => text || null),
          said,
        ).toEqual(before.map((text) => text || null));
      }
      expect(stage.service.events).toHaveLength(events);
    },
  );
});

it('a lock that is damaged is refused, and taken away it is made again', async () => {
  damageAnew(() => writeFileSync(file('batch.lock'), 'this is no lock'.repeat(300)));
  const refused = await stage.batch(['collect']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('remove it') });
  rmSync(file('batch.lock'));
  expect((await stage.batch(['collect'])).code).toBe(5);
});

it('random damages end each command with a plain line, and no row is paid for twice', {
  timeout: 600_000,
}, async () => {
  const seeds = 80;
  for (let seed = nightSeed; seed < nightSeed + seeds; seed++) {
    let what = '';
    const dice = new Dice(seed, 'program');
    damageAnew(() => {
      what = damageSomewhere(videos(), ['batch.sqlite', 'batch.sqlite-wal', 'batch.lock'], dice);
    });
    const known = new Set(stage.service.taskIds.keys());
    const accepted = stage.service.creations.length;
    const words = dice.pick([line, ['resume'], ['status'], ['verify']]);
    const { code, stdout, stderr } = await stage.batch(words);
    const said = `seed ${seed}: ${what}: ${words.join(' ')}: ${code} ${stdout}${stderr}`;
    expect([0, 1, 2, 4, 5], said).toContain(code);
    expect(said).not.toMatch(/\n\s+at |a bug in batch/);
    // `e` alone may be sent: the others were, before the damage.
    const sent = stage.service.creations.slice(accepted).map(({ question }) => question);
    expect(
      sent.filter((question) => question !== 'Question e'),
      said,
    ).toEqual([]);
    expect(known.has('Question d'), said).toBe(true);
  }
});
