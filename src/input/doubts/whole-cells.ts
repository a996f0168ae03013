/**
 * Pure. Cells that are no question as a whole: what a template has where nobody typed, and what only says where the question
 * stands. With more words than these a cell is a question.
 */

/** Longer texts are asked no further. */
const mostLetters = 60;
/** An answer in words explains the cell, which may then be a word to be learned. */
const inWords = /\p{L}{3}|\p{Script=Han}{2}/u;
const han = /\p{Script=Han}/u;

/** True for an answer without words: none, the letter of a choice, a number. */
export function isWordless(answer: string): boolean {
  return !inWords.test(answer);
}

/** True where one is Chinese and the other is not: a list for translating. */
function isTranslated(question: string, answer: string): boolean {
  return inWords.test(answer) && han.test(question) !== han.test(answer);
}

/** A text as a whole, in brackets or not. */
function whole(...texts: readonly string[]): RegExp {
  return new RegExp(`^[[(（【<]?\\s*(?:${texts.join('|')})\\s*[.。…:：!！]{0,3}\\s*[\\])）】>]?$`, 'i');
}

/** Words that may be learned as well. */
const weakTemplate = whole(
  '(?:new|default|blank|sample) (?:question|problem|exercise|prompt)(?: ?\\d{1,4})?',
);
const templateAnswer = /^(?:option|choice|answer|enter|type|your|选项|答案|请|在此|输入)/i;
const template = whole(
  '(?:untitled|unnamed) (?:question|problem|exercise|prompt)(?: ?\\d{1,4})?',
  '(?:please )?(?:type|enter|insert|input|write|add|put)\\b[\\w ]{0,30}\\b(?:question|problem|prompt|text|stem|title)[\\w ]{0,12}\\bhere',
  '(?:please )?(?:type|enter|insert|input) (?:your|a|the) (?:question|prompt|stem|problem)(?: text| title)?',
  '(?:your )?(?:question|problem|prompt)(?: text)?(?: goes)? here|click (?:here )?to (?:add|edit|enter)(?: \\w+){0,3}',
  'unbenannte frage|neue frage|frage hier eingeben|question sans titre|nouvelle question|pregunta sin título|nueva pregunta',
  'domanda senza titolo|pergunta sem título|вопрос без заголовка|無題の質問|제목 없는 질문',
  '请?(?:(?:在|于)?(?:此处?|这里|下方))?(?:输入|填写|填入|键入|录入|添加)(?:您的|你的|新的)?(?:题目|题干|试题|问题|题面)(?:内容|描述|标题|文字|文本)?',
  '(?:请|请?(?:在|于)?(?:此处?|这里|下方))(?:输入|填写|填入|键入|录入)(?:您的|你的)?(?:内容|文字|文本|标题|正文)?',
  '(?:点击|单击|双击)(?:此处|这里)?(?:添加|输入|编辑)(?:题目|题干|试题|问题|内容|文字|文本|标题)',
  '未命名(?:题目|问题|试题)?\\d{0,4}|无标题(?:题目|问题|试题)?|新(?:建|增|的)?(?:题目|试题)\\d{0,4}|(?:默认|空白|示例|样例)(?:题目|试题)',
);

/** True for what a form or a template has until somebody types. */
export function isNeverTyped(question: string, answer: string): boolean {
  if (/^lorem ipsum/i.test(question)) return !/[?？]/.test(question);
  if (question.length > mostLetters) return false;
  if (weakTemplate.test(question)) return isWordless(answer) || templateAnswer.test(answer);
  return template.test(question) && !isTranslated(question, answer);
}

const rowHint: string =
  '(?:(?:删除|删掉|清空|覆盖|勿删)(?:本|此|该|这)一?[行条]|(?:本|此|该|这)一?[行条][^。？?]{0,8}(?:删除|删掉|示例|供参考)|' +
  '(?:delete|remove|overwrite|replace|ignore) this (?:row|line|example|sample)|this (?:row|line) is (?:an? )?(?:example|sample)|(?:example|sample) row\\b)';
