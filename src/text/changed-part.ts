/** Shows what differs between two texts, however long they are. */

/** Letters before the first difference, so that its place is found. */
const leadLength = 12;

/** Both texts from shortly before their first difference on, at most `length` letters each; `…` where they are cut. */
export function changedPart(from: string, to: string, length: number): readonly [from: string, to: string] {
  const [one, other] = [[...from], [...to]];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  // Short texts are shown from their start.
  const start = Math.max(one.length, other.length) <= length ? 0 : Math.max(0, same - leadLength);
  const part = (letters: readonly string[]): string => {
    const end = start + length;
    const cut = letters.slice(start, end).join('');
    return `${start > 0 ? '…' : ''}${cut}${letters.length > end ? '…' : ''}`;
  };
  return [part(one), part(other)];
}
