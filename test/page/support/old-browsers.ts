/** What at least one of the oldest browsers of the page lacks: Chrome 109, Firefox 115, Safari 15.6. */

/** Functions by their owner. */
export const lackedFunctions: readonly (readonly [owner: string, ...names: readonly string[]])[] = [
  ['Array', 'fromAsync'],
  ['Array.prototype', 'toReversed', 'toSorted', 'toSpliced', 'with'],
  ['AbortSignal', 'any', 'timeout'],
  ['ArrayBuffer.prototype', 'resize', 'transfer', 'transferToFixedLength'],
  ['Document.prototype', 'startViewTransition'],
  ['Element.prototype', 'checkVisibility', 'getHTML', 'setHTML', 'setHTMLUnsafe'],
  ['HTMLDialogElement.prototype', 'requestClose'],
  ['HTMLElement.prototype', 'hidePopover', 'showPopover', 'togglePopover'],
  ['Intl', 'DurationFormat', 'Segmenter'],
  ['Iterator.prototype', 'drop', 'every', 'filter', 'find', 'flatMap', 'forEach', 'map', 'reduce', 'some'],
  ['Iterator.prototype', 'take', 'toArray'],
  ['Map', 'groupBy'],
  ['Map.prototype', 'getOrInsert', 'getOrInsertComputed'],
  ['Math', 'f16round', 'sumPrecise'],
  ['Object', 'groupBy'],
  ['Promise', 'try', 'withResolvers'],
  ['RegExp', 'escape'],
  ['Set.prototype', 'difference', 'intersection', 'isDisjointFrom', 'isSubsetOf', 'isSupersetOf'],
  ['Set.prototype', 'symmetricDifference', 'union'],
  ['String.prototype', 'isWellFormed', 'toWellFormed'],
  ['URL', 'canParse', 'parse'],
  ['Uint8Array', 'fromBase64', 'fromHex'],
  ['Uint8Array.prototype', 'toBase64', 'toHex'],
  ['globalThis', 'CompressionStream', 'DecompressionStream', 'Iterator', 'cancelIdleCallback'],
  ['globalThis', 'requestIdleCallback', 'scheduler', 'cookieStore', 'navigation'],
];

/** Names that older objects have too: `map`, `find`. */
const usualNames = new Set([
  ...Object.getOwnPropertyNames(Array.prototype),
  ...Object.getOwnPropertyNames(JSON),
  ...['with', 'union', 'any', 'try', 'take', 'drop', 'difference', 'escape', 'resize', 'navigation'],
]);

/** Names that are nothing else: a script that has one uses what is lacked. */
export const lackedNames: readonly string[] = lackedFunctions
  .flatMap(([, ...names]) => names)
  .filter((name) => !usualNames.has(name) || name.startsWith('to'));

/** What the style may not have; `@supports` guards what it may. */
export const lackedStyles: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['nested rules', /&|\{[^{}@]*;[^{}:;@]*\{/],
  ['light-dark()', /light-dark\(/],
  ['color-mix(), or colours beyond sRGB', /\b(?:color-mix|oklch|oklab|lch|lab|color)\(/],
  ['colours from others', /\b(?:rgb|hsl)a?\(from\b/],
  [':has()', /:has\(/],
  ['container queries', /@container|\bcq[wihb]\b/],
  ['scopes, properties, starting styles', /@(?:scope|property|starting-style|position-try|function|if)\b/],
  ['ranges in media queries', /@media[^{]*[<>]/],
  ['overflow: clip', /overflow(?:-[a-z]+)?:\s*clip/],
  ['subgrid', /subgrid/],
  ['text-wrap', /text-wrap/],
  ['popovers', /:popover-open|anchor\(/],
  ['functions of numbers', /\b(?:round|mod|rem|sin|cos|tan|pow|sqrt|hypot|exp|abs|sign|calc-size)\(/],
];

/** For `page.addInitScript`: takes the functions away, and what a script asks of `RegExp` that Safari 15 refuses. */
export function takeAway(functions: typeof lackedFunctions): void {
  for (const [owner, ...names] of functions) {
    const path = owner === 'globalThis' ? [] : owner.split('.');
    const found = path.reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name],
      globalThis,
    );
    for (const name of names) delete (found as Record<string, unknown> | undefined)?.[name];
  }
  globalThis.RegExp = new Proxy(RegExp, {
    construct(target, [pattern, flags]: [string, string?]) {
      if (/\(\?<[=!]/.test(String(pattern)) || flags?.includes('v'))
        throw new SyntaxError('Invalid regular expression: invalid group specifier name');
      return new target(pattern, flags);
    },
  });
}
