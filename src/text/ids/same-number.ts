/** Pure. Ids that a spreadsheet takes for one number: it saves `1.10` as `1.1`, and `007` as `7`. */

const plainNumber = /^([+-]?)0*(\d+?)(\.\d+)?$/;

/** True for two texts that are one number. */
export function isSameNumber(one: string, other: string): boolean {
  return one !== other && shortest(one) !== null && shortest(one) === shortest(other);
}

/** The number without zeros that change nothing; null for a text that is no plain number. */
function shortest(text: string): string | null {
  const found = plainNumber.exec(text);
  if (found === null) return null;
  const [, sign, whole, rest = ''] = found;
  return `${sign === '-' ? '-' : ''}${whole}${rest.replace(/\.?0*$/, '')}`;
}

/** Zeros that ids have before or after their number, at most. */
const mostZeros = 12;

/** Other texts that are the same number, as ids are written: with zeros before it, or after its fraction. */
export function otherSpellings(text: string): readonly string[] {
  const plain = shortest(text);
  if (plain === null || plain.startsWith('-')) return [];
  const zeros = Array.from({ length: mostZeros + 1 }, (_, count) => '0'.repeat(count));
  const point = plain.includes('.') ? '' : '.';
  const ends = ['', ...zeros.slice(1, 5).map((some) => `${point}${some}`)];
  return zeros
    .flatMap((before) => ends.map((end) => `${before}${plain}${end}`))
    .filter((each) => each !== text);
}
