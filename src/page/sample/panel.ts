/** What a sample says so far, above the rows that were drawn. */

import { renderAddress } from '../address.ts';
import type { Go, Part, Shown } from '../list/shown.ts';
import { element, setAttribute, setText } from '../shared/elements.ts';
import { formatNumber, formatShortTime } from '../shared/formats.ts';
import { words } from '../words.ts';
import type { ShownSample } from './drawn.ts';
import type { Sampling } from './sampling.ts';
import { rowsToDraw, sampleSentence, wayToGo } from './sentence.ts';

/** The panel; shown while the address asks for the sample. */
export function createSamplePanel(sampling: Sampling, go: Go): Part {
  const w = words().sample;
  const said = element('p', { class: 'sample-said', role: 'status' });
  const progress = element('progress', { 'aria-label': w.progress });
  const way = element('p');
  const notes = createNotes(go);
  const trouble = element('p', { class: 'sample-trouble', role: 'status' });
  const actions = createActions(sampling);
  const whole = element(
    'section',
    { class: 'sample', 'aria-label': w.entry, hidden: true },
    ...[said, progress, way, actions.element, trouble, notes.element],
  );
  return {
    element: whole,
    update(shown) {
      const { address, heading, sample } = shown;
      whole.hidden = !address.sample || heading === null || !shown.isRead;
      if (whole.hidden) return;
      const standing = sample?.standing ?? null;
      setText(said, standing === null ? (sampling.isSaving ? w.ask : w.nothing) : sampleSentence(standing));
      progress.hidden = standing === null;
      progress.max = Math.max(1, standing?.size ?? 0);
      progress.value = standing?.watched ?? 0;
      setText(way, standing === null ? '' : wayToGo(standing));
      setText(trouble, sampling.trouble === null ? '' : w.trouble[sampling.trouble]);
      actions.update(shown);
      notes.update(shown);
    },
  };
}

/** The buttons: watch the next row, draw, draw more, draw anew, which is asked first. */
function createActions(sampling: Sampling): Part {
  const w = words().sample;
  let more = 0;
  const next = element('a', { class: 'primary' });
  const button = (name: string, click: () => void) => element('button', { type: 'button', click }, name);
  const draw = button(w.draw, () => void sampling.draw());
  draw.className = 'primary';
  const grow = button('', () => void sampling.more(more));
  const ask = (isAsked: boolean) => {
    question.hidden = !isAsked;
    anew.hidden = isAsked;
    (isAsked ? keep : anew).focus();
  };
  const anew = button(w.anew, () => ask(true));
  const keep = button(w.anewNo, () => ask(false));
  const replace = button(w.anewYes, () => {
    ask(false);
    void sampling.draw();
  });
  const question = element(
    'div',
    { class: 'sample-question', role: 'group', 'aria-label': w.anewYes, hidden: true },
    element('p', {}, w.anewAsk),
    element('div', { class: 'buttons' }, replace, keep),
  );
  const buttons = element('div', { class: 'buttons' }, next, draw, grow, anew);
  return {
    element: element('div', { class: 'sample-actions' }, buttons, question),
    update({ address, sample }) {
      const row = sample?.next ?? null;
      next.hidden = row === null;
      setText(next, sample?.standing.watched === 0 ? w.first : w.next);
      if (row !== null) setAttribute(next, 'href', renderAddress({ ...address, row: row.id }));
      const isDrawn = sampling.current() !== null;
      draw.hidden = isDrawn || !sampling.isSaving;
      more = sample === null ? 0 : Math.min(rowsToDraw(sample.standing), left(sample));
      grow.hidden = more === 0;
      setText(grow, w.grow({ count: formatNumber(more) }));
      anew.hidden = !isDrawn || !sampling.isSaving || !question.hidden;
      if (!isDrawn) question.hidden = true;
    },
  };
}

/** Rows that can be drawn still. */
function left({ sample }: ShownSample): number {
  return sample.keys.length - sample.size;
}

/** What the sentence does not say. */
function createNotes(go: Go): Part {
  const w = words().sample;
  const list = element('ul', { class: 'sample-notes' });
  let made = '';
  return {
    element: list,
    update(shown) {
      const notes = notesOf(shown);
      const gap = shown.sample?.gap ?? null;
      const suspects = shown.rows.suspectCount;
      const name = JSON.stringify([notes, gap?.id, suspects]);
      if (made === name) return;
      made = name;
      const click = () => go({ suspect: 'any', page: 1 });
      const showSuspects = element('button', { type: 'button', class: 'plain', click }, w.showSuspects);
      const lines = [
        gap === null ? null : element('li', {}, w.gap({ id: gap.id })),
        ...notes.map((note) => element('li', {}, note)),
        suspects === 0
          ? null
          : element('li', {}, w.suspects({ count: formatNumber(suspects) }), ' ', showSuspects),
      ];
      list.replaceChildren(...lines.filter((line) => line !== null));
    },
  };
}

function notesOf({ sample, heading }: Shown): readonly string[] {
  const w = words().sample;
  if (sample === null) return [];
  const { at, population } = sample.sample;
  const { madeAgain, othersAgain, toWatchAgain } = sample.standing;
  const made = {
    count: formatNumber(madeAgain),
    again: toWatchAgain === 0 ? '' : formatNumber(toWatchAgain),
  };
  const from = { population: formatNumber(population), time: formatShortTime(at) };
  return [
    ...(madeAgain === 0 ? [] : [w.madeAgain(made)]),
    ...(othersAgain === 0 ? [] : [w.othersAgain({ count: formatNumber(othersAgain) })]),
    ...(sample.absent === 0 ? [] : [w.absent({ count: formatNumber(sample.absent) })]),
    w.caveat,
    heading?.sample === undefined && heading?.review !== true ? w.drawnHere(from) : w.drawnAt(from),
  ];
}
