/** Pure. Texts that ask, texts that are cut, and what may be the rest of one. */

const verbs: string =
  'what|how|why|which|who|whom|whose|when|where|find|solve|explain|describe|prove|show|calculate|compute|evaluate|summari[sz]e|list|' +
  'discuss|simplify|factori?[sz]?e?|convert|translate|define|determine|identify|choose|select|complete|fill|estimate|draw|sketch|write|' +
  'state|name|give|verify|derive|compare|true or false';
const hanVerbs: string =
  '求|证明|计算|解方程|解不等式|解答|解释|说明|简述|分析|化简|写出|画出|作图|判断|填|选|比较|举例|翻译|列举|指出|概括|造句|默写|因式分解|分解因式';
const asking = new RegExp(
  `[?？=<>]|_{2,}|[（(]\\s*[)）]|[\\d)）][+×÷*/^²³-]|什么|怎么|怎样|如何|为何|哪|多少|几|是否|能否|下列|(?:${hanVerbs})|(?:是|为|等于)\\s*$|\\b(?:${verbs})\\b`,
  'i',
);
const startsAsking = new RegExp(
  `^(?:(?:${hanVerbs})|下列|如图|已知|设|若|什么|谁|哪|为什么|如何|怎|请|试|\\d{1,3}[.．、]\\s*\\D|(?:${verbs}|is|are|do|does|did|can|if|let|given|suppose)\\b)`,
  'i',
);

/** True for a text that asks something, or wants it done. */
export function isAsking(text: string): boolean {
  return asking.test(text);
}

const endsSentence = /[.。．？！.?!:：…;；]["”’」』)）]?$|[)）\]】_]$/;
/** True for a text that does not seem cut. */
export function endsText(text: string): boolean {
  return endsSentence.test(text);
}

const joining = /[与及或且]$|\s(?:and|or|of|the|an?|with|from|to|at|by|for|in|on|that|which|than|between)$/;
const smallWord = /^(?!(?:sin|cos|tan|log|ln|lim|max|min)\b)[a-z]{2,}[ ,]/;
/** Of prose. */
const leastLetters = 12;

/** True for a text that does not end, and the rows below it, the first of which may be its rest. `isRest`: it is one itself. */
export function goesOn(
  start: string,
  [rest, ...others]: readonly [string, ...string[]],
  isRest: boolean,
): boolean {
  if (endsSentence.test(start)) return false;
  // Phrases begin with small letters too.
  if (smallWord.test(rest)) return isRest || (!/^[a-z]/.test(start) && /\s\S+\s/.test(start));
  if (startsAsking.test(rest)) return false;
  if (isRest || joining.test(start)) return true;
  if (![rest, ...others].some((text) => endsSentence.test(text))) return false;
  return (
    /[，,、]$/.test(start) || (start.length >= leastLetters && /[，,。；]/.test(start) && !isAsking(start))
  );
}

const opening = /[([{（【]/g;
const closing = /[)\]}）】]/g;

/** True where a bracket, or a `$` that is no sum of money, is open in one text and closed in the next. */
function closes(question: string, rest: string): boolean {
  const countIn = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;
  const open = countIn(question, opening) - countIn(question, closing);
  if (open > 0 && countIn(rest, closing) - countIn(rest, opening) === open) {
    const inside = rest.slice(0, rest.search(closing));
    return /\w$/.test(question) && /[a-z=]/i.test(inside) && rest.length - inside.length > 2;
  }
  if (!question.includes('$') || !rest.includes('$')) return false;
  const isOdd = (text: string): boolean => countIn(text, /(?<!\\)\$/g) % 2 === 1;
  return (
    isOdd(question) && isOdd(rest) && /\$[\\a-z{(][^$]*$/i.test(question) && !/\$\s*[\d.]|^\$/.test(rest)
  );
}

const restOfSentence =
  /^(?:(?:if|and|or|when|where|that|then|but|which|so|because|for|with|given|what|how|find)\s|[-+]?\d?[a-z]\s*[=<>≤≥])/;
const condition = /^(?:若|设|已知|如果|当|if|let|given|when|suppose)/i;
const asked = /^(?:(?:则|那么)?(?:求|问|试求|计算|证明)|(?:则|那么).*(?:多少|几|哪|[?？]))|[?？]$/;

/** True for an answer that is the rest of its question; in a row that is too long, or where no other begins with a blank, less tells it. */
export function isRest(
  question: string,
  answer: string,
  { isLong, isIndented }: { readonly isLong: boolean; readonly isIndented: boolean },
): boolean {
  if (endsSentence.test(question)) return false;
  if (closes(question, answer)) return true;
  if (asked.test(answer))
    return isLong || (condition.test(question) && !isAsking(question.replace(/[=<>]/g, '')));
  return (isLong || isIndented) && restOfSentence.test(answer);
}
