/** A decision about money, as `report.jsonl` and `status --decisions --json` have it. */

import * as z from 'zod';
import { decisionKinds } from '../money/review/decision-kinds.ts';
import { text, time } from './values.ts';

export const decision = z.strictObject({
  at: time.nullable().describe('When it was made (ISO 8601, UTC).'),
  user: text.describe('Who typed the command, as the machine names its user; empty where it does not say.'),
  machine: text.describe('Name of the machine.'),
  command: text.describe('The command as it was typed, without secrets, shortened.'),
  kind: z.enum(decisionKinds).describe('What it is about.'),
  detail: z.unknown().describe('What was decided: fields that depend on `kind`.'),
});
