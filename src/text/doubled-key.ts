/** Detects duplicate keys, which JSON parsing silently accepts. */

/** The first key that occurs twice in one object of a valid JSON text; parsing silently keeps the last one. */
export function doubledKey(text: string): string | null {
  /** Keys of the enclosing objects, the outermost first; a list has none. */
  const open: Set<string>[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if ('{['.includes(letter)) open.push(new Set());
    if ('}]'.includes(letter)) open.pop();
    if (letter !== '"') continue;
    const start = at;
    for (at += 1; text[at] !== '"'; at++) if (text[at] === '\\') at += 1;
    colon.lastIndex = at + 1;
    if (!colon.test(text)) continue;
    const key: string = JSON.parse(text.slice(start, at + 1));
    const keys = open.at(-1);
    if (keys?.has(key)) return key;
    keys?.add(key);
  }
  return null;
}
