/** Pure. What stands in tables besides their rows: hints below a header, titles, footers, numbers, words for a missing value. */

import { isMissingValue } from '../../text/cells/missing-values.ts';

const types: string =
  'int|integer|bigint|smallint|decimal|float|double|bool|boolean|char|varchar|nvarchar|string|text|datetime|timestamp|json|required|' +
  'optional|必填|选填|可选|必填项|选填项';
/** A type or `required`, as a row below a header says it of each column. */
const type = new RegExp(`^\\*?(?:${types})(?:\\s*\\(\\s*(?:\\d+|max)\\s*\\))?$`, 'i');
/** In brackets: `(required)`, `(text; LaTeX allowed)`, `（必填）`. */
const hint =
  /^[(（[【<]\s*\*?(?:required|optional|mandatory|text|string|number|integer|format|max|at most|up to|LaTeX|必填|选填|可选|必须|文本|文字|字符|数字|格式|支持|最多|可为空|可留空)(?![a-z])[^()（）?？=]{0,60}[)）\]】>]$/i;
const limit: string =
  '(?:max(?:imum|\\.)?|up to|at most|no more than|最多|不超过)\\s*\\d+\\s*(?:characters?|chars?|letters|words|个?字符?)';
/** Without brackets it speaks of the column: `Required. Max. 500 characters.` */
const bareHint = new RegExp(
  `^\\*?(?:(?:required|optional|mandatory)\\s*[.;,(].{0,40}\\b(?:max|characters?|chars|separated?|one of|leave|empty|blank|allowed|digits|column|field|LaTeX)\\b.{0,60}|(?:必填|选填|非必填)(?:项|字段)?[，,。；;：:、（(\\s].{1,60}|(?:plain |question )?(?:text|文本|文字)?[，,;(（\\s]*${limit}[)）.。]?)$`,
  'i',
);
const unit =
  /^[(（[]\s*(?:[kcm]?m[²³23]?|km\/h|m\/s[²2]?|k?g|mg|m?l|s|min|h|N|Pa|k?J|k?W|V|A|Hz|K|°C|℃|%|points?|pts|marks?|minutes?|seconds?|元|分|秒|米|个|千克|厘米|分钟|分值)\s*[)）\]]$/i;
/** What psql, sqlcmd and Markdown draw below a header. */
const line = /^[-=─━:+|\s]*[-=─━]{2}[-=─━:+|\s]*$/;

/** True for what is said of a column below its header. */
export function isHeaderHint(text: string): boolean {
  return hint.test(text) || unit.test(text);
}

/** True for the same without brackets, which says that it is about a column. */
export function isBareHint(text: string): boolean {
  return bareHint.test(text) && !/[?？=]/.test(text);
}

/** True for the type of a column. */
export function isColumnType(text: string): boolean {
  return type.test(text);
}

/** True for a line drawn with dashes. */
export function isDrawnLine(text: string): boolean {
  return line.test(text);
}

const count: string = '(?:[一二三四五六七八九十百零〇\\d]{1,5}|[ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩIVX]{1,4})';
const rest: string = '(?:$|[\\s:：、.．,，—(（-].{0,60}$)';
const kinds: string =
  '(?:单项|多项|不定项|单|多|非)?(?:选择|选|填空|判断|是非|解答|计算|应用|简答|问答|论述|证明|作图|阅读|实验|名词解释|听力|综合|附加|必答|选做|连线|改错|翻译|写作)(?:理解|表达)?题';
/** A kind of exercise with its number: `一、选择题（每题 5 分）`. */
const exercises = new RegExp(
  `^(?:[(（]?${count}[)）]?\\s*[、.．:：,，]?\\s*)?(?:本大题\\s*)?${kinds}(?:$|[\\s:：(（,，].{0,80}$)`,
);
const chapter = new RegExp(`^第\\s*${count}\\s*(?:章|节|讲|单元|部分|卷|课|篇|大题|模块)${rest}`);
const part = new RegExp(
  `^(?:part|section|chapter|unit|lesson|module|kapitel|teil|chapitre|partie)\\s+(?:\\d{1,3}|[A-Z]|[IVX]{1,5}|one|two|three|four|five)${rest}`,
  'i',
);

