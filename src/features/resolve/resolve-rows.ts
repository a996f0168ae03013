/**
 * Settles many uncertain rows at once, by a table of what the user found out: none where the table has a fault, else all but those
 * about whose tasks the service did not answer.
 */

import { dirname } from 'node:path';
import { deciderOf } from '../../app/decisions.ts';
import { hasForgotten } from '../../app/fleet/older-store.ts';
import { openExistingRun } from '../../app/open-run.ts';
import type { Invocation } from '../../app/options/invocation.ts';
import { shownName, standardInput } from '../../app/options/standard-input.ts';
import { ReturnedTable } from '../../app/returned-table.ts';
import type { OpenRun } from '../../app/run-handles.ts';
import { type AgreeToService, askAboutTasks } from '../../app/service/ask-service.ts';
import { systemClock, timeOf } from '../../app/system-clock.ts';
import { InputError, UsageError } from '../../errors.ts';
import { createProblems, type Problems } from '../../input/read-problems.ts';
import { inBoth, type Message, message, type Said } from '../../messages/message.ts';
import { moveAtRest } from '../../money/at-rest.ts';
import type { Item } from '../../money/item.ts';
import { attemptOfLine } from '../../money/subject.ts';
import { isSameTask, taskKey } from '../../money/task-id.ts';
import type { Change } from '../../stores/port/checkpoint.ts';
import type { Store } from '../../stores/port/store.ts';
import { parseRowKey } from '../../text/ids/row-key.ts';
import { decodeSavedText } from '../../text/saved-text.ts';
import { shellPath } from '../../text/shell-word.ts';
import { openInput } from '../import/input-bytes.ts';
import { type Finding, parseFindings } from './findings-table.ts';
import {
  awaitedMs,
  leftOver,
  refuseDoubted,
  resolveDecision,
  type SureOfNone,
  settled,
  whoseTask,
} from './resolve-row.ts';

/** What became of the rows of a table. */
export interface ResolvedRows {
  /** They have their tasks. */
  readonly adopted: number;
  /** They are pending again. */
  readonly returned: number;
  /** Of these, the rows that are no longer in the input: they are not submitted again. */
  readonly gone: number;
  /** Rows of the table that are as they were. */
  readonly left: number;
  /** Ids of the rows about whose tasks the service did not answer, and why it did not. */
  readonly unasked: { readonly ids: readonly string[]; readonly why: Said } | null;
  /** What a spreadsheet made of the ids; null for nothing. */
  readonly note: Message | null;
}

/** A row of the table with its item. */
interface Found {
  readonly finding: Finding;
  readonly item: Item;
}

/**
 * Settles the rows of the table in one transaction. Throws `InputError` with all problems of the table, or `UsageError`
 * where the service cannot be asked about its tasks; then nothing is changed.
 */
export async function resolveRows(
  invocation: Invocation,
  file: string,
  agree: AgreeToService,
  sure: SureOfNone,
): Promise<ResolvedRows> {
  const name = shownName(file);
  const read = await readFindings(file);
  await using opened = await openExistingRun(invocation, true);
  const { store } = opened;
  let note: Message | null = null;
  const findings = await knowFindings(read, opened, file, (said) => {
    note = said;
  });
  const problems = createProblems();
  const found = await findRows(store, refuseDoubled(findings, problems), problems);
  const changes = await planChanges(store, found, problems);
  const unasked = await setAsideUnasked(opened, agree, changes, problems);
  if (problems.count > 0) throw new InputError(name, problems.list());
  if (unasked !== null && changes.size === 0)
    throw new UsageError(message('resolve.unasked', { file: name, so: inBoth(unasked.why) }));
  const returned = found.filter(
    ({ item, finding }) => changes.has(item.key) && finding.found.type !== 'task',
  );
  const at = await timeOf(store);
  await refuseDoubted(
    opened,
    returned.map(({ item }) => leftOver(item, false, at)),
    sure,
  );
  const decider = await deciderOf(store, opened.invocation);
  const decisions = found.flatMap(({ item, finding: { found: what } }) =>
    changes.has(item.key) ? [resolveDecision(decider, item, what.type === 'task' ? what.taskId : null)] : [],
  );
  await store.checkpoint.commit([...changes.values()], settled(decisions));
  const inFile = await store.checkpoint.itemsWithIds(
    returned.map(({ item }) => item.id),
    'inFile',
  );
  return {
    adopted: changes.size - returned.length,
    returned: returned.length,
    gone: returned.length - inFile.length,
    left: findings.length - changes.size - (unasked?.ids.length ?? 0),
    unasked,
    note,
  };
}

async function readFindings(file: string): Promise<readonly Finding[]> {
  const input = openInput(file, { resume: null, more: message('input.resolve-list') });
  const findings = parseFindings(decodeSavedText(Buffer.concat(await Array.fromAsync(input.bytes))));
  if (findings !== null) return findings;
  throw new UsageError(message('resolve.no-columns', { file: shownName(file) }));
}

/** The same with the ids that the run has, by their keys. */
async function knowFindings(
  read: readonly Finding[],
  { store, invocation }: OpenRun,
  file: string,
  say: (note: Message) => void,
): Promise<readonly Finding[]> {
  const table = new ReturnedTable(store, invocation.out, {
    shown: shownName(file),
    folder: file === standardInput ? null : dirname(file),
    commandIn: (folder) => `batch resolve ${shellPath(folder)} --from ${shellPath(file)}`,
    hasOwnTexts: true,
  });
  const known = await table.knownLines(read, { say, isMeant: ({ found }) => found.type !== 'nothing' });
  return read.map((finding, at) => ({ ...finding, id: known[at]?.id ?? finding.id }));
}