const longestSample = 200;
const sampleStart = /^[[(（【<]?\s*(?:填写|导入)?(?:示例|样例|范例|样题|sample|example)(?![\p{L}\d])/iu;
const hintInBrackets = new RegExp(
  `[[(（【][^()（）[\\]【】]{0,40}${rowHint}[^()（）[\\]【】]{0,40}[\\])）】]`,
  'i',
);
const hint = new RegExp(rowHint, 'i');
/** Ids are unique: no more than one row has such a word alone. */
const sampleId = /^(?:示例|样例|范例|样题|sample|example|e\.g\.)$/i;

/** True for the row that shows how a template is filled in. */
export function isSample(question: string, id: string): boolean {
  if (id.length < 8 && sampleId.test(id)) return true;
  if (question.length > longestSample) return false;
  const text = question.trim();
  if (sampleStart.test(text)) return hint.test(text);
  return ')）】]'.includes(text.charAt(text.length - 1)) && hintInBrackets.test(text);
}

const weak = whole(
  '同[上前左]题?|略|从略|题目?略|图片?题|看图题|ditto|idem|(?<=^[([])(?:omitted|attached)|as (?:above|below)|(?:image|picture|photo) (?:only|question)',
);
const number: string = '[一二三四五六七八九十\\d]{1,4}(?:\\s*[-~～至、.]\\s*\\d{1,4})?';
const bookZh: string =
  '(?:数学|语文|英语|物理|化学)?(?:课本|教材|教科书|书本?上?|练习册|作业本|讲义|试卷|习题[册集]|《[^《》]{1,20}》)(?:[上下]册|必修.?)?(?:的)?';
const pageZh: string = '(?:p(?:age)?\\.?\\s*\\d{1,4}|第?\\s*\\d{1,4}\\s*页)';
const exerciseZh: string = `(?:第?\\s*${number}\\s*[小大]?题|(?:例题?|习题|练习|课后题?|T)\\s*${number})`;
const page: string = '(?:pages?|pp?\\.|S\\.|Seite)\\s*\\d{1,4}(?:\\s*[-–]\\s*\\d{1,4})?';
const exercise: string =
  '(?:ex(?:ercises?|\\.)?|no\\.?|nr\\.?|q(?:uestions?|\\.)?|problems?|tasks?|aufgabe|#)\\s*#?\\d{1,4}[a-z]?';
const book: string = '(?:(?:text|work|course)?book|worksheet|handout|buch)';
const elsewhere = whole(
  '(?:题目|题干|原题|内容|具体|详情)?(?:(?:请|详|参|另)[见看阅]|见)\\s*[上下左右本原附后前]?(?:附件|附录|图|图片|图示|题图|截图|照片|配图|插图|文件|文档|文|页|表|链接|网址|课本|教材|书|讲义|练习册|试卷|原?卷|题|word|pdf)(?:文?[档件])?(?:\\s*\\d{1,3})?(?:所示)?',
  `如[上下左右附题]?[图表](?:\\s*\\d{1,3})?(?:所示)?|同(?:第|上面?第)\\s*${number}\\s*[题行]?(?:题干)?|题[目干]同上`,
  `(?:[见看]\\s*)?${bookZh}\\s*(?:${pageZh}|${exerciseZh})(?:[\\s,，、]*${exerciseZh}){0,2}`,
  `(?:[见看]\\s*)?${pageZh}(?:[\\s,，、]*${exerciseZh}){1,2}`,
  '(?:please )?(?:see|refer to|same as|as in|cf\\.) (?:the )?(?:attached |following |next |previous |last )?(?:attachments?|attached|above|below|pictures?|images?|figures?|fig\\.?|photos?|diagrams?|graphs?|screenshots?|files?|documents?|pdf|word|handout|worksheet|textbook|workbook|link|website|page|previous|question|problem|exercise|q|no\\.)(?: (?:above|below|file))?(?: ?#?\\d{1,4})?',
  `(?:see )?(?:the )?(?:${book}[ ,:]+${page}(?:[ ,:;]+${exercise})?|${book}[ ,:]+${exercise}|${page}[ ,:;]+${exercise}|${exercise}[ ,:;]+(?:on )?${page})`,
  'siehe (?:oben|unten|anhang|bild|abbildung|datei)|voir (?:ci-dessus|ci-joint|pièce jointe|annexe|image|figure)|ver (?:adjunto|anexo|imagen|figura|arriba)',
);

/** True for a cell that only says where the question stands. */
export function isElsewhere(question: string, answer: string): boolean {
  if (question.length > mostLetters) return false;
  if (weak.test(question)) return isWordless(answer) || answer === question;
  return elsewhere.test(question) && !isTranslated(question, answer);
}
