/** The settings of a run, saved in the database. */

import type { Settings } from '../port/settings.ts';
import type { Connections } from './connection/connections.ts';
import { withDecisionsIfSaved } from './decisions.ts';

/** `sound` rejects when the run is damaged. */
export function postgresSettings(connections: Connections, sound: () => Promise<void>): Settings {
  return {
    async get(name) {
      const row = await connections.row<{ value: string }>('SELECT value FROM settings WHERE name = $1', [
        name,
      ]);
      return row?.value ?? null;
    },
    async replace(before, after, decisions = []) {
      await sound();
      const replacing = {
        text: 'SELECT replace_settings($1, $2) AS saved',
        values: [JSON.stringify(before), JSON.stringify(after)],
      };
      const { text, values } = withDecisionsIfSaved(replacing, decisions);
      return (await connections.row<{ saved: boolean }>(text, values))?.saved === true;
    },
    async save(name, value) {
      await sound();
      await connections.rows('SELECT save_setting($1, $2)', [name, value]);
    },
  };
}
