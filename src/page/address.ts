/** The state of the page as the part of its address after `#`: a link restores the same rows, order and detail. */

import { type Status, statuses } from '../money/item.ts';
import { markFilters, type Query, type Sort, sortFields, suspectFilters } from './list/rows.ts';

/** How rows are listed. */
export type View = 'table' | 'gallery';

/** What is shown. */
export interface Address extends Query {
  readonly view: View;
  /** Only the rows that were drawn to be watched, in the order drawn. */
  readonly sample: boolean;
  /** From 1. */
  readonly page: number;
  /** Id of the row whose detail is open. */
  readonly row: string | null;
}

/** All rows: those with a suspect video first, then in input order. */
export const start: Address = {
  view: 'table',
  sample: false,
  statuses: new Set(),
  mark: null,
  suspect: null,
  reason: null,
  column: null,
  value: null,
  text: '',
  sort: { field: 'suspect', isDown: false },
  page: 1,
  row: null,
};

const { sample, statuses: noStatuses, mark, suspect, reason, value, text, page } = start;

/** The change that leaves no row out. */
export const allRows = { sample, statuses: noStatuses, mark, suspect, reason, value, text, page };

/** True where an address leaves rows out. */
export function isNarrowed({ sample, text, statuses, ...filters }: Address): boolean {
  const { mark, suspect, reason, value } = filters;
  const isFiltered = [mark, suspect, reason, value].some((filter) => filter !== null);
  return sample || text !== '' || statuses.size > 0 || isFiltered;
}

/** The address after a change. Suspects, and what ended badly, are no part of the sample. */
export function changed(address: Address, change: Partial<Address>): Address {
  const isElsewhere = (change.suspect ?? change.reason ?? null) !== null;
  return { ...address, ...(isElsewhere ? { sample: false } : {}), ...change };
}

/**
 * Reads `#row=ID&view=gallery&sample=yes&status=failed,lost&mark=bad&suspect=any&reason=failed:timeout&column=chapter&value=sums&q=words&sort=-points&page=2`; ignores what it does not know.
 */
export function parseAddress(hash: string): Address {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const wanted = (parts.get('status') ?? '').split(',');
  const page = Number(parts.get('page') ?? 1);
  return {
    view: parts.get('view') === 'gallery' ? 'gallery' : 'table',
    sample: parts.get('sample') === 'yes',
    statuses: new Set(statuses.filter((status) => wanted.includes(status))),
    mark: markFilters.find((mark) => mark === parts.get('mark')) ?? null,
    suspect: suspectFilters.find((filter) => filter === parts.get('suspect')) ?? null,
    reason: parts.get('reason'),
    column: parts.get('column'),
    value: parts.has('column') ? parts.get('value') : null,
    text: parts.get('q') ?? '',
    sort: parseSort(parts.get('sort') ?? ''),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    row: parts.get('row'),
  };
}

/** The address as text that starts with `#`, without default values. */
export function renderAddress(address: Address): string {
  const { row, view, sample, statuses, mark, suspect, reason, column, value, text, sort, page } = address;
  const parts = new URLSearchParams();
  if (row !== null) parts.set('row', row);
  if (view !== start.view) parts.set('view', view);
  if (sample) parts.set('sample', 'yes');
  if (statuses.size > 0) parts.set('status', [...statuses].join(','));
  if (mark !== null) parts.set('mark', mark);
  if (suspect !== null) parts.set('suspect', suspect);
  if (reason !== null) parts.set('reason', reason);
  if (column !== null) parts.set('column', column);
  if (column !== null && value !== null) parts.set('value', value);
  if (text !== '') parts.set('q', text);
  if (sort.field !== start.sort.field || sort.isDown) parts.set('sort', renderSort(sort));
  if (page > 1) parts.set('page', String(page));
  return `#${parts.toString().replaceAll('%2C', ',')}`;
}

/** `points`, or `-points` for the largest first. */
export function renderSort({ field, isDown }: Sort): string {
  return `${isDown ? '-' : ''}${field}`;
}

/** A sort order by its name; the default where there is none. */
export function parseSort(name: string): Sort {
  const field = sortFields.find((one) => one === name.replace(/^-/, ''));
  return field === undefined ? start.sort : { field, isDown: name.startsWith('-') };
}

/** The statuses with this one toggled. */
export function toggled(chosen: ReadonlySet<Status>, status: Status): ReadonlySet<Status> {
  return new Set(statuses.filter((one) => chosen.has(one) !== (one === status)));
}
