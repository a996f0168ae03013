/** What people decided about money, as lines: when, who, by which command, and what. */

import type { Words } from '../messages/both.ts';
import { type Message, message } from '../messages/message.ts';
import { renderNames, renderNamesInChinese } from '../messages/numbers.ts';
import type { DecisionKind } from '../money/review/decision-kinds.ts';
import type { NotedDecision } from '../stores/port/decisions.ts';
import { cutText, fitText, textWidth } from './text-width.ts';

/** What one command decided about any number of rows. */
export interface DecisionGroup
  extends Pick<NotedDecision, 'at' | 'userName' | 'machine' | 'command' | 'kind'> {
  readonly details: readonly Detail[];
  /** Ids of its rows. */
  readonly ids: readonly string[];
}

/** What was decided, as it was saved: each kind knows its own. */
type Detail = Readonly<Record<string, unknown>>;

/** Columns of a terminal are few, and `--json` has all. */
const mostCommand = 48;

/** Joins what one command decided of the same kind about rows that follow each other. */
export function groupDecisions(decisions: readonly NotedDecision[]): readonly DecisionGroup[] {
  const groups: (DecisionGroup & { details: Detail[]; ids: string[] })[] = [];
  for (const { at, userName, machine, command, kind, id, item, detail: text } of decisions) {
    const detail: Detail = JSON.parse(text);
    const last = groups.at(-1);
    const isSame =
      last !== undefined &&
      item !== null &&
      last.at === at &&
      last.kind === kind &&
      last.command === command &&
      last.details[0]?.not_created === detail.not_created;
    const group = isSame ? last : { at, userName, machine, command, kind, details: [], ids: [] };
    group.details.push(detail);
    if (id !== null) group.ids.push(id);
    if (!isSame) groups.push(group);
  }
  return groups;
}

export function decisionLines(
  groups: readonly DecisionGroup[],
  render: (said: Message) => string,
): readonly string[] {
  const who = groups.map(({ userName, machine }) => `${userName}@${machine}`);
  const commands = groups.map(({ command }) => cutText(command, mostCommand));
  const widthOf = (texts: readonly string[]): number =>
    texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
  const [ofWho, ofCommand] = [widthOf(who), widthOf(commands)];
  return groups.map((group, at) =>
    [
      new Date(group.at).toISOString().replace(/\.\d+/, ''),
      fitText(who[at] ?? '', ofWho),
      fitText(commands[at] ?? '', ofCommand),
      render(whatOf(group)),
    ].join('  '),
  );
}

const renderers: Readonly<Record<DecisionKind, (group: DecisionGroup, first: Detail) => Message>> = {
  resolve: ({ ids }, first) =>
    message(first.not_created === true ? 'decision.not-created' : 'decision.adopted', { named: named(ids) }),
  retry: ({ ids, details }, { round, rows }) =>
    rows === undefined
      ? message('decision.retry', { count: details.length, named: named(ids), price: priceOf(details) })
      : message('decision.goes-on', { count: Number(rows), round: Number(round) }),
  correction: ({ ids }) => message('decision.correction', { named: named(ids) }),
  tune: (_, first) => message('decision.changed', { changes: changesIn(first) }),
  cap: (_, first) => message('decision.changed', { changes: changesIn({ 'max-points': first }) }),
  odd: (_, { rows }) => message('decision.odd', { count: typeof rows === 'number' ? rows : null }),
  rerun: (_, { rows }) => message('decision.rerun', { count: Number(rows) }),
  key: () => message('decision.key'),
  yes: ({ details }, { rows }) => message('decision.yes', { count: Number(rows), price: priceOf(details) }),
  agreed: ({ details }, { rows }) =>
    message('decision.agreed', { count: Number(rows), price: priceOf(details) }),
  unasked: ({ details }, { rows }) =>
    message('decision.unasked', { count: Number(rows), price: priceOf(details) }),
};

function whatOf(group: DecisionGroup): Message {
  return renderers[group.kind](group, group.details[0] ?? {});
}

function named(ids: readonly string[]): Words {
  return { en: renderNames(ids), zh: renderNamesInChinese(ids) };
}

function priceOf(details: readonly Detail[]): Message {
  const known = details.map(({ points }) => points).filter((points) => typeof points === 'number');
  if (known.length < details.length) return message('decision.no-price');
  return message('decision.points', { points: known.reduce((sum, points) => sum + points, 0) });
}

/** Options with the values that they had before and have now. */
function changesIn(changes: Detail): Words {
  const said = Object.entries(changes).map(([name, change]) => {
    const { from, to } = change as { readonly from: unknown; readonly to: unknown };
    const now = `--${name} ${to ?? 'none'}`;
    return from === null
      ? { en: now, zh: now }
      : { en: `${now} (was ${from})`, zh: `${now}（原为 ${from}）` };
  });
  return { en: said.map(({ en }) => en).join(', '), zh: said.map(({ zh }) => zh).join('，') };
}
