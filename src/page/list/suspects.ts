/** Why a video is worth a look: next to the video, in the list, and as a filter. */

import type { PageRow } from '../../reports/page-wire.ts';
import { element } from '../shared/elements.ts';
import { words } from '../words.ts';
import { suspectFilters } from './rows.ts';
import type { Go, Part } from './shown.ts';

/** The reasons in one line; null where there is none. */
export function suspectLine(row: PageRow): HTMLElement | null {
  const reasons = suspectReasons(row);
  if (reasons.length === 0) return null;
  return element('div', { class: 'suspect' }, words().worthALookBecause(reasons.join(' · ')));
}

/** Why the video of this row is worth a look. */
export function suspectReasons({ findings, id }: PageRow): readonly string[] {
  return findings.map((finding) => words().finding(finding, id));
}

/** The filter; hidden while no video is suspect. */
export function createSuspectFilter(go: Go): Part {
  const w = words();
  const options = suspectFilters.map((filter) => {
    const name = filter === 'any' ? w.worthALook : w.reason[filter];
    return element('option', { value: filter }, name);
  });
  const change = () => go({ suspect: suspectFilters.find((one) => one === select.value) ?? null, page: 1 });
  const all = element('option', { value: '' }, w.allVideos);
  const select = element('select', { id: 'suspect', 'aria-label': w.worthALook, change }, all, ...options);
  return {
    element: select,
    update({ address, rows }) {
      select.hidden = rows.suspectCount === 0 && address.suspect === null;
      select.value = address.suspect ?? '';
    },
  };
}