/** The rows of the table whose id and task stand in no row before them. */
function refuseDoubled(findings: readonly Finding[], problems: Problems): readonly Finding[] {
  const ids = new Map<string, number>();
  const tasks = new Map<string, number>();
  return findings.filter(({ id, line, found }) => {
    const idLine = ids.get(id);
    const taskLine = found.type === 'task' ? tasks.get(taskKey(found.taskId)) : undefined;
    if (id === '') problems.add(line, message('findings.no-id'));
    else if (idLine !== undefined) problems.add(line, message('findings.same-id', { id, above: idLine }));
    else if (taskLine !== undefined && found.type === 'task')
      problems.add(line, message('findings.same-task', { task: found.taskId, above: taskLine }));
    ids.set(id, idLine ?? line);
    if (found.type === 'task') tasks.set(taskKey(found.taskId), taskLine ?? line);
    return id !== '' && idLine === undefined && taskLine === undefined;
  });
}

async function findRows(
  { checkpoint }: Store,
  findings: readonly Finding[],
  problems: Problems,
): Promise<readonly Found[]> {
  const items = new Map<string, Item>();
  for (const item of await checkpoint.itemsWithIds(findings.map(({ id }) => id)))
    if (!items.has(item.id)) items.set(item.id, item);
  return findings.flatMap((finding) => {
    const item = items.get(finding.id);
    if (item === undefined) problems.add(finding.line, message('findings.no-row', { id: finding.id }));
    return item === undefined ? [] : [{ finding, item }];
  });
}

/** The changes that the table means, by the key of their item. */
async function planChanges(
  store: Store,
  rows: readonly Found[],
  problems: Problems,
): Promise<Map<number, Change & { readonly line: number }>> {
  const changes = new Map<number, Change & { readonly line: number }>();
  const isForgotten = await hasForgotten(store.settings);
  const at = await timeOf(store);
  for (const { finding, item } of rows) {
    const { found, line } = finding;
    // The same table may be given twice.
    const isSettledSo =
      found.type === 'task' && item.taskId !== null && isSameTask(found.taskId, item.taskId);
    if (found.type === 'nothing' || isSettledSo) continue;
    const now = leftOver(item, isForgotten && found.type === 'task', at);
    const conflict = found.type === 'task' ? await whoseTask(store.checkpoint, item, found.taskId) : null;
    const waitMs = await awaitedMs(store, item);
    if (waitMs > 0) problems.add(line, awaitedText(item, waitMs));
    else if (now.status !== 'uncertain') problems.add(line, settledText(item));
    else if (!isAbout(finding, item, now))
      problems.add(line, message('findings.other-attempt', { id: item.id }));
    else if (conflict !== null) problems.add(line, conflict);
    else {
      const event =
        found.type === 'task'
          ? ({ type: 'task-adopted', at, taskId: found.taskId } as const)
          : ({ type: 'not-created', at } as const);
      changes.set(item.key, { before: item, after: moveAtRest(now, event), line });
    }
  }
  return changes;
}

/** False for a line about another attempt than the one that is uncertain `now`: it may have made a task nevertheless. */
function isAbout({ key, isListed }: Finding, item: Item, now: Item): boolean {
  // Of an attempt that its store forgot nobody knows the token.
  const uncertain = now.attempt > item.attempt ? { ...now, token: null } : item;
  const attempt = attemptOfLine(parseRowKey(key ?? ''), uncertain);
  return attempt === 'same' || (attempt === 'unsaid' && !isListed);
}

function awaitedText({ id }: Item, waitMs: number): Message {
  const until = new Date(systemClock.now() + waitMs).toISOString();
  return message('findings.submitting', { id, seconds: Math.ceil(waitMs / 1_000), until });
}

function settledText({ id, status }: Item): Message {
  return message(status === 'lost' ? 'findings.lost' : 'findings.settled', { id, status });
}

/**
 * Adds the tasks that the service does not know to the problems, and takes the changes away about whose tasks it did not answer: all
 * of them where it answered about none. Null where it answered about all.
 */
async function setAsideUnasked(
  run: OpenRun,
  agree: AgreeToService,
  changes: Map<number, Change & { readonly line: number }>,
  problems: Problems,
): Promise<ResolvedRows['unasked']> {
  const asked = [...changes.values()].flatMap((change) =>
    change.after.taskId === null ? [] : [{ ...change, taskId: change.after.taskId }],
  );
  const answers = await askAboutTasks(
    run,
    agree,
    asked.map(({ taskId }) => taskId),
  );
  const ids: string[] = [];
  let why: Said | null = null;
  for (const { taskId, line, after } of asked) {
    const knowledge = answers.get(taskId);
    if (knowledge?.isKnown === false)
      problems.add(line, message('resolve.unknown-task-of', { task: taskId, failure: knowledge.failure }));
    if (knowledge?.isKnown != null) continue;
    why ??= knowledge?.why ?? null;
    ids.push(after.id);
    changes.delete(after.key);
  }
  if (why === null) return null;
  // Nobody knows whether this is the right service.
  if (ids.length === asked.length) changes.clear();
  return { ids, why };
}
