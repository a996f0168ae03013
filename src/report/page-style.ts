/** The style of `report.html`: light and dark, from phone to paper. */
export const pageStyle = `
:root {
  --paper: #fbfbf9; --ink: #1c1e21; --quiet: #62676d; --line: #dfe1e0; --raised: #fff; --accent: #1d5fb4;
  --good: #1a7f4b; --bad: #b3321f; --open: #946200;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --ink: #e6e7e8; --quiet: #9aa0a6; --line: #303438; --raised: #1e2125; --accent: #7db3f5;
    --good: #5fce93; --bad: #f2907f; --open: #e4b54f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 82rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: .25rem 0; }
a { color: var(--accent); }
#written, #shown, .title, .none { color: var(--quiet); }
#totals { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; padding: 0; list-style: none; }
#totals li { padding: .35rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
#totals b { font-size: 1.1rem; font-variant-numeric: tabular-nums; }
#controls {
  position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.25rem;
  padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line);
}
#controls label { display: flex; align-items: center; gap: .5rem; }
#shown { margin-left: auto; }
input, select, button {
  padding: .35rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--raised);
  color: inherit; font: inherit;
}
input { width: 17rem; max-width: 100%; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .55rem .9rem .55rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 500; font-size: .85rem; }
td:last-child, th:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.id { min-width: 5rem; max-width: 14rem; overflow-wrap: break-word; }
.text { width: 100%; overflow-wrap: anywhere; }
.question { white-space: pre-line; max-height: 9rem; overflow: auto; }
.status { font-weight: 500; }
.failure { color: var(--bad); white-space: pre-line; }
.completed { color: var(--good); }
.failed, .rejected, .uncertain, .undelivered, .lost, .invalid { color: var(--bad); }
.submitting, .open, .downloading { color: var(--open); }
.pending { color: var(--quiet); }
.file { white-space: nowrap; }
.file a { margin-left: .5rem; }
video { display: block; width: min(20rem, 80vw); margin-top: .4rem; border-radius: .4rem; background: #000; }
#more { padding: 1rem 0; text-align: center; }
[hidden] { display: none !important; }
@media (max-width: 44rem) {
  body { padding: 1rem .9rem 3rem; }
  #controls label, input { width: 100%; }
  #shown { margin-left: 0; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  table, tbody { display: block; }
  tr { display: flex; flex-wrap: wrap; gap: .1rem .9rem; padding: .7rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; }
  td[data-name]::before { content: attr(data-name) " "; color: var(--quiet); }
  .id { min-width: 0; max-width: 100%; }
  .none { display: none; }
  .text, .file { order: 1; width: 100%; }
  .file a:first-child { margin-left: 0; }
}
@media print {
  body { max-width: none; padding: 0; background: #fff; color: #000; font-size: 10pt; }
  #controls, #more, .file button, video { display: none; }
  .question { max-height: none; }
  tr { break-inside: avoid; }
}
`;
