/** Pure. The licences of what a package holds, as one text. */

export interface Licensed {
  readonly name: string;
  /** '' where it is told by the package around it. */
  readonly version: string;
  /** By its short name, such as `MIT`. */
  readonly license: string;
  /** Its own text, with who holds the rights; null where the package brings none. */
  readonly text: string | null;
  /** Where it comes from; null where that is not known. */
  readonly home: string | null;
}

export const ruler = `\n\n${'-'.repeat(72)}\n\n`;

/** `before` says what all of it is part of. */
export function renderLicences(before: string, parts: readonly Licensed[]): string {
  const sections = parts
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map((part) => `${titleOf(part)}\n\n${bodyOf(part)}`);
  return `${[before, ...sections].join(ruler)}\n`;
}

const keyOf = ({ name, version }: Licensed): string => `${name}@${version}`;

function titleOf({ name, version, license }: Licensed): string {
  return `${[name, version].filter((word) => word !== '').join(' ')} (${license.replace(/^\(|\)$/g, '')})`;
}

function bodyOf({ text, home, license }: Licensed): string {
  if (text !== null) return text.trim();
  const source = home === null ? '' : ` It comes from ${home}.`;
  return `Its authors licensed it as ${license}, and put no text of that licence into the package.${source}`;
}
