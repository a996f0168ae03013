/** Preload: the program is killed just before or after it writes a decision about money of a kind (`KILL_DECISION`, `KILL_KIND`). */

import Database from 'better-sqlite3';

const { prepare } = Database.prototype;

Database.prototype.prepare = function (this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql);
  if (!sql.startsWith('INSERT INTO decisions')) return statement;
  const { run } = statement;
  return Object.assign(statement, {
    run(this: Database.Statement, decision: { readonly kind: string }) {
      if (decision.kind !== process.env.KILL_KIND) return run.call(this, decision);
      if (process.env.KILL_DECISION === 'before') process.kill(process.pid, 'SIGKILL');
      run.call(this, decision);
      return process.kill(process.pid, 'SIGKILL');
    },
  });
} as typeof prepare;
