/** Numbers as people read them: `29,510`. */

/** A count or a number of points. The formats of `Intl` would take a twentieth of the time in which `batch status` ends. */
export function renderNumber(value: number): string {
  const [whole = '', part = ''] = value.toFixed(6).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${`.${part}`.replace(/\.?0*$/, '')}`;
}

/** `1 row`, `1,204 rows`. */
export function renderRows(count: number): string {
  return `${renderNumber(count)} ${count === 1 ? 'row' : 'rows'}`;
}

/** A sentence lists at most this many names, then says how many more there are. */
const shownNames = 10;

/** `a, b`; for many, `a, b, … and 90 more`. */
export function renderNames(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join(', ');
  const rest = names.length - shownNames;
  return rest > 0 ? `${shown} and ${renderNumber(rest)} more` : shown;
}

/** As `renderNames`, in Chinese. */
export function renderNamesInChinese(names: readonly string[]): string {
  const shown = names.slice(0, shownNames).join('、');
  const rest = names.length - shownNames;
  return rest > 0 ? `${shown}，另有 ${renderNumber(rest)} 个` : shown;
}

/** `1 point`, `29,510 points`. */
export function renderPoints(points: number): string {
  return `${renderNumber(points)} ${points === 1 ? 'point' : 'points'}`;
}
