import { configDefaults, defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { temporaryFiles } from './test/support/memory-folder.ts';
import { pureFiles } from './test/support/rooms.ts';
import { leftOut } from './test/support/turns.ts';

const project = (name: string, include: readonly string[], isolate: boolean, more = {}) => ({
  extends: true as const,
  test: { name, include: [...include], isolate, ...more },
});

export default defineConfig({
  test: {
    projects: [
      // A newcomer's three minutes (`npm test`). They share the modules they import: loading those for each file anew would take half of
      // the time of the small ones.
      project('test', ['test/**/*.test.ts'], false, {
        env: { TMPDIR: temporaryFiles },
        globalSetup: './test/support/memory-folder.ts',
      }),
      // Everything that takes longer or needs more (`npm run proof`).
      project('proof', ['test/**/*.proof.ts'], true, { exclude: [...configDefaults.exclude, ...leftOut] }),
      // The tests of what is pure, once more, for `npm run coverage`.
      project(
        'pure',
        pureFiles.map((glob) => `test/${glob.replace(/\.ts$/, '*.test.ts')}`),
        false,
      ),
    ],
    // The page's script as it is now, not as it was built last.
    globalSetup: './src/page/build.ts',
    setupFiles: ['./test/support/kill-rest.ts', './test/support/same-cases.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    // Deadlines against what hangs, not measures: a machine that does much else takes its time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Most tests wait for processes and sockets: on two cores a second worker is worth its place.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    // `npm run coverage`: what decides is small and pure, so every branch of it is tried.
    coverage: {
      include: pureFiles.map((glob) => `src/${glob}`),
      reporter: ['text'],
      thresholds: { branches: 100, lines: 100, functions: 100 },
    },
  },
});
