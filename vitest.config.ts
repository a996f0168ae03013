import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // `npm run coverage`: what decides is small and pure, so every branch of it is tried.
    coverage: {
      include: ['src/core/**'],
      reporter: ['text'],
      thresholds: { branches: 100, lines: 100, functions: 100 },
    },
  },
});
