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
  if (how === 'unasked' || rows === 0) return;
  const detail = { rows, points: range?.points ?? points };
  await store.decisions.note([noteDecision(await deciderOf(store, invocation), how, detail)]);
}
