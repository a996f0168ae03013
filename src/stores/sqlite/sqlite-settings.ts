/** The settings of a run, saved in the checkpoint. */

import type { Decision } from '../port/decisions.ts';
import type { Settings, SettingValues } from '../port/settings.ts';
import { type Database, guard } from './database.ts';
import { writeDecisions } from './decided/decisions.ts';
import { changeHere } from './move-mark.ts';
import type { SqliteCheckpoint } from './sqlite-checkpoint.ts';

export class SqliteSettings implements Settings {
  readonly #db: Database;
  readonly #checkpoint: Pick<SqliteCheckpoint, 'sound'>;
  readonly #read;

  constructor(db: Database, checkpoint: Pick<SqliteCheckpoint, 'sound'>) {
    this.#db = db;
    this.#checkpoint = checkpoint;
    this.#read = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?');
  }

  async get(name: string): Promise<string | null> {
    return guard(this.#db.name, () => this.#read.get(name)?.value ?? null);
  }

  async save(name: string, value: string): Promise<void> {
    await this.#checkpoint.sound;
    this.saveNow(name, value);
  }

  async replace(
    before: SettingValues,
    after: Readonly<Record<string, string>>,
    decisions: readonly Decision[] = [],
  ): Promise<boolean> {
    await this.#checkpoint.sound;
    return changeHere(this.#db, () => {
      const isSame = Object.entries(before).every(
        ([name, value]) => (this.#read.get(name)?.value ?? null) === value,
      );
      if (!isSame) return false;
      for (const [name, value] of Object.entries(after)) this.saveNow(name, value);
      writeDecisions(this.#db, decisions);
      return true;
    });
  }

  /** `save` for a checkpoint known to be sound. */
  saveNow(name: string, value: string): void {
    const write =
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
    guard(this.#db.name, () => this.#db.prepare(write).run(name, value));
  }
}
