import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

/** `*.test.ts` are a newcomer's three minutes (`npm test`), `*.proof.ts` everything that takes longer or needs more (`npm run proof`). */
const project = (name: 'test' | 'proof', isolate: boolean) => ({
  extends: true as const,
  test: { name, include: [`test/**/*.${name}.ts`], isolate },
});

export default defineConfig({
  test: {
    // The fast tests share the modules they import: loading those for each file anew would take half of the time of the small ones.
    projects: [project('test', false), project('proof', true)],
    // The page's script as it is now, not as it was built last.
    globalSetup: './src/page/build.ts',
    setupFiles: './test/support/kill-rest.ts',
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
      include: ['src/core/**'],
      reporter: ['text'],
      thresholds: { branches: 100, lines: 100, functions: 100 },
    },
  },
});
