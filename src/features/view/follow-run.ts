/** Shows a run live: the current page, and then every change, to all followers. */

import { messageOf, raise } from '../../errors.ts';
import { fixed } from '../../money/policy.ts';
import type { Listener, PageAssets } from '../../ports.ts';
import { reportLine } from '../../reports/columns.ts';
import { addTotals, noTotals, renderPageHead, renderPageTail } from '../../reports/page.ts';
import { createPageBody } from '../../reports/page-body.ts';
import {
  createOwnCells,
  type HasFile,
  type ImageLinks,
  pageRow,
  shownAddress,
} from '../../reports/page-row.ts';
import { packRow } from '../../reports/page-wire.ts';
import { inBatches } from '../../reports/write-report.ts';
import { type LookWorld, RunLook } from './look-at-run.ts';

/** What following needs from the outside. */
export interface FollowWorld extends LookWorld {
  readonly assets: PageAssets;
  /** True for a file (relative to the output folder) that is there; absent where that is not known. */
  readonly hasFile?: HasFile;
  /** Receives the reason of a failed look, once; the next look may succeed. */
  readonly failed: (error: unknown) => void;
}

/** Rows in one event. */
const eventRows = 50;

/** Events kept for the next listener; where there are more, each listener gets its own. */
const sharedEvents = 20;

/** Pictures of the input are loaded one by one. Addresses stay links. */
const imageLinks: ImageLinks = (image, { key, field, index }) =>
  image.kind === 'url' ? shownAddress(image.url) : `images/${key}/${field}/${index}`;

interface Follower {
  readonly listener: Listener;
  /** The version it has received. */
  version: number;
  isBusy: boolean;
}

/** The events from one version to another. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly keys: readonly number[];
  readonly events: Map<number, Promise<string>>;
}

/** One look at the run serves all followers; with no followers there are no looks. */
export class RunFollower {
  readonly #world: FollowWorld;
  readonly #run: RunLook;
  readonly #followers = new Set<Follower>();
  /** Shared by all pages and events: a column has one place in them. */
  readonly #own = createOwnCells();
  #span: Span | null = null;
  #isGoing = false;
  #failure = '';

  constructor(world: FollowWorld) {
    this.#world = world;
    this.#run = new RunLook(world);
  }

  /** The whole page in pieces. It names its version, from which its followers receive changes. */
  async *page(): AsyncGenerator<string> {
    const { watch, assets, hasFile } = this.#world;
    // The browser gets something to show before a large run is read.
    yield renderPageHead(assets, true);
    await this.#run.look();
    yield `<script type="application/json" id="version">${this.#run.version}</script>\n`;
    // An import meanwhile makes the first rows outdated: the page must be informed.
    const inputVersion = await watch.inputVersion();
    const body = createPageBody(imageLinks, { hasFile, own: this.#own });
    let totals = noTotals;
    for await (const batch of inBatches(watch.reportPages(), undefined)) {
      const lines = batch.map(reportLine);
      yield body.render(batch, lines);
      totals = addTotals(totals, lines, batch);
    }
    this.#run.leftOut = body.leftOut;
    const heading = { ...(await this.#run.headingOf(totals)), inputVersion, columns: this.#own.columns };
    yield renderPageTail(assets, heading, true, await watch.reviews.marks());
  }

  /** Sends the listener what has changed since that version (null: nothing has), and every later change. */
  async join(listener: Listener, since: number | null): Promise<void> {
    await this.#run.look();
    const version = Math.min(since ?? this.#run.version, this.#run.version);
    const follower = { listener, version, isBusy: false };
    this.#followers.add(follower);
    this.#update(follower, true).catch(raise);
    if (!this.#isGoing) this.#go().catch(raise);
  }

  async #go(): Promise<void> {
    this.#isGoing = true;
    while (true) {
      await this.#world.clock.wait(fixed.lookIntervalMs);
      if (this.#forgetGone() === 0) break;
      await this.#look();
      for (const follower of this.#followers) this.#update(follower, false).catch(raise);
    }
    this.#isGoing = false;
  }

  #forgetGone(): number {
    for (const follower of this.#followers) if (!follower.listener.isOpen) this.#followers.delete(follower);
    return this.#followers.size;
  }

  async #look(): Promise<void> {
    try {
      await this.#run.look();
      this.#failure = '';
    } catch (error) {
      this.#note(error);
    }
  }

  #note(error: unknown): void {
    const failure = messageOf(error);
    if (failure !== this.#failure) this.#world.failed(error);
    this.#failure = failure;
  }

  /** Brings one follower up to date at its own pace, so that a slow reader delays nobody else. */
  async #update(follower: Follower, isNew: boolean): Promise<void> {
    if (follower.isBusy) return;
    follower.isBusy = true;
    try {
      const { listener } = follower;
      for (
        let owes = isNew;
        listener.isOpen && (owes || follower.version < this.#run.version);
        owes = false
      ) {
        const span = this.#spanFrom(follower.version);
        for (let at = 0; at < span.keys.length && listener.isOpen; at += eventRows)
          await listener.send({ name: 'rows', data: await this.#rows(span, at), id: null });
        // Only the last event has a number: a follower cut off before it receives everything again.
        await listener.send({ name: 'heading', data: this.#heading(), id: span.to });
        follower.version = span.to;
      }
    } catch (error) {
      // A failed read is repeated at the next look, not cached.
      this.#span = null;
      this.#note(error);
    } finally {
      follower.isBusy = false;
    }
  }

  #spanFrom(from: number): Span {
    const to = this.#run.version;
    if (this.#span?.from === from && this.#span.to === to) return this.#span;
    this.#span = { from, to, keys: this.#run.changedSince(from), events: new Map() };
    return this.#span;
  }

  #heading(): string {
    return JSON.stringify({ ...this.#run.heading, columns: this.#own.columns });
  }

  #rows(span: Span, at: number): Promise<string> {
    const known = span.events.get(at);
    if (known !== undefined) return known;
    const { watch, hasFile } = this.#world;
    const rows = watch
      .reportRowsOf(span.keys.slice(at, at + eventRows))
      .then((found) =>
        JSON.stringify(found.map((row) => packRow(pageRow(row, imageLinks, { hasFile, own: this.#own })))),
      );
    if (span.events.size < sharedEvents) span.events.set(at, rows);
    return rows;
  }
}
