/** Pure. Ids that a spreadsheet takes for one number: it saves `1.10` as `1.1`, and `007` as `7`. */

const plainNumber = /^\+?0*(\d+?)(\.\d+)?$/;

/** Zeros that ids have before or after their number, at most. */
const mostZeros = 12;

/** Other texts that are the same number, as ids are written: with zeros before it, or after its fraction. */
export function otherSpellings(text: string): readonly string[] {
  const found = plainNumber.exec(text);
  if (found === null) return [];
  const [, whole, rest = ''] = found;
  const plain = `${whole}${rest.replace(/\.?0*$/, '')}`;
  const zeros = Array.from({ length: mostZeros + 1 }, (_, count) => '0'.repeat(count));
  const point = plain.includes('.') ? '' : '.';
  const ends = ['', ...zeros.slice(1, 5).map((some) => `${point}${some}`)];
  return zeros
    .flatMap((before) => ends.map((end) => `${before}${plain}${end}`))
    .filter((each) => each !== text);
}
