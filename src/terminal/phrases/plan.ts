/** What is said before anything is sent, in English: the plan, the estimate, the first row, the account, the questions. */

import { type Place, placeInEnglish } from '../../messages/input.ts';
import { renderNumber, renderPoints, renderRows } from '../../messages/numbers.ts';
import type { AccountOutcome } from '../../money/answers/account-check.ts';
import { counted } from './measures.ts';

const one = (count: number, single: string, several: string): string => (count === 1 ? single : several);

/** A `warning:` that stands in the plan. */
const warned = (text: string): string => `warning: ${text}`;

/** What rows may cost, and why it is thought so. */
export interface SaidEstimate {
  /** Null for an unknown one. */
  readonly amount: string | null;
  /** The rows that a range is for; null where the basis counts them itself. */
  readonly rows: number | null;
  readonly basis: string;
  readonly isRehearsal: boolean;
  /** The command that tries a few rows first; null for none. */
  readonly pilot: string | null;
}

/** How far a cap goes. */
export interface SaidReach {
  readonly cap: string;
  readonly spent: number;
  /** 0 for none. */
  readonly reserved: number;
}

const reach = ({ spent, reserved }: SaidReach): string => {
  const held = reserved === 0 ? '' : `, ${renderNumber(reserved)} more reserved`;
  return `${renderPoints(spent)} spent so far${held}`;
};

