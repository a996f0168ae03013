import { expect, test } from 'vitest';
import {
  type Address,
  allRows,
  changed,
  isNarrowed,
  parseAddress,
  parseSort,
  renderAddress,
  renderSort,
  start,
  toggled,
} from '../../src/page/address.ts';

test('the start has an empty address, and an empty address leads to the start', () => {
  expect(renderAddress(start)).toBe('#');
  for (const hash of ['', '#', '#page=1', '#view=table']) expect(parseAddress(hash)).toEqual(start);
});

test('an address comes back as it was, whatever the id and the words are', () => {
  for (const text of ['a&b=c#d?e', '50 % + 1', '题目，"引号"', '<b>', 'a,b']) {
    const address: Address = {
      ...start,
      row: text,
      text,
      view: 'gallery',
      sample: true,
      mark: 'bad',
      suspect: 'cut-off',
      reason: 'failed:a … & b',
      column: text,
      value: '',
      page: 3,
      statuses: new Set(['failed', 'lost']),
      sort: { field: 'points', isDown: true },
    };
    expect(parseAddress(renderAddress(address))).toEqual(address);
  }
});

test('an address reads as one writes it by hand', () => {
  expect(
    renderAddress(
      parseAddress('#page=2&status=lost,failed&sample=yes&row=r-7&sort=-points&view=gallery&q=x'),
    ),
  ).toBe('#row=r-7&view=gallery&sample=yes&status=failed,lost&q=x&sort=-points&page=2');
});

test('what an address says that there is not is left out', () => {
  for (const hash of [
    '#view=list',
    '#sample=no',
    '#status=done,',
    '#mark=great',
    '#suspect=all',
    '#sort=-colour',
    '#page=0',
    '#page=-1',
    '#page=x',
    '#value=x',
  ])
    expect(parseAddress(hash)).toEqual(start);
});

test('an order has a name of its own both ways', () => {
  for (const name of ['row', '-row', 'id', '-submitted']) expect(renderSort(parseSort(name))).toBe(name);
});

test('a status that is chosen again is no longer chosen', () => {
  const one = toggled(new Set(), 'lost');
  const two = toggled(one, 'failed');
  expect([...two]).toEqual(['failed', 'lost']);
  expect([...toggled(two, 'lost')]).toEqual(['failed']);
});

test('whatever an address leaves out, one change shows again', () => {
  expect(isNarrowed(start)).toBe(false);
  for (const hash of [
    '#sample=yes',
    '#status=lost',
    '#mark=bad',
    '#suspect=any',
    '#reason=failed:x',
    '#column=chapter&value=',
    '#q=x',
  ]) {
    const address = parseAddress(hash);
    expect(isNarrowed(address), hash).toBe(true);
    expect(isNarrowed({ ...address, ...allRows }), hash).toBe(false);
  }
});

test('who asks for suspects, or for what ended badly, leaves the sample, which has none of them', () => {
  const sampled = { ...start, sample: true };
  for (const change of [{ suspect: 'any' }, { reason: 'failed:x' }] as const)
    expect(changed(sampled, change)).toEqual({ ...start, ...change });
  for (const change of [{ suspect: null, reason: null, page: 2 }, { mark: 'none' }, { row: 'q-1' }] as const)
    expect(changed(sampled, change)).toEqual({ ...sampled, ...change });
});
