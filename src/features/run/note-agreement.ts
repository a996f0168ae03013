/** Saves how somebody agreed to pay for rows, before they are sent. */

import { deciderOf, noteDecision } from '../../app/decisions.ts';
import type { OpenRun } from '../../app/run-handles.ts';
import type { EstimateText } from './estimate-text.ts';

/** `agreed` at the terminal; `yes` where `--yes` said so beforehand; `unasked` where there was nothing or nobody to ask. */
export type Agreement = 'agreed' | 'yes' | 'unasked';

export async function noteAgreement(
  { store, invocation }: Pick<OpenRun, 'store' | 'invocation'>,
  how: Agreement,
  { estimate, range }: Pick<EstimateText, 'estimate' | 'range'>,
): Promise<void> {
  const { rows, points } = estimate;
  if (rows === 0) return;
  const detail = { rows, points: range?.points ?? points };
  await store.decisions.note([noteDecision(await deciderOf(store, invocation), how, detail)]);
}

/** Saves that so many rows that look odd are sent, where this command says so. */
export async function noteOdd(
  { store, invocation }: Pick<OpenRun, 'store' | 'invocation'>,
  rows: number,
): Promise<void> {
  if (invocation.options.odd !== 'send') return;
  const detail = { odd: 'send', rows };
  await store.decisions.note([noteDecision(await deciderOf(store, invocation), 'odd', detail)]);
}

/** Saves that rows with another text are paid for again. */
export async function noteRerun(
  { store, invocation }: Pick<OpenRun, 'store' | 'invocation'>,
  rows: number,
): Promise<void> {
  if (rows === 0) return;
  await store.decisions.note([noteDecision(await deciderOf(store, invocation), 'rerun', { rows })]);
}
