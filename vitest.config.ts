import { configDefaults, defineConfig } from 'vitest/config';
import type { ProjectConfig } from 'vitest/node';
import { LongestFirst } from './test/support/longest-first.ts';
import { temporaryFiles } from './test/support/memory-folder.ts';
import { isNightly } from './test/support/nightly.ts';
import { pureFiles, pureTests } from './test/support/pure-files.ts';

/** The file name tells the tier: `*.test.ts`, `*.proof.ts` or `*.night.ts`. */
const project = (name: string, include: readonly string[], more: ProjectConfig = {}) => ({
  extends: true as const,
  test: { name, include: [...include], ...more },
});

const deadlineMs = isNightly ? 3_600_000 : 300_000;

export default defineConfig({
  test: {
    projects: [
      // A newcomer's two minutes (`npm test`). They share the modules they import: loading those for each file anew would take half of
      // the time of the small ones. What is pure goes first, alone, because its branches are counted: that slows down all that runs beside it.
      project('pure', pureTests, { isolate: false }),
      project('test', ['test/**/*.test.ts'], {
        exclude: [...configDefaults.exclude, ...pureTests],
        isolate: false,
        env: { TMPDIR: temporaryFiles },
        globalSetup: './test/support/memory-folder.ts',
      }),
      // What else a change has to pass (`npm run proof`).
      project('proof', ['test/**/*.proof.ts']),
      // What is random, long, or needs more than npm and Chromium (`npm run night`).
      project('night', ['test/**/*.night.ts']),
    ],
    // The page's script as it is now, not as it was built last.
    globalSetup: './src/page/build.ts',
    setupFiles: ['./test/support/kill-rest.ts', './test/support/same-cases.ts'],
    reporters: ['default', './test/support/results.ts'],
    // Deadlines against what hangs, not measures: a machine that does much else takes its time.
    testTimeout: deadlineMs,
    hookTimeout: deadlineMs,
    expect: { poll: { timeout: 120_000 } },
    // Most tests wait for processes and sockets: on two cores a second worker is worth its place.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    // `npm test`: what decides is small and pure, so every branch of it is tried.
    coverage: {
      include: [...pureFiles].map((file) => `src/${file}`),
      reporter: [['text', { skipFull: true }]],
      thresholds: { branches: 100, lines: 100, functions: 100 },
    },
  },
});
