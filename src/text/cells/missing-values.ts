/** Words that programs write for a missing value, and when they are meant as words. */

const word = /^(?:nan|NaN|NAN|NULL|null|\\N|<NA>|<null>|\[NULL\]|\(null\)|undefined|#N\/A)$/;
/** People write them too, and as an answer they may be one. */
const wordOfPeople = /^(?:None|NA|N\/A|n\/a)$/;
const mostLetters = 20;

/** Such words, programs that have them, and quotients by zero. */
const aboutWords =
  /null|undefined|not defined|(?<![a-z])nan(?![a-z])|n\/a|<na>|\\n(?![a-z])|\b(?:sql|select|javascript|typescript|python|java|pandas|numpy|typeof|floating|ieee)\b|print\(|=>|\/\s*0(?![\d.])|空值|缺失值|未定义|无定义|无意义|编程|程序|代码|浮点/i;
/** Where a quotient, a function or a slope may be undefined. */
const aboutUndefined =
  /slope|vertical|divi|domain|limit|\\lim|\\frac|\bln|log|tan|cot|sec|csc|sqrt|√|infin|∞|\^|derivative|function|斜率|除以|极限|定义域|函数|对数|正切|根号/i;

/** True for a cell with such a word alone. */
export function isMissingValue(cell: string): boolean {
  return cell.length <= mostLetters && word.test(cell.trim());
}

/** True for such a word, or for one that people write: where the text is to be a file, an address or a known word. */
export function isMissingEntry(cell: string): boolean {
  return isMissingValue(cell) || isDoubtfulAnswer(cell);
}

/** True for a word of people, which may be the answer. */
export function isDoubtfulAnswer(cell: string): boolean {
  return cell.length <= mostLetters && wordOfPeople.test(cell.trim());
}

/** True for an answer that is such a word, to a question that does not ask for it. */
export function isMissingAnswer(answer: string, question: string): boolean {
  if (!isMissingValue(answer) || aboutWords.test(question)) return false;
  return answer.trim() !== 'undefined' || !aboutUndefined.test(question);
}
