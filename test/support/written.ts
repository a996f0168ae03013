/** What the program wrote for other programs, held against its schemas wherever a test reads it. */

import { basename } from 'node:path';
import * as z from 'zod';
import { type ManifestEntry, manifestEntry } from '../../src/schemas/manifest.ts';
import { onRowInput, reportEntry } from '../../src/schemas/report.ts';
import { detachedOutput, endedOutput, onEndInput, statusOutput } from '../../src/schemas/run-state.ts';

/** Schemas of the lines of a file, by its name. */
const files: Readonly<Record<string, z.ZodType>> = {
  'report.jsonl': reportEntry,
  'manifest.jsonl': manifestEntry,
};

/** The lines of `report.jsonl`. */
export function reportLines(text: string): z.infer<typeof reportEntry>[] {
  return readLines(text, reportEntry, 'report.jsonl');
}

/** The lines of `manifest.jsonl`. */
export function manifestLines(text: string): ManifestEntry[] {
  return readLines(text, manifestEntry, 'manifest.jsonl');
}

/** The text of a file as it is; throws where it is one that the program writes for programs, and not as its schema says. */
export function checkedFile(path: string, text: string): string {
  const name = basename(path);
  const schema = files[name];
  // Under these names a user may have something else.
  if (schema !== undefined && text.startsWith('{')) readLines(text, schema, name);
  return text;
}

/** Throws where `--json` printed something else than its schema says. */
export function checkOutput(args: readonly string[], stdout: string): void {
  if (!args.includes('--json')) return;
  for (const line of stdout.split('\n').filter((line) => line.startsWith('{"rows":'))) {
    const value = JSON.parse(line);
    if (value.statuses === undefined) continue;
    const summary = 'reason' in value ? endedOutput : detachedOutput;
    checked(value, 'running' in value ? statusOutput : summary, args.join(' '));
  }
}

/** Throws where a hook read something else on its standard input than its schema says. */
export function checkHookInput(value: object): void {
  checked(value, 'exitCode' in value ? onEndInput : onRowInput, 'what a hook reads');
}

function readLines<T extends z.ZodType>(text: string, schema: T, name: string): z.infer<T>[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, at) => checked(JSON.parse(line), schema, `line ${at + 1} of ${name}`));
}

/** The value as it was, not as zod copies it. */
function checked<T extends z.ZodType>(value: unknown, schema: T, what: string): z.infer<T> {
  const { error } = schema.safeParse(value);
  if (error === undefined) return value as z.infer<T>;
  throw new Error(`${what} is not as its schema in src/schemas/ says:\n${z.prettifyError(error)}`);
}
