import { describe, expect, it } from 'vitest';
import { EventQueue, thinOut } from '../../../src/app/events/event-queue.ts';
import type { BatchEvent, PlanEvent, RowEvent } from '../../../src/index.ts';

const plan = { type: 'plan' } as PlanEvent;
const warning: BatchEvent = { type: 'warning', text: 'careful' };
const note: BatchEvent = { type: 'note', text: 'by the way' };
const frame = (id: string): BatchEvent => ({ type: 'frame', row: 1, id, frame: 1, path: '/videos/001.png' });
const row = (id: string, from: RowEvent['from'], status: RowEvent['status']): RowEvent => {
  const nothing = { taskId: null, points: null, failure: null, video: null };
  return { type: 'row', row: 1, id, from, status, attempt: 1, ...nothing };
};

async function takeAll(queue: EventQueue): Promise<BatchEvent[]> {
  const events: BatchEvent[] = [];
  for (let event = await queue.take(); event !== null; event = await queue.take()) events.push(event);
  return events;
}

describe('events that wait', () => {
  it('come out as they went in, also to a reader that was there first', async () => {
    const queue = new EventQueue();
    const first = queue.take();
    for (const event of [warning, note, warning]) queue.push(event);
    queue.close();
    queue.push(note);
    expect(await first).toBe(warning);
    expect(await takeAll(queue)).toEqual([note, warning]);
  });

  it('are let go once nobody reads any more', async () => {
    const queue = new EventQueue();
    queue.push(note);
    queue.discard();
    expect(await takeAll(queue)).toEqual([]);
  });

  it('are never more than ten thousand, and the last standing of a row is kept as long as it can be', async () => {
    const queue = new EventQueue();
    queue.push(plan);
    const rows = 4_000;
    for (const [from, status] of [
      ['pending', 'submitting'],
      ['submitting', 'open'],
      ['open', 'completed'],
    ] as const)
      for (let i = 0; i < rows; i++) queue.push(row(`${i}`, from, status));
    queue.close();
    const events = await takeAll(queue);
    expect(events.length).toBeLessThanOrEqual(10_000);
    const last = new Map(events.flatMap((event) => (event.type === 'row' ? [[event.id, event.status]] : [])));
    expect(last.size).toBe(rows);
    expect(new Set(last.values())).toEqual(new Set(['completed']));
  });
});

describe('thinning out', () => {
  it('leaves one event of each row, from its first status to its last', () => {
    const events = [
      plan,
      row('a', 'pending', 'submitting'),
      warning,
      row('b', 'pending', 'submitting'),
      note,
    ];
    const later = [row('a', 'submitting', 'open'), row('a', 'open', 'failed')];
    expect(thinOut([...events, ...later], 10)).toEqual([
      plan,
      warning,
      row('b', 'pending', 'submitting'),
      note,
      row('a', 'pending', 'failed'),
    ]);
  });

  it('then lets frames and notes go, then the oldest, and counts them; the plan stays', () => {
    const events = [plan, frame('a'), row('a', 'open', 'failed'), note, warning, row('b', 'open', 'failed')];
    expect(thinOut(events, 3)).toEqual([
      plan,
      { type: 'missed', count: 2 },
      row('a', 'open', 'failed'),
      warning,
      row('b', 'open', 'failed'),
    ]);
    expect(thinOut(events, 1)).toEqual([plan, { type: 'missed', count: 4 }, row('b', 'open', 'failed')]);
  });

  it('counts on where it had counted before', () => {
    const events: BatchEvent[] = [{ type: 'missed', count: 5 }, warning, warning, warning];
    expect(thinOut(events, 2)).toEqual([{ type: 'missed', count: 6 }, warning, warning]);
  });
});