export const english = {
  heading: (file: string, rows: number, kind: string, encoding: string | null) =>
    [`${file}: ${renderRows(rows)}`, kind, ...(encoding === null ? [] : [encoding])].join(', '),
  plan: (shares: string) => `Plan: ${shares}`,
  shares: (shares: readonly string[]) => shares.join('; '),
  toSubmit: (rows: number) => `${renderNumber(rows)} to submit`,
  someToSubmit: (rows: number, all: number, option: string) =>
    `${renderNumber(rows)} of ${renderNumber(all)} to submit now (${option})`,
  submitted: (toSubmit: string, kinds: string) => (kinds === '' ? toSubmit : `${toSubmit}: ${kinds}`),
  newRows: 'new',
  waiting: 'waiting',
  changed: 'changed',
  rerun: 'paid for again',
  done: 'done',
  gone: 'gone from the file',
  unsendable: 'cannot be sent',

  images: (rows: number, images: number, kinds: string) =>
    `${renderRows(rows)} with ${counted(images, 'image', 'images')}: ${kinds}`,
  inFiles: (count: number) => `${renderNumber(count)} in ${one(count, 'a file', 'files')}`,
  inRows: (count: number) => `${renderNumber(count)} in the rows themselves`,
  inCells: (count: number) => `${renderNumber(count)} in cells`,
  addresses: (count: number) => counted(count, 'address', 'addresses'),
  twins: (count: number) =>
    warned(
      `${renderRows(count)} without id ${one(count, 'repeats', 'repeat')} another row word for word; ${one(count, 'it', 'each')} counts as a separate question, and paid for`,
    ),
  /** `folder` is '' where no videos can be taken. */
  repeats: (count: number, points: number | null, folder: string) => {
    const cost = points === null ? '' : `, about ${renderPoints(points)}`;
    const same = one(
      count,
      'row sends what an earlier row sends, and is',
      'rows send what an earlier row sends, and are',
    );
    const so = folder === '' ? '' : `; \`--reuse ${folder}\` pays for each question once`;
    return warned(`${renderNumber(count)} ${same} paid for${cost}${so}`);
  },
  reuse: (rows: number, held: number, points: number | null) => {
    const saved = points === null || rows === 0 ? '' : `, about ${renderPoints(points)} saved`;
    const waits = one(held, 'waits for the video of another row', 'wait for the videos of other rows');
    return `Reuse: ${renderNumber(rows)} reused${saved}${held === 0 ? '' : `; ${renderNumber(held)} ${waits}`}`;
  },
  /** Rows that wait for the videos of another run; of the doubtful ones nobody knows whether they have a task. */
  elsewhere: (made: number, doubtful: number, folder: string) => {
    const parts = [
      ...(made === 0 ? [] : [`${renderNumber(made)} ${one(made, 'is', 'are')} being made`]),
      ...(doubtful === 0 ? [] : [`${renderNumber(doubtful)} may have been paid for`]),
    ];
    return `${parts.join(' and ')} in ${folder}: not sent now; the same line takes ${one(made + doubtful, 'the video once it is', 'the videos once they are')} there, \`--reuse none\` pays for ${one(made + doubtful, 'it', 'them')}`;
  },
  /** `folder` is '' where no videos can be taken. */
  paidTwice: (count: number, folder: string) =>
    warned(
      `${renderNumber(count)} of the rows to retry ${one(count, 'has', 'have')} the question of a row with a video, and ${one(count, 'is', 'are')} paid for; with \`--reuse ${folder}\` ${one(count, 'it takes', 'they take')} that video for 0 points`,
    ),
  repictured: (count: number) =>
    `${renderRows(count)} whose images changed under the same names: ${one(count, 'it is a changed row or a new one', 'they are changed rows or new ones')}`,
  askedBefore: (count: number) =>
    warned(
      `${renderNumber(count)} new ${one(count, 'row has', 'rows have')} the question of a row that was submitted and is gone from the file, with another answer, image, quality or address: ${one(count, 'it counts', 'they count')} as new, and paid for`,
    ),
  renumbered: (count: number, names: readonly (readonly [was: string, id: string])[]) => {
    const keep = one(
      count,
      'was renumbered and keeps what it has',
      'were renumbered and keep what they have',
    );
    const more = count > names.length ? ', ...' : '';
    return `${renderRows(count)} ${keep}: ${names.map(([was, id]) => `${was} is ${id}`).join(', ')}${more}`;
  },
  paidAgain: (count: number, ids: readonly string[]) =>
    `${renderRows(count)} changed after ${one(count, 'it was submitted and is', 'they were submitted and are')} paid for again (--rerun-changed): ${someOf(count, ids)}`,
  keepResult: (count: number, ids: readonly string[]) =>
    warned(
      `${renderRows(count)} changed after ${one(count, 'it was submitted and keeps its', 'they were submitted and keep their')} result: ${someOf(count, ids)}`,
    ),
  mendedAway: (count: number, ids: readonly string[], command: string) =>
    warned(
      `${renderNumber(count)} failed ${one(count, 'row is', 'rows are')} not in this table, whose new texts have no key: ${one(count, 'it is', 'they are')} taken as corrected there, and ${one(count, 'gets', 'get')} no new attempt: ${someOf(count, ids)}; \`${command}\` with the file of all questions brings ${one(count, 'it', 'them')} back`,
    ),
  payAgain: (count: number, rerun: string, retry: string) =>
    `; ${rerun} pays for ${one(count, 'it', 'them')} again with the new text${one(count, '', `, \`${retry}\` for some of them`)}`,
  rerunCommand: (command: string | null) =>
    command === null ? 'the same command with --rerun-changed' : `\`${command} --rerun-changed\``,
  pilotCommand: (command: string | null, option: string) => `${command ?? 'the same command with'} ${option}`,

  /** `place` is null for the first row of all. */
  firstRow: (place: Place | null) =>
    place === null ? 'first row' : `first row that can be sent (${placeInEnglish(place)})`,
  firstRowIs: (which: string, parts: readonly string[]) => `${which}: ${parts.join(', ')}`,
  noText: 'no text',
  id: (id: string) => `id ${id}`,
  question: (text: string) => `question "${text}"`,
  answer: (text: string) => `answer "${text}"`,
  quality: (quality: string) => `quality ${quality}`,
  rowImages: (count: number, names: readonly string[]) =>
    `${counted(count, 'image', 'images')}: ${names.join(', ')}`,
  moreImages: (count: number) => `${renderNumber(count)} more`,
  imageKinds: { file: 'file', inline: 'in the row itself', kept: 'in a cell', url: 'address' },
  image: (kind: string, name: string | null, size: string | null) =>
    `${kind}${name === null ? '' : ` ${name}`}${size === null ? '' : ` (${size})`}`,

  nothingToSubmit: 'Estimate: nothing to submit, 0 points',
  alike: (count: number) =>
    `  ${renderNumber(count)} of them ${one(count, 'was', 'were')} refused with others alike: sent once more when the service accepts creations`,
  estimate: ({ amount, rows, basis, isRehearsal, pilot }: SaidEstimate) => {
    const known = rows === null ? `${amount}: ` : `${amount} for ${renderRows(rows)}, `;
    const said = amount === null ? 'unknown, ' : known;
    const play = isRehearsal ? '; a rehearsal: points are play money' : '';
    return `Estimate: ${said}${basis}${play}${pilot === null ? '' : `. Try a pilot: ${pilot}`}`;
  },
  unknownAmount: 'an unknown number of points',
  amount: (points: number, isMost: boolean) => `${isMost ? 'at most ' : ''}about ${renderPoints(points)}`,
  range: (low: number, high: number) =>
    low === high ? renderPoints(low) : `${renderNumber(low)} to ${renderPoints(high)}`,
  rangeBasis: (videos: number, byQuality: boolean, byLength: boolean) => {
    const by = [...(byQuality ? ['quality'] : []), ...(byLength ? ['length'] : [])].join(' and ');
    return `judging by ${renderNumber(videos)} videos${by === '' ? '' : `, by ${by}`}`;
  },
  basisOfNothing: 'nothing to submit',
  /** Names qualities where videos of others were paid for. */
  basisUnpaid: (qualities: readonly string[]) =>
    `no video ${qualities.length === 0 ? '' : `in quality ${qualities.join(' or ')} `}has been paid for in this folder yet`,
  /** `qualities` is empty where all rows are of one. */
  basisPart: (
    rows: number,
    {
      qualities,
      each,
      isOne,
    }: { readonly qualities: readonly string[]; readonly each: number; readonly isOne: boolean },
  ) => {
    const which = qualities.length === 0 ? '' : ` (${qualities.join(', ')})`;
    return `${renderRows(rows)}${which} at ${renderNumber(each)}${isOne && rows > 1 ? ' each' : ''}`;
  },
  basis: (parts: readonly string[], charged: number) => {
    const price =
      charged === 1
        ? 'the price of the one video in this folder'
        : `the highest price of that quality among ${renderNumber(charged)} videos in this folder`;
    return `${parts.join(', ')}, ${price}`;
  },
  capChange: (from: number | null, to: number | null) => {
    if (to === null) return '  the cap is removed';
    if (from === null) return `  the run had no cap; from now on it is ${renderPoints(to)}`;
    return `  the cap ${to > from ? 'rises' : 'falls'} from ${renderNumber(from)} to ${renderPoints(to)}`;
  },
  capSpent: (cap: string, spent: number) => `${cap}: ${renderPoints(spent)} spent so far`,
  capOneByOne: (cap: string, qualities: readonly string[]) =>
    `${cap}: rows ${qualities.length === 0 ? '' : `in quality ${qualities.join(' or ')} `}go one at a time until the price of the first one is known`,
  capEnough: ({ cap }: SaidReach) => `${cap} is enough for that`,
  capNoRoom: (said: SaidReach) => `${said.cap} leaves no room for another row: ${reach(said)}`,
  capCovers: (said: SaidReach, rows: number) =>
    `${said.cap} covers about ${renderNumber(rows)} of them: ${reach(said)}`,
  capPassed: (tasks: number, most: number | null) =>
    most === null
      ? '  it can be passed only by what that first row, or a later price above all before, costs more'
      : `  it can be passed only by what ${tasks === 1 ? 'the one task' : `the up to ${renderNumber(tasks)} tasks`} open at a time then cost${tasks === 1 ? 's' : ''} above ${renderPoints(most)}, the most so far`,

  submit: (rows: number, amount: string, isRehearsal: boolean) =>
    `Submit ${renderRows(rows)} for ${amount}${isRehearsal ? ' of play money' : ''}?`,
  service: (address: string) => `Service: ${address}`,
  sendKey: ({ address, from }: { readonly address: string; readonly from: string }) =>
    `${address} is from ${from}, and you have not used it on this machine. May it get your key?`,
  continueHere: 'Is no run going in the other folder, and should this one continue?',
  fetchAll: 'Download them all again?',
  noneInAccount: 'Have you looked, and your account shows no task for these rows?',
  yesOrNo: (question: string) => `${question} [y/N] `,
  yes: /^y(es)?$/i,
  nothingSubmitted: 'Nothing was submitted.',
  nothingFetched: 'Nothing was changed; mount it, or use --yes to download them all again',

  rehearsalAccount: 'Account: the run is a rehearsal (--simulate), which needs none',
  account: (said: string, ms: number) => `Account: ${said} (a free question, ${renderNumber(ms)} ms)`,
  /** The failure of an address that cannot be reached names it, and says what to do. */
  accounts: {
    good: (address) => `good: ${address} answers as the service does, and takes the API key`,
    odd: (address, failure) =>
      `not sure: ${address} may not be the service; asked about a task that cannot exist, it answered "${failure}"`,
    'wrong-service': (address, failure) =>
      `wrong address: ${address} is not the service: ${failure}; correct --base-url`,
    'no-host': (_, failure) => `no such host: ${failure}`,
    tls: (_, failure) => `no secure connection (TLS): ${failure}`,
    proxy: (_, failure) => `the proxy is in the way: ${failure}`,
    misconfigured: (_, failure) => `no request can be sent: ${failure}`,
    'key-refused': (address, failure) =>
      `${address} refused the API key: ${failure}; set a valid key in BATCH_API_KEY or --api-key-file`,
    'no-points': (address, failure) => `${address} says that the account has no points left: ${failure}`,
    'key-forbidden': (address, failure) => `${address} says that the API key lacks permission: ${failure}`,
    unreachable: (_, failure) => `no answer: ${failure}`,
  } as Readonly<Record<AccountOutcome, (address: string, failure: string) => string>>,
};

/** The ids that are known of so many rows. */
function someOf(count: number, ids: readonly string[]): string {
  return `${ids.join(', ')}${count > ids.length ? ', ...' : ''}`;
}
