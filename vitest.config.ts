import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The page's script as it is now, not as it was built last.
    globalSetup: './src/page/build.ts',
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
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
