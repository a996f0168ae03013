/** Pure. What programs write for other programs, or where they have no text: nobody is asked such a thing. */

import { isWordless } from './whole-cells.ts';

/** How programs name an object whose text they do not know. */
const nameOfObject =
  /^(?:(?:\[object \w+\],?)+|System\.[\w.]+(?:`\d+)?\[.*\]|System\.[\w.]+`\d+.*|\[+(?:[BCDFIJSZ]|L[\w.$]+;)@[0-9a-f]{4,16}|[\w$]+(?:\.[\w$]+)+@[0-9a-f]{4,16}|#?<[A-Za-z_][^<>]{0,200}[\s:]0x[0-9a-f]+[^<>]{0,60}>|<[a-z]+ '[\w.]+'>|(?:HASH|ARRAY|CODE|SCALAR)\(0x[0-9a-f]+\)|<Buffer [0-9a-f ]+(?:\.\.\. )?.*>|\[(?:Async)?Function: \w+\])$/i;
/** Words of programmers, which may be asked about. */
const kindOfObject =
  /^(?:Array|Object|System\.(?:[A-Z]\w*\.)*[A-Z]\w*|\[?Function\]?|(?:Object|Resource) id #\d+)$/;
const waiting =
  /^(?:loading|please wait|加载中|正在加载|载入中|加载失败|请稍[候等]|読み込み中|chargement(?: en cours)?|загрузка)\s*[.。…]*$/i;

const quoted: string = `'(?:[^'\\\\\\n]|\\\\.|(?<=\\w)'(?=\\w))*'`;
const doubleQuoted: string = '"(?:[^"\\\\\\n]|\\\\.)*"';
/** A list of texts, one of which has a word and a blank, or is Chinese. */
const listOfTexts = new RegExp(
  `^\\[\\s*(?:${quoted}|${doubleQuoted})(?:\\s*,\\s*(?:${quoted}|${doubleQuoted}))*\\s*\\]$`,
);
const someText = /\p{L}{2} |\p{Script=Han}/u;
/** Rich text: objects with one of the keys that editors use. */
const richText =
  /^(?:\[\s*)?\{[\s\S]*["'](?:ops|insert|text|content|children|blocks|html|richText|value|latex|question|stem)["']\s*:\s*[[{"'][\s\S]*[\]}]$/;
const bytes =
  /^b(?:'[^'\n]*(?:[A-Za-z]{3}|\\x[0-9a-f]{2})[^'\n]*'|"[^"\n]*(?:[A-Za-z]{3}|\\x[0-9a-f]{2})[^"\n]*")$/;

const utf8Of = (mark: string): RegExp =>
  new RegExp(
    `(?:${mark}E[0-9A-F]${mark}[89AB][0-9A-F]|(?<=[a-z])${mark}C[2-9A-F])${mark}[89AB][0-9A-F]`,
    'i',
  );
const percentEncoded = utf8Of('%');
const quotedPrintable = utf8Of('=');
const plusEncoded = /^[A-Za-z]+(?:%20|\+)[\w%+.-]*%(?:20|2[0-9A-F]|3[A-F])[\w%+.-]*$/;
const aboutEncoding = /encod|decod|escap|mime|quoted|utf|编码|解码|转义/i;
const base64 = /^(?:[A-Za-z0-9+/]{4}\s{0,2}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** What the bytes of pictures begin with, encoded. */
const pictureBytes =
  /^(?:data:[\w.+-]+\/[\w.+-]+[;,]|(?:\/9j\/|iVBORw0KGgo|R0lGOD|UklGR)[A-Za-z0-9+/\s]{40})/;
const [shortest, longest, longestWait] = [3, 20_000, 24];

/** True for base64 of a text. */
function isEncodedText(text: string): boolean {
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text) || !base64.test(text)) return false;
  const letters = Uint8Array.from(atob(text.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
  return !/[\ufffd\0-\x08\x0e-\x1f]/.test(new TextDecoder().decode(letters));
}

/** True for a text that no person reads. */
function isProgramText(text: string): boolean {
  if (text.length < shortest || text.length > longest) return pictureBytes.test(text);
  const first = text.charAt(0);
  if ('[{<#'.includes(first)) {
    if (/^#{3,}$/.test(text) || nameOfObject.test(text)) return true;
    return (someText.test(text) && listOfTexts.test(text)) || richText.test(text);
  }
  if ((text.includes('=E') || text.includes('=C')) && quotedPrintable.test(text) && !aboutEncoding.test(text))
    return true;
  if (first === 'b' && bytes.test(text)) return true;
  if (text.length < longestWait && waiting.test(text)) return true;
  return first <= '~' && !text.includes(' ') && isEncoded(text);
}

/** True for a text of one word that is written in the letters of a program. */
function isEncoded(text: string): boolean {
  if (pictureBytes.test(text) || nameOfObject.test(text)) return true;
  if (text.includes('%') && /^[!-~]+$/.test(text) && !text.includes('://'))
    return percentEncoded.test(text) || plusEncoded.test(text);
  return isEncodedText(text);
}

/** True for such a text as a question: a sign or a word of programmers may be asked about. */
export function isNoQuestion(question: string, answer: string): boolean {
  if (question.length < 7 && /^#+$/.test(question)) return question.length > 2 && isWordless(answer);
  if (question.length < longestWait && waiting.test(question))
    return isWordless(answer) || waiting.test(answer);
  if (kindOfObject.test(question)) return isWordless(answer) || kindOfObject.test(answer);
  return isProgramText(question);
}

const questionAsks =
  /json|python|java|html|list|array|object|string|type|output|print|return|code|encod|decod|base64|byte|列表|数组|对象|输出|编码|代码|程序|字符串|类型|标记/i;

/** True for such a text as the answer to a question that is not about one. */
export function isNoAnswerText(answer: string, question: string): boolean {
  return (isProgramText(answer) || /^(?:Array|Object)$/.test(answer)) && !questionAsks.test(question);
}

const picturePath =
  /^(?:[^\s?？]+|(?:[A-Za-z]:|file:|\.{0,2}[\\/]|(?:[\w-]+[\\/])+)[^\n?？]{1,300})\.(?:png|jpe?g|gif|webp|bmp|svg|tiff?|heic|avif)(?:[?#]\S*)?$/i;
const folder = /^[^\s\\/]{0,40}[\\/]/;
const longestAddress = 2000;
const asks = /[如为]何|什么|怎[么样]|打开|[《“"'`]/;

/** True for the path or the address of a picture alone. */
export function isPicturePath(text: string): boolean {
  if (text.length > longestAddress || !text.includes('.')) return false;
  if (text.includes(' ') && !folder.test(text)) return false;
  return picturePath.test(text) && !asks.test(text);
}

const address =
  /^(?:(?:https?|ftp|file):\/\/\S+|www\.\S+|[a-z]:[\\/][^\n?]+|\S+\.(?:pdf|docx?|pptx?|xlsx?|html?|txt|md|mp[34]|wav))$/i;
/** Hashes have letters and digits; codes a zero in front, or two digits behind a sign: `x-1` and `a_1` are mathematics. */
const code =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ObjectId\(.*\)|(?=\d*[a-f])(?=[a-f]*\d)(?:[0-9a-f]{24}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})|Q\s?\d{1,5}[.:：]?|(?:q|item|question|problem|题目?)[-_]\d{1,5}|[A-Z]{2,8}(?:[-_]\d{2,6}){1,3}|[A-Z]{1,8}[-_]?0\d{1,7})$/;

/** True for an address, a path, a hash or a code alone. */
export function isReference(text: string): boolean {
  if (text.length > longestAddress || (text.includes(' ') && text.length > 8 && text.charAt(1) !== ':'))
    return false;
  return (
    ((text.includes('.') || text.includes('/') || text.includes(':')) && address.test(text)) ||
    code.test(text)
  );
}

const promptMark =
  /^\s*(?:<\|(?:im_start|start_header_id)\|>\s*(?:system|user|assistant)|<\|(?:system|user|begin_of_text|startoftext)\|>\s*\S|(?:<s>\s*)?\[INST\][\s\S]+\[\/INST\]|<(?:bos|start_of_turn)>\s*(?:user|<start)|<[｜|](?:User|begin▁of▁sentence)[｜|]>\s*\S|(?:Human|User|用户|### Instruction)[:：][\s\S]+\n\s*(?:Assistant|AI|助手|### Response)[:：]\s*$)/;
/** What such a prompt begins with. */
const promptStart = '<[HU用#';

/** True for a prompt with the marks by which a language model tells who speaks. */
export function isModelPrompt(text: string): boolean {
  return promptStart.includes(text.trimStart().charAt(0)) && promptMark.test(text);
}
