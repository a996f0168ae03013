/**
 * The script of `report.html`. Rows become table rows 200 at a time, so that a page of a hundred thousand opens
 * at once; text only ever goes in as `textContent`.
 */
export const pageScript = String.raw`
'use strict';
const pageLength = 200;
const find = (id) => document.getElementById(id);
const facts = JSON.parse(find('facts').textContent);
const rows = [...document.querySelectorAll('script.rows')].flatMap((island) => JSON.parse(island.textContent));
const count = (number) => number.toLocaleString('en-US', { maximumFractionDigits: 6 });
const countRows = (number) => count(number) + (number === 1 ? ' row' : ' rows');

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function cell(name, value, className) {
  const made = element('td', value === null ? className + ' none' : className, value ?? '–');
  if (name) made.dataset.name = name;
  return made;
}

function textCell(question, title, failure) {
  const made = element('td', 'text');
  for (const [className, text] of [['question', question], ['title', title], ['failure', failure]]) {
    if (!text) continue;
    const part = element('div', className, text);
    part.dir = 'auto';
    made.append(part);
  }
  return made;
}

function fileCell(link) {
  const made = element('td', 'file');
  if (link === null) return made;
  const play = element('button', '', 'Play');
  play.type = 'button';
  play.addEventListener('click', () => {
    const video = document.createElement('video');
    video.controls = true;
    video.preload = 'none';
    video.src = link;
    play.replaceWith(video);
    video.play().catch(() => {});
  });
  const file = element('a', '', 'File');
  file.href = link;
  made.append(play, file);
  return made;
}

function tableRow([row, id, status, points, question, title, failure, frames, link]) {
  const made = element('tr');
  made.append(
    cell('Row', row === null ? null : count(row), 'number'),
    cell('', id, 'id'),
    cell('', row === null ? status + ', gone from the input' : status, 'status ' + status),
    cell('Points', points === null ? 'unknown' : count(points), 'number'),
    textCell(question, title, failure),
    cell('Frames', frames === 0 ? null : count(frames), 'number'),
    fileCell(link),
  );
  return made;
}

let matches = rows;
let shown = 0;

function showMore(length) {
  const next = matches.slice(shown, shown + length);
  shown += next.length;
  find('rows').append(...next.map(tableRow));
  find('more').hidden = shown === matches.length;
  find('shown').textContent = count(shown) + ' of ' + countRows(matches.length);
}

function filter() {
  const words = find('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = find('status').value;
  matches = rows.filter(([row, id, status, , question, title, failure]) => {
    if (wanted && status !== wanted) return false;
    if (words.length === 0) return true;
    const text = [row, id, question, title, failure].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  shown = 0;
  find('rows').replaceChildren();
  showMore(pageLength);
}

function total(number, text, status, hint) {
  const made = element('li', '', ' ' + text);
  made.prepend(element('b', status, count(number)));
  if (hint) made.title = hint;
  find('totals').append(made);
}

document.title = facts.out + ' – report';
document.querySelector('h1').textContent = facts.out;
find('written').textContent =
  'Written ' + new Date(facts.writtenAt).toLocaleString() +
  (facts.running ? '; the run goes on and writes this page again' : '');
total(rows.length, rows.length === 1 ? 'row' : 'rows');
for (const { status, count: number, meaning } of facts.statuses) {
  total(number, status, status, meaning);
  const option = element('option', '', status + ' (' + count(number) + ')');
  option.value = status;
  find('status').append(option);
}
total(facts.points, facts.unpriced === 0 ? 'points' : 'points, unknown for ' + countRows(facts.unpriced));
find('status').value = '';
find('search').value = '';
let pause;
find('search').addEventListener('input', () => {
  clearTimeout(pause);
  pause = setTimeout(filter, 150);
});
find('status').addEventListener('change', filter);
find('next').addEventListener('click', () => showMore(pageLength));
find('all').addEventListener('click', () => showMore(matches.length));
showMore(pageLength);
`;
