/** A run in numbers, as the text that the node exporter of Prometheus reads from a file. */

import { type Status, statuses } from '../money/item.ts';
import type { Ledger } from '../money/summary.ts';
import { reservedPoints } from '../money/summary.ts';

/** What is measured. */
export interface Metrics {
  /** Names the run: in a store, or by its output folder. */
  readonly run: string;
  /** The id of the run: two runs may have one name. */
  readonly id: string;
  readonly ledger: Readonly<Ledger>;
  /** Rows that this process works on, by status. */
  readonly held: Readonly<Partial<Record<Status, number>>>;
  /** Of this process, since it started. */
  readonly polls: number;
  readonly downloads: number;
  readonly workers: number;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** The whole file. */
export function renderMetrics({ run, id, ledger, held, polls, downloads, workers }: Metrics): string {
  const reserved = reservedPoints(ledger);
  const one = (value: number): readonly Sample[] => [[{}, value]];
  const families: readonly (readonly [string, 'gauge' | 'counter', string, readonly Sample[]])[] = [
    [
      'batch_rows',
      'gauge',
      'Rows of the run by status.',
      statuses.map((status) => [{ status }, ledger.counts[status]]),
    ],
    ['batch_points_spent', 'gauge', 'Points spent by the run.', one(ledger.spent)],
    [
      'batch_points_reserved',
      'gauge',
      'Points reserved by tasks that may be charged; absent while no price is known.',
      reserved === null ? [] : one(reserved),
    ],
    ['batch_open_tasks', 'gauge', 'Open tasks that this process polls.', one(held.open ?? 0)],
    ['batch_polls_total', 'counter', 'Status requests of this process.', one(polls)],
    ['batch_downloads_total', 'counter', 'File downloads that this process started.', one(downloads)],
    ['batch_workers', 'gauge', 'Processes that work on the run.', one(workers)],
  ];
  const text = families
    .map(([name, type, help, samples]) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(([labels, value]) => `${name}${renderLabels({ run, ...labels })} ${value}`),
      ].join('\n'),
    )
    .join('\n');
  return `${firstLine(id)}${text}\n`;
}

/** A comment, which readers of metrics leave out. */
function firstLine(id: string): string {
  return `# batch ${id}\n`;
}

/** True for the start of a file with the numbers of the run with this id. */
export function isMetricsOf(id: string, head: string): boolean {
  return head.startsWith(firstLine(id));
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(',')}}`;
}

function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
