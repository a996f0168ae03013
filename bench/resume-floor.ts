/** The least that a start has to read: `FOLDER`. */

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { report } from './reporting.ts';

const db = new Database(join(process.argv[2] ?? '', 'batch.sqlite'));
const open = db.prepare("SELECT * FROM items WHERE status = 'open'").all();
report('rows', open.length);
db.close();
