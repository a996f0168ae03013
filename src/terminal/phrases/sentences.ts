/**
 * Recognizes sentences that travel as English text, and says them in another language. The readers of files know no
 * language, and what they say of a row is saved with it, for reports too; so the English sentence itself is the key.
 */

/**
 * An English sentence and its translation. `{name}` stands for a value, which is taken over as it is; one whose name ends
 * in `Said` is translated itself, one that ends in `Field` is a field's name. `{s}` is the s of a plural, `{is}` is `is` or `are`: the translation has neither.
 */
export type Sentence = readonly [english: string, translation: string];

interface Pattern {
  readonly sentence: RegExp;
  readonly names: readonly string[];
  readonly translation: string;
}

const placeholder = /\{([a-zA-Z]+)\}/g;
const plurals: Readonly<Record<string, string>> = { s: 's?', is: '(?:is|are)' };

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

  const translate = (text: string, among: readonly Pattern[]): string | null => {
    for (const { sentence, names, translation } of among) {
      const found = sentence.exec(text);
      if (found === null) continue;
      const values = new Map(names.map((name, at) => [name, found[at + 1] ?? '']));
      return translation.replace(placeholder, (_, name: string) => {
        const value = values.get(name) ?? '';
        return name.endsWith('Said') ? (translate(value, patterns().inner) ?? value) : value;
      });
    }
    return null;
  };

  /** Several sentences are one line, with a semicolon between them, which one of them may hold too. */
  const translateAll = (text: string): string => {
    const { whole } = patterns();
    const clauses = text.split('; ');
    const said: string[] = [];
    let isAnyKnown = false;
    for (let at = 0; at < clauses.length; ) {
      let end = clauses.length;
      let found: string | null = null;
      for (; end > at && found === null; end -= found === null ? 1 : 0)
        found = translate(clauses.slice(at, end).join('; '), whole);
      said.push(found ?? clauses[at] ?? '');
      isAnyKnown ||= found !== null;
      at = found === null ? at + 1 : end;
    }
    return isAnyKnown ? said.join('；') : text;
  };

  return (text) => (text.length > longestText ? text : translateAll(text));
}

/** A longer one is no sentence of this program. */
const longestText = 4_000;

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
          const plural = plurals[name];
          if (plural !== undefined) return plural;
          names.push(name);
          return name.endsWith('Field') ? '([A-Za-z_]+)' : '(.+?)';
        })
        .join('');
      return { sentence: new RegExp(`^${source}$`, 's'), names, translation };
    });
}