const points: string = '\\d+\\s*(?:分|points?|pts|marks?)';
/** One exercise behind its kind: `证明题：设 n 为整数，求证 n²+n 是偶数。` */
const exercise = /[:：]\s*(?:设|已知|若|如图|试?求|试?证|在|当|某)(?!.*(?:各题|小题|下列)).+[。．.！!]$/;
/** What is said of all exercises of a section: in brackets, or how many there are and what they count. */
const ofAll: string = `\\s*[:：.．,，、—-]?\\s*(?:[(（][^()（）]{0,60}[)）]\\s*[:：.．。]?|(?=.*(?:小题|每题|${points})).{0,80})?`;
const numbered: string = `[(（]?${count}[)）]?\\s*[、.．:：,，)）]\\s*`;
const numberedKinds: string =
  '听力|听力理解|阅读理解|完形填空|语法填空|单项选择|多项选择|单选|多选|书面表达|作文|写作|翻译|默写|选择|填空|判断|连线|改错|口算|竖式计算|脱式计算|解决问题|看图列式';
const englishKinds: string =
  '(?:multiple[- ]choice|true[ /-](?:or[ -])?false|fill[- ]in[- ]the[- ]blanks?|short[- ]answers?|free[- ]response)(?: questions?| problems?| exercises?)?';
/** What each exercise counts tells of several: `二、细心填一填（每空 1 分，共 20 分）`. Questions have numbers of digits. */
const pointsOfEach: string = `[(（]?[一二三四五六七八九十ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩIVX]{1,4}[)）]?\\s*[、.．:：]\\s*(?!.*(?:多少|几|哪|什么|求|how|what))[^()（）]{1,40}[(（][^()（）]{0,20}(?:每(?:小题|大题|题|道|空|格)\\s*${points}|${points}\\s*(?:each|per question))[^()（）]{0,40}[)）]`;
/** A title of a section by its form alone: with its number, or the name of a kind of exercises, and nothing of its own behind it. */
const bare = new RegExp(
  `^(?:(?:${numbered})?(?:本大题\\s*)?${kinds}|${numbered}(?:${numberedKinds})|(?:${numbered})?${englishKinds}|第\\s*${count}\\s*(?:章|节|讲|单元|部分|卷|课|篇|大题|模块)(?:\\s*${kinds})?|(?:part|section|chapter|unit|lesson|module)\\s+(?:\\d{1,3}|[A-Z]|[IVX]{1,5}|one|two|three|four|five))${ofAll}$|^${pointsOfEach}$`,
  'i',
);
/** What exercises count. */
const counted = new RegExp(`[(（][^()（）]*${points}`, 'i');
/** Who asks, or wants something done, has a question of its own behind the number of a chapter. */
const asks =
  /[?？=。！!]|_{2,}|[（(]\s*[)）]|什么|怎么|怎样|如何|为何|为什么|哪|多少|几|[求解]\S|证明|解释|说明|计算|简述|分析|\b(?:what|how|why|which|who|when|where|find|solve|explain|describe|prove|calculate|compute|evaluate|summari[sz]e|show|list|discuss)\b/i;

/** True for the title of a section that can be nothing else. */
export function isBareTitle(text: string): boolean {
  return bare.test(text) && !/[?？=]|_{2,}|[（(]\s*[)）]/.test(text);
}

/** True for such a title that says what its exercises count, which no word of a list does. */
export function isCountedTitle(text: string): boolean {
  return counted.test(text) && isBareTitle(text);
}

/** True for the title of a section with a name, as in `Chapter 3: Light`; some are asked to be explained. */
export function isNamedTitle(text: string): boolean {
  return (chapter.test(text) || part.test(text)) && !asks.test(text);
}

/** True for the title of a section. */
export function isSectionTitle(text: string): boolean {
  return isExercisesTitle(text) || ((chapter.test(text) || part.test(text)) && !/[?？=]/.test(text));
}

/** True for the title of a section of exercises, which is nothing else. */
export function isExercisesTitle(text: string): boolean {
  return exercises.test(text) && !/[?？=]/.test(text) && !exercise.test(text);
}

