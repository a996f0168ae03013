/** Words that programs write for a missing value, and when they are meant as words. */

const word = /^(?:nan|NaN|NAN|NULL|null|\\N|<NA>|<null>|\[NULL\]|\(null\)|undefined|#N\/A)$/;
/** People write them too, and as an answer they may be one. */
const wordOfPeople = /^(?:None|NA|N\/A|n\/a)$/;
const mostLetters = 20;

/** What people write where there is no answer, or where it stands elsewhere. */
const noAnswer =
  /^[（(【[]?\s*(?:略|从略|(?:答案|解答|证明|过程)略|暂无答案|没有答案|无答案|待(?:补充?|定|完善|填|更新|添加|录入)|(?:答案|解答|过程)?(?:请|详)?[见看]\s*(?:后[面文]|上[文图]?|下[文图]?|图|附[件图]|题后|本题)?(?:的)?(?:解析|解答|详解|答案|分析|图|附件|课本|教材|视频|备注|上文|下文|下页)|如[下上]?图(?:所示)?|同上|TBD|TBA|TODO|to be (?:added|determined|done|provided)|coming soon|(?:see|refer to|check|as in) (?:the |attached )*(?:solutions?|explanations?|answers?|answer key|key|attachment|attached|above|below|image|picture|figure|textbook|book|video|notes?)(?: (?:below|above|section|column))?|siehe (?:lösung|erklärung|anhang|unten|oben)|voir (?:la )?(?:solution|explication|correction|corrigé)|ver (?:la )?(?:solución|explicación))\s*[.。…!！]*\s*[）)】\]]?$/i;
/** Signs and words that may be the answer all the same. */
const maybeNone =
  /^(?:[-–—―−/\\|*~.。…·?？_]+|无|没有|暂无|答案不唯一|不唯一|(?:answers?|responses?) (?:may|will) vary\.?)$/i;
const longestNone = 40;
/** Who asks for a word or about one may be told such a word. */
const asksForWords =
  /_{2,}|[（(]\s*[)）]|\b(?:words?|phrases?|letters?|mean(?:s|ing)?|stands? for|abbreviat|acronym|synonym|antonym|opposite|translat|spell)|[词字]|成语|拼音|缩写|意思|含义|翻译|英[文语]|中文|填[空入上]/i;
/** Blanks and letters in which nothing shows. */
const invisible = /^[\s\p{DI}\p{Cc}\u2800]*$/u;

/** True for a text in which nothing shows. */
export function showsNothing(text: string): boolean {
  // Most texts begin with a letter or a digit.
  const first = text.charCodeAt(0);
  return !((first > 0x20 && first < 0x7f) || (first >= 0x4e00 && first < 0xa000)) && invisible.test(text);
}

/** A cheap test: most answers are long, or begin with a digit. */
function isWordy(answer: string): boolean {
  return answer.length <= longestNone && !(answer >= '0' && answer < ':');
}

/** True for an answer that only says there is none here. */
export function isNoAnswer(answer: string): boolean {
  return isWordy(answer) && noAnswer.test(answer.trim());
}

/** True for an answer in signs or words that may say that there is none. */
export function mayBeNoAnswer(answer: string): boolean {
  return isWordy(answer) && maybeNone.test(answer.trim());
}

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

/** True for an answer that is none, to a question that does not ask for such a word. */
export function isNoneTo(answer: string, question: string): boolean {
  return (isNoAnswer(answer) && !asksForWords.test(question)) || isMissingAnswer(answer, question);
}

/** True for an answer that is a word for a missing value, to a question that does not ask for it. */
export function isMissingAnswer(answer: string, question: string): boolean {
  if (!isMissingValue(answer) || aboutWords.test(question)) return false;
  return answer.trim() !== 'undefined' || !aboutUndefined.test(question);
}
