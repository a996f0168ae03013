import headless from '@xterm/headless';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Ledger } from '../../src/money/summary.ts';
import type { RunView } from '../../src/ports.ts';
import { LiveScreen } from '../../src/terminal/live-screen.ts';
import { english } from '../../src/terminal/phrases/phrases.ts';
import { folderWords } from '../../src/text/run-words.ts';
import { itemIn } from '../money/lives.ts';
import { factsOf, ledgerOf, now } from './live-facts.ts';

/** A terminal that remembers what it was sent, and what of it can be seen. */
function openTerminal(columns = 60, rows = 20) {
  const xterm = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const writes: string[] = [];
  const terminal = {
    columns,
    rows,
    write: (text: string) => void writes.push(text),
  };
  let seen = 0;
  /** All lines, those that have left the screen at the top included, without the empty ones at the end. */
  async function shown(): Promise<string[]> {
    const text = writes.slice(seen).join('').replaceAll('\n', '\r\n');
    seen = writes.length;
    await new Promise<void>((resolve) => xterm.write(text, resolve));
    const { buffer } = xterm;
    const lines = Array.from({ length: buffer.active.length }, (_, at) =>
      (buffer.active.getLine(at)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }
  async function resize(to: number): Promise<void> {
    await shown();
    xterm.resize(to, rows);
    terminal.columns = to;
  }
  return { terminal, writes, shown, resize };
}

function viewOf(ledger: Ledger, items = factsOf().slowest): RunView & { looks: number } {
  return {
    ledger,
    policy: factsOf().view.policy,
    concurrency: 50,
    get toSubmit() {
      return ledger.counts.pending;
    },
    obstacle: null,
    ownRows: () => ({}),
    looks: 0,
    openItems() {
      this.looks += 1;
      return items;
    },
  };
}

const counts = { completed: 1, open: 2, pending: 7 } as const;
const change = [itemIn('open'), itemIn('downloading')] as const;

function begin(columns?: number, rows?: number) {
  const place = openTerminal(columns, rows);
  const screen = new LiveScreen(place.terminal, {
    isColor: false,
    words: folderWords('./videos'),
    say: english,
    now: Date.now,
  });
  const view = viewOf(ledgerOf(counts, 10));
  return { ...place, screen, view };
}

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the live screen', () => {
  it('shows one block, however often it is drawn', async () => {
    const { screen, view, shown, writes } = begin();
    screen.started(view);
    for (let second = 0; second < 90; second += 1) {
      screen.changed(...change);
      vi.advanceTimersByTime(1_000);
    }
    expect(writes.length).toBeGreaterThan(80);
    const lines = await shown();
    expect(lines).toHaveLength(7);
    expect(lines[1]).toBe('█ 1 of 10 done  ▓ 2/50 open  ░ 7 pending');
    expect(lines[2]).toContain('running 1 min 30 s');
    screen.ended();
    expect(await shown()).toEqual([]);
  });

  it('draws at most four times a second, once where only the clock moved, and each time in one write', () => {
    const { screen, view, writes } = begin();
    screen.started(view);
    vi.advanceTimersByTime(1_000);
    writes.length = 0;
    for (let at = 0; at < 100; at += 1) {
      screen.changed(...change);
      view.ledger.counts.completed += 1;
      vi.advanceTimersByTime(10);
    }
    expect(writes).toHaveLength(4);
    writes.length = 0;
    vi.advanceTimersByTime(1_000);
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s);
  });

  it('looks at the open tasks once a second, however much happens', () => {
    const { screen, view } = begin();
    screen.started(view);
    for (let at = 0; at < 1_000; at += 1) {
      screen.changed(...change);
      vi.advanceTimersByTime(10);
    }
    expect(view.looks).toBeLessThanOrEqual(10);
  });

  it('does not show a task as slow that has just ended', async () => {
    const { screen, view, shown } = begin();
    const [first] = view.openItems();
    if (first === undefined) throw new Error('no open item');
    screen.started(view);
    // The look at all open tasks comes with the first draw, and a second later again.
    vi.advanceTimersByTime(250);
    expect((await shown()).join()).toContain(first.id);
    screen.changed(first, { ...first, status: 'failed', failure: 'no' });
    vi.advanceTimersByTime(250);
    expect((await shown()).join()).not.toContain(first.id);
  });

  it('draws nothing before the rows are known', async () => {
    const { screen, shown } = begin();
    screen.started(viewOf(ledgerOf({})));
    vi.advanceTimersByTime(2_000);
    expect(await shown()).toEqual([]);
  });

  it('lets what is said for good scroll above the block, whole and at once', async () => {
    const { screen, view, shown } = begin(40);
    screen.warn('said before the start');
    screen.started(view);
    vi.advanceTimersByTime(500);
    screen.warn('the points cap is reached, and a long text follows it');
    screen.note('the service answers again\u001b[2J');
    screen.say('Stopping');
    const lines = await shown();
    expect(lines.slice(0, 5)).toEqual([
      'warning: said before the start',
      'warning: the points cap is reached, and',
      'a long text follows it',
      'the service answers again',
      'Stopping',
    ]);
    expect(lines.filter((line) => line.includes('10 %'))).toHaveLength(1);
    screen.ended();
    expect(await shown()).toEqual(lines.slice(0, 5));
  });

  it('keeps rows that ended badly in the block, the latest three', async () => {
    const { screen, view, shown } = begin();
    screen.started(view);
    for (const id of ['a', 'b', 'c', 'd'])
      screen.note(`row ${id} is failed: no`, itemIn('failed', { id, failure: 'no' }));
    vi.advanceTimersByTime(500);
    const lines = await shown();
    expect(lines.filter((line) => line.endsWith('failed: no'))).toEqual([
      'latest   b failed: no',
      '         c failed: no',
      '         d failed: no',
    ]);
  });

  it('removes what is left of the block when the terminal becomes narrower', async () => {
    const { screen, view, shown, resize } = begin(80);
    screen.warn('this stays');
    screen.started(view);
    vi.advanceTimersByTime(500);
    await resize(30);
    vi.advanceTimersByTime(1_000);
    const lines = await shown();
    expect(lines[0]).toBe('warning: this stays');
    expect(lines.filter((line) => line.includes('█'))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('slowest'))).toHaveLength(1);
    await resize(100);
    vi.advanceTimersByTime(1_000);
    expect((await shown()).filter((line) => line.includes('pending'))).toHaveLength(1);
  });

  it('is never taller than the terminal', async () => {
    const { screen, view, shown } = begin(40, 6);
    screen.started(view);
    for (let second = 0; second < 10; second += 1) vi.advanceTimersByTime(1_000);
    expect((await shown()).length).toBeLessThanOrEqual(6);
  });

  it('is drawn anew under what stands there when the run continues after a rest', async () => {
    const { screen, view, shown, terminal } = begin();
    screen.started(view);
    vi.advanceTimersByTime(500);
    screen.suspended();
    expect(await shown()).toEqual([]);
    terminal.write('[1]+  Stopped\n$ fg\n');
    vi.advanceTimersByTime(1_000);
    const lines = await shown();
    expect(lines.slice(0, 2)).toEqual(['[1]+  Stopped', '$ fg']);
    expect(lines.filter((line) => line.includes('10 %'))).toHaveLength(1);
  });

  it('takes a terminal that does not know its size for one of 80 columns', async () => {
    const { screen, view, shown, terminal } = begin(80);
    terminal.columns = 0;
    terminal.rows = 0;
    screen.started(view);
    vi.advanceTimersByTime(500);
    expect((await shown())[0]?.length).toBeGreaterThan(60);
  });
});