/** Small `total` and `end` are words of a list. */
const total =
  /^(?:(?:Grand |Sub-?)?(?:Total|TOTAL|total(?=\s*[:：])|SUM)s?|合计|总计|小计|总共|共计)\s*[:：]?$/;
const totalOf = /^(?:grand |sub-?)?(?:total|合计|总计|小计|总分)\s*[:：=]\s*[\d.,]+\s*[题道分个行]?$/i;
const countOf =
  /^(?:共|共计|总共|合计)\s*有?\s*\d+\s*(?:题|道题?|小题|大题|条|行|个题目|条记录)(?:$|[\s,，。;；(（][^?？几多]{0,20}$)/;
const source = /^(?:sources?|来源|资料来源|数据来源|题目来源|出处|quelle)\s*[:：]\s*\S[^?？\n]{0,200}$/i;
const rowCount =
  /^[(（]\s*\d+\s*(?:rows?|lines?|records?|行|条记录|条)\s*(?:affected|returned|selected|受影响)?\s*[)）]$/i;
const end =
  /^(?:(?:The )?(?:End|END)\.?|[-=*#—\s]+(?:end|完|eof)[-=*#—\s]+|[(（【[]\s*(?:完|全文完|全卷完|end|eof|以下空白)\s*[)）】\]]|以下空白|以下无正文|全卷完|试卷结束)$/;
const number = /^[-+]?[\d.,]+\s*[%题道分个]?$/;

/** True for `Total`, next to which only numbers stand. */
export function isTotal(text: string): boolean {
  return total.test(text);
}

/** True for a line below a table. */
export function isFooterLine(text: string): boolean {
  return totalOf.test(text) || countOf.test(text) || source.test(text) || rowCount.test(text);
}

/** True for the end of a text. */
export function isEnd(text: string): boolean {
  return end.test(text);
}

/** True for a number, of whatever. */
export function isNumber(text: string): boolean {
  return number.test(text);
}

/** A number as questions have it: `2.`, `（3）`, `第 4 题（5 分）`, `1.2`. `Question 5` may be the name of one that the service is to know. */
const questionNumber =
  /^(?:#|第|例题?)?\s*(?:[(（[【]\s*)?(?:\d{1,6}(?:\.\d{1,3}){0,2}|(?<=[第例(（]\s*)[一二三四五六七八九十百]{1,4}|[①-⑳])(?:\s*[)）\]】])?\s*[题道问]?\s*[.．、:：。)）]?\s*(?:[(（]\s*(?:本题)?\s*\d{1,3}\s*(?:分|points?|pts?|marks?)\s*[)）])?$/i;

/** True for the number of a question, without a question. */
export function isQuestionNumber(text: string): boolean {
  return questionNumber.test(text);
}

/** Signs that fill an empty cell; others, such as `%` or `+`, may be asked about. */
const filler = /^[-–—―−_.。…·,，、;；:：?？!！/\\|*~～"'“”‘’()（）[\]【】\s]+$/;
const lostLetters = /^[?？]{2,}$/;
/** Who asks for the name of a sign has its name as the answer. */
const nameOfSign = /\p{L}{3}|[号杠线点]/u;

/** True for signs alone that are no question about a sign. */
export function isFiller(question: string, answer: string): boolean {
  return filler.test(question) && (lostLetters.test(question) || !nameOfSign.test(answer));
}

const noValue = /^(?:N\/A|n\/a|NA|TBD|tbd|待定|待补充|暂缺)$/;
/** Such words may be asked about too. */
const noValueOrWord = /^(?:[Nn]one|[Nn]ull|[Nn]il|undefined|无|暂无|没有|空)$/;
const noAnswer = /^(?:|[A-Z]|[-+]?[\d.]+)$/;

/** True for a word that stands for a missing value. */
export function isNoValue(question: string, answer: string): boolean {
  if (noValueOrWord.test(question))
    return noAnswer.test(answer) || isNothing(answer) || noValueOrWord.test(answer);
  return isNothing(question);
}

function isNothing(text: string): boolean {
  return noValue.test(text) || isMissingValue(text);
}
