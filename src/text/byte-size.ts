/** Sizes as people write them: `20MB`, `500 kB`, `16MiB`, or a plain number of bytes. */

const unitBytes = { '': 1, k: 1e3, m: 1e6, g: 1e9, ki: 2 ** 10, mi: 2 ** 20, gi: 2 ** 30 } as const;

/** Whole bytes, or null where the text is not a size. */
export function parseByteSize(text: string): number | null {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmg]i?)?b?$/i.exec(text.trim()) ?? [];
  if (amount === undefined) return null;
  return Math.round(Number(amount) * unitBytes[unit.toLowerCase() as keyof typeof unitBytes]);
}

/** For people; rounds up, so that a size above a limit never looks equal to it. */
export function renderByteSize(bytes: number): string {
  const [unit, size] =
    bytes >= 1e6 ? (['MB', 1e6] as const) : bytes >= 1e3 ? (['kB', 1e3] as const) : (['bytes', 1] as const);
  return `${Math.ceil((bytes / size) * 10) / 10} ${unit}`;
}
