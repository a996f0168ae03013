/** Pure. Reads the amounts of a statement as people and spreadsheets write them. */

const units = /\s*(积分|積分|点数|点|points?|pts|credits?)$/i;

/** A formula that is only its value. */
const formula = /^=\s*"?([^"]*)"?$/;

/** Null where the text is no number, or one of money. */
export function readAmount(written: string): number | null {
  const text = written.normalize('NFKC').trim();
  const value = (formula.exec(text)?.[1] ?? text).replace(units, '').trim();
  const isNegative = /^\(.*\)$|^[-\u2212\u2013]|-$/.test(value);
  const digits = withPoint(value.replace(/^\(|\)$|^[-+\u2212\u2013]|-$/g, '').trim());
  if (digits === null) return null;
  const amount = Number(digits);
  return isNegative && amount !== 0 ? -amount : amount;
}

/** The digits with `.` before the decimals; null where the separators fit no number. */
function withPoint(text: string): string | null {
  const plain = text.replace(/(?<=\d)[\s'’_](?=\d{3}(\D|$))/g, '');
  if (/^(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(plain)) return plain;
  if (/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain)) return plain.replaceAll(',', '');
  if (/^\d{1,3}(\.\d{3})+(,\d*)$|^\d{1,3}(\.\d{3}){2,}$/.test(plain))
    return plain.replaceAll('.', '').replace(',', '.');
  return /^\d+,\d+$/.test(plain) ? plain.replace(',', '.') : null;
}
