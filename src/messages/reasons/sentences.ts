/**
 * Recognizes sentences that travel as English text, and says them in another language. What the readers of files say of a
 * row is saved with it, for reports too; so the English sentence itself is the key.
 */

/**
 * An English sentence and its Chinese. `{name}` stands for a value, which is taken over as it is; one whose name ends
 * in `Said` is translated itself.
 */
export type Sentence = readonly [english: string, chinese: string];

/** One of a catalogue. */
export interface Entry {
  readonly en: (values: never) => string;
  readonly zh: (values: never) => string;
}

/** A message as such a sentence: what is not in `given` is a value; what has words in both languages is translated. */
export function sentenceOf({ en, zh }: Entry, given: Readonly<Record<string, unknown>> = {}): Sentence {
  const values = new Proxy(given, {
    get: (own, name) =>
      Reflect.get(own, name) ?? {
        toString: () => `{${String(name)}}`,
        en: `{${String(name)}Said}`,
        zh: `{${String(name)}Said}`,
      },
  }) as never;
  return [en(values), zh(values)];
}

interface Pattern {
  readonly sentence: RegExp;
  readonly names: readonly string[];
  readonly translation: string;
}

/** A translation, and how many letters of the English text are in it as they were: the fewer, the better it fits. */
interface Said {
  readonly text: string;
  readonly kept: number;
}

const placeholder = /\{([a-zA-Z]+)\}/g;

/** A longer text is no sentence of this program. */
const longestText = 4_000;
/** Sentences in one line: more clauses are a value that has semicolons. */
const mostClauses = 12;

/** Translates the sentences of `sentences`; `parts` are known only inside them. Returns what it does not know as it is. */
export function createTranslator(
  sentences: readonly Sentence[],
  parts: readonly Sentence[],
): (text: string) => string {
  let known: { readonly whole: readonly Pattern[]; readonly inner: readonly Pattern[] } | null = null;
  const patterns = () => {
    known ??= { whole: patternsOf(sentences), inner: patternsOf([...parts, ...sentences]) };
    return known;
  };

  const translate = (text: string, among: readonly Pattern[]): Said | null => {
    for (const { sentence, names, translation } of among) {
      const found = sentence.exec(text);
      if (found === null) continue;
      let kept = 0;
      const values = new Map(
        names.map((name, at) => {
          const value = String(found[at + 1]);
          const said = name.endsWith('Said') ? translate(value, patterns().inner) : null;
          kept += said?.kept ?? value.length;
          return [name, said?.text ?? value];
        }),
      );
      return { text: translation.replace(placeholder, (_, name: string) => String(values.get(name))), kept };
    }
    return null;
  };

  /** Several sentences are one line, with a semicolon between them, which a sentence or a value may hold too. */
  const translateAll = (text: string): string => {
    const { whole } = patterns();
    const clauses = text.split('; ');
    if (clauses.length > mostClauses) return translate(text, whole)?.text ?? text;
    /** The best translation of the clauses from here on. */
    const best: (Said & { readonly isAnyKnown: boolean })[] = [];
    best[clauses.length] = { text: '', kept: 0, isAnyKnown: false };
    for (let at = clauses.length - 1; at >= 0; at--) {
      for (let end = clauses.length; end > at; end--) {
        const piece = clauses.slice(at, end).join('; ');
        const rest = best[end];
        const said = translate(piece, whole);
        if (rest === undefined || (said === null && end > at + 1)) continue;
        const kept = (said?.kept ?? piece.length) + rest.kept;
        if (kept >= (best[at]?.kept ?? Number.POSITIVE_INFINITY)) continue;
        const joined = [said?.text ?? piece, ...(end < clauses.length ? [rest.text] : [])].join('；');
        best[at] = { text: joined, kept, isAnyKnown: said !== null || rest.isAnyKnown };
      }
    }
    return best[0]?.isAnyKnown === true ? best[0].text : text;
  };

  return (text) => (text.length > longestText ? text : translateAll(text));
}

/** The ones with most letters of their own first: they say most exactly what they are. */
function patternsOf(sentences: readonly Sentence[]): readonly Pattern[] {
  const letters = ([english]: Sentence): number => english.replace(placeholder, '').length;
  return sentences
    .toSorted((one, other) => letters(other) - letters(one))
    .map(([english, translation]) => {
      const names: string[] = [];
      const source = english
        .split(/(\{[a-zA-Z]+\})/)
        .map((piece) => {
          const [, name] = /^\{([a-zA-Z]+)\}$/.exec(piece) ?? [];
          if (name === undefined) return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
          names.push(name);
          return '(.+?)';
        })
        .join('');
      return { sentence: new RegExp(`^${source}$`, 's'), names, translation };
    });
}
