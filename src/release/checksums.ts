/** Pure. Checksums as `sha256sum --check` reads them. */

interface Checksum {
  /** A plain name: neither a backslash nor a line break, which would need to be escaped. */
  readonly name: string;
  readonly sha256: string;
}

const byName = (one: Checksum, other: Checksum): number => (one.name < other.name ? -1 : 1);

export function renderChecksums(files: readonly Checksum[]): string {
  return [...files]
    .sort(byName)
    .map(({ name, sha256 }) => `${sha256}  ${name}\n`)
    .join('');
}
