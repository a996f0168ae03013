/**
 * The live block on a terminal: redrawn on a change, at most four times a second. Permanent lines go above it.
 * Everything of one moment leaves in one write, so that no half-drawn block is ever visible.
 */

import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createLogUpdate } from 'log-update';
import type { Said } from '../messages/message.ts';
import {
  createProgress,
  forecast,
  noteProgress,
  type Survey,
  surveyOpen,
} from '../money/forecast/progress.ts';
import type { Item } from '../money/item.ts';
import { countRows } from '../money/summary.ts';
import type { CrewView, RunView } from '../ports.ts';
import type { RunWords } from '../text/run-words.ts';
import { listLength, renderLiveBlock } from './live-block.ts';
import { pausedMs } from './obstacle-text.ts';
import type { Phrases } from './phrases/phrases.ts';
import { type Display, renderNote, renderWarning } from './plain-lines.ts';
import { textWidth } from './text-width.ts';

const drawIntervalMs = 250;

/** Reading all open items is cheap, but not free: there may be 100,000. */
const surveyIntervalMs = 1_000;

/** A terminal draws what is between these at once. */
const together = { begin: '\u001b[?2026h', end: '\u001b[?2026l' } as const;

/** Between these the terminal cuts a long line instead of wrapping it, even if it measures letters differently. */
const unwrapped = { begin: '\u001b[?7l', end: '\u001b[?7h' } as const;

/** What the screen needs from a terminal. */
export interface LiveTerminal {
  /** 0 or undefined where unknown. */
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

/** Collects the output of one moment; reports the size of the terminal. */
class Sheet extends Writable {
  readonly #terminal: LiveTerminal;
  #text = '';

  constructor(terminal: LiveTerminal) {
    super({ decodeStrings: false });
    this.#terminal = terminal;
  }

  get columns(): number {
    return this.#terminal.columns || 80;
  }

  get rows(): number {
    return this.#terminal.rows || 24;
  }

  override _write(text: string, _encoding: BufferEncoding, done: () => void): void {
    this.#text += text;
    done();
  }

  /** Writes everything collected. */
  leave(): void {
    if (this.#text !== '') this.#terminal.write(`${together.begin}${this.#text}${together.end}`);
    this.#text = '';
  }
}

/** Shows a run on a terminal with cursor control; nothing else may write there until it has ended. */
export class LiveScreen implements Display {
  readonly #sheet: Sheet;
  readonly #isColor: boolean;
  readonly #words: RunWords;
  readonly #say: Phrases;
  readonly #now: () => number;
  readonly #block: ReturnType<typeof createLogUpdate>;
  readonly #progress = createProgress();
  readonly #failures: Item[] = [];
  #view: RunView | null = null;
  #crew: CrewView | null = null;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasChanged = true;
  #survey: Survey = { slowest: [], latestAt: null };
  #surveyedAt = 0;
  #drawnAt = 0;
  #drawn: { readonly columns: number; readonly lines: readonly string[] } = { columns: 0, lines: [] };

  /** `now` is epoch ms; `words` are for commands in messages. */
  constructor(
    terminal: LiveTerminal,
    {
      isColor,
      words,
      say,
      now,
    }: {
      readonly isColor: boolean;
      readonly words: RunWords;
      readonly say: Phrases;
      readonly now: () => number;
    },
  ) {
    this.#sheet = new Sheet(terminal);
    this.#isColor = isColor;
    this.#words = words;
    this.#say = say;
    this.#now = now;
    this.#block = createLogUpdate(this.#sheet);
  }

  /** A row that ended badly is shown in the block. */
  note(said: Said, row?: Item): void {
    if (row === undefined) {
      this.say(this.#say.render(said));
      return;
    }
    this.#failures.push(row);
    if (this.#failures.length > listLength) this.#failures.shift();
    this.#hasChanged = true;
  }

  warn(said: Said): void {
    this.#writeAbove(renderWarning(said, this.#say, this.#isColor));
  }

  say(text: string): void {
    this.#writeAbove(renderNote(text));
  }

  changed(before: Item, after: Item): void {
    this.#hasChanged = true;
    if (this.#view === null) return;
    if (after.status !== 'open') this.#forgetOpen(after);
    noteProgress(this.#progress, before, after, { ledger: this.#view.ledger, now: this.#now() });
  }

  /** Until the next survey: an item that has just failed must not also be listed as slow. */
  #forgetOpen({ key }: Item): void {
    const { slowest, latestAt } = this.#survey;
    if (slowest.some((item) => item.key === key))
      this.#survey = { slowest: slowest.filter((item) => item.key !== key), latestAt };
  }

  crewSeen(crew: CrewView): void {
    this.#crew = crew;
    this.#hasChanged = true;
  }

  /** Also for the next round of a shared run. */
  started(view: RunView): void {
    this.#startedAt = this.#view === null ? this.#now() : this.#startedAt;
    this.#view = view;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#drawWhereNeeded(), drawIntervalMs).unref();
  }

  ended(): void {
    clearInterval(this.#timer);
    this.#view = null;
    this.suspended();
  }

  suspended(): void {
    this.#erase();
    this.#sheet.leave();
    this.#block.done();
  }

  #drawWhereNeeded(): void {
    const now = this.#now();
    const isSameSecond = Math.floor(now / 1_000) === Math.floor(this.#drawnAt / 1_000);
    if (this.#hasChanged || !isSameSecond) this.#draw(now);
  }

  #writeAbove(line: string): void {
    this.#erase();
    this.#sheet.write(`${line}\n`);
    this.#draw(this.#now());
  }

  #draw(now: number): void {
    this.#hasChanged = false;
    this.#drawnAt = now;
    // Before the checkpoint is read there is nothing to show.
    if (this.#view !== null && countRows(this.#view.ledger) > 0) this.#drawBlock(this.#view, now);
    this.#sheet.leave();
  }

  #drawBlock(view: RunView, now: number): void {
    if (Math.abs(now - this.#surveyedAt) >= surveyIntervalMs) {
      this.#survey = surveyOpen(view.openItems(), listLength);
      this.#surveyedAt = now;
    }
    const { ledger, policy, toSubmit } = view;
    const { slowest, latestAt } = this.#survey;
    const facts = {
      view,
      forecast: forecast(
        this.#progress,
        { ledger, policy, toSubmit, latestAt, pausedMs: pausedMs(view.obstacle, now) },
        now,
      ),
      slowest,
      failures: this.#failures,
      startedAt: this.#startedAt,
      now,
      words: this.#words,
      say: this.#say,
      crew: this.#crew,
    };
    const { columns, rows } = this.#sheet;
    if (columns < this.#drawn.columns) this.#erase();
    const lines = renderLiveBlock(facts, { columns, rows, isColor: this.#isColor });
    this.#sheet.write(unwrapped.begin);
    this.#block(lines.join('\n'));
    this.#sheet.write(unwrapped.end);
    this.#drawn = { columns, lines };
  }

  /**
   * A terminal that became narrower has wrapped the lines of the block, so more lines must be erased than were drawn.
   */
  #erase(): void {
    const { columns } = this.#sheet;
    const widths = this.#drawn.lines.map((line) => textWidth(stripVTControlCharacters(line)));
    const more = widths.reduce((sum, width) => sum + Math.max(0, Math.ceil(width / columns) - 1), 0);
    this.#block.clear();
    if (more > 0) this.#sheet.write(`\u001b[${more}A\u001b[J`);
    this.#drawn = { columns, lines: [] };
  }
}
