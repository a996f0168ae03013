/** Reads `--confidence`. */

import { invalidOption } from '../../app/options/invalid-option.ts';
import { parseConfidence } from '../../money/review/confidence.ts';

/** How sure to be of what a sample says (0..1); absent where nothing was given. */
export function readConfidence(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const confidence = parseConfidence(String(value));
  if (confidence !== null) return confidence;
  throw invalidOption('--confidence', value, {
    en: 'a share such as 95%, from 50% to 99.9%',
    zh: '份额，例如 95%，从 50% 到 99.9%',
  });
}
