/** What the rooms of `src/` may do that no folder tells: which files beside `money/`, `text/` and `files/` are pure, touch the world, or speak. */

/** Pure files: no clock, no chance, no waiting, no outside. Relative to `src/`, as globs. */
export const pureFiles: readonly string[] = [
  'money/**/*.ts',
  'text/**/*.ts',
  'files/**/*.ts',
  'messages/**/*.ts',
  'cli/stop-signal.ts',
  'features/export/{export-choice,export-name,export-names,name-template}.ts',
  'features/fleet/takeovers.ts',
  'features/hooks/hook-environment.ts',
  'features/resolve/findings-table.ts',
  'features/review/{joined-marks,marks-table,review-wire}.ts',
  'features/verify/{finding-text,finding-text-zh,inspection,suspects}.ts',
  'features/verify/suspects/*.ts',
  'input/{columns,first-row,header-row,known-names,near-columns,option-columns,own-columns}.ts',
  'reports/page-wire.ts',
  'terminal/numbers.ts',
  'service/{answer-heads,deadline,proxy-choice}.ts',
];

/** Adapters of one feature or of the composition root, which lie beside what they serve. */
export const touchingFiles =
  /^(app\/(page-assets|pino-log|system-clock)|features\/(fleet\/pg-boss-placement|hooks\/(hook-process|http-ping)|verify\/(ffmpeg|video-container)|view\/view-server))(\/.*)?\.ts$/;

/** Files of features that speak to a person: the commands, and what their output is made of. */
export const speakingFiles =
  /^(cli\.ts|cli\/.*|features\/.*-command\.ts|features\/(hooks\/(event-log|followers)|retry\/retry-lines|review\/review-commands|run\/(dry-run|print-next|print-totals|run-in-terminal|run-plan)|verify\/inspect-after-run|view\/browser)\.ts)$/;
