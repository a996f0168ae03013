import { expect, test } from 'vitest';
import { typedName } from '../../src/cli/typed-name.ts';

const npx = (line: string) => ({ npm_lifecycle_event: 'npx', npm_lifecycle_script: line });

test.each([
  [{}, '/usr/bin/batch', 'batch'],
  [{}, 'C:\\npm\\node_modules\\batch-video\\dist\\cli.js', 'batch'],
  [{}, '/usr/bin/batch-video', 'batch-video'],
  [npx('batch'), '', 'npx batch'],
  [npx("'batch' 'run' 'q.csv'"), '', 'npx batch'],
  // Elsewhere `npx batch` would fetch another package.
  [npx('"batch-video" "run"'), '', 'npx batch-video'],
  [npx('other batch'), '/usr/bin/batch', 'batch'],
  [{ ...npx('batch'), npm_lifecycle_event: 'nightly' }, '', 'batch'],
])('started with %j from %s it is typed %s', (env, script, name) => {
  expect(typedName(env, script)).toBe(name);
});
