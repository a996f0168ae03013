import { expect, it } from 'vitest';
import { statuses } from '../../src/money/item.ts';
import { renderStateDiagram } from './state-diagram.ts';

const diagram = renderStateDiagram();

it('shows every status, and a way into it', () => {
  for (const status of statuses) expect(diagram).toMatch(new RegExp(`--> ${status}\\b`));
});

it('leads from a completed task to its files, to the reason why not or to a better task, never back to a creation', () => {
  const ways = diagram.split('\n').filter((line) => line.startsWith('  downloading -->'));
  expect(ways.map((line) => / --> (\w+)/.exec(line)?.[1])).toEqual([
    'open',
    'completed',
    'failed',
    'undelivered',
  ]);
  expect(ways[0]).toBe('  downloading --> open: creation-accepted');
});

it('leads from uncertain to a new creation by the word of the user or the answer to its own one', () => {
  const ways = diagram.split('\n').filter((line) => line.trim().startsWith('uncertain -->'));
  expect(ways).toEqual([
    '  uncertain --> pending: creation-barred, creation-not-sent, creation-refused, not-created',
    '  uncertain --> open: creation-accepted, task-adopted',
    '  uncertain --> rejected: creation-refused',
  ]);
});
