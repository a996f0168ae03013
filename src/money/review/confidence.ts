/** Pure. How sure to be of what a sample says, as people write it. */

const [leastPercent, mostPercent] = [50, 99.9];

/** A share (0..1) of `95%`, `95` or `0.95`; null where it is none from 50 % to 99.9 %. */
export function parseConfidence(text: string): number | null {
  const [, number = '', sign] = /^(\d+(?:\.\d+)?) ?(%?)$/.exec(text.trim()) ?? [];
  const percent = Number(number) * (sign === '' && Number(number) <= 1 ? 100 : 1);
  // Without the last digits of a product such as 0.57 * 100.
  const confidence = Number((percent / 100).toFixed(8));
  return confidence >= leastPercent / 100 && confidence <= mostPercent / 100 ? confidence : null;
}
