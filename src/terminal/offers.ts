/** What proposed commands pay for, and the options that make each of them do what its line says, however often it is typed. */

/** What one command would pay for. */
export interface Offer {
  readonly rows: number;
  /** What they may cost, at the largest price so far; null while none is known. */
  readonly points: number | null;
  /** Of these, the rows that proposed commands before this one pay for. */
  readonly before: number;
  /** The cap that the command needs, typed alone; null where it needs none of its own. */
  readonly maxPoints: number | 'none' | null;
  /** The cap in force, where nobody knows how many of the rows it lets through; else null. */
  readonly within: number | null;
}

/** What the proposed lines name. */
export interface Offers {
  /** The rounds so far: a proposed retry includes no row that ends badly in a later one. */
  readonly until: number;
  /** The file that the rows were read from with the options that it needs, in shell words; null where nobody knows it. */
  readonly input: string | null;
  /** A limit was tuned, which stays until it is removed. */
  readonly isLimited: boolean;
  /** What `resume` submits. */
  readonly waiting: Offer | null;
  /** What is left of retries, the last one first. */
  readonly unsent: readonly (Offer & { readonly round: number })[];
  readonly failed: Offer | null;
  readonly rejected: Offer | null;
  readonly lost: Offer | null;
}

/** The options of a command that pays for these rows; a retry of a status names the rounds so far. */
export function payingOptions(offers: Offers | null, offer: Offer | null, isOfStatus: boolean): string {
  if (offers === null) return '';
  const cap = offer?.maxPoints ?? null;
  return [
    isOfStatus ? ` --until ${offers.until}` : '',
    cap === null ? '' : ` --max-points ${cap}`,
    offers.isLimited ? ' --limit none' : '',
  ].join('');
}
