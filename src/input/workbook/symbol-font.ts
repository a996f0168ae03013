/**
 * Pure. Letters in the font Symbol, which draws others than it is given: `a` as `α`, `³` as `≥`. The table is that of
 * the font as Adobe publishes it; hyphen and asterisk stay, which it draws a little longer.
 */

const ascii =
  ' !∀#∃%&∋()*+,-./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const latin =
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\uf0f0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';
const shown = new Map([...[...ascii].entries()].map(([at, letter]) => [0x20 + at, letter]));
for (const [at, letter] of [...latin].entries()) shown.set(0xa0 + at, letter);

export function isSymbolFont(name: string): boolean {
  return /^symbol$/i.test(name.trim());
}

/** The text as the font shows it. Programs that insert a letter of the font write it from U+F000 on. */
export function fromSymbolFont(text: string): string {
  return text.replace(/[ -\u00ff\uf020-\uf0ff]/g, (letter) => {
    const code = letter.charCodeAt(0);
    return shown.get(code >= 0xf000 ? code - 0xf000 : code) ?? letter;
  });
}
