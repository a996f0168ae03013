/** Pure. Reads the amounts of a statement as people and spreadsheets write them. */

/** What a statement may write before the decimals. */
export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** What an amount is with each mark; null where it is no number then. Nearly all are the same with both. */
export type Amount = Readonly<Record<DecimalMark, number | null>>;

const units = /\s*(积分|積分|点数|点|points?|pts|credits?)$/i;

/** A formula that is only its value. */
const formula = /^=\s*"?([^"]*)"?$/;

/** Both are null where the text is no number, or one of money. */
export function readAmount(written: string): Amount {
  const text = written.normalize('NFKC').trim();
  const value = (formula.exec(text)?.[1] ?? text).replace(units, '').trim();
  const isNegative = /^\(.*\)$|^[-\u2212\u2013]|-$/.test(value);
  const digits = value.replace(/^\(|\)$|^[-+\u2212\u2013]|-$/g, '').trim();
  const plain = digits.replace(/(?<=\d)[\s'’_](?=\d{3}(\D|$))/g, '');
  const swapped = plain.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
  return { point: numberIn(plain, isNegative), comma: numberIn(swapped, isNegative) };
}

/** With a point before the decimals and commas between thousands; null where the separators fit no number. */
function numberIn(text: string, isNegative: boolean): number | null {
  const isPlain = /^(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text);
  if (!isPlain && !/^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(text)) return null;
  const amount = Number(text.replaceAll(',', ''));
  return isNegative && amount !== 0 ? -amount : amount;
}
