/** Pure. Recognizes texts that an earlier program damaged: escapes that were read once too often or too seldom. */

/** What remains of a command and is no word, without a formula around it too. */
const afterAny =
  /\t(?:imes|heta|herefore|riangle(?:q|left|right)?|frac\d\d)(?![a-z])|[\r\n]ightarrow(?![a-z])/;
/** What remains of a command whose `\t` became a tab. `an` and `au` are words as well: a formula stands around them. */
const afterTab =
  /\t(?:ext(?:bf|it|rm|sf|tt|color|style)?\{|ilde(?![a-z])|frac[{\d]|anh?(?=[\t\\({^_$]| ?[a-zA-Zα-ω](?![\w-]))|au(?=[\t\\{^_$=+)}]| [=+])|(?<![\r\n]\t)o(?=[ \\{}$]|$)|(?<![\r\n]\t)op(?=[ }$]))/;
/** What remains after a line break; no line begins so. `eq 1:` does. */
const afterBreak =
  /[\r\n](?:abla(?![a-z])|rac\{|otin(?![a-z])|ight[)\]}|.>\\]|(?<=[^\s.?!:,;。，；：？！]\s?[\r\n])eq(?: ?[-\d\\{$]| [a-z](?![a-z]))(?![^\n]{0,8}:))/;
/**
 * What lines may begin with, and formulas between dollars do not: these have one line. Lines of an environment do, behind its
 * `\begin{...}` and behind `\\`, and relations follow no sign.
 */
const insideFormula =
  /(?<![.?!:,;。，；：？！$\r\n]|\\ *|\\(?:begin|end)\{\w+\*?\}(?:\{[^{}\n]*\})? *)[\r\n](?:(?:u|eg|ot|ho|angle)(?![a-zA-Z])|(?<![-=+*/<>&(] *[\r\n])(?:eq?|i|mid)(?![a-zA-Z]))/g;

/** What remains of a command whose `\v` or `\f` became a line break of programs that had no other. */
const afterOther = /\v(?:ec|ar(?:epsilon|theta|phi|rho)|dots|ee)(?![a-z])|\f(?:rac[{\d]|orall)/;
/** A command without its backslash: before a bracket, or with a limit before the end of a formula. */
const bareCommand =
  /(?<![\\a-zA-Z])(?:[dtc]?frac|sqrt|binom|overline|underline|overrightarrow|widehat|mathrm|mathbb|mathbf|mathcal|operatorname|boxed)(?:\[\d\])?\{|(?<![\\a-zA-Z])(?:frac\d\d|(?:int|sum|prod|lim)_)(?=[^$]*\$)/;
/** A formula of words only, in dollars of its own. */
const dollars = /\$([^$\s][^$\n]{0,200})\$/g;
const bareNames =
  /(?<![\\a-zA-Z])(?:alpha|beta|gamma|theta|lambda|omega|times|cdot|leq|geq|neq|infty|triangle|angle|circ|perp|cup|cap|subseteq|rightarrow|Rightarrow)(?![a-zA-Z])/;
const otherWords =
  /(?<![\\a-zA-Z])(?!(?:alpha|beta|gamma|theta|lambda|omega|times|cdot|leq|geq|neq|infty|triangle|angle|circ|perp|cup|cap|subseteq|rightarrow|Rightarrow|sin|cos|tan|log|lim|max|min|mod)(?![a-zA-Z]))[a-zA-Z]{3,}/;
/** Such formulas are written in other notations too. */
const aboutCommands = /`|latex|asciimath|命令/i;

/** True where commands of LaTeX stand without their backslashes. */
function hasBareCommand(text: string): boolean {
  const mayBeCommand = text.includes('{') || text.includes('_') || text.includes('frac');
  const mayBeNames = text.indexOf('$') !== text.lastIndexOf('$') && bareNames.test(text);
  const isBare =
    (mayBeCommand && bareCommand.test(text)) ||
    (mayBeNames && [...text.matchAll(dollars)].some(([, formula = '']) => isOfBareNames(formula)));
  return isBare && !aboutCommands.test(text);
}

function isOfBareNames(formula: string): boolean {
  return bareNames.test(formula) && !/\s$/.test(formula) && !otherWords.test(formula);
}

/** A cheap test: each of them has one of these. */
const control = /[\x08-\x0d]/;

/** True where LaTeX lost its backslashes: `\f`, `\t`, `\b`, `\n` were read as control characters, or are gone. */
export function hasBrokenEscape(text: string): boolean {
  if (hasBareCommand(text)) return true;
  if (!control.test(text)) return false;
  if (text.includes('\b') || afterAny.test(text) || afterOther.test(text)) return true;
  const hasTab = text.includes('\t');
  const hasBreak = text.includes('\n') || text.includes('\r');
  if (!(hasTab || hasBreak) || !/[$\\{]/.test(text)) return false;
  return (hasTab && afterTab.test(text)) || (hasBreak && (afterBreak.test(text) || hasBreakInFormula(text)));
}

/** True where such a line break is between the dollars of one formula, or between `\(` and `\)`. */
function hasBreakInFormula(text: string): boolean {
  let dollars = 0;
  let counted = 0;
  for (const { index } of text.matchAll(insideFormula)) {
    dollars += text.slice(counted, index).split('$').length - 1;
    counted = index;
    if (dollars % 2 === 1 && text.includes('$', index)) return true;
    if (text.lastIndexOf('\\(', index) > text.lastIndexOf('\\)', index)) return true;
  }
  return false;
}

/** Texts about code, regular expressions, encodings and paths show escapes as they are. */
const code =
  /[`;]\s*$|`|["'][^"'\n]*\\|\\\\?[dwsDWSb][+*?{\\[\]]|\b[A-Za-z]:\\|print|cout|echo|split|regex|escape|unicode|newline|正则|转义|编码|换行|字符串/i;
/** A letter that is not ASCII, written as its number. */
const letterNumber = /(?<!\\)\\u(?!00[0-7])[0-9a-fA-F]{4}/;
/** Two backslashes before the name of a command. In matrices they end a line, and a command after them has a third. */
const twoBackslashes =
  /(?<![\\:])\\\\(?:(?:[dt]?frac|sqrt|text|begin|end|math(?:rm|bf|bb|cal)|vec|overline)\s*[{[]|(?:left|right)\s*[([\\|.)\]]|(?:times|alpha|beta|gamma|theta|lambda|pi|sigma|omega|Delta|neq|leq?|geq?|cdot|div|pm|sum|int|lim|infty|angle|triangle|circ|sin|cos|tan|log|ln|rightarrow|Rightarrow|to|in|quad)(?![a-zA-Z]))/;
/** Commands of LaTeX that begin with an n, without it. */
const afterN =
  'abla|icefrac|eedspace|umber|e|eq|u|ot|otin|eg|i|ewline|ewcommand|ewpage|exists|mid|parallel|olimits|onumber|otag|leq|geq|less|gtr|leqslant|geqslant|subset|subseteq|supset|supseteq|cong|sim|prec|succ|atural|earrow|warrow|oindent|ormalsize|ormalfont|ormal|orm|um|ode|ame|Vdash|VDash|vdash|vDash|leftarrow|rightarrow|Leftarrow|Rightarrow|leftrightarrow|Leftrightarrow|triangleleft|triangleright';
/** A path has a backslash before an n too. */
const fileName =
  '[\\w-]*\\.(?:txt|md|csv|json|js|ts|py|java|cpp|exe|docx?|xlsx?|pptx?|pdf|png|jpe?g|gif|html?|xml|zip|bat|ini|log)\\b';
/** Between words, or before a numbered line; a macro of one's own stands before other signs. */
const writtenBreak = new RegExp(
  `[\\p{L}\\p{N}.,:;?!)。，？！：；）}$\\]] ?\\\\n(?:(?!(?:${afterN})(?![a-zA-Z])|${fileName})[a-zA-Z]|\\s*[\\p{Script=Han}\\d]|[(（]|\\\\n)`,
  'u',
);

/** True for escapes that nothing reads any more: `\u00b2`, `<U+00B2>`, `\\frac`, `\n` between words. */
export function hasLeftOverEscape(text: string): boolean {
  if (text.includes('<U+') && /<U\+[0-9A-F]{4,6}>/.test(text) && !code.test(text)) return true;
  if (!text.includes('\\')) return false;
  return (
    (letterNumber.test(text) || twoBackslashes.test(text) || writtenBreak.test(text)) && !code.test(text)
  );
}

/** True for what Word and MathType keep a formula in: `EQ \f(1,2)`, `EMBED Equation.3`. */
export function hasWordField(text: string): boolean {
  if (text.includes('MTEF') || text.includes('EMBED Equation')) return true;
  return text.includes('\\') && /\bEQ\s*\\[afrsoxbdli](?![a-z])[^()\n]{0,12}\(/i.test(text);
}

/** True for letters that only one font can show: those of Symbol, of Wingdings, of MathType. */
export function hasPrivateLetter(text: string): boolean {
  return /[\ue000-\uf8ff]/.test(text);
}
